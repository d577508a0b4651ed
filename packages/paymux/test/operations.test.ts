/** What is done about a payment after it was made, in the program and, where a shopper is involved, over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { vi } from "vitest"
import { createPaymux, defineProvider, Outcome, PaymentError } from "../src/index.ts"

const memory = { sandbox: true, database: ":memory:" } as const
const card = {
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "asha@example.com", phone: "+4915112345678" },
  payment_method_details: { card: { token: "tok_success" } }
} as const
const manual = { ...card, capture_method: "manual" } as const
const waiting = { ...card, payment_method_details: { card: { token: "tok_3ds" } } } as const

const reasonOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise
  } catch (error) {
    return error instanceof PaymentError ? error.reason._tag : String(error)
  }
  return "was not rejected"
}

describe("a payment of the sandbox", () => {
  it("is captured in part, refunded in parts, and never over what was taken", async () => {
    await using paymux = await createPaymux(memory)
    const { id } = await paymux.payments.create(manual)
    const captured = await paymux.payments.capture(id, { amount: 1000 }, { idempotencyKey: "c" })
    assert.deepInclude(captured, { status: "succeeded", amount_captured: 1000 })
    assert.deepStrictEqual(await paymux.payments.capture(id, { amount: 1000 }, { idempotencyKey: "c" }), captured)
    assert.strictEqual(await reasonOf(paymux.payments.capture(id)), "OperationRefused")

    const refund = await paymux.refunds.create(id, { amount: 300, reason: "late" }, { idempotencyKey: "r" })
    assert.deepInclude(refund, { object: "refund", status: "succeeded", amount: 300, reason: "late", payment: id })
    assert.deepStrictEqual(
      await paymux.refunds.create(id, { amount: 300, reason: "late" }, { idempotencyKey: "r" }),
      refund
    )
    const second = await paymux.refunds.create(id, { amount: 300 }, { idempotencyKey: "r2" })
    assert.notStrictEqual(second.id, refund.id)
    assert.strictEqual(await reasonOf(paymux.refunds.create(id, { amount: 401 })), "InvalidPayment")
    assert.deepStrictEqual(await paymux.refunds.get(refund.id), refund)
    assert.deepStrictEqual((await paymux.refunds.list(id)).data, [second, refund])
    assert.strictEqual((await paymux.payments.get(id)).amount_refunded, 600)
  })

  it("a refund is answered as a refund with a key or without", async () => {
    await using paymux = await createPaymux(memory)
    const { id } = await paymux.payments.create(card)
    const refund = await paymux.refunds.create(id)
    assert.deepInclude(refund, { object: "refund", status: "succeeded", amount: card.amount })
    assert.deepStrictEqual(await paymux.refunds.get(refund.id), refund)
  })

  it("is canceled while it is held, and while a UPI payer or a page waits; not when it was paid", async () => {
    await using paymux = await createPaymux(memory)
    const upi = {
      ...card,
      currency: "INR",
      payment_method: "upi",
      payment_method_details: { upi: { vpa: "pending@paymux" } }
    } as const
    for (const made of [manual, waiting, upi]) {
      const { id } = await paymux.payments.create(made)
      assert.deepInclude(await paymux.payments.cancel(id), { status: "canceled", amount_captured: 0 })
    }
    const { id } = await paymux.payments.create(card)
    assert.strictEqual(await reasonOf(paymux.payments.cancel(id)), "OperationRefused")
  })

  it("an address on a chain stays payable, so it cannot be canceled", async () => {
    await using paymux = await createPaymux(memory)
    const { id } = await paymux.payments.create({
      ...card,
      currency: "USD",
      payment_method: "stablecoin",
      payment_method_details: {},
      metadata: { sandbox_transfer: "reorg" }
    })
    assert.strictEqual(await reasonOf(paymux.payments.cancel(id)), "OperationRefused")
  })

  it("on a chain names its coin and chain once they are chosen, and after it is paid", async () => {
    const database = `sqlite:${join(mkdtempSync(join(tmpdir(), "paymux-chosen-")), "one.db")}`
    const made = await (async () => {
      await using paymux = await createPaymux({ ...memory, database })
      return paymux.payments.create({
        ...card,
        currency: "USD",
        payment_method: "stablecoin",
        payment_method_details: {},
        metadata: { sandbox_transfer: "exact" }
      })
    })()
    const chosen = { stablecoin: { asset: "USDC", network: "base" } }
    assert.deepStrictEqual(made.payment_method_details, chosen)
    await using paymux = await createPaymux({ ...memory, database })
    await vi.waitFor(async () => assert.strictEqual((await paymux.payments.get(made.id)).status, "succeeded"), 20_000)
    assert.deepStrictEqual((await paymux.payments.get(made.id)).payment_method_details, chosen)
  })

  it("is changed only at the version that was read, if one is named; a repeat by its key still gets its answer", async () => {
    await using paymux = await createPaymux(memory)
    const { id, version } = await paymux.payments.create(manual)
    const captured = await paymux.payments.capture(id, { amount: 1000 }, { version, idempotencyKey: "c" })
    const late = [
      paymux.payments.capture(id, {}, { version }),
      paymux.payments.cancel(id, { version }),
      paymux.refunds.create(id, { amount: 100 }, { version, idempotencyKey: "r" })
    ]
    for (const each of late) assert.strictEqual(await reasonOf(each), "VersionConflict")
    const repeated = await paymux.payments.capture(id, { amount: 1000 }, { version, idempotencyKey: "c" })
    assert.deepStrictEqual(repeated, captured)
    const now = (await paymux.payments.get(id)).version
    const refund = () => paymux.refunds.create(id, { amount: 100 }, { version: now })
    const both = await Promise.allSettled([refund(), refund()])
    assert.lengthOf(
      both.filter(({ status }) => status === "fulfilled"),
      1
    )
    assert.strictEqual((await paymux.payments.get(id)).amount_refunded, 100)
    for (const wrong of [0, -1, 1.5, Number.NaN, "1", null]) {
      const options = { ...Object.fromEntries([["version", wrong]]), idempotencyKey: "w" }
      assert.strictEqual(await reasonOf(paymux.refunds.create(id, {}, options)), "InvalidPayment", String(wrong))
    }
    const ofCreate = Object.fromEntries([["version", 1]])
    assert.strictEqual(await reasonOf(paymux.payments.create(card, ofCreate)), "InvalidPayment")
  })

  it("that is not there, malformed amounts and misspelt options are refused alike", async () => {
    await using paymux = await createPaymux(memory)
    const { id } = await paymux.payments.create(manual)
    assert.strictEqual(await reasonOf(paymux.payments.capture("pay_1")), "PaymentNotFound")
    assert.strictEqual(await reasonOf(paymux.payments.cancel("pay_1")), "PaymentNotFound")
    assert.strictEqual(await reasonOf(paymux.refunds.create("pay_1")), "PaymentNotFound")
    assert.strictEqual(await reasonOf(paymux.refunds.list("pay_1")), "PaymentNotFound")
    assert.strictEqual(await reasonOf(paymux.refunds.get("re_1")), "RefundNotFound")
    assert.strictEqual(await reasonOf(paymux.payments.capture(id, { amount: 0 })), "InvalidPayment")
    assert.strictEqual(await reasonOf(paymux.refunds.create(id, { reason: "4242 4242 4242 4242" })), "RawCardData")
    const key = { idempotencyKey: "key-4242424242424242" }
    assert.strictEqual(await reasonOf(paymux.payments.create(manual, key)), "RawCardData")
    assert.strictEqual(await reasonOf(paymux.refunds.create(id, {}, key)), "RawCardData")
    const misspelt = Object.fromEntries([["idempotency_key", "k"]])
    assert.strictEqual(await reasonOf(paymux.payments.cancel(id, misspelt)), "InvalidPayment")
    assert.strictEqual((await paymux.payments.get(id)).status, "authorized")
  })
})

describe("the shopper", () => {
  const publicUrl = "http://localhost:4310"

  it("goes from the sandbox's page by our own address to the merchant", async () => {
    await using paymux = await createPaymux({ ...memory, publicUrl })
    const post = (url: string) =>
      paymux.fetch(new Request(url, { method: "POST", body: new URLSearchParams({ decision: "approve" }) }))
    const payment = await paymux.payments.create({ ...waiting, return_url: "https://shop.example/done?order=7" })
    const page = payment.next_action?.type === "redirect" ? payment.next_action.url : ""
    const decided = await post(page)
    const address = decided.headers.get("location") ?? ""
    assert.strictEqual(decided.status, 303)
    assert.isTrue(address.startsWith(`${publicUrl}/return/op_`), address)
    const returned = await paymux.fetch(new Request(address))
    assert.strictEqual(returned.status, 303)
    assert.strictEqual(returned.headers.get("location"), `https://shop.example/done?order=7&payment_id=${payment.id}`)
    assert.strictEqual((await paymux.payments.get(payment.id)).status, "succeeded")
  })

  it.each([
    ["myapp://done?order=7", "myapp://done?order=7&payment_id=", "myapp:"],
    ["my.app:done", "my.app:done?payment_id=", "my.app:"],
    [
      "intent://done/#Intent;scheme=myapp;package=example.shop;end",
      "intent://done/?payment_id=ID#Intent;scheme=myapp;package=example.shop;end",
      "intent:"
    ]
  ])("goes to an app whose scheme the account allows: %s", async (return_url, location, source) => {
    const returnSchemes = { default: ["myapp", "my.app", "intent"] }
    await using paymux = await createPaymux({ ...memory, publicUrl, returnSchemes })
    const payment = await paymux.payments.create({ ...waiting, return_url })
    const simulated = payment.next_action?.type === "redirect" ? payment.next_action.url : ""
    const shown = await paymux.fetch(new Request(simulated))
    assert.match(shown.headers.get("content-security-policy") ?? "", new RegExp(`form-action [^;]* ${source}( |;)`))
    const body = new URLSearchParams({ decision: "approve" })
    const decided = await paymux.fetch(new Request(simulated, { method: "POST", body }))
    const returned = await paymux.fetch(new Request(decided.headers.get("location") ?? ""))
    const expected = location.includes("ID") ? location.replace("ID", payment.id) : `${location}${payment.id}`
    assert.deepStrictEqual([returned.status, returned.headers.get("location")], [303, expected])
    const page = await (await paymux.fetch(new Request(payment.hosted_url ?? ""))).text()
    assert.include(page, `href="${expected.replaceAll("&", "&#38;")}"`)
  })

  it("goes to no app whose scheme the account does not allow: the payment is refused, and no key is used", async () => {
    await using paymux = await createPaymux({ ...memory, publicUrl, returnSchemes: { other: ["myapp"] } })
    const payment = { ...waiting, return_url: "myapp://done" }
    const options = { idempotencyKey: "to-an-app" }
    const refused = await paymux.payments.create(payment, options).then(
      () => null,
      (error: unknown) => error
    )
    assert.include(
      String(refused),
      "/return_url has a scheme that the account does not allow: see the option returnSchemes"
    )
    const there = await paymux.forAccount("other").payments.create(payment)
    assert.strictEqual(there.status, "pending")
    assert.strictEqual((await paymux.payments.create(waiting, options)).status, "pending")
  })

  it("is sent to the payment page where the merchant has no page", async () => {
    await using paymux = await createPaymux({ ...memory, publicUrl })
    const payment = await paymux.payments.create(waiting)
    const page = payment.next_action?.type === "redirect" ? payment.next_action.url : ""
    const body = new URLSearchParams({ decision: "decline" })
    const decided = await paymux.fetch(new Request(page, { method: "POST", body }))
    const returned = await paymux.fetch(new Request(decided.headers.get("location") ?? ""))
    assert.deepStrictEqual([returned.status, returned.headers.get("location")], [303, payment.hosted_url])
    const shown = await paymux.fetch(new Request(payment.hosted_url ?? ""))
    assert.include(await shown.text(), "Payment failed")
  })
})

describe("lateSuccess", () => {
  /** Declines, and takes the money after all: its webhook says so. */
  const late = (given: Array<string>, canInquire: boolean) =>
    defineProvider({
      id: "late",
      options: Schema.Struct({}),
      mode: () => "test",
      capabilities: () => ({
        methods: { card: { currencies: "any", flows: { token: {} } } },
        operations: {
          create: canInquire ? { inquiry: { by: "reference" } } : {},
          refund: { idempotency: { by: "header", lifetime: "24 hours" } }
        }
      }),
      make: () =>
        Effect.succeed({
          create: () => Effect.succeed(Outcome.declined({ code: "do_not_honor", retry: "never", reference: "ord_1" })),
          refund: ({ id }) => Effect.sync(() => (given.push(id), Outcome.succeeded())),
          ...(canInquire && { inquire: () => Effect.succeed(Outcome.succeeded({ reference: "ord_1" })) }),
          webhook: () =>
            Effect.succeed([
              {
                source: "webhook",
                about: { provider: "late", providerReference: "ord_1" },
                outcome: { _tag: "Succeeded" },
                eventId: "evt_1",
                occurredAt: null
              } as const
            ])
        })
    })({})

  const reported = async (lateSuccess: "succeed" | "reverse", canInquire = true) => {
    const given: Array<string> = []
    await using paymux = await createPaymux({ providers: [late(given, canInquire)], database: ":memory:", lateSuccess })
    const { id, status } = await paymux.payments.create(card)
    assert.strictEqual(status, "failed")
    const webhook = await paymux.fetch(new Request("http://any/webhooks/late", { method: "POST", body: "{}" }))
    assert.strictEqual(webhook.status, 200)
    const unconfirmed = await paymux.payments.get(id)
    let payment = unconfirmed
    while (payment.attempts[0]?.reversal === "pending") {
      await new Promise((resolve) => setTimeout(resolve, 20))
      payment = await paymux.payments.get(id)
    }
    const { attempts, late: isLate, overpayment, reviews, status: shown } = payment
    return {
      status: shown,
      late: isLate ?? false,
      first: unconfirmed.attempts[0]?.reversal ?? null,
      reversal: attempts[0]?.reversal ?? null,
      overpayment: [unconfirmed.overpayment ?? 0, overpayment ?? 0],
      reviews: reviews.map(({ amount, provider, reason, reference }) => ({ amount, provider, reason, reference })),
      refunds: given.length
    }
  }

  it("succeeds a failed payment, or refunds it once an inquiry has confirmed the charge", async () => {
    const none = { first: null, reversal: null, overpayment: [0, 0], reviews: [], refunds: 0 }
    assert.deepStrictEqual(await reported("succeed"), { status: "succeeded", late: true, ...none })
    assert.deepStrictEqual(await reported("reverse"), {
      status: "failed",
      late: false,
      first: "pending",
      reversal: "succeeded",
      overpayment: [1200, 0],
      reviews: [],
      refunds: 1
    })
  })

  it("refunds nothing that the provider cannot confirm: a review names the charge and the amount", async () => {
    assert.deepStrictEqual(await reported("reverse", false), {
      status: "failed",
      late: false,
      first: "failed",
      reversal: "failed",
      overpayment: [1200, 1200],
      reviews: [{ amount: 1200, provider: "late", reason: "late_success", reference: "ord_1" }],
      refunds: 0
    })
  })

  it("is one of two words", async () => {
    const lateSuccess = "ignore" as "reverse"
    assert.include(await reasonOf(createPaymux({ ...memory, lateSuccess })), "lateSuccess must be succeed or reverse")
  })
})
