/** The scaffold's adapter behind a whole server, with its vendor on the other side: what the checks promise, seen from outside. */
import { assert, describe, it } from "@effect/vitest"
import { type Delivery, type HttpVendor, postWebhook } from "@paymux/testkit"
import { Effect } from "effect"
import { createPaymux } from "paymux"
import { acme } from "../../packages/paymux/templates/adapter/src/index.ts"
import { fake } from "../../packages/paymux/templates/adapter/test/fake.ts"
import { webhookAddress } from "../support/webhookAddress.ts"

const customer = { email: "asha@example.com", phone: "+4915112345678" }
const byToken = {
  amount: 1250,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_1" } },
  customer
} as const
const byPage = {
  amount: 1250,
  currency: "EUR",
  payment_method: "card",
  return_url: "https://shop.example/thanks",
  customer
} as const

const harness = Effect.gen(function* () {
  const vendor = yield* fake.start({ mode: "test" })
  const { apiKey, webhookSecret } = vendor.credentials
  const paymux = yield* Effect.acquireRelease(
    Effect.promise(() =>
      createPaymux({
        database: ":memory:",
        providers: [acme({ apiKey, webhookSecrets: [webhookSecret], baseUrl: vendor.url })]
      })
    ),
    (made) => Effect.promise(() => made.close())
  )
  return { vendor, paymux, url: yield* webhookAddress(paymux, "acme") }
})

const reported = (vendor: HttpVendor<{ apiKey: string; webhookSecret: string }>, signedAt?: number) =>
  Effect.gen(function* () {
    if (vendor.webhooks === null) return assert.fail("Acme sends webhooks")
    const events = yield* vendor.webhooks.events
    return yield* vendor.webhooks.deliver(events.slice(-1), signedAt === undefined ? {} : { at: signedAt })
  })

const tampered = ({ body, headers }: Delivery): Delivery => ({
  headers,
  body: new TextEncoder().encode(new TextDecoder().decode(body).replace("1250", "9250"))
})

describe("an adapter in a server", () => {
  it.live("accepts a repeated webhook once, and never a changed or old one", () =>
    Effect.gen(function* () {
      const { paymux, url, vendor } = yield* harness
      const created = yield* Effect.promise(() => paymux.payments.create(byPage))
      assert.strictEqual(created.status, "pending")
      assert.strictEqual(created.next_action?.type, "redirect")
      yield* vendor.payersAct
      const delivery = yield* reported(vendor)
      assert.strictEqual(yield* postWebhook(url, tampered(delivery)), 401)
      assert.strictEqual(yield* postWebhook(url, yield* reported(vendor, 1_700_000_000_000)), 400)
      assert.strictEqual((yield* Effect.promise(() => paymux.payments.get(created.id))).status, "pending")
      assert.deepStrictEqual([yield* postWebhook(url, delivery), yield* postWebhook(url, delivery)], [200, 200])
      const paid = yield* Effect.promise(() => paymux.payments.get(created.id))
      assert.strictEqual(paid.status, "succeeded")
      assert.strictEqual(paid.amount_captured, 1250)
    }).pipe(Effect.scoped)
  )

  it.live("takes the money once where its vendor's reply is lost, and gives it back once", () =>
    Effect.gen(function* () {
      const { paymux, vendor } = yield* harness
      yield* vendor.network?.failNext({ executed: true, reply: "reset" }) ?? Effect.void
      const paid = yield* Effect.promise(() => paymux.payments.create(byToken))
      assert.strictEqual(paid.status, "succeeded")
      yield* vendor.network?.failNext({ executed: true, reply: { status: 500 } }) ?? Effect.void
      const refund = yield* Effect.promise(() => paymux.refunds.create(paid.id, { amount: 250 }))
      assert.strictEqual(refund.status, "succeeded")
      const [payment, ...others] = yield* vendor.payments
      assert.isEmpty(others)
      assert.strictEqual(payment?.captured, 1250)
      assert.deepStrictEqual(
        payment?.refunds.map(({ minorUnits }) => minorUnits),
        [250]
      )
    }).pipe(Effect.scoped)
  )
})
