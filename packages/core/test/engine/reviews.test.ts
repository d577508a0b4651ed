import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Resolution } from "../../src/domain/Review.ts"
import { resolutions } from "../../src/domain/Review.ts"
import type { Acceptance } from "../../src/domain/books/acceptance.ts"

import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { createOf, eventsOf, plain, read, scripted, start, summary, tenant, reported } from "./fixtures.ts"
import type { Script } from "./fixtures.ts"

const succeeds = () => Effect.succeed(Outcome.succeeded())
const unknown = () => Effect.succeed(Outcome.unknown({ reason: "timeout" }))
const taken: Outcome.Outcome = { _tag: "Succeeded" }
const reason = "The rest was paid in cash"

/** A payment at `a`, which can be asked nothing. */
const environment = Effect.fnUntraced(function* (script: Partial<Script>, second: Partial<Script> | null = null) {
  const store = MemoryStore.make()
  const engine = yield* start(store, [
    scripted("a", { create: succeeds, later: { partial: true }, ...script }, { declineIsFinal: true }),
    ...(second === null ? [] : [scripted("b", { create: succeeds, ...second })])
  ])
  const record = yield* engine.create()
  const { id } = record.payment
  const firstReview = Effect.map(read(store, record), ({ payment }) => payment.reviews[0]?.id ?? "rev_none")
  return {
    ...engine,
    store,
    firstReview,
    record,
    id,
    now: Effect.map(read(store, record), summary),
    full: read(store, record),
    events: eventsOf(store, id),
    /** Answers the review that stands first. */
    resolve: (resolution: Resolution, evidence = "Statement of 3 March, read by Asha", acceptance?: Acceptance) =>
      Effect.flatMap(firstReview, (review) =>
        engine.reviews.resolve(tenant, id, {
          subject: { review },
          resolution,
          evidence,
          ...(acceptance !== undefined && { acceptance })
        })
      ),
    /** The resolutions that are taken, each tried on the payment as it is. */
    fitting: Effect.map(
      Effect.forEach(resolutions, (resolution) =>
        Effect.gen(function* () {
          // A copy: what is resolved here changes nothing there.
          const copy = MemoryStore.make()
          yield* copy.begin({ record: yield* read(store, record), binding: null })
          const desk = yield* start(copy, [scripted("a", { create: succeeds })], { reconciler: { every: 3_600_000 } })
          const subject = { review: yield* firstReview }
          const exit = yield* Effect.exit(desk.reviews.consequences(tenant, id, { subject, resolution }))
          yield* desk.end
          return exit._tag === "Success" ? [resolution] : []
        })
      ),
      (taken) => taken.flat()
    )
  }
})

const unknownPayment = Effect.gen(function* () {
  const made = yield* environment({ create: unknown })
  yield* TestClock.adjust("1 hour")
  assert.deepStrictEqual((yield* made.now).reviews, ["inquiries_exhausted"])
  return made
})

const mismatched = environment({
  create: ({ amount }) => Effect.succeed(Outcome.succeeded({ amount: { ...amount, minorUnits: 900 } }))
})

const twicePaid = Effect.gen(function* () {
  const made = yield* environment({ create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })) }, {})
  yield* made.payments.advance(reported(createOf(made.record), taken))
  assert.deepStrictEqual((yield* made.now).reviews, ["duplicate_capture"])
  return made
})

describe("a review", () => {
  it.effect("is shown with the last 500 of what was reported", () =>
    Effect.gen(function* () {
      const { full, id, reviews, store } = yield* mismatched
      const { evidence: first } = yield* reviews.get(tenant, id)
      for (let n = 1; n <= 501; n++) {
        const before = yield* full
        const { payment } = before
        const after = { ...before, payment: { ...payment, version: payment.version + 1 } }
        const about = { paymentId: id, operationId: createOf(before), source: "webhook", kind: "pending" } as const
        const none = { vendorCode: null, document: null, occurredAt: null }
        const evidence = { ...about, ...none, eventId: `evt_${n}`, recordedAt: payment.updatedAt }
        yield* store.advance({ before, after, events: [], evidence, binding: null, answer: null })
      }
      const shown = (yield* reviews.get(tenant, id)).evidence.map(({ eventId }) => eventId)
      assert.deepStrictEqual(
        shown,
        Array.from({ length: 500 }, (_, n) => `evt_${n + 2}`)
      )
      assert.lengthOf(yield* store.evidenceOf(id), first.length + 501)
    })
  )

  it.effect("is listed until it is resolved, and in its own account only", () =>
    Effect.gen(function* () {
      const { firstReview, id, resolve, reviews } = yield* mismatched
      const ids = Effect.map(reviews.list(tenant, 9), ({ records }) => records.map(({ payment }) => payment.id))
      assert.deepStrictEqual(yield* ids, [id])
      assert.deepStrictEqual((yield* reviews.list({ ...tenant, livemode: true }, 9)).records, [])
      const other = { ...tenant, account: "other" }
      const review = yield* firstReview
      const statement = { subject: { review }, resolution: "succeeded", evidence: "x" } as const
      const refused = yield* Effect.flip(reviews.resolve(other, id, statement))
      assert.deepInclude(refused, { _tag: "ReviewRefused", reason: "not_found" })
      yield* resolve("succeeded", "x", { amount: 900, reason })
      assert.deepStrictEqual(yield* ids, [])
      assert.deepInclude(yield* Effect.flip(reviews.resolve(tenant, id, statement)), { reason: "not_in_review" })
    })
  )

  it.effect("without evidence is refused; what was said is kept for good", () =>
    Effect.gen(function* () {
      const { full, id, resolve, reviews } = yield* unknownPayment
      const before = yield* full
      for (const nothing of ["", "  \n"]) {
        assert.deepInclude(yield* Effect.flip(resolve("succeeded", nothing)), { reason: "no_evidence" })
      }
      assert.deepStrictEqual(yield* full, before)
      yield* resolve("succeeded", "ARN 74123")
      const { evidence } = yield* reviews.get(tenant, id)
      assert.deepInclude(evidence.at(-1), { source: "operator", kind: "succeeded", document: "ARN 74123" })
    })
  )

  it.effect("of an unknown payment ends with what became of it, and is not waved away", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* (yield* unknownPayment).fitting, ["succeeded", "not_done"])
      for (const [resolution, state, event] of [
        ["succeeded", "succeeded", "payment.succeeded"],
        ["not_done", "failed", "payment.failed"]
      ] as const) {
        const { events, now, resolve } = yield* unknownPayment
        yield* resolve(resolution)
        const after = yield* now
        assert.deepStrictEqual([after.state, after.reviews], [state, []])
        assert.deepStrictEqual(yield* events, [
          "payment.pending",
          "payment.review_opened",
          event,
          "payment.review_resolved"
        ])
      }
    })
  )

  it.effect("of an unknown refund ends with what became of it, and is not waved away", () =>
    Effect.gen(function* () {
      const refunded = Effect.gen(function* () {
        const made = yield* environment({ refund: unknown })
        yield* made.payments.refund(made.id, { minorUnits: 500, reason: null }, plain)
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual((yield* made.now).reviews, ["inquiries_exhausted"])
        return made
      })
      assert.deepStrictEqual(yield* (yield* refunded).fitting, ["succeeded", "not_done"])
      for (const [resolution, amount] of [
        ["succeeded", 500],
        ["not_done", 0]
      ] as const) {
        const { full, resolve } = yield* refunded
        yield* resolve(resolution)
        const { payment } = yield* full
        assert.deepStrictEqual([payment.amountRefunded, payment.reviews], [amount, []])
      }
    })
  )

  it.effect("of another amount accepts what arrived, or ends with its return", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* (yield* mismatched).fitting, ["succeeded", "given_back"])
      const accepted = yield* mismatched
      const before = yield* accepted.full
      const refused = yield* Effect.flip(accepted.resolve("succeeded"))
      assert.deepInclude(refused, { reason: "acceptance_required" })
      assert.strictEqual(
        refused.message,
        "The provider has EUR 9.00, and EUR 12.00 was requested. To accept it, pass exactly this amount and a reason."
      )
      assert.deepStrictEqual(yield* accepted.full, before)
      yield* accepted.resolve("succeeded", "Acme dashboard", { amount: 900, reason })
      const { payment } = yield* accepted.full
      assert.deepStrictEqual([payment.state.status, payment.amountCaptured, payment.reviews], ["succeeded", 900, []])
      const event = (yield* accepted.store.undispatchedEvents(9)).find(({ type }) => type === "payment.succeeded")
      assert.include(event?.payment, '"amount":1200,"amount_captured":900,"amount_refunded":0,"amount_received":900,')
      const returned = yield* mismatched
      yield* returned.resolve("given_back")
      const after = yield* returned.now
      assert.deepStrictEqual([after.state, after.reviews], ["failed", []])
      assert.deepStrictEqual(yield* returned.events, [
        "payment.pending",
        "payment.review_opened",
        "payment.failed",
        "payment.review_resolved"
      ])
    })
  )

  it.effect("of an amount that was reported wrongly is paid with what the provider's own books show", () =>
    Effect.gen(function* () {
      const { full, now, reviews, record } = yield* mismatched
      const { id } = record.payment
      const subject = { review: (yield* full).payment.reviews[0]?.id ?? "" }
      const evidence = "the dashboard shows 1200"
      const before = yield* now
      const refused = (amount: number, resolution: Resolution = "succeeded") =>
        Effect.flip(reviews.resolve(tenant, id, { subject, resolution, evidence, amount }))
      for (const amount of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
        assert.deepInclude(yield* refused(amount), { reason: "invalid_amount" })
      }
      assert.deepInclude(yield* refused(1200, "given_back"), { reason: "amount_does_not_fit" })
      const about = { operation: createOf(record) }
      assert.deepInclude(
        yield* Effect.flip(
          reviews.resolve(tenant, id, { subject: about, resolution: "succeeded", evidence, amount: 1200 })
        ),
        { reason: "amount_does_not_fit" }
      )
      assert.deepStrictEqual(yield* now, before)
      const { payment } = yield* reviews.resolve(tenant, id, {
        subject,
        resolution: "succeeded",
        evidence,
        amount: 1200
      })
      assert.deepStrictEqual([payment.state.status, payment.amountCaptured, payment.reviews], ["succeeded", 1200, []])
    })
  )

  it.effect("of more than was requested names what is returned, and the engine returns it with the next report", () =>
    Effect.gen(function* () {
      const { full, id, now, payments, record, resolve, reviews } = yield* environment({
        create: ({ amount }) => Effect.succeed(Outcome.succeeded({ amount: { ...amount, minorUnits: 1500 } })),
        refund: succeeds
      })
      const subject = { review: (yield* full).payment.reviews[0]?.id ?? "" }
      const { consequences } = yield* reviews.consequences(tenant, id, { subject, resolution: "succeeded" })
      assert.deepInclude(consequences, {
        acceptance: { amount: 1500, requested: 1200 },
        captured: { before: 0, after: 1200 },
        overpaid: { before: 0, after: 300 },
        automatic: [{ action: "refund", provider: "a", amount: 300, at: null }]
      })
      yield* resolve("succeeded", "Acme dashboard", { amount: 1500, reason })
      assert.deepInclude(yield* now, { state: "succeeded", reviews: ["excess_capture"], later: [] })
      yield* payments.advance(
        reported(createOf(record), {
          ...taken,
          amount: { ...record.payment.amount, minorUnits: 1500 },
          reference: "ch_1"
        })
      )
      yield* TestClock.adjust("1 minute")
      assert.deepInclude(yield* now, { reviews: [], later: ["reversal refund 300 succeeded"] })
    })
  )

  it.effect("of another amount, where the right one came after all, ends with it", () =>
    Effect.gen(function* () {
      const { full, now, payments, record, resolve } = yield* mismatched
      yield* payments.advance(reported(createOf(record), { _tag: "Succeeded", amount: record.payment.amount }))
      assert.deepInclude(yield* now, { state: "succeeded", reviews: [], later: [] })
      assert.strictEqual((yield* full).payment.amountCaptured, 1200)
      assert.deepInclude(yield* Effect.flip(resolve("dismissed")), { reason: "not_in_review" })
    })
  )

  it.effect("of a refund of another amount ends with the operator's word", () =>
    Effect.gen(function* () {
      for (const resolution of ["succeeded", "not_done"] as const) {
        const { full, id, payments, resolve } = yield* environment({
          refund: ({ amount }) => Effect.succeed(Outcome.succeeded({ amount: { ...amount, minorUnits: 1 } }))
        })
        yield* payments.refund(id, { minorUnits: 500, reason: null }, plain)
        assert.deepStrictEqual(
          (yield* full).payment.reviews.map(({ reason }) => reason),
          ["amount_mismatch"]
        )
        assert.deepInclude(yield* Effect.flip(resolve("dismissed")), { reason: "does_not_fit" })
        yield* resolve(resolution, "seen", resolution === "succeeded" ? { amount: 1, reason } : undefined)
        if (resolution === "not_done") {
          // The provider did report that 1 was given back: the books keep it in view.
          const [review] = (yield* full).payment.reviews
          assert.deepInclude(review, { reason: "excess_refund", minorUnits: 1 })
          yield* resolve("dismissed")
        }
        const { payment } = yield* full
        assert.deepStrictEqual([payment.reviews, payment.amountRefunded], [[], resolution === "succeeded" ? 1 : 0])
      }
    })
  )

  it.effect("of money that the provider's own books show twice ends only with its return", () =>
    Effect.gen(function* () {
      const { fitting, now, payments, record, resolve } = yield* twicePaid
      yield* payments.advance({ ...reported(createOf(record), taken), source: "observed" })
      assert.deepStrictEqual(yield* fitting, ["given_back"])
      yield* resolve("given_back")
      const after = yield* now
      assert.deepStrictEqual([after.state, after.reviews], ["succeeded", []])
    })
  )

  it.effect("of money that was only reported twice ends, too, where it never came", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* (yield* twicePaid).fitting, ["not_done", "given_back"])
      const { events, full, payments, record, resolve } = yield* twicePaid
      const before = yield* events
      yield* resolve("not_done")
      const { entries, payment } = yield* full
      assert.deepStrictEqual([payment.state.status, payment.amountCaptured, payment.reviews], ["succeeded", 1200, []])
      assert.deepInclude(entries.at(-1), { kind: "correction", minorUnits: 1200, provider: "a", source: "operator" })
      assert.deepStrictEqual(yield* events, [...before, "payment.review_resolved"])
      const { version } = payment
      yield* payments.advance(reported(createOf(record), taken, "again"))
      assert.strictEqual((yield* full).payment.version, version, "the same report changes nothing")
    })
  )

  it.effect("that is resolved already is refused with a sentence, and nothing is written", () =>
    Effect.gen(function* () {
      for (const made of [yield* twicePaid, yield* unknownPayment, yield* mismatched]) {
        const last = (yield* made.fitting).at(-1)
        const review = yield* made.firstReview
        yield* made.resolve(last ?? "dismissed")
        const before = [yield* made.full, yield* made.store.evidenceOf(made.id), yield* made.events]
        for (const resolution of resolutions) {
          const statement = { subject: { review }, resolution, evidence: "seen again" }
          const refused = yield* Effect.flip(made.reviews.resolve(tenant, made.id, statement))
          assert.deepInclude(refused, { _tag: "ReviewRefused", reason: "not_in_review" })
          assert.strictEqual(refused.message, "This payment has no such review: it may be resolved already.")
        }
        assert.deepStrictEqual([yield* made.full, yield* made.store.evidenceOf(made.id), yield* made.events], before)
      }
    })
  )

  it.effect("of a reversal whose outcome cannot be determined: not done does not end it", () =>
    Effect.gen(function* () {
      const { now, payments, record, resolve } = yield* environment(
        { create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })), refund: unknown },
        {}
      )
      yield* payments.advance({ ...reported(createOf(record), taken), source: "observed" })
      yield* TestClock.adjust("1 hour")
      assert.deepInclude(yield* now, { reviews: ["inquiries_exhausted"], later: ["reversal refund 1200 unknown"] })
      yield* resolve("not_done")
      assert.deepInclude(yield* now, { reviews: ["duplicate_capture"], later: ["reversal refund 1200 not_executed"] })
      assert.deepInclude(yield* Effect.flip(resolve("dismissed")), { reason: "does_not_fit" })
      yield* resolve("given_back")
      assert.deepStrictEqual((yield* now).reviews, [])
    })
  )

  it.effect("of a capture that was taken back, or of a close that was paid, may be put away", () =>
    Effect.gen(function* () {
      const { events, now, payments, record, resolve, store } = yield* environment({})
      yield* payments.advance(reported(createOf(record), { _tag: "CaptureFailed" }))
      assert.deepStrictEqual((yield* now).reviews, ["capture_failed"])
      const before = yield* events
      yield* resolve("dismissed")
      assert.deepInclude(yield* now, { state: "succeeded", reviews: [] })
      assert.deepStrictEqual(yield* events, [...before, "payment.review_resolved"])
      assert.deepInclude((yield* store.evidenceOf(record.payment.id)).at(-1), { source: "operator" })
    })
  )

  it.effect("of a refund that a request explains ends with the commit of the request, and so does its event", () =>
    Effect.gen(function* () {
      const { full, id, now, payments, record, store } = yield* environment({ refund: unknown })
      const amount = { ...record.payment.amount, minorUnits: 500 }
      yield* payments.advance(reported(createOf(record), { _tag: "RefundSucceeded", amount, reference: "re_1" }))
      assert.deepStrictEqual((yield* now).reviews, ["excess_refund"])
      const { version } = (yield* full).payment
      yield* payments.refund(id, { minorUnits: 500, reason: null }, plain)
      assert.deepStrictEqual((yield* now).reviews, [])
      const resolved = (yield* store.undispatchedEvents(9)).find(({ type }) => type === "payment.review_resolved")
      assert.include(resolved?.payment, `"version":${version + 1},`, "the commit that adds the operation")
    })
  )

  it.effect("resolved by two operators at once is resolved once", () =>
    Effect.gen(function* () {
      const { events, firstReview, id, reviews } = yield* unknownPayment
      const subject = { review: yield* firstReview }
      const exits = yield* Effect.forEach(
        ["succeeded", "not_done"] as const,
        (resolution) => Effect.exit(reviews.resolve(tenant, id, { subject, resolution, evidence: "seen" })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
      assert.deepStrictEqual(
        (yield* events).filter((type) => type === "payment.review_resolved"),
        ["payment.review_resolved"]
      )
      assert.strictEqual((yield* events).length, 4)
    })
  )
})
