import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { learning } from "../src/learn/Learning.ts"
import type { Learning } from "../src/learn/Learning.ts"
import type { Segment } from "../src/learn/Segment.ts"
import { MemoryStore, PaymentStore, StoreUnavailable } from "@paymux/core/store"
import type { AttemptCount, AttemptCountQuery } from "@paymux/core/store"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A store in which `ended` (ms UTC) attempts have succeeded, and what it was asked. */
const counting = Effect.fnUntraced(function* (ended: ReadonlyArray<number>, singleEngine = true) {
  const real = yield* PaymentStore
  const asked: Array<AttemptCountQuery> = []
  const gate: { before: Effect.Effect<void, StoreUnavailable> } = { before: Effect.void }
  const store = PaymentStore.of({
    ...real,
    singleEngine,
    attemptCounts: (query) =>
      Effect.suspend(() => {
        asked.push(query)
        return Effect.as(gate.before, countsOf(ended, query))
      })
  })
  return { asked, gate, store }
})

const countsOf = (ended: ReadonlyArray<number>, query: AttemptCountQuery): ReadonlyArray<AttemptCount> =>
  ended
    .filter((at) => at >= query.since && at < (query.before ?? Number.POSITIVE_INFINITY))
    .map((at) => ({
      slot: Math.floor(at / query.slotMs) * query.slotMs,
      provider: "a",
      rail: "card",
      currency: "EUR",
      network: null,
      country: null,
      issuer: null,
      status: "succeeded",
      code: null,
      count: 1
    }))

/** How many attempts are known: of all, of cards, and of cards in euros, as none says more. */
const attempts = ({ byWindow }: Learning, window: number, now: number): ReadonlyArray<number> =>
  byWindow
    .get(window)
    ?.rates.evidence("a", card, now)
    .map((evidence) => evidence.attempts) ?? []

const card: Segment = { rail: "card", currency: "EUR", network: null, country: null, issuer: null }

const minutes = (count: number) => Array.from({ length: count }, (_, n) => n * MINUTE + 1)

describe("learning", () => {
  it.effect("reads the whole window in stretches that follow each other, then what is new", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(3 * HOUR)
      const { asked, store } = yield* counting(minutes(180))
      const learned = learning([2 * HOUR], store, null)
      yield* learned.refresh
      assert.deepStrictEqual(attempts(learned, 2 * HOUR, 3 * HOUR), [120, 120, 120])
      assert.strictEqual(asked[0]?.since, HOUR)
      for (const [index, query] of asked.slice(1).entries()) assert.strictEqual(query.since, asked[index]?.before)
      assert.isAbove(asked.length, 10)
      asked.length = 0
      yield* TestClock.setTime(3 * HOUR + 2_000)
      yield* learned.refresh
      assert.lengthOf(asked, 1)
      assert.isAtLeast(asked[0]?.since ?? 0, 3 * HOUR - 30_000)
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("counts again what others may have written late, and its own last slot", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(HOUR)
      for (const [singleEngine, again] of [
        [true, 1_000],
        [false, 30_000]
      ] as const) {
        const { asked, store } = yield* counting([], singleEngine)
        const learned = learning([5 * MINUTE], store, null)
        yield* learned.refresh
        yield* learned.refresh
        assert.strictEqual(asked.at(-1)?.since, HOUR - again)
      }
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("goes on where a stretch failed, and keeps what it has", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(3 * HOUR)
      const { asked, gate, store } = yield* counting(minutes(180))
      gate.before = Effect.suspend(() =>
        asked.length === 6 ? Effect.fail(new StoreUnavailable({ cause: "away" })) : Effect.void
      )
      const learned = learning([2 * HOUR], store, null)
      yield* Effect.flip(learned.refresh)
      const failed = asked.at(-1)?.since ?? 0
      yield* learned.refresh
      const slotMs = asked[0]?.slotMs ?? 0
      assert.strictEqual(asked[6]?.since, failed - slotMs)
      assert.deepStrictEqual(attempts(learned, 2 * HOUR, 3 * HOUR), [120, 120, 120])
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("reads once at a time", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(HOUR)
      const { asked, gate, store } = yield* counting([])
      const answer = yield* Deferred.make<void>()
      gate.before = Deferred.await(answer)
      const learned = learning([5 * MINUTE], store, null)
      const fiber = yield* Effect.forkChild(learned.refresh, { startImmediately: true })
      yield* learned.refresh
      assert.lengthOf(asked, 1)
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(fiber)
      yield* learned.refresh
      assert.lengthOf(asked, 2)
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("reads the window again when the clock has gone back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(2 * HOUR)
      const { store } = yield* counting(minutes(120))
      const learned = learning([30 * MINUTE], store, null)
      yield* learned.refresh
      yield* TestClock.setTime(5 * HOUR)
      yield* learned.refresh
      assert.deepStrictEqual(attempts(learned, 30 * MINUTE, 5 * HOUR), [0, 0, 0])
      yield* TestClock.setTime(2 * HOUR)
      yield* learned.refresh
      assert.deepStrictEqual(attempts(learned, 30 * MINUTE, 2 * HOUR), [30, 30, 30])
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("keeps what it knows of a window that new rules ask for too, each window in few slots", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(2 * HOUR)
      const { asked, gate, store } = yield* counting(minutes(120))
      const before = learning([30 * MINUTE], store, null)
      yield* before.refresh
      gate.before = Effect.fail(new StoreUnavailable({ cause: "away" }))
      const after = learning([MINUTE, 30 * MINUTE], store, before)
      yield* Effect.flip(after.refresh)
      assert.deepStrictEqual(attempts(after, 30 * MINUTE, 2 * HOUR), [30, 30, 30])
      gate.before = Effect.void
      asked.length = 0
      yield* learning([MINUTE, 168 * HOUR], store, null).refresh
      assert.sameMembers([...new Set(asked.map(({ slotMs }) => slotMs))], [1_000, 1_680_000])
    }).pipe(Effect.provide(MemoryStore.layer))
  )
})
