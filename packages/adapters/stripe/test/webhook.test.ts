import { assert, describe, it } from "@effect/vitest"
import type { Evidence } from "@paymux/core"
import { Effect } from "effect"
import { stripe } from "../src/index.ts"
import { fake, posted } from "../src/testing/fake.ts"
import { running } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"

describe("webhooks", () => {
  const hearing = Effect.gen(function* () {
    const vendor = yield* fake.start({ mode: "test" })
    const instance = yield* running(stripe(optionsOf(vendor)))
    const receive = (
      type: string,
      object: object,
      mode: "test" | "live" = "test",
      of: { readonly account?: string } = {}
    ) => {
      const at = Date.now()
      const credentials =
        mode === "test" ? vendor.credentials : { ...vendor.credentials, secretKey: "sk_live_anything" }
      const { body, headers } = posted({ id: "evt_7", created: at, type, object, ...of }, at, credentials)
      return instance.webhook(body, headers, at)
    }
    return receive
  })
  const operation = "op_41jd8w6x2vh6k9v0q3f7m5t1ac"
  const intent = {
    id: "pi_7",
    object: "payment_intent",
    status: "succeeded",
    amount: 500,
    amount_received: 500,
    currency: "jpy",
    created: 1_795_000_000,
    metadata: { paymux_operation: operation, paymux_flow: "token" }
  }
  const tags = (reported: ReadonlyArray<Evidence>) => reported.map(({ outcome }) => outcome._tag)

  it.live("an event of the other mode is acknowledged and says nothing", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      assert.deepStrictEqual(tags(yield* receive("payment_intent.succeeded", intent)), ["Captured"])
      assert.deepStrictEqual(yield* receive("payment_intent.succeeded", intent, "live"), [])
    }).pipe(Effect.scoped)
  )

  it.live("what happened in a connected account is not ours, whatever its metadata say", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      assert.isEmpty(yield* receive("payment_intent.succeeded", intent, "test", { account: "acct_7" }))
    }).pipe(Effect.scoped)
  )

  it.live("what is not ours, or not known, is acknowledged and says nothing", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      assert.deepStrictEqual(yield* receive("payment_intent.succeeded", { ...intent, metadata: {} }), [])
      assert.deepStrictEqual(yield* receive("payment_intent.succeeded", { ...intent, status: "new" }), [])
      assert.deepStrictEqual(yield* receive("payment_intent.succeeded", { id: "pi_7" }), [])
      assert.deepStrictEqual(yield* receive("charge.refunded", { id: "ch_7", object: "charge" }), [])
      const foreign = { id: "re_7", status: "succeeded", amount: 1, currency: "eur", metadata: null }
      assert.deepStrictEqual(yield* receive("refund.updated", foreign), [])
    }).pipe(Effect.scoped)
  )

  it.live("a card that is declined on a page is no end: the shopper may take another", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const failed = {
        ...intent,
        status: "requires_payment_method",
        last_payment_error: { type: "card_error", code: "card_declined", decline_code: "stolen_card" }
      }
      assert.deepStrictEqual(tags(yield* receive("payment_intent.payment_failed", failed)), ["Declined"])
      const onPage = { ...failed, metadata: { ...failed.metadata, paymux_flow: "page" } }
      assert.deepStrictEqual(yield* receive("payment_intent.payment_failed", onPage), [])
      const session = { id: "cs_7", status: "expired", expires_at: 1_795_000_000, metadata: onPage.metadata }
      assert.deepStrictEqual(tags(yield* receive("checkout.session.expired", session)), ["Expired"])
      // A shopper was paying on it: that may continue, and is inquired about.
      assert.isEmpty(yield* receive("checkout.session.expired", { ...session, payment_intent: "pi_7" }))
    }).pipe(Effect.scoped)
  )

  it.live("reports an amount that cannot be read as unreadable, also for a page and for a refund", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const onPage = { ...intent, metadata: { ...intent.metadata, paymux_flow: "page" } }
      for (const paid of [intent, onPage]) {
        const [reported] = yield* receive("payment_intent.succeeded", {
          ...paid,
          amount_received: 100.01,
          currency: "isk"
        })
        const about: unknown = reported?.about
        assert.deepStrictEqual(about, { operation })
        assert.deepStrictEqual(reported?.outcome, {
          _tag: "Unreadable",
          reference: "pi_7",
          vendorCode: "amount_unreadable"
        })
        const held = { ...paid, status: "requires_capture", amount_capturable: 500, currency: "xxx" }
        assert.deepStrictEqual(tags(yield* receive("payment_intent.amount_capturable_updated", held)), ["Unreadable"])
      }
      const refund = { id: "re_7", status: "succeeded", amount: "1", currency: "eur", metadata: intent.metadata }
      assert.deepStrictEqual(tags(yield* receive("refund.updated", refund)), ["Unreadable"])
      assert.deepStrictEqual(tags(yield* receive("refund.failed", { ...refund, status: "failed" })), ["RefundFailed"])
    }).pipe(Effect.scoped)
  )

  it.live("what we closed ourselves is reported by its decline, or by the side that closed it", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const closed = { ...intent, status: "canceled", amount_received: 0, cancellation_reason: "abandoned" }
      assert.deepStrictEqual(yield* receive("payment_intent.canceled", closed), [])
      const last_payment_error = { type: "card_error", code: "payment_intent_authentication_failure" }
      const [reported] = yield* receive("payment_intent.canceled", { ...closed, last_payment_error })
      assert.deepStrictEqual(reported?.outcome, {
        _tag: "Declined",
        code: "authentication_failed",
        retry: "same_later",
        reference: "pi_7",
        vendorCode: "payment_intent_authentication_failure"
      })
      const byOthers = { ...closed, cancellation_reason: "requested_by_customer", last_payment_error }
      assert.deepStrictEqual(tags(yield* receive("payment_intent.canceled", byOthers)), ["Canceled"])
    }).pipe(Effect.scoped)
  )

  it.live("a hold that lapsed has expired, and one that was released is canceled", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const reportedOf = Effect.fnUntraced(function* (cancellation_reason: string) {
        const canceled = { ...intent, status: "canceled", amount_received: 0, cancellation_reason }
        return tags(yield* receive("payment_intent.canceled", canceled)).join()
      })
      assert.strictEqual(yield* reportedOf("automatic"), "Expired")
      assert.strictEqual(yield* reportedOf("expired"), "Expired")
      assert.strictEqual(yield* reportedOf("requested_by_customer"), "Canceled")
    }).pipe(Effect.scoped)
  )

  it.live("a step of the shopper's is reported with its page, and a dispute by the PaymentIntent", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const asked = {
        ...intent,
        status: "requires_action",
        next_action: { type: "redirect_to_url", redirect_to_url: { url: "https://hooks.stripe.example/3ds" } }
      }
      const [reported] = yield* receive("payment_intent.requires_action", asked)
      assert.deepStrictEqual(reported?.outcome, {
        _tag: "Pending",
        reference: "pi_7",
        nextAction: { type: "redirect", url: "https://hooks.stripe.example/3ds", expiresAt: 1_795_001_800_000 }
      })
      const [disputed] = yield* receive("charge.dispute.created", {
        id: "du_7",
        charge: "ch_7",
        payment_intent: "pi_7"
      })
      assert.deepStrictEqual(disputed?.about, { provider: "stripe", providerReference: "pi_7" })
      assert.deepStrictEqual(disputed?.outcome, { _tag: "Disputed", reference: "du_7", status: "open" })
    }).pipe(Effect.scoped)
  )

  it.live("a dispute is reported with its amount and its end, and an inquiry is none", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const dispute = { id: "du_7", payment_intent: "pi_7", amount: 700, currency: "eur" }
      const outcomeOf = Effect.fnUntraced(function* (type: string, over: object) {
        return (yield* receive(`charge.dispute.${type}`, { ...dispute, ...over }))[0]?.outcome
      })
      const of = (status: string) => ({
        _tag: "Disputed",
        reference: "du_7",
        status,
        amount: { minorUnits: 700, currency: "EUR" }
      })
      assert.deepStrictEqual<unknown>(yield* outcomeOf("created", { status: "needs_response" }), of("open"))
      assert.deepStrictEqual<unknown>(yield* outcomeOf("updated", { status: "under_review" }), of("open"))
      assert.deepStrictEqual<unknown>(yield* outcomeOf("funds_withdrawn", { status: "needs_response" }), of("open"))
      assert.deepStrictEqual<unknown>(yield* outcomeOf("closed", { status: "lost" }), of("lost"))
      assert.deepStrictEqual<unknown>(yield* outcomeOf("closed", { status: "won" }), of("won"))
      assert.deepStrictEqual<unknown>(yield* outcomeOf("funds_reinstated", { status: "won" }), of("won"))
      for (const status of ["warning_needs_response", "warning_under_review", "warning_closed"]) {
        assert.isUndefined(yield* outcomeOf("created", { status }), status)
      }
      for (const odd of [{ amount: "700" }, { amount: 7.5 }, { currency: "zzz" }, { currency: null }]) {
        assert.deepStrictEqual<unknown>(
          yield* outcomeOf("created", { status: "needs_response", ...odd }),
          { _tag: "Disputed", reference: "du_7", status: "open" },
          "the whole charge"
        )
      }
    }).pipe(Effect.scoped)
  )

  it.live("a refund is reported as it stands, and one that fails after it was pending, too", () =>
    Effect.gen(function* () {
      const receive = yield* hearing
      const refund = { id: "re_7", amount: 100, currency: "eur", metadata: { paymux_operation: operation } }
      const reported = Effect.fnUntraced(function* (type: string, status: string | null) {
        return tags(yield* receive(type, { ...refund, status })).join()
      })
      assert.strictEqual(yield* reported("refund.created", "pending"), "RefundPending")
      // It may come last, when the refund has failed already.
      assert.strictEqual(yield* reported("refund.created", "succeeded"), "RefundPending")
      assert.strictEqual(yield* reported("refund.created", "failed"), "RefundFailed")
      assert.strictEqual(yield* reported("refund.updated", "requires_action"), "RefundPending")
      assert.strictEqual(yield* reported("refund.updated", "succeeded"), "RefundSucceeded")
      assert.strictEqual(yield* reported("refund.failed", "failed"), "RefundFailed")
      assert.strictEqual(yield* reported("refund.updated", "canceled"), "RefundFailed")
      assert.strictEqual(yield* reported("refund.updated", null), "")
    }).pipe(Effect.scoped)
  )
})
