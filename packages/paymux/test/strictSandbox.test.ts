/** `sandbox: { like }`: simulated providers with the requirements of others. */
import { assert, describe, it } from "@effect/vitest"
import { defineProvider, type FlowCapability, Outcome } from "@paymux/core"
import { Effect, Schema } from "effect"
import { createPaymux, PaymentError } from "../src/index.ts"
import type { Paymux, PaymuxOptions } from "../src/index.ts"

const upi = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
} as const
const qr = { ...upi, payment_method_details: { upi: { flow: "qr" } } } as const
const client = { ip: "203.0.113.7", user_agent: "Mozilla/5.0", referer: "https://shop.example/" }
const card = { ...upi, currency: "EUR", payment_method: "card" } as const

/** A real provider for cards in test mode that is always away, and has these requirements. */
const acme = (token: FlowCapability) =>
  defineProvider({
    id: "acme",
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: ["EUR"], flows: { token, hosted: token } } },
      operations: { create: {} }
    }),
    make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })) })
  })({})

const withSandbox = async (options: PaymuxOptions<string>, work: (paymux: Paymux) => Promise<void>) => {
  await using paymux = await createPaymux<string>({ sandbox: true, database: ":memory:", logs: false, ...options })
  await work(paymux)
}

const refused = async (creating: Promise<unknown>) => {
  const error: unknown = await creating.then(
    () => null,
    (error: unknown) => error
  )
  return error instanceof PaymentError ? error.reason._tag : error
}

describe("the sandbox like others", () => {
  it("requires of a UPI QR code what Razorpay requires, and shows a page for the minimal request as it does", () =>
    withSandbox({ sandbox: { like: ["razorpay"] } }, async (paymux) => {
      assert.strictEqual(await refused(paymux.payments.create(qr)), "NoRoute")
      assert.strictEqual((await paymux.payments.create({ ...qr, client })).status, "succeeded")
      const minimal = await paymux.payments.create({ ...upi, metadata: { sandbox_scenario: "undecided" } })
      assert.strictEqual(minimal.next_action?.type, "redirect")
      const page = await paymux.fetch(
        new Request(minimal.next_action?.type === "redirect" ? minimal.next_action.url : "")
      )
      assert.strictEqual(page.status, 200)
    }))

  it("takes any request without a model, and on a rail that no model has", () =>
    withSandbox({ sandbox: { like: ["stripe"] } }, async (paymux) => {
      assert.strictEqual((await paymux.payments.create(qr)).status, "succeeded")
      assert.strictEqual(await refused(paymux.payments.create({ ...card, currency: "ISK" })), "NoRoute")
    }))

  it("has the configured providers as models by default, and none with an empty list", async () => {
    const providers = [acme({ requires: ["customer.name"] })]
    const routing = { version: 1 as const, default: { priority: ["sandbox_card_a"] } }
    await withSandbox({ providers, routing }, async (paymux) => {
      assert.strictEqual(await refused(paymux.payments.create(card)), "NoRoute")
      const named = { ...card, customer: { ...card.customer, name: "Asha Rao" } }
      assert.strictEqual((await paymux.payments.create(named)).provider, "sandbox_card_a")
    })
    await withSandbox({ providers, routing, sandbox: { like: [] } }, async (paymux) => {
      assert.strictEqual((await paymux.payments.create(card)).status, "succeeded")
    })
  })

  it("has the second provider of a rail like the second model", () =>
    withSandbox({ sandbox: { like: ["cashfree", "razorpay"] } }, async (paymux) => {
      // An ordinary account of Cashfree has no QR codes.
      const { attempts } = await paymux.payments.create({ ...qr, client })
      assert.deepStrictEqual(
        attempts.map(({ provider }) => provider),
        ["sandbox_upi_b"]
      )
    }))

  for (const [sandbox, problem] of [
    [
      { like: ["paypal"] },
      'sandbox.like names "paypal", which is none of adyen, cashfree, coinbase, razorpay, stripe.'
    ],
    [{ like: "stripe" }, 'sandbox.like must be a list of names: ["razorpay"].'],
    [{ like: [7] }, "sandbox.like names 7, which is none of"],
    [{ likes: ["stripe"] }, 'There is no option "sandbox.likes".'],
    ["stripe", 'sandbox must be true, false, or { like: ["razorpay"] }.'],
    [null, 'sandbox must be true, false, or { like: ["razorpay"] }.']
  ] as const) {
    it(`is refused as ${JSON.stringify(sandbox)}`, async () => {
      // @ts-expect-error -- what a configuration file may say
      const started: Promise<Paymux> = createPaymux({ sandbox, database: ":memory:" })
      assert.include(String(await started.catch((error: unknown) => error)), problem)
    })
  }
})
