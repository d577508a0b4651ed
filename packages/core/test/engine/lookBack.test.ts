/** "Not found" was final, and is asked about again: a provider may have been wrong. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { InquiryOutcome } from "../../src/domain/Outcome.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { cardOnHold, createOf, eventsOf, inquiryOnly, plain, read, scripted, start, summary } from "./fixtures.ts"
import type { Script } from "./fixtures.ts"

const hour = 3_600_000
const lost = () => Effect.succeed(Outcome.unknown({ reason: "timeout" }))
const lostOnce = () => {
  let sends = 0
  return () => Effect.sync(() => (sends++ === 0 ? Outcome.unknown({ reason: "duplicate" }) : Outcome.succeeded()))
}

/** A provider that answers inquiries about `kind` with `state.answer`, and the hours at which it was asked. */
const environment = Effect.fnUntraced(function* (kind: "create" | "capture" | "refund", script: Partial<Script>) {
  const store = MemoryStore.make()
  const state: { answer: InquiryOutcome } = { answer: Outcome.notFound() }
  const asked: Array<number> = []
  const inquire: Script["inquire"] = (operation) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      if (operation.kind !== kind) return Outcome.notFound()
      asked.push(now)
      return state.answer
    })
  const engine = yield* start(store, [scripted("a", { create: lost, inquire, ...script }, inquiryOnly)], {
    reconciler: { every: 600_000 }
  })
  return { ...engine, store, state, asked }
})

describe("a payment that was not found", () => {
  /** With the time at which "not found" was final. */
  const notFound = Effect.gen(function* () {
    const made = yield* environment("create", {})
    const record = yield* made.create()
    yield* TestClock.adjust("1 hour")
    const { attempts, payment } = yield* read(made.store, record)
    assert.deepStrictEqual([payment.state.status, attempts[0]?.status], ["failed", "not_executed"])
    const since = attempts[0]?.endedAt ?? 0
    made.asked.length = 0
    return { ...made, record, since }
  })

  it.effect("is inquired after 1, 24 and 72 hours, and then never again", () =>
    Effect.gen(function* () {
      const { asked, record, since, store } = yield* notFound
      yield* TestClock.adjust("8 days")
      assert.deepStrictEqual(
        asked.map((time) => Math.floor((time - since) / hour)),
        [1, 24, 72]
      )
      const now = yield* read(store, record)
      assert.deepStrictEqual(summary(now), { state: "failed", reviews: [], attempts: ["a not_executed"], later: [] })
      assert.strictEqual(now.operations[0]?.nextCheckAt, null)
      assert.deepStrictEqual(yield* eventsOf(store, record.payment.id), ["payment.pending", "payment.failed"])
    })
  )

  it.effect("and is there a day later is late money", () =>
    Effect.gen(function* () {
      const { asked, record, state, store } = yield* notFound
      yield* TestClock.adjust("20 hours")
      state.answer = Outcome.succeeded({ reference: "ch_1" })
      yield* TestClock.adjust("8 days")
      const now = yield* read(store, record)
      assert.deepStrictEqual(now.payment.state, { status: "succeeded", late: true })
      assert.strictEqual(now.payment.amountCaptured, 1200)
      assert.deepStrictEqual(now.payment.reviews, [])
      assert.lengthOf(asked, 2)
      assert.strictEqual(now.operations.find(({ id }) => id === createOf(record))?.nextCheckAt, null)
      assert.deepStrictEqual(yield* eventsOf(store, record.payment.id), [
        "payment.pending",
        "payment.failed",
        "payment.succeeded"
      ])
    })
  )

  it.effect("and answers nothing is inquired on each of five more days, and then no more", () =>
    Effect.gen(function* () {
      const { asked, record, since, state, store } = yield* notFound
      state.answer = Outcome.unknown({ reason: "timeout" })
      yield* TestClock.adjust("20 days")
      assert.deepStrictEqual(
        asked.map((time) => Math.floor((time - since) / hour)),
        [1, 24, 72, 96, 120, 144, 168, 192]
      )
      assert.deepInclude(summary(yield* read(store, record)), { state: "failed", reviews: [] })
    })
  )
})

describe("what was not found of a payment", () => {
  it.effect("and was done is done: a refund", () =>
    Effect.gen(function* () {
      const { asked, create, payments, state, store } = yield* environment("refund", {
        create: () => Effect.succeed(Outcome.succeeded()),
        refund: lostOnce()
      })
      const record = yield* create()
      yield* payments.refund(record.payment.id, { minorUnits: 500, reason: null }, plain)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(summary(yield* read(store, record)).later, ["requested refund 500 not_executed"])
      state.answer = Outcome.succeeded()
      asked.length = 0
      yield* TestClock.adjust("8 days")
      const now = yield* read(store, record)
      assert.deepInclude(summary(now), { reviews: [], later: ["requested refund 500 succeeded"] })
      assert.strictEqual(now.payment.amountRefunded, 500)
      assert.lengthOf(asked, 1)
    })
  )

  it.effect("and was done is done: a capture", () =>
    Effect.gen(function* () {
      const { asked, create, payments, state, store } = yield* environment("capture", {
        create: () => Effect.succeed(Outcome.authorized()),
        capture: lostOnce()
      })
      const record = yield* create(cardOnHold)
      yield* payments.capture(record.payment.id, { minorUnits: 500 }, plain)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(summary(yield* read(store, record)).later, ["requested capture 500 not_executed"])
      state.answer = Outcome.succeeded()
      asked.length = 0
      yield* TestClock.adjust("3 hours")
      const now = yield* read(store, record)
      assert.deepInclude(summary(now), { state: "succeeded", later: ["requested capture 500 succeeded"] })
      assert.strictEqual(now.payment.amountCaptured, 500)
      assert.lengthOf(asked, 1)
    })
  )
})
