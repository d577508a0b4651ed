/** A reply that names another charge than the one that the payment is known by, and what is reported under it later. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

import type { SendOutcome as AnOutcome } from "../../src/domain/Outcome.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { createOf, read, scripted, start, summary, reported } from "./fixtures.ts"

const captured: Outcome.Outcome = { _tag: "Captured" }
const under = (providerReference: string, outcome: Outcome.Outcome) =>
  reported({ provider: "a", providerReference }, outcome)

/** A webhook reports "ch_2" while the create is being sent; then the reply `late` arrives. */
const overtaken = Effect.fnUntraced(function* (late: AnOutcome, report: Outcome.Outcome = captured) {
  const store = MemoryStore.make()
  const reply = Deferred.makeUnsafe<AnOutcome>()
  const engine = yield* start(store, [scripted("a", { create: () => Deferred.await(reply) })], {
    reconciler: { every: 3_600_000 }
  })
  const caller = yield* Effect.forkChild(engine.create())
  yield* TestClock.adjust("11 seconds")
  const record = yield* Fiber.join(caller)
  yield* engine.payments.advance(reported(createOf(record), { ...report, reference: "ch_2" }))
  yield* Deferred.succeed(reply, late)
  yield* TestClock.adjust("1 second")
  return { engine, store, record }
})

describe("a reference that a late reply names for a payment that has another one", () => {
  const replies: ReadonlyArray<AnOutcome> = [
    Outcome.succeeded({ reference: "ch_1" }),
    Outcome.authorized({ reference: "ch_1" }),
    Outcome.pending({ reference: "ch_1" }),
    Outcome.unknown({ reason: "in_progress", reference: "ch_1" }),
    Outcome.declined({ reference: "ch_1", code: "do_not_honor", retry: "never" })
  ]
  for (const late of replies) {
    it.effect(`finds the payment, after ${late._tag}`, () =>
      Effect.gen(function* () {
        const { engine, record, store } = yield* overtaken(late)
        const advanced = yield* engine.payments.advance(under("ch_1", captured))
        assert.notStrictEqual(advanced._tag, "Unmatched")
        const now = yield* read(store, record)
        assert.deepStrictEqual(summary(now).reviews, ["duplicate_capture"])
        assert.deepInclude(now.payment.reviews[0], { reference: "ch_1", minorUnits: 1200 })
        assert.strictEqual(now.operations[0]?.reference, "ch_2")
      })
    )
  }

  it.effect("finds the payment, though the other one was declined", () =>
    Effect.gen(function* () {
      const no: Outcome.Outcome = { _tag: "Declined", code: "do_not_honor", retry: "never" }
      const { engine, record, store } = yield* overtaken(Outcome.pending({ reference: "ch_1" }), no)
      yield* engine.payments.advance(under("ch_1", captured))
      assert.strictEqual((yield* read(store, record)).payment.amountCaptured, 1200)
    })
  )

  it.effect("is not remembered for it where it is the charge of another payment", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const answers = [Outcome.succeeded({ reference: "ch_1" }), Outcome.succeeded({ reference: "ch_2" })]
      const engine = yield* start(store, [
        scripted("a", { create: () => Effect.sync(() => answers.shift() ?? Outcome.succeeded()) })
      ])
      const first = yield* engine.create()
      const second = yield* engine.create()
      yield* engine.payments.advance(reported(createOf(second), { ...captured, reference: "ch_1" }))
      yield* engine.payments.advance(reported(createOf(first), { ...captured, reference: "ch_3" }))
      assert.strictEqual((yield* store.findByReference("a", "ch_1"))?.payment.id, first.payment.id)
      assert.strictEqual((yield* store.findByReference("a", "ch_3"))?.payment.id, first.payment.id)
    })
  )
})
