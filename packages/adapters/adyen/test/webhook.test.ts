import type { Evidence, OperationId } from "@paymux/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { begin, euros } from "./operations.ts"
import { type Item, signedBody, signedItem } from "../src/testing/signed.ts"

// Boundary of a test: the shape of an operation's id.
const op = `op_${"0".repeat(26)}` as OperationId
const payment = "JLCMPCQ8HXSKGK82"
const amount = { value: 1000, currency: "EUR" }

const item = (eventCode: string, change: Partial<Item> = {}): Item => ({
  eventCode,
  pspReference: "QFQTPCQ8HXSKGK82",
  originalReference: payment,
  merchantReference: op,
  amount,
  ...change
})

const reported = ({ about, outcome }: Evidence) => [
  "operation" in about ? about.operation : `${about.provider} ${about.providerReference}`,
  outcome._tag,
  outcome.reference ?? null
]

describe("Adyen's webhooks", () => {
  it.live("say of whose operation they are by the reference that it was given", () =>
    Effect.gen(function* () {
      const { receive } = yield* begin
      const failed = { success: "false" }
      const own = (what: string) => ({ merchantReference: `${op}-${what}` })
      const psp = "QFQTPCQ8HXSKGK82"
      type Reported = readonly [string, string, string | null]
      const cases: ReadonlyArray<readonly [Item, ...ReadonlyArray<Reported>]> = [
        [item("AUTHORISATION"), [op, "Succeeded", psp]],
        [item("AUTHORISATION", own("hold")), [op, "Authorized", psp]],
        [item("AUTHORISATION", failed), [op, "Declined", psp]],
        [item("AUTHORISATION", own("link")), [op, "Succeeded", psp]],
        [item("AUTHORISATION", own("link-hold")), [op, "Authorized", psp]],
        // The payer may try again on the same link, whose name is kept.
        [item("AUTHORISATION", { ...own("link"), ...failed }), [op, "Pending", null]],
        [item("CAPTURE", own("capture")), [op, "Captured", psp]],
        [item("CAPTURE"), [op, "Captured", payment]],
        // Of several captures of a hold the payment's name does not say which.
        [item("CAPTURE", own("hold")), [`adyen ${psp}`, "Captured", null]],
        [item("CAPTURE", { ...own("hold"), ...failed }), [`adyen ${psp}`, "CaptureFailed", null]],
        [item("CAPTURE", { ...own("capture"), ...failed }), [op, "CaptureFailed", psp]],
        [item("CAPTURE_FAILED", own("capture")), [op, "CaptureFailed", psp]],
        [item("CAPTURE_FAILED"), [op, "CaptureFailed", payment]],
        [item("CAPTURE_FAILED", own("link-hold")), [`adyen ${psp}`, "CaptureFailed", null], [op, "CaptureFailed", psp]],
        [item("CAPTURE_FAILED", failed)],
        [item("CANCELLATION", own("cancel")), [op, "Canceled", psp]],
        [item("CANCELLATION", own("hold")), [op, "Canceled", null]],
        // It was taken for paid as soon as it was authorized.
        [item("CANCELLATION"), [op, "Canceled", null], [op, "CaptureFailed", null]],
        [item("CANCELLATION", own("refund")), [op, "RefundSucceeded", psp]],
        [item("CANCELLATION", own("capture"))],
        [item("CANCELLATION", { ...own("cancel"), ...failed }), [op, "Declined", psp]],
        [item("CANCELLATION", failed), [`adyen ${psp}`, "Declined", null]],
        [item("TECHNICAL_CANCEL", own("link")), [op, "Canceled", null], [op, "CaptureFailed", null]],
        [item("TECHNICAL_CANCEL", { ...own("cancel"), ...failed }), [op, "Declined", psp]],
        [item("EXPIRE", own("hold")), [op, "Expired", null]],
        [item("EXPIRE"), [op, "Expired", null], [op, "CaptureFailed", null]],
        [item("OFFER_CLOSED"), [op, "Declined", null]],
        [item("OFFER_CLOSED", own("link"))],
        [item("REFUND", own("refund")), [op, "RefundSucceeded", psp]],
        [item("REFUND", { ...own("refund"), ...failed }), [op, "RefundFailed", psp]],
        [item("REFUND"), [`adyen ${psp}`, "RefundSucceeded", null]],
        [item("REFUND_FAILED", own("refund")), [op, "RefundFailed", psp]],
        [item("REFUNDED_REVERSED"), [`adyen ${psp}`, "RefundFailed", null]],
        [item("CANCEL_OR_REFUND", own("refund")), [op, "RefundSucceeded", psp]],
        [item("CANCEL_OR_REFUND", { ...own("refund"), ...failed }), [op, "RefundFailed", psp]],
        [item("CHARGEBACK"), [op, "Disputed", psp]],
        [item("REQUEST_FOR_INFORMATION")],
        [item("NOTIFICATION_OF_FRAUD")],
        [item("REPORT_AVAILABLE")]
      ]
      for (const [posted, ...expected] of cases) {
        const received = (yield* receive(posted)).map(reported)
        assert.deepStrictEqual<unknown>(received, expected, JSON.stringify(posted))
      }
    }).pipe(Effect.scoped)
  )

  it.live("report a dispute with its amount and its end, by the dispute's own reference", () =>
    Effect.gen(function* () {
      const { receive } = yield* begin
      for (const [eventCode, status] of [
        ["NOTIFICATION_OF_CHARGEBACK", "open"],
        ["DISPUTE_OPENED_WITH_CHARGEBACK", "open"],
        ["CHARGEBACK", "open"],
        ["CHARGEBACK_REVERSED", "won"],
        ["SECOND_CHARGEBACK", "lost"],
        ["PREARBITRATION_WON", "won"],
        ["PREARBITRATION_LOST", "lost"]
      ] as const) {
        const [evidence] = yield* receive(item(eventCode, { amount: { value: 700, currency: "EUR" } }))
        const reference = "QFQTPCQ8HXSKGK82"
        assert.deepStrictEqual<unknown>(
          evidence?.outcome,
          { _tag: "Disputed", status, amount: euros(700), reference },
          eventCode
        )
      }
    }).pipe(Effect.scoped)
  )

  it.live("report an amount in another unit rounded, or as unreadable, never as the whole amount", () =>
    Effect.gen(function* () {
      const { receive } = yield* begin
      const outcomes = (posted: Item) =>
        Effect.map(receive(posted), (received) =>
          received.map(({ outcome: { reference: _reference, ...outcome } }) => outcome)
        )
      const strange = { amount: { value: 10_001, currency: "BGN" } }
      for (const [eventCode, _tag] of [
        ["AUTHORISATION", "Succeeded"],
        ["CAPTURE", "Captured"],
        ["REFUND", "RefundSucceeded"]
      ] as const) {
        const odd = item(eventCode, { amount: { value: 10_001, currency: "ISK" } })
        assert.deepStrictEqual<unknown>(yield* outcomes(odd), [{ _tag, amount: euros(100, "ISK") }])
        assert.deepStrictEqual(yield* outcomes(item(eventCode, strange)), [{ _tag: "Unreadable" }])
      }
      // The whole charge.
      assert.deepStrictEqual(yield* outcomes(item("CHARGEBACK", strange)), [{ _tag: "Disputed", status: "open" }])
      assert.deepStrictEqual(yield* outcomes(item("REFUND_FAILED", strange)), [{ _tag: "RefundFailed" }])
    }).pipe(Effect.scoped)
  )

  it.live("say nothing of what is another system's, and nothing that is not signed", () =>
    Effect.gen(function* () {
      const { receive } = yield* begin
      for (const merchantReference of ["", "order-1001", `${op}-other`, `${op}x`, "op_short"]) {
        assert.deepStrictEqual(yield* receive(item("AUTHORISATION", { merchantReference })), [])
      }
      const [evidence] = yield* receive(item("AUTHORISATION", { success: "false", reason: "Not enough balance" }))
      assert.deepStrictEqual(evidence, {
        source: "webhook",
        about: { operation: op },
        outcome: { _tag: "Declined", code: "generic_decline", retry: "same_later", reference: "QFQTPCQ8HXSKGK82" },
        eventId: "AUTHORISATION:QFQTPCQ8HXSKGK82:false",
        occurredAt: null
      })
    }).pipe(Effect.scoped)
  )

  it.live("are accepted in order, and one invalid item refuses all of them", () =>
    Effect.gen(function* () {
      const { receive, vendor, webhook } = yield* begin
      const items = [item("AUTHORISATION"), item("CAPTURE"), item("REFUND")]
      assert.deepStrictEqual(
        (yield* receive(...items)).map(({ eventId }) => eventId),
        items.map(({ eventCode, pspReference }) => `${eventCode}:${pspReference}:true`)
      )
      const refusal = (changed: object) => {
        const [first, ...others] = items.map((each) => signedItem(each, vendor.credentials))
        const all = [...others, { ...first, ...changed }].map((each) => ({ NotificationRequestItem: each }))
        const body = new TextEncoder().encode(JSON.stringify({ live: "false", notificationItems: all }))
        return Effect.map(Effect.flip(webhook(body, {})), ({ reason }) => reason)
      }
      assert.strictEqual(yield* refusal({ success: "false" }), "bad_signature")
      assert.strictEqual(yield* refusal({ additionalData: {} }), "missing_signature")
      assert.strictEqual(yield* refusal({ additionalData: null }), "missing_signature")
      assert.strictEqual(yield* refusal({ amount: { value: "1000", currency: "EUR" } }), "malformed")
    }).pipe(Effect.scoped)
  )

  // adyen-java issue 275, adyen-dotnet issue 543, adyen-magento2 pull request 1937.
  it.live("of a type that is not read may lack amount, reference and signature, and hold up nothing", () =>
    Effect.gen(function* () {
      const { vendor, webhook } = yield* begin
      const { merchantAccount } = vendor.credentials
      const received = (...unread: ReadonlyArray<unknown>) => {
        const items = [signedItem(item("CAPTURE"), vendor.credentials), ...unread]
        const all = items.map((each) => ({ NotificationRequestItem: each }))
        return webhook(new TextEncoder().encode(JSON.stringify({ live: "false", notificationItems: all })), {})
      }
      const report = {
        eventCode: "REPORT_AVAILABLE",
        merchantAccountCode: merchantAccount,
        pspReference: "settlement_detail_report_batch_1.csv",
        reason: "https://ca-test.adyen.com/reports/download/settlement_detail_report_batch_1.csv",
        success: "true"
      }
      const pending = { eventCode: "PENDING", pspReference: "QFQTPCQ8HXSKGK83", success: "true", amount: null }
      assert.deepStrictEqual((yield* received(report, pending)).map(reported), [[op, "Captured", payment]])
      const signed = signedItem(item("AUTHORISATION"), vendor.credentials)
      assert.strictEqual((yield* Effect.flip(received({ ...signed, eventCode: "PENDING" }))).reason, "bad_signature")
      for (const unreadable of [{}, { eventCode: "" }, null, "REPORT_AVAILABLE"]) {
        assert.strictEqual((yield* Effect.flip(received(unreadable))).reason, "malformed")
      }
    }).pipe(Effect.scoped)
  )

  it.live("of another merchant account are left out, and hold up nothing", () =>
    Effect.gen(function* () {
      const { receive } = yield* begin
      const received = yield* receive(item("AUTHORISATION", { merchantAccountCode: "ShopOther" }), item("CAPTURE"))
      assert.deepStrictEqual(
        received.map(({ eventId }) => eventId),
        [`CAPTURE:${item("CAPTURE").pspReference}:true`]
      )
    }).pipe(Effect.scoped)
  )

  it.live("whose fields could be read in two ways say nothing: they are signed with colons between", () =>
    Effect.gen(function* () {
      const { receive, vendor, webhook } = yield* begin
      // The border between the merchant account and the reference is moved, and the signature still fits.
      const foreign = item("AUTHORISATION", { originalReference: "", merchantReference: `x:${op}` })
      assert.deepStrictEqual(yield* receive(foreign), [])
      const signed = signedItem(foreign, vendor.credentials)
      const moved = { ...signed, merchantAccountCode: `${signed.merchantAccountCode}:x`, merchantReference: op }
      const body = JSON.stringify({ notificationItems: [{ NotificationRequestItem: moved }] })
      const received = yield* Effect.option(webhook(new TextEncoder().encode(body), {}))
      assert.isTrue(received._tag === "None" || received.value.length === 0)
      const shifted = { ...signed, pspReference: `${signed.pspReference}:`, originalReference: undefined }
      const other = JSON.stringify({ notificationItems: [{ NotificationRequestItem: shifted }] })
      const reported = yield* Effect.option(webhook(new TextEncoder().encode(other), {}))
      assert.isTrue(reported._tag === "None" || reported.value.length === 0)
    }).pipe(Effect.scoped)
  )

  it.live("are accepted under each key of the list", () =>
    Effect.gen(function* () {
      const { adyen } = yield* Effect.promise(() => import("../src/index.ts"))
      const { vendor } = yield* begin
      const { apiKey, hmacKey, merchantAccount } = vendor.credentials
      const older = "0b".repeat(32)
      const instance = adyen({ environment: "test", apiKey, merchantAccount, hmacKeys: [hmacKey, older] })
      const { webhook } = yield* instance.make({ id: "adyen", publicUrl: "" } as never)
      for (const key of [hmacKey, older, older.toUpperCase()]) {
        const { body } = signedBody([item("CAPTURE", { merchantReference: `${op}-capture` })], {
          hmacKey: key,
          merchantAccount
        })
        const received = yield* webhook?.(body, {}, 0) ?? Effect.die("it has one")
        assert.deepStrictEqual(received[0]?.outcome, {
          _tag: "Captured",
          amount: euros(1000),
          reference: "QFQTPCQ8HXSKGK82"
        })
      }
    }).pipe(Effect.scoped)
  )
})
