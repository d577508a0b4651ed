/** A provider that reports the charge of one payment for another payment. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { overpayment } from "../../src/domain/books/balance.ts"
import type { SendOutcome as AnOutcome } from "../../src/domain/Outcome.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { card, cardOnHold, createOf, eventsOf, read, scripted, start, summary, reported } from "./fixtures.ts"

const cases: ReadonlyArray<
  readonly ["succeeded" | "authorized", typeof card, (reported: { readonly reference: string }) => AnOutcome]
> = [
  ["succeeded", card, Outcome.succeeded],
  ["authorized", cardOnHold, Outcome.authorized]
]

describe("the reference of another payment at the same provider", () => {
  for (const [state, payment, outcome] of cases) {
    it.effect(`leaves the payment unknown, until an inquiry finds it under its own reference: ${state}`, () =>
      Effect.gen(function* () {
        const store = MemoryStore.make()
        const strayed: Array<string> = []
        const engine = yield* start(store, [
          scripted("a", {
            create: () => Effect.succeed(outcome({ reference: "ch_1" })),
            inquire: ({ id }) => Effect.succeed(outcome({ reference: `ch_${id}` }))
          }),
          scripted("b", { create: () => Effect.sync(() => (strayed.push("b"), Outcome.succeeded())) })
        ])
        const first = yield* engine.create(payment)
        const second = yield* engine.create(payment)
        const conflicting = yield* read(store, second)
        assert.deepStrictEqual(summary(conflicting), {
          state: "pending",
          reviews: ["reference_conflict"],
          attempts: ["a unknown"],
          later: []
        })
        assert.deepInclude(conflicting.payment.state, { reason: "needs_review" })
        assert.strictEqual(conflicting.operations[0]?.reference, null)
        assert.deepStrictEqual(conflicting.entries, [])
        assert.deepInclude(conflicting.payment.reviews[0], {
          operationId: createOf(second),
          provider: "a",
          reference: "ch_1",
          minorUnits: 1200,
          currency: "EUR"
        })
        yield* TestClock.adjust("10 minutes")
        const settled = yield* read(store, second)
        assert.deepStrictEqual(summary(settled), { state, reviews: [], attempts: [`a ${state}`], later: [] })
        assert.strictEqual(settled.operations[0]?.reference, `ch_${createOf(second)}`)
        assert.deepStrictEqual(yield* eventsOf(store, second.payment.id), [
          "payment.pending",
          "payment.review_opened",
          `payment.${state}`,
          "payment.review_resolved"
        ])
        assert.strictEqual((yield* read(store, first)).payment.version, first.payment.version)
        assert.deepStrictEqual(strayed, [])
      })
    )
  }

  it.effect("that every inquiry repeats ends with an operator, and not with a new version each time", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* start(
        store,
        [
          scripted("a", {
            create: () => Effect.succeed(Outcome.succeeded({ reference: "ch_1" })),
            inquire: () => Effect.succeed(Outcome.succeeded({ reference: "ch_1" }))
          })
        ],
        { reconciler: { every: 600_000 } }
      )
      yield* engine.create()
      const second = yield* engine.create()
      yield* TestClock.adjust("10 days")
      const now = yield* read(store, second)
      assert.deepInclude(summary(now), { state: "pending", attempts: ["a unknown"] })
      assert.sameMembers(summary(now).reviews, ["reference_conflict", "inquiries_exhausted"])
      // One for the conflict, one for the end of the inquiries.
      assert.strictEqual(now.payment.version, second.payment.version + 1)
    })
  )

  it.effect("reported by a webhook after the payment has ended is not hidden", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const answers = [
        Outcome.succeeded({ reference: "ch_1" }),
        Outcome.declined({ code: "do_not_honor", retry: "never" })
      ]
      const engine = yield* start(store, [
        scripted("a", { create: () => Effect.sync(() => answers.shift() ?? Outcome.succeeded()) })
      ])
      yield* engine.create()
      const second = yield* engine.create()
      yield* engine.payments.advance(reported(createOf(second), { _tag: "Succeeded", reference: "ch_1" }))
      const now = yield* read(store, second)
      assert.deepStrictEqual(summary(now), {
        state: "failed",
        reviews: ["reference_conflict"],
        attempts: ["a declined"],
        later: []
      })
    })
  )
})

describe("the reference of another payment, reported for one that is paid", () => {
  it.effect("without a reference of its own: both may be about one charge, and an operator looks", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const answers = [Outcome.succeeded({ reference: "ch_1" }), Outcome.succeeded()]
      const engine = yield* start(store, [
        scripted("a", { create: () => Effect.sync(() => answers.shift() ?? Outcome.succeeded()) })
      ])
      const first = yield* engine.create()
      const second = yield* engine.create()
      const report = reported(createOf(second), { _tag: "Succeeded", reference: "ch_1" })
      yield* engine.payments.advance(report)
      const now = yield* read(store, second)
      assert.deepInclude(summary(now), { state: "succeeded", reviews: ["reference_conflict"] })
      assert.deepInclude(now.payment.reviews[0], { reference: "ch_1", minorUnits: 1200, operationId: createOf(second) })
      assert.strictEqual(now.operations[0]?.reference, null)
      for (let time = 0; time < 5; time++) yield* engine.payments.advance(report)
      assert.deepStrictEqual(yield* read(store, second), now, "a repeat changes nothing")
      const own = reported(createOf(second), { _tag: "Succeeded", reference: "ch_2" })
      yield* engine.payments.advance(own)
      // A webhook is about one charge: beside a charge of its own, the one in question may be a second one.
      assert.deepStrictEqual(summary(yield* read(store, second)).reviews, ["reference_conflict"])
      assert.deepStrictEqual(yield* read(store, first), first)
    })
  )

  it.effect("with a reference of its own is a review that names it, and neither payment's money changes", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const answers = [Outcome.succeeded({ reference: "ch_1" }), Outcome.succeeded({ reference: "ch_2" })]
      const engine = yield* start(store, [
        scripted("a", { create: () => Effect.sync(() => answers.shift() ?? Outcome.succeeded()) })
      ])
      const first = yield* engine.create()
      const second = yield* engine.create()
      const report = reported(createOf(second), { _tag: "Succeeded", reference: "ch_1" })
      yield* TestClock.adjust("1 second")
      for (let time = 0; time < 5; time++) yield* engine.payments.advance(report)
      const now = yield* read(store, second)
      assert.deepInclude(summary(now), { state: "succeeded", reviews: ["reference_conflict"], later: [] })
      assert.deepInclude(now.payment.reviews[0], { reference: "ch_1", minorUnits: 1200, operationId: createOf(second) })
      assert.deepStrictEqual([now.entries, overpayment(now)], [second.entries, 0])
      assert.strictEqual(now.operations[0]?.reference, "ch_2")
      assert.lengthOf(yield* store.evidenceOf(second.payment.id), 1)
      assert.strictEqual((yield* store.findByReference("a", "ch_1"))?.payment.id, first.payment.id)
      assert.deepStrictEqual(yield* read(store, first), first)
      yield* engine.payments.advance(reported(createOf(second), { _tag: "Succeeded", reference: "ch_3" }))
      const third = yield* read(store, second)
      assert.deepStrictEqual(summary(third).reviews, ["reference_conflict", "duplicate_capture"])
      assert.strictEqual(overpayment(third), 1200)
    })
  )
})

describe("the same reference at two providers", () => {
  it.effect("is the reference of two payments", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const answers = [Outcome.succeeded({ reference: "ch_1" }), Outcome.notExecuted({ reason: "not_sent" })]
      const engine = yield* start(store, [
        scripted("a", { create: () => Effect.sync(() => answers.shift() ?? Outcome.succeeded()) }),
        scripted("b", { create: () => Effect.succeed(Outcome.succeeded({ reference: "ch_1" })) })
      ])
      const first = yield* engine.create()
      const second = yield* engine.create()
      assert.deepInclude(summary(first), { state: "succeeded", reviews: [], attempts: ["a succeeded"] })
      assert.deepInclude(summary(second), {
        state: "succeeded",
        reviews: [],
        attempts: ["a not_executed", "b succeeded"]
      })
      for (const [provider, record] of [
        ["a", first],
        ["b", second]
      ] as const) {
        const found = yield* store.findByReference(provider, "ch_1")
        assert.strictEqual(found?.payment.id, record.payment.id)
      }
    })
  )
})
