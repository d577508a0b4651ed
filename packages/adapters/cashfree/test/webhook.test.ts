/** What a webhook reports. */
import { assert, describe, it } from "@effect/vitest"
import { type Outcome, isWebhookRefused } from "@paymux/core"
import { Clock, Effect } from "effect"
import { createHmac } from "node:crypto"
import { cashfree } from "../src/index.ts"
import { rupees, running } from "./operations.ts"

const keys = { environment: "sandbox", clientId: "TEST1", clientSecret: "cfsk_ma_test_1" } as const
const order_id = `op_${"0".repeat(26)}`
const manual = { paymux_capture: "manual" }
const automatic = { paymux_capture: "automatic" }

const success = (order_tags: object | null, payment: object = {}, beside: object = {}) => ({
  type: "PAYMENT_SUCCESS_WEBHOOK",
  event_time: "2026-01-02T03:04:05+05:30",
  data: {
    order: { order_id, order_tags },
    payment: { cf_payment_id: 1, payment_status: "SUCCESS", payment_amount: 10.5, payment_currency: "INR", ...payment },
    ...beside
  }
})

const refund = (refund_status: string) => ({
  type: "REFUND_STATUS_WEBHOOK",
  data: { refund: { refund_id: order_id.replace("_", ""), refund_status, refund_amount: 1, refund_currency: "INR" } }
})

interface How {
  /** How the names of its headers begin. */
  readonly headers?: "x-webhook" | "x-cashfree"
  readonly options?: Partial<Parameters<typeof cashfree>[0]>
  readonly secret?: string
  readonly key?: string
  /** ms */
  readonly age?: number
}

const receive = Effect.fnUntraced(function* (
  event: object,
  { age = 0, headers = "x-webhook", key = "k1", options = {}, secret }: How = {}
) {
  const { webhook } = yield* running(cashfree({ ...keys, ...options }))
  const text = JSON.stringify(event)
  const receivedAt = yield* Clock.currentTimeMillis
  const timestamp = String(receivedAt - age)
  const signature = createHmac("sha256", secret ?? keys.clientSecret)
    .update(timestamp + text)
    .digest("base64")
  const signed = {
    [`${headers}-timestamp`]: timestamp,
    [`${headers}-signature`]: signature,
    "x-idempotency-key": key
  }
  return yield* webhook(new TextEncoder().encode(text), signed, receivedAt)
}, Effect.scoped)

const claimsOf = (event: object, how: How = {}) =>
  Effect.map(receive(event, how), (received) => received.map(({ outcome }) => outcome))
const refusedFor = (event: object, how: How = {}) =>
  Effect.map(Effect.flip(receive(event, how)), (error) => (isWebhookRefused(error) ? error.reason : "another error"))

const captured: Array<Outcome.Outcome> = [{ _tag: "Captured", reference: order_id, amount: rupees(1_050) }]
const authorized: Array<Outcome.Outcome> = [{ _tag: "Authorized", reference: order_id, amount: rupees(1_050) }]

describe("a webhook of Cashfree", () => {
  for (const preauthorization of [false, true]) {
    it.live(`says by its order how a success is captured; funds may be held: ${preauthorization}`, () =>
      Effect.gen(function* () {
        const how = { options: { preauthorization, s2s: true } }
        assert.deepStrictEqual(yield* claimsOf(success(automatic), how), captured)
        assert.deepStrictEqual(yield* claimsOf(success(manual), how), authorized)
        assert.deepStrictEqual(yield* claimsOf(success(manual, { is_captured: false }), how), authorized)
        assert.deepStrictEqual(yield* claimsOf(success(manual, { is_captured: true }), how), captured)
        assert.deepStrictEqual(yield* claimsOf(success(automatic, { is_captured: false }), how), [])
        assert.deepStrictEqual(yield* claimsOf(success(null), how), preauthorization ? [] : captured)
        assert.deepStrictEqual(yield* claimsOf(success(null, { is_captured: true }), how), captured)
      })
    )
  }

  it.live("counts no surcharge as paid, within the payment or beside it", () =>
    Effect.gen(function* () {
      const payment_surcharge = { payment_surcharge_service_charge: 2, payment_surcharge_service_tax: 0.36 }
      const payment_amount = 12.86
      const within = success(automatic, { payment_amount, payment_surcharge })
      const beside = success(automatic, { payment_amount }, { payment_surcharge })
      assert.deepStrictEqual(yield* claimsOf(within), captured)
      assert.deepStrictEqual(yield* claimsOf(beside), captured)
    })
  )

  it.live("says nothing of a try that failed: its order may have others", () =>
    Effect.gen(function* () {
      for (const [type, payment_status] of [
        ["PAYMENT_FAILED_WEBHOOK", "FAILED"],
        ["PAYMENT_USER_DROPPED_WEBHOOK", "USER_DROPPED"]
      ]) {
        assert.deepStrictEqual(yield* receive({ ...success(automatic, { payment_status }), type }), [])
      }
    })
  )

  it.live("is identified by its key, its type and its content; an invalid key is not used", () =>
    Effect.gen(function* () {
      const idOf = (event: object, key: string) => Effect.map(receive(event, { key }), ([first]) => first?.eventId)
      assert.strictEqual(yield* idOf(success(automatic), "k1"), "k1:PAYMENT_SUCCESS_WEBHOOK:Captured")
      assert.strictEqual(yield* idOf(success(manual), "k1"), "k1:PAYMENT_SUCCESS_WEBHOOK:Authorized")
      assert.strictEqual(yield* idOf(refund("SUCCESS"), "k1"), "k1:REFUND_STATUS_WEBHOOK:RefundSucceeded")
      assert.isNull(yield* idOf(success(automatic), "k".repeat(600)))
      assert.isNull(yield* idOf(success(automatic), ""))
    })
  )

  it.live("that is ours and cannot be read is refused, so that it comes again; another's is acknowledged", () =>
    Effect.gen(function* () {
      const unread = { payment_amount: "ten" }
      assert.strictEqual(yield* refusedFor(success(automatic, unread)), "malformed")
      const refunded = refund("SUCCESS")
      const odd = { ...refunded, data: { refund: { ...refunded.data.refund, refund_amount: "ten" } } }
      assert.strictEqual(yield* refusedFor(odd), "malformed")
      const event = success(automatic, unread)
      const others = { ...event, data: { ...event.data, order: { order_id: "shop-1" } } }
      assert.deepStrictEqual(yield* receive(others), [])
    })
  )

  it.live("is taken with the first time of signing as long as Cashfree sends it again, and not an hour later", () =>
    Effect.gen(function* () {
      const minutes = 60_000
      assert.deepStrictEqual(yield* claimsOf(success(automatic), { age: 43 * minutes }), captured)
      assert.strictEqual(yield* refusedFor(success(automatic), { age: 60 * minutes }), "stale")
      assert.strictEqual(yield* refusedFor(success(automatic), { age: -6 * minutes }), "stale")
    })
  )

  it.live("is taken with a secret that was replaced, and with no other", () =>
    Effect.gen(function* () {
      const options = { previousSecrets: ["cfsk_ma_test_0"] }
      assert.deepStrictEqual(yield* claimsOf(success(automatic), { options, secret: "cfsk_ma_test_0" }), captured)
      assert.strictEqual(yield* refusedFor(success(automatic), { secret: "cfsk_ma_test_0" }), "bad_signature")
    })
  )

  it.live("of a paid link reports its order, once for each of the two events that Cashfree sends", () =>
    Effect.gen(function* () {
      const link_id = `link_${order_id}`
      const reported: Array<Outcome.Outcome> = [{ _tag: "Captured", reference: "CFPay_o1_2", amount: rupees(1_050) }]
      const order = { order_id: "CFPay_o1_2", order_amount: "10.50", transaction_status: "SUCCESS" }
      const link = (data: object) => ({
        type: "PAYMENT_LINK_EVENT",
        version: 1,
        event_time: "2026-01-02T03:04:05+05:30",
        data: { link_id, link_status: "PAID", link_amount: "10.50", link_amount_paid: "10.50", order, ...data }
      })
      const payment = (order_tags: object | null) => {
        const event = success(order_tags)
        return { ...event, data: { ...event.data, order: { order_id: "CFPay_o1_2", order_tags } } }
      }
      // A page that was opened before its link ended may be paid after it.
      for (const link_status of ["PAID", "CANCELLED", "EXPIRED"]) {
        assert.deepStrictEqual(yield* claimsOf(link({ link_status })), reported)
      }
      for (const options of [{}, { s2s: true, preauthorization: true }]) {
        assert.deepStrictEqual(yield* claimsOf(payment({ link_id, cf_link_id: "1" }), { options }), reported)
      }
      // The documented sample names the link by Cashfree's own id: an inquiry reports the payment.
      assert.deepStrictEqual(yield* receive(payment({ cf_link_id: "1" })), [])
      for (const change of [
        { link_status: "PARTIALLY_PAID", link_amount_paid: "5.00" },
        { link_status: "PARTIALLY_PAID" },
        { link_amount_paid: "10.49" },
        { order: { ...order, transaction_status: "FAILED" } },
        { link_status: "CANCELLED", link_amount_paid: "0.00", order: null },
        { link_id: "payment_ps11" },
        { link_id: order_id }
      ]) {
        assert.deepStrictEqual(yield* receive(link(change)), [], JSON.stringify(change))
      }
      assert.strictEqual(yield* refusedFor(link({ link_amount: "ten" })), "malformed")
    })
  )

  it.live("of an order of ours is about it, whatever link its tags name", () =>
    Effect.gen(function* () {
      const [evidence] = yield* receive(success({ ...automatic, link_id: `link_op_${"1".repeat(26)}` }))
      assert.deepStrictEqual<unknown>(evidence?.about, { operation: order_id })
    })
  )

  // getlago/lago-api issue 3105.
  it.live(
    "is taken under either name of its headers, and so is the one that the dashboard sends to try an address",
    () =>
      Effect.gen(function* () {
        const how = { headers: "x-cashfree" } as const
        assert.deepStrictEqual(yield* claimsOf(success(automatic), how), captured)
        assert.strictEqual(yield* refusedFor(success(automatic), { ...how, secret: "another" }), "bad_signature")
        assert.strictEqual(yield* refusedFor(success(automatic), { ...how, age: 60 * 60_000 }), "stale")
        const trial = { data: { test_object: { test_key: "test_value" } }, type: "WEBHOOK", event_time: "2026-01-02" }
        for (const headers of ["x-webhook", "x-cashfree"] as const) {
          assert.deepStrictEqual(yield* claimsOf(trial, { headers }), [])
        }
      })
  )

  it.live("repeats no prose of Cashfree's", () =>
    Effect.gen(function* () {
      const prose = `given back to asha@example.com ${"x".repeat(600)}`
      assert.deepStrictEqual(yield* receive(refund(prose)), [])
      assert.deepStrictEqual(yield* receive(success(automatic, { payment_status: prose })), [])
    })
  )
})
