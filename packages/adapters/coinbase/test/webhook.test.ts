import { assert, describe, it } from "@effect/vitest"
import { type Evidence, type Outcome, isWebhookRefused } from "@paymux/core"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { createHmac } from "node:crypto"
import { coinbase } from "../src/index.ts"
import { verify } from "../src/signature.ts"
import { fake } from "../src/testing/fake.ts"
import { dollars, running } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"
import { posted } from "../src/testing/posted.ts"
import { body, headers, now, secret, vectors } from "./vectors.ts"

const utf8 = new TextEncoder()
const verdictOf = (webhook: Parameters<typeof verify>[0]) =>
  Effect.map(Effect.result(verify(webhook)), (result) => ("failure" in result ? result.failure.reason : null))

describe("the signature", () => {
  const given = (signature: string, secrets: ReadonlyArray<string> = [secret]) => ({
    secrets: secrets.map((each) => Redacted.make(each)),
    body: utf8.encode(body),
    headers: { ...headers, "x-hook0-signature": signature },
    receivedAt: now * 1000
  })

  for (const { refused, signature, what } of vectors) {
    it.effect(`published by Hook0, ${what}: ${refused ?? "taken"}`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(now * 1000)
        assert.strictEqual(yield* verdictOf(given(signature)), refused)
      })
    )
  }

  it.effect("of any of several secrets counts, and of an empty one never", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now * 1000)
      const [, both] = vectors
      assert.isNull(yield* verdictOf(given(both?.signature ?? "", ["newer", secret])))
      assert.strictEqual(yield* verdictOf(given(both?.signature ?? "", ["newer", "older"])), "bad_signature")
      const ofNothing = createHmac("sha256", "").update(`${now}.${body}`).digest("hex")
      assert.strictEqual(yield* verdictOf(given(`t=${now},v0=${ofNothing}`, [""])), "bad_signature")
    })
  )

  it.effect("is never absent, and neither of the two can be hidden", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now * 1000)
      const v0 = `v0=${createHmac("sha256", secret).update(`${now}.${body}`).digest("hex")}`
      assert.isNull(yield* verdictOf(given(`t=${now},${v0}`)))
      for (const [signature, reason] of [
        [`t=${now}`, "missing_signature"],
        ["", "missing_signature"],
        [v0, "malformed"],
        // The names of headers, and no signature over them.
        [`t=${now},${v0},h=x-event-id`, "malformed"],
        [`t=${now},${v0},v1=${"0".repeat(64)}`, "malformed"],
        [`t=${now},t=${now + 1},${v0}`, "malformed"],
        [`t=1e9,${v0}`, "malformed"]
      ] as const) {
        assert.strictEqual(yield* verdictOf(given(signature)), reason, signature)
      }
    })
  )
})

const operation = "op_0123456789abcdefghjkmnpqrs"
const capturing = "op_1123456789abcdefghjkmnpqrs"
const id = "paymentSession_82c879c1-84e1-44ed-a8c2-1ac239cf09ad"
const session = {
  paymentSessionId: id,
  asset: "usdc",
  amount: "170.50",
  status: "created",
  externalReferenceId: operation,
  metadata: { paymux_capture: "automatic" },
  expiries: { authorizationExpiresAt: "2026-11-21T11:00:00.000Z", captureExpiresAt: "2026-11-28T10:00:00.000Z" },
  balances: { capturable: "0", captured: "0", refundable: "0", refunded: "0" },
  updatedAt: "2026-11-21T10:30:00.000Z"
}
const acted = { status: "succeeded", amount: "170.50", createdAt: "2026-11-21T10:20:00.000Z" }

describe("webhooks", () => {
  const hearing = Effect.gen(function* () {
    const vendor = yield* fake.start({ mode: "test" })
    const instance = yield* running(coinbase(optionsOf(vendor)))
    return (name: string, data: object, schemes: "both" | "v0" = "both") => {
      const at = Date.now()
      const event = { eventId: "evt_7", eventType: `acceptance.payment_session.${name}`, occurredAt: at, data }
      const delivery = posted(event, at, vendor.credentials.webhookSecret, schemes)
      return instance.webhook(delivery.body, delivery.headers, at)
    }
  })
  const tags = (reported: ReadonlyArray<Evidence>) => reported.map(({ outcome }) => outcome._tag)
  const names = (reported: ReadonlyArray<Evidence>): ReadonlyArray<unknown> => reported.map(({ about }) => about)

  it.live("are accepted by the body's signature alone, too", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const data = { paymentSession: session, capture: { ...acted, captureId: "capture_7" } }
      assert.deepStrictEqual(tags(yield* receive("capture_succeeded", data, "v0")), ["Captured"])
    }).pipe(Effect.scoped)
  )

  it.live("of a session whose response was lost name it: an inquiry finds its page", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const [reported] = yield* receive("created", { paymentSession: session })
      assert.deepStrictEqual(reported?.outcome, { _tag: "Pending", reference: id })
      assert.strictEqual(reported?.outcome.reference, id)
    }).pipe(Effect.scoped)
  )

  it.live("about what is not ours, or not known, say nothing", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const capture = { ...acted, captureId: "capture_7" }
      const foreign = { ...session, externalReferenceId: "merchant-order-7" }
      assert.deepStrictEqual(yield* receive("capture_succeeded", { paymentSession: foreign, capture }), [])
      assert.deepStrictEqual(yield* receive("capture_succeeded", { paymentSession: session }), [])
      assert.deepStrictEqual(yield* receive("capture_succeeded", {}), [])
      assert.deepStrictEqual(yield* receive("admired", { paymentSession: session }), [])
      assert.deepStrictEqual(yield* receive("refund_pending", { paymentSession: session, refund: null }), [])
    }).pipe(Effect.scoped)
  )

  it.live("that cannot be read, or are not signed, are refused", () =>
    Effect.gen(function* () {
      const vendor = yield* fake.start({ mode: "test" })
      const instance = yield* running(coinbase(optionsOf(vendor)))
      const at = Math.floor(Date.now() / 1000)
      const v0 = createHmac("sha256", vendor.credentials.webhookSecret).update(`${at}.[]`).digest("hex")
      const refusal = yield* Effect.flip(
        instance.webhook(utf8.encode("[]"), { "x-hook0-signature": `t=${at},v0=${v0}` }, at * 1000)
      )
      assert.isTrue(isWebhookRefused(refusal))
      assert.strictEqual(refusal.reason, "malformed")
      assert.strictEqual(
        (yield* Effect.flip(instance.webhook(utf8.encode("{}"), {}, at * 1000))).reason,
        "missing_signature"
      )
    }).pipe(Effect.scoped)
  )

  it.live("a hold is ours only where we capture; else money is on its way", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const authorization = { ...acted, authorizationId: "authorization_7" }
      const reported = (change: object) =>
        Effect.map(
          receive("authorization_succeeded", { paymentSession: { ...session, ...change }, authorization }),
          (received) => received.map(({ outcome }) => outcome)
        )
      const held: Outcome.Outcome = { _tag: "Authorized", amount: dollars(17_050), reference: id }
      const moving: Outcome.Outcome = { _tag: "Pending", awaitingFinality: true, reference: id }
      assert.deepStrictEqual(yield* reported({ autoCapture: false }), [held])
      assert.deepStrictEqual(yield* reported({ autoCapture: true, metadata: { paymux_capture: "manual" } }), [moving])
      assert.deepStrictEqual(yield* reported({ metadata: { paymux_capture: "manual" } }), [held])
      assert.deepStrictEqual(yield* reported({}), [moving])
      assert.deepStrictEqual(yield* reported({ metadata: {} }), [])
      assert.deepStrictEqual(
        tags(yield* receive("authorization_pending", { paymentSession: session, authorization })),
        ["Pending"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("a failure by a published code is a decline, by another code it reports nothing", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const failed = (code: string) => ({
        paymentSession: session,
        authorization: { ...acted, status: "failed", error: { code, message: "in Coinbase's words" } }
      })
      const [reported] = yield* receive("authorization_failed", failed("insufficient_funds"))
      assert.deepStrictEqual(reported?.outcome, {
        _tag: "Declined",
        code: "insufficient_funds",
        retry: "same_later",
        reference: id,
        vendorCode: "insufficient_funds"
      })
      assert.deepStrictEqual(yield* receive("authorization_failed", failed("out_of_luck")), [])
    }).pipe(Effect.scoped)
  )

  it.live("a capture is identified by our id of it; one without is the payment's", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const capture = { ...acted, captureId: "capture_7" }
      const ours = { ...capture, metadata: { paymux_operation: capturing } }
      const data = (each: object) => ({ paymentSession: session, capture: each })
      assert.deepStrictEqual(names(yield* receive("capture_succeeded", data(ours))), [{ operation: capturing }])
      assert.deepStrictEqual(names(yield* receive("capture_succeeded", data(capture))), [{ operation }])
      assert.deepStrictEqual(yield* receive("capture_pending", data({ ...ours, status: "pending" })), [])
      assert.deepStrictEqual(tags(yield* receive("capture_pending", data({ ...capture, status: "pending" }))), [
        "Pending"
      ])
      const failed = { status: "failed", error: { code: "capture_failed" } }
      const [reported] = yield* receive("capture_failed", data({ ...ours, ...failed }))
      assert.deepStrictEqual(reported?.outcome, {
        _tag: "CaptureFailed",
        reference: "capture_7",
        vendorCode: "capture_failed"
      })
    }).pipe(Effect.scoped)
  )

  it.live("captures that are not ours are reported as the captured total", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const reported = (captureId: string, amount: string, captured: string) =>
        Effect.map(
          receive("capture_succeeded", {
            paymentSession: {
              ...session,
              metadata: { paymux_capture: "manual" },
              balances: { ...session.balances, captured }
            },
            capture: { ...acted, captureId, amount }
          }),
          (received) => received.map(({ outcome }) => outcome)
        )
      const captured = (minorUnits: number): Outcome.Outcome => ({
        _tag: "Captured",
        amount: dollars(minorUnits),
        reference: id
      })
      assert.deepStrictEqual(yield* reported("capture_1", "100", "100.00"), [captured(10_000)])
      assert.deepStrictEqual(yield* reported("capture_2", "70.50", "170.50"), [captured(17_050)])
      // Each of them alone is no total.
      assert.deepStrictEqual(yield* reported("capture_2", "70.50", "much"), [{ _tag: "Unreadable", reference: id }])
    }).pipe(Effect.scoped)
  )

  it.live("what Coinbase could not capture automatically is held", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const capture = { ...acted, captureId: "capture_7", status: "failed", error: { code: "capture_failed" } }
      const reported = (balances: object) =>
        receive("capture_failed", { paymentSession: { ...session, balances }, capture })
      const held = yield* reported({ capturable: "170.50", captured: "0" })
      assert.deepStrictEqual(tags(held), ["Authorized", "CaptureFailed"])
      assert.deepStrictEqual(held[0]?.outcome, {
        _tag: "Authorized",
        amount: dollars(17_050),
        reference: id,
        vendorCode: "capture_failed"
      })
      assert.deepStrictEqual(tags(yield* reported({ capturable: "0", captured: "170.50" })), ["CaptureFailed"])
    }).pipe(Effect.scoped)
  )

  it.live("a session that was ended after its time has expired, and before it was canceled", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const canceled = (updatedAt: string) => receive("canceled", { paymentSession: { ...session, updatedAt } })
      assert.deepStrictEqual(tags(yield* canceled("2026-11-21T10:59:00.000Z")), ["Canceled"])
      assert.deepStrictEqual(tags(yield* canceled("2026-11-21T11:00:06.000Z")), ["Expired"])
      for (const change of [{ capturable: "170.50" }, { captured: "170.50" }, { captured: "much" }]) {
        const paymentSession = { ...session, balances: { ...session.balances, ...change } }
        assert.deepStrictEqual(tags(yield* receive("canceled", { paymentSession })), ["Unknown"])
      }
      const voided = (change: object, balances: object = session.balances) =>
        receive("void_succeeded", {
          paymentSession: { ...session, balances },
          void: { ...acted, voidId: "void_7", ...change }
        })
      assert.deepStrictEqual(tags(yield* voided({})), ["Canceled"])
      assert.deepStrictEqual(tags(yield* voided({ createdAt: "2026-11-28T10:00:01.000Z" })), ["Expired"])
      // What was left over of a capture.
      assert.deepStrictEqual(yield* voided({}, { capturable: "0", captured: "100.00" }), [])
      const ours = yield* voided({ metadata: { paymux_operation: capturing } })
      assert.deepStrictEqual(names(ours), [{ operation: capturing }])
      const failed = { paymentSession: session, void: { ...acted, voidId: "void_7", status: "failed" } }
      assert.deepStrictEqual(yield* receive("void_failed", failed), [])
    }).pipe(Effect.scoped)
  )

  it.live("a refund is reported as it stands, by our id of it or by Coinbase's", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const refund = { ...acted, refundId: "refund_7", amount: "10.05", metadata: { paymux_operation: capturing } }
      const reported = (status: string, change: object = {}) =>
        receive(`refund_${status}`, { paymentSession: session, refund: { ...refund, status, ...change } })
      assert.deepStrictEqual(tags(yield* reported("pending")), ["RefundPending"])
      assert.deepStrictEqual(tags(yield* reported("failed")), ["RefundFailed"])
      const [done] = yield* reported("succeeded")
      assert.deepStrictEqual(done?.outcome, { _tag: "RefundSucceeded", amount: dollars(1_005), reference: "refund_7" })
      assert.deepStrictEqual(names(yield* reported("succeeded", { metadata: {} })), [
        { provider: "coinbase", providerReference: "refund_7" }
      ])
    }).pipe(Effect.scoped)
  )

  it.live("reports an amount or asset that cannot be read as unreadable, never as the whole amount", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      for (const [amount, asset] of [
        ["170.505", "usdc"],
        ["1e3", "usdc"],
        [170.5, "usdc"],
        ["170.50", "eth"],
        [undefined, "usdc"]
      ]) {
        const paid = { ...session, asset, autoCapture: false }
        const action = { ...acted, amount, captureId: "capture_7", refundId: "refund_7" }
        for (const [name, field] of [
          ["capture_succeeded", "capture"],
          ["refund_succeeded", "refund"],
          ["authorization_succeeded", "authorization"]
        ] as const) {
          const received = yield* receive(name, { paymentSession: paid, [field]: action })
          assert.deepStrictEqual(tags(received), ["Unreadable"], `${name} ${String(amount)} ${String(asset)}`)
        }
      }
    }).pipe(Effect.scoped)
  )
})
