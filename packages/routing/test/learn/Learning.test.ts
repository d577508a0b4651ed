import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { learning } from "../../src/learn/Learning.ts"
import type { Learning } from "../../src/learn/Learning.ts"
import { lensKey } from "../../src/learn/Lens.ts"
import type { Lens } from "../../src/learn/Lens.ts"
import { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import type { AttemptCount, AttemptCountQuery } from "@paymux/core/store"
import { asked as facts, everything, HOUR, learnedBy, MINUTE, row, start } from "./rows.ts"

/** A store in which attempts succeeded at once (ms after the start), and the queries it received. */
const counting = Effect.fnUntraced(function* (ended: ReadonlyArray<number>, singleEngine = true) {
  const real = yield* PaymentStore
  const asked: Array<AttemptCountQuery> = []
  const askedOpen: Array<AttemptCountQuery> = []
  const open: Array<AttemptCount> = []
  const gate: { before: Effect.Effect<void, StoreUnavailable> } = { before: Effect.void }
  const store = PaymentStore.of({
    ...real,
    singleEngine,
    attemptCounts: (query) =>
      Effect.suspend(() => {
        asked.push(query)
        return Effect.as(gate.before, countsOf(ended, query))
      }),
    openAttemptCounts: (query) =>
      Effect.sync(() => {
        askedOpen.push(query)
        return open
      })
  })
  return { asked, askedOpen, ended, gate, open, store }
})

const countsOf = (
  ended: ReadonlyArray<number>,
  { before = Number.POSITIVE_INFINITY, since, slotMs }: AttemptCountQuery
): ReadonlyArray<AttemptCount> =>
  ended
    .map((at) => start + at)
    .filter((at) => at >= since && at < before)
    .map((at) => row({ at: Math.floor(at / slotMs) * slotMs - start }))

/** How many attempts the estimate for a provider rests on. */
const attempts = (known: Learning, lens: Lens): number => {
  const rates = known.byLens.get(lensKey(lens))?.rates
  // A new rule each time: cached estimates are those of the last renewal.
  const found = rates?.estimates(learnedBy({}, lens), facts()).get("a")
  return Number(/^\d+/.exec(found?.basis ?? "")?.[0] ?? Number.NaN)
}

const of = (windowMs: number): Lens => ({ ...everything, windowMs })
const minutes = (count: number) => Array.from({ length: count }, (_, n) => n * MINUTE + 1)
const at = (ms: number) => TestClock.setTime(start + ms)

describe("learning", () => {
  it.effect("reads the newest attempts first, then the window backwards in adjacent stretches", () =>
    Effect.gen(function* () {
      yield* at(3 * HOUR)
      const { asked, askedOpen, store } = yield* counting(minutes(180))
      const learned = learning([of(2 * HOUR)], store, null)
      yield* learned.refresh
      assert.strictEqual(attempts(learned, of(2 * HOUR)), 120)
      assert.strictEqual(asked[0]?.since, start + 3 * HOUR - 1_000)
      assert.isUndefined(asked[0]?.before, "up to now")
      for (const [index, { before }] of asked.slice(1).entries()) assert.strictEqual(before, asked[index]?.since)
      assert.strictEqual(asked.at(-1)?.since, start + HOUR)
      for (const { before = start + 3 * HOUR, since } of asked) assert.isAtMost(before - since, 10 * MINUTE)
      assert.isAbove(asked.length, 10)
      assert.lengthOf(askedOpen, 2, "at once, and when all is known")
      for (const { before, slotMs } of askedOpen) assert.deepStrictEqual([before, slotMs], [undefined, 1_000])
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("uses the newest attempts before it has read the rest", () =>
    Effect.gen(function* () {
      yield* at(3 * HOUR)
      const { asked, gate, store } = yield* counting([3 * HOUR - 500, 2 * HOUR])
      const answer = yield* Deferred.make<void>()
      gate.before = Effect.suspend(() => (asked.length === 1 ? Effect.void : Deferred.await(answer)))
      const learned = learning([of(2 * HOUR)], store, null)
      const fiber = yield* Effect.forkChild(learned.refresh, { startImmediately: true })
      assert.strictEqual(attempts(learned, of(2 * HOUR)), 1)
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(fiber)
      assert.strictEqual(attempts(learned, of(2 * HOUR)), 2)
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("then reads new attempts only", () =>
    Effect.gen(function* () {
      yield* at(3 * HOUR)
      const ended = minutes(180)
      const { asked, store } = yield* counting(ended)
      const learned = learning([of(2 * HOUR)], store, null)
      yield* learned.refresh
      asked.length = 0
      ended.push(3 * HOUR + 1_500, 3 * HOUR + 1_501)
      yield* at(3 * HOUR + 2_000)
      yield* learned.refresh
      assert.isAtMost(asked.length, 2, "settled and newest attempts")
      assert.isAtLeast(asked[0]?.since ?? 0, start + 3 * HOUR - 30_000)
      assert.strictEqual(attempts(learned, of(2 * HOUR)), 121, "two more; the oldest has left the window")
      asked.length = 0
      yield* at(4 * HOUR)
      yield* learned.refresh
      assert.strictEqual(attempts(learned, of(2 * HOUR)), 62)
      assert.isAtMost(asked.length, 8, "the attempts since, in stretches")
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("reads again rows that other processes may have written late, and counts them once", () =>
    Effect.gen(function* () {
      for (const [singleEngine, again] of [
        [true, 1_000],
        [false, 30_000]
      ] as const) {
        yield* at(HOUR)
        const ended: Array<number> = [HOUR - again + 1]
        const { asked, store } = yield* counting(ended, singleEngine)
        const learned = learning([of(5 * MINUTE)], store, null)
        yield* learned.refresh
        // Of another, which is seen late.
        ended.push(HOUR - again + 2)
        yield* learned.refresh
        assert.strictEqual(asked.at(-1)?.since, start + HOUR - again)
        assert.strictEqual(attempts(learned, of(5 * MINUTE)), 2)
        for (let passed = 1_000; passed <= 2 * MINUTE; passed += 1_000) {
          yield* at(HOUR + passed)
          yield* learned.refresh
          assert.strictEqual(attempts(learned, of(5 * MINUTE)), 2)
        }
        assert.isAbove(asked.at(-1)?.since ?? 0, start + HOUR)
      }
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("replaces the open attempts at each refresh", () =>
    Effect.gen(function* () {
      yield* at(HOUR)
      const { open, store } = yield* counting([])
      const learned = learning([everything], store, null)
      open.push(row({ at: HOUR - MINUTE, took: null, status: "unknown", count: 7 }))
      yield* learned.refresh
      yield* learned.refresh
      assert.strictEqual(attempts(learned, everything), 7)
      open.length = 0
      yield* learned.refresh
      assert.strictEqual(attempts(learned, everything), 0)
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("goes on where a stretch failed, and keeps what it has", () =>
    Effect.gen(function* () {
      yield* at(3 * HOUR)
      const { asked, gate, store } = yield* counting(minutes(180))
      gate.before = Effect.suspend(() =>
        asked.length === 6 ? Effect.fail(new StoreUnavailable({ cause: "away" })) : Effect.void
      )
      const learned = learning([of(2 * HOUR)], store, null)
      yield* Effect.flip(learned.refresh)
      const failed = asked.at(-1)
      yield* learned.refresh
      assert.strictEqual(asked[6]?.since, start + 3 * HOUR - 1_000, "the newest, again")
      assert.deepStrictEqual(asked[7], failed)
      assert.strictEqual(attempts(learned, of(2 * HOUR)), 120)
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("reads once at a time", () =>
    Effect.gen(function* () {
      yield* at(HOUR)
      const { asked, gate, store } = yield* counting([])
      const answer = yield* Deferred.make<void>()
      gate.before = Deferred.await(answer)
      const learned = learning([of(HOUR)], store, null)
      const fiber = yield* Effect.forkChild(learned.refresh, { startImmediately: true })
      yield* learned.refresh
      assert.lengthOf(asked, 1)
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(fiber)
      const read = asked.length
      yield* learned.refresh
      assert.lengthOf(asked, read + 1)
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("reads the window again when the clock has gone back", () =>
    Effect.gen(function* () {
      yield* at(2 * HOUR)
      const { store } = yield* counting(minutes(120))
      const learned = learning([of(30 * MINUTE)], store, null)
      yield* learned.refresh
      yield* at(5 * HOUR)
      yield* learned.refresh
      assert.strictEqual(attempts(learned, of(30 * MINUTE)), 0)
      yield* at(2 * HOUR)
      yield* learned.refresh
      assert.strictEqual(attempts(learned, of(30 * MINUTE)), 30)
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("keeps the rates of a lens that new rules use too, each window in few slots", () =>
    Effect.gen(function* () {
      yield* at(2 * HOUR)
      const { asked, gate, store } = yield* counting(minutes(120))
      const before = learning([of(30 * MINUTE)], store, null)
      yield* before.refresh
      gate.before = Effect.fail(new StoreUnavailable({ cause: "away" }))
      const after = learning([of(MINUTE), of(30 * MINUTE)], store, before)
      yield* Effect.flip(after.refresh)
      assert.strictEqual(attempts(after, of(30 * MINUTE)), 30)
      gate.before = Effect.void
      asked.length = 0
      yield* learning([of(MINUTE), of(168 * HOUR)], store, null).refresh
      assert.sameMembers([...new Set(asked.map(({ slotMs }) => slotMs))], [1_000, 1_680_000])
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("asks the store to group attempts by the segments of each lens", () =>
    Effect.gen(function* () {
      yield* at(HOUR)
      const { asked, askedOpen, store } = yield* counting([])
      yield* learning([{ windowMs: HOUR, learnFrom: "rule", segments: ["amount", "metadata.shop"] }], store, null)
        .refresh
      const by = { account: false, rule: true, amount: true, metadata: ["shop"] }
      for (const query of [...asked, ...askedOpen]) assert.deepStrictEqual(query.by, by)
    }).pipe(Effect.provide(MemoryStore.layer))
  )
})
