/** A reader that follows the list of payments with `ending_before`, and passes each place once. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { PaymentId } from "../../src/domain/Ids.ts"
import { timeOfPaymentId } from "../../src/domain/Ids.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { everyPayment } from "../../src/store/PaymentStore.ts"
import { scripted, start, tenant } from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

const minute = 60_000
const hour = 60 * minute
const noon = Date.UTC(2026, 0, 31, 12)

const provider = scripted("a", { create: () => Effect.succeed(Outcome.succeeded()) })

type Engine = Effect.Success<ReturnType<typeof start>>

/** Reads on from the payment it has seen last; returns the ids that are new, in the order of their creation. */
const reader = ({ payments }: Pick<Engine, "payments">, first: PaymentId) => {
  let last = first
  return Effect.gen(function* () {
    const { records } = yield* payments.list(tenant, {
      ...everyPayment,
      limit: 100,
      position: { side: "before", id: last }
    })
    const ids = records.map(({ payment }) => payment.id).toReversed()
    last = ids.at(-1) ?? last
    return ids
  })
}

/** A store whose commits are made when the test says so. */
const slowCommits = (inner: Store) => {
  const held: Array<Deferred.Deferred<void>> = []
  const state = { holds: false }
  const store: Store = {
    ...inner,
    begin: (commit) =>
      Effect.gen(function* () {
        if (state.holds) {
          const turn = yield* Deferred.make<void>()
          held.push(turn)
          yield* Deferred.await(turn)
        }
        return yield* inner.begin(commit)
      })
  }
  return { store, held, state }
}

describe("a reader that follows the list towards newer payments", () => {
  it.effect("sees every payment once when commits overtake each other, and none before those it has seen", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const { held, state, store } = slowCommits(MemoryStore.make())
      const engine = yield* start(store, [provider])
      const first = (yield* engine.create()).payment.id
      const read = reader(engine, first)
      state.holds = true
      yield* TestClock.adjust(5)
      const slow = yield* Effect.forkChild(engine.create())
      yield* TestClock.adjust(5)
      state.holds = false
      const quick = (yield* engine.create()).payment.id
      assert.deepStrictEqual(yield* read, [])
      for (const turn of held) yield* Deferred.succeed(turn, undefined)
      const late = (yield* Fiber.join(slow)).payment.id
      assert.deepStrictEqual(yield* read, [late, quick])
      assert.deepStrictEqual(yield* read, [])
    })
  )

  it.effect("is not sent past a payment that is being committed by a search that ended behind it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const { held, state, store } = slowCommits(MemoryStore.make())
      const search: { stoppedAt: PaymentId | null } = { stoppedAt: null }
      const searching: Store = {
        ...store,
        list: () => Effect.sync(() => ({ records: [], hasMore: true, stoppedAt: search.stoppedAt }))
      }
      const engine = yield* start(searching, [provider])
      const first = (yield* engine.create()).payment.id
      const position = { side: "before", id: first } as const
      const page = engine.payments.list(tenant, { ...everyPayment, position })
      state.holds = true
      yield* TestClock.adjust(5)
      const slow = yield* Effect.forkChild(engine.create())
      yield* TestClock.adjust(5)
      state.holds = false
      const quick = (yield* engine.create()).payment.id
      search.stoppedAt = quick
      assert.deepStrictEqual(yield* page, { records: [], hasMore: false, stoppedAt: null })
      search.stoppedAt = first
      assert.deepStrictEqual(yield* page, { records: [], hasMore: true, stoppedAt: first })
      for (const turn of held) yield* Deferred.succeed(turn, undefined)
      yield* Fiber.join(slow)
      search.stoppedAt = quick
      assert.deepStrictEqual(yield* page, { records: [], hasMore: true, stoppedAt: quick })
    })
  )

  it.effect("sees payments of the same millisecond in whatever order they are committed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const engine = yield* start(MemoryStore.make(), [provider])
      const first = (yield* engine.create()).payment.id
      const read = reader(engine, first)
      // Payments of one millisecond have no order until a page has passed them.
      yield* TestClock.adjust(1)
      const seen: Array<string> = []
      const made: Array<string> = []
      for (let n = 0; n < 50; n++) {
        made.push((yield* engine.create()).payment.id)
        seen.push(...(yield* read))
      }
      assert.deepStrictEqual(seen, made)
    })
  )

  for (const isRunning of [true, false]) {
    it.effect(
      `sees every payment once after a clock that was ahead is set right ${isRunning ? "while the engine runs" : "while no engine runs"}`,
      () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(noon)
          const wrong = { by: 2 * hour }
          const inner = MemoryStore.make()
          const store = { ...inner, now: Effect.map(inner.now, (now) => now + wrong.by) }
          const before = yield* start(store, [provider])
          const first = (yield* before.create()).payment.id
          yield* TestClock.adjust(minute)
          if (!isRunning) yield* before.end
          wrong.by = 0
          const engine = isRunning ? before : yield* start(store, [provider])
          yield* TestClock.adjust(15_000)
          const read = reader(engine, first)
          const made: Array<string> = []
          for (let n = 0; n < 5; n++) {
            made.push((yield* engine.create()).payment.id)
            yield* TestClock.adjust(minute)
          }
          assert.deepStrictEqual(yield* read, made)
          yield* TestClock.adjust(5 * hour)
          const last = (yield* engine.create()).payment
          assert.strictEqual(timeOfPaymentId(last.id), last.createdAt)
          assert.deepStrictEqual(yield* read, [last.id])
        })
    )
  }

  it.effect("of several engines sees a payment once no other can come before it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const { held, state, store } = slowCommits({ ...MemoryStore.make(), singleEngine: false, slowestCommit: 10_000 })
      const [one, other] = [yield* start(store, [provider]), yield* start(store, [provider])]
      const first = (yield* one.create()).payment.id
      const read = reader(one, first)
      state.holds = true
      yield* TestClock.adjust(5)
      const slow = yield* Effect.forkChild(other.create())
      yield* TestClock.adjust(5)
      state.holds = false
      const quick = (yield* one.create()).payment.id
      yield* TestClock.adjust(7_000)
      assert.deepStrictEqual(yield* read, [])
      for (const turn of held) yield* Deferred.succeed(turn, undefined)
      const late = (yield* Fiber.join(slow)).payment.id
      // Others may have waited a second for a place at the provider before their commit, and their clocks may differ by one.
      yield* TestClock.adjust(4_900)
      assert.deepStrictEqual(yield* read, [])
      yield* TestClock.adjust(100)
      assert.deepStrictEqual(yield* read, [late, quick])
    })
  )
})
