import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Resolution } from "../../src/domain/review.ts"
import { resolutions } from "../../src/domain/review.ts"
import type { EvidenceClaim } from "../../src/provider/Evidence.ts"
import * as Outcome from "../../src/provider/Outcome.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { createOf, eventsOf, plain, read, scripted, start, summary, tenant, told } from "./fixtures.ts"
import type { Script } from "./fixtures.ts"

const succeeds = () => Effect.succeed(Outcome.succeeded())
const unknown = () => Effect.succeed(Outcome.unknown({ reason: "timeout" }))
const taken: EvidenceClaim = { kind: "succeeded", amount: null }

/** A payment at `a`, which can be asked nothing. */
const world = Effect.fnUntraced(function* (script: Partial<Script>, second: Partial<Script> | null = null) {
  const store = MemoryStore.make()
  const engine = yield* start(store, [
    scripted("a", { create: succeeds, later: { partial: true }, ...script }, { declineIsFinal: true }),
    ...(second === null ? [] : [scripted("b", { create: succeeds, ...second })])
  ])
  const record = yield* engine.create()
  const { id } = record.payment
  return {
    ...engine,
    store,
    record,
    id,
    now: Effect.map(read(store, record), summary),
    full: read(store, record),
    events: eventsOf(store, id),
    resolve: (resolution: Resolution, evidence = "Statement of 3 March, read by Asha") =>
      engine.reviews.resolve(tenant, id, { resolution, evidence }),
    /** The resolutions that are taken, each tried on the payment as it is. */
    fitting: Effect.map(
      Effect.forEach(resolutions, (resolution) =>
        Effect.gen(function* () {
          // A copy: what is resolved here changes nothing there.
          const copy = MemoryStore.make()
          yield* copy.begin({ record: yield* read(store, record), binding: null })
          const desk = yield* start(copy, [scripted("a", { create: succeeds })], { reconciler: { every: 3_600_000 } })
          const exit = yield* Effect.exit(desk.reviews.resolve(tenant, id, { resolution, evidence: "seen" }))
          yield* desk.end
          return exit._tag === "Success" ? [resolution] : []
        })
      ),
      (taken) => taken.flat()
    )
  }
})

const unknownPayment = Effect.gen(function* () {
  const made = yield* world({ create: unknown })
  yield* TestClock.adjust("1 hour")
  assert.strictEqual((yield* made.now).review, "inquiries_exhausted")
  return made
})

const mismatched = world({
  create: ({ amount }) => Effect.succeed(Outcome.succeeded({ amount: { ...amount, minorUnits: 900 } }))
})

const twicePaid = Effect.gen(function* () {
  const made = yield* world({ create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })) }, {})
  yield* made.payments.advance(told(createOf(made.record), taken))
  assert.strictEqual((yield* made.now).review, "duplicate_capture")
  return made
})

describe("a review", () => {
  it.effect("is listed until it is resolved, and in its own account only", () =>
    Effect.gen(function* () {
      const { id, resolve, reviews } = yield* mismatched
      const ids = Effect.map(reviews.list(tenant, 9), ({ records }) => records.map(({ payment }) => payment.id))
      assert.deepStrictEqual(yield* ids, [id])
      assert.deepStrictEqual((yield* reviews.list({ ...tenant, livemode: true }, 9)).records, [])
      const other = { ...tenant, account: "other" }
      const refused = yield* Effect.flip(reviews.resolve(other, id, { resolution: "succeeded", evidence: "x" }))
      assert.deepInclude(refused, { _tag: "ReviewRefused", reason: "not_found" })
      yield* resolve("succeeded")
      assert.deepStrictEqual(yield* ids, [])
      assert.deepInclude(yield* Effect.flip(resolve("succeeded")), { reason: "not_in_review" })
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
        assert.deepStrictEqual([after.state, after.review], [state, null])
        assert.deepStrictEqual(yield* events, ["payment.pending", event])
      }
    })
  )

  it.effect("of an unknown refund ends with what became of it, and is not waved away", () =>
    Effect.gen(function* () {
      const refunded = Effect.gen(function* () {
        const made = yield* world({ refund: unknown })
        yield* made.payments.refund(made.id, { minorUnits: 500, reason: null }, plain)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual((yield* made.now).review, "inquiries_exhausted")
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
        assert.deepStrictEqual([payment.amountRefunded, payment.review], [amount, null])
      }
    })
  )

  it.effect("of another amount accepts what arrived, or ends with its return", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* (yield* mismatched).fitting, ["succeeded", "given_back"])
      const accepted = yield* mismatched
      yield* accepted.resolve("succeeded")
      const { payment } = yield* accepted.full
      assert.deepStrictEqual([payment.state.status, payment.amountCaptured, payment.review], ["succeeded", 900, null])
      const returned = yield* mismatched
      yield* returned.resolve("given_back")
      const after = yield* returned.now
      assert.deepStrictEqual([after.state, after.review], ["failed", null])
      assert.deepStrictEqual(yield* returned.events, ["payment.pending", "payment.failed"])
    })
  )

  it.effect("of another amount, where the right one came after all, may be put away", () =>
    Effect.gen(function* () {
      const { full, now, payments, record, resolve } = yield* mismatched
      yield* payments.advance(told(createOf(record), { kind: "succeeded", amount: record.payment.amount }))
      assert.deepInclude(yield* now, { state: "succeeded", review: "amount_mismatch" })
      yield* resolve("dismissed")
      assert.isNull((yield* full).payment.review)
    })
  )

  it.effect("of a refund of another amount ends with the operator's word", () =>
    Effect.gen(function* () {
      for (const resolution of ["succeeded", "not_done"] as const) {
        const { full, id, payments, resolve } = yield* world({
          refund: ({ amount }) => Effect.succeed(Outcome.succeeded({ amount: { ...amount, minorUnits: 1 } }))
        })
        yield* payments.refund(id, { minorUnits: 500, reason: null }, plain)
        assert.strictEqual((yield* full).payment.review?.reason, "amount_mismatch")
        assert.deepInclude(yield* Effect.flip(resolve("dismissed")), { reason: "does_not_fit" })
        yield* resolve(resolution)
        const { payment } = yield* full
        assert.deepStrictEqual([payment.review, payment.amountRefunded], [null, resolution === "succeeded" ? 500 : 0])
      }
    })
  )

  it.effect("of money that came twice ends only with its return", () =>
    Effect.gen(function* () {
      const { fitting, now, resolve } = yield* twicePaid
      assert.deepStrictEqual(yield* fitting, ["given_back"])
      yield* resolve("given_back")
      const after = yield* now
      assert.deepStrictEqual([after.state, after.review], ["succeeded", null])
    })
  )

  it.effect("of a reversal that nobody can tell of: not done is not the end of it", () =>
    Effect.gen(function* () {
      const { now, payments, record, resolve } = yield* world(
        { create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })), refund: unknown },
        {}
      )
      yield* payments.advance(told(createOf(record), taken))
      yield* TestClock.adjust("1 hour")
      assert.deepInclude(yield* now, { review: "inquiries_exhausted", later: ["reversal refund 1200 unknown"] })
      yield* resolve("not_done")
      assert.deepInclude(yield* now, { review: "duplicate_capture", later: ["reversal refund 1200 not_executed"] })
      assert.deepInclude(yield* Effect.flip(resolve("dismissed")), { reason: "does_not_fit" })
      yield* resolve("given_back")
      assert.strictEqual((yield* now).review, null)
    })
  )

  it.effect("of a capture that was taken back, or of a close that was paid, may be put away", () =>
    Effect.gen(function* () {
      const { events, now, payments, record, resolve, store } = yield* world({})
      yield* payments.advance(told(createOf(record), { kind: "capture_failed" }))
      assert.strictEqual((yield* now).review, "capture_failed")
      const told_ = (yield* events).length
      yield* resolve("dismissed")
      assert.deepInclude(yield* now, { state: "succeeded", review: null })
      assert.strictEqual((yield* events).length, told_)
      assert.deepInclude((yield* store.evidenceOf(record.payment.id)).at(-1), { source: "operator" })
    })
  )

  it.effect("resolved by two operators at once is resolved once", () =>
    Effect.gen(function* () {
      const { events, resolve } = yield* unknownPayment
      const exits = yield* Effect.forEach(["succeeded", "not_done"] as const, (word) => Effect.exit(resolve(word)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
      assert.strictEqual((yield* events).length, 2)
    })
  )
})
