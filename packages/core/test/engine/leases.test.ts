import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { PaymentId } from "../../src/domain/Ids.ts"
import { LivePayments } from "../../src/execution/begin/LivePayments.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { ProviderContext } from "../../src/provider/Provider.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { StoreUnavailable } from "../../src/store/PaymentStore.ts"
import { scripted, start } from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

/** As PostgreSQL is: for many engines at once. */
const shared = (): Store => ({ ...MemoryStore.make(), singleEngine: false })

const slow = { reconciler: { every: 3_600_000 } }

/** An engine of this name, whose provider's background process says every second that it runs. */
const scanner = (
  name: string,
  store: Store,
  beats: Array<string>,
  contexts: Map<string, ProviderContext> = new Map()
) =>
  start(
    store,
    [
      scripted("chain", {
        create: () => Effect.succeed(Outcome.succeeded()),
        run: (context) => {
          contexts.set(name, context)
          return Effect.forever(
            Effect.andThen(
              Effect.sync(() => beats.push(name)),
              Effect.sleep("1 second")
            )
          )
        }
      })
    ],
    slow
  )

describe("a provider's background process", () => {
  it.effect("runs in one of two engines, and stays there while its lease is renewed", () =>
    Effect.gen(function* () {
      const store = shared()
      const beats: Array<string> = []
      yield* scanner("one", store, beats)
      yield* TestClock.adjust("1 second")
      yield* scanner("two", store, beats)
      yield* TestClock.adjust("5 minutes")
      assert.isAbove(beats.length, 290)
      assert.deepStrictEqual([...new Set(beats)], ["one"])
    })
  )

  it.effect("stays there where the clocks of the engines differ by seconds", () =>
    Effect.gen(function* () {
      const store = shared()
      const beats: Array<string> = []
      const ahead = { ...store, now: Effect.map(store.now, (now) => now + 3_000) }
      yield* scanner("one", ahead, beats)
      yield* TestClock.adjust("1234 millis")
      yield* scanner("two", store, beats)
      yield* TestClock.adjust("20 minutes")
      assert.deepStrictEqual([...new Set(beats)], ["one"])
    })
  )

  it.effect("goes over to the other engine when its own ends, soon", () =>
    Effect.gen(function* () {
      const store = shared()
      const beats: Array<string> = []
      const one = yield* scanner("one", store, beats)
      yield* TestClock.adjust("1 second")
      yield* scanner("two", store, beats)
      yield* TestClock.adjust("20 seconds")
      yield* one.end
      beats.length = 0
      yield* TestClock.adjust("6 seconds")
      assert.deepStrictEqual([...new Set(beats)], ["two"])
    })
  )

  it.effect("goes over when the lease cannot be renewed; no time has two owners", () =>
    Effect.gen(function* () {
      const store = shared()
      const beats: Array<string> = []
      const state = { cut: false }
      const cut: Store = {
        ...store,
        leases: {
          hold: (name, claim) =>
            state.cut ? Effect.fail(new StoreUnavailable({ cause: "away" })) : store.leases.hold(name, claim),
          release: (name, owner) =>
            state.cut ? Effect.fail(new StoreUnavailable({ cause: "away" })) : store.leases.release(name, owner)
        }
      }
      yield* scanner("one", cut, beats)
      yield* TestClock.adjust("1 second")
      yield* scanner("two", store, beats)
      yield* TestClock.adjust("10 seconds")
      state.cut = true
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(beats.at(-1), "two")
      // Once the second has begun, the first does nothing more.
      assert.isBelow(beats.lastIndexOf("one"), beats.indexOf("two"))
    })
  )

  it.effect("whose lease another has taken meanwhile cannot write any more (I15)", () =>
    Effect.gen(function* () {
      const store = shared()
      const written: Array<boolean> = []
      const stalled = { until: 3 }
      yield* start(
        store,
        [
          scripted("chain", {
            create: () => Effect.succeed(Outcome.succeeded()),
            run: ({ state }) =>
              Effect.gen(function* () {
                for (let n = 0; ; n++) {
                  const cursor = yield* state.get("cursor")
                  // The one that stalls does so where it cannot be interrupted, between its read and its write.
                  if (n === stalled.until) yield* Effect.uninterruptible(Effect.sleep("2 minutes"))
                  written.push(yield* Effect.uninterruptible(state.compareAndSet("cursor", cursor, String(n))))
                  yield* Effect.sleep("1 second")
                }
              }).pipe(Effect.uninterruptible)
          })
        ],
        slow
      )
      yield* TestClock.adjust("3500 millis")
      assert.deepStrictEqual(written, [true, true, true])
      const now = yield* Clock.currentTimeMillis
      // Another process takes over, as it may once the lease has run out.
      const fence = yield* store.leases.hold("provider:chain", {
        owner: "other",
        now: now + 60_000,
        until: now + 600_000
      })
      assert.strictEqual(fence, 2)
      yield* TestClock.adjust("3 minutes")
      assert.strictEqual(written[3], false)
      assert.isFalse(written.slice(3).includes(true))
    })
  )

  it.effect("is stopped when another has taken its lease", () =>
    Effect.gen(function* () {
      const store = shared()
      const beats: Array<string> = []
      yield* scanner("one", store, beats)
      yield* TestClock.adjust("1 second")
      const now = yield* Clock.currentTimeMillis
      yield* store.leases.hold("provider:chain", { owner: "other", now: now + 60_000, until: now + 600_000 })
      yield* TestClock.adjust("11 seconds")
      beats.length = 0
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(beats, [])
    })
  )

  it.effect("starts within a minute of the lease's time where the clock of its former owner was ahead", () =>
    Effect.gen(function* () {
      const store = shared()
      const beats: Array<string> = []
      const now = yield* Clock.currentTimeMillis
      const ahead = now + 2 * 3_600_000
      yield* store.leases.hold("provider:chain", { owner: "ended", now: ahead, until: ahead + 30_000 })
      yield* scanner("one", store, beats)
      yield* TestClock.adjust("89 seconds")
      assert.deepStrictEqual(beats, [])
      yield* TestClock.adjust("6 seconds")
      assert.isAbove(beats.length, 0)
    })
  )

  for (const singleEngine of [true, false]) {
    it.effect(`that breaks is started again (${singleEngine ? "one engine" : "many engines"})`, () =>
      Effect.gen(function* () {
        let starts = 0
        yield* start(
          { ...MemoryStore.make(), singleEngine },
          [
            scripted("chain", {
              create: () => Effect.succeed(Outcome.succeeded()),
              run: () => Effect.suspend(() => (++starts < 3 ? Effect.die(new Error("a bug")) : Effect.never))
            })
          ],
          slow
        )
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(starts, 3)
      })
    )
  }
})

describe("who waits for an answer", () => {
  /** Counts the timers that are set. */
  const counted = Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const timers = { set: 0 }
    const counting: Clock.Clock = {
      currentTimeMillis: clock.currentTimeMillis,
      currentTimeNanos: clock.currentTimeNanos,
      monotonicTimeNanos: clock.monotonicTimeNanos,
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
      sleep: (duration) => Effect.suspend(() => (timers.set++, clock.sleep(duration)))
    }
    const scope = yield* Scope.make()
    const built = yield* Effect.provideService(Layer.buildWithScope(LivePayments.layer, scope), Clock.Clock, counting)
    return { live: Context.get(built, LivePayments), timers }
  })

  it.effect("is empty in an idle engine: eight days set no timer", () =>
    Effect.gen(function* () {
      const { live, timers } = yield* counted
      yield* TestClock.adjust("8 days")
      assert.strictEqual(timers.set, 0)
      const id = "pay_1" as PaymentId
      live.start(id, null)
      yield* TestClock.adjust("1 second")
      assert.isAbove(timers.set, 0)
      live.finish(id, { record: undefined as never, body: null })
      yield* TestClock.adjust("1 second")
      timers.set = 0
      yield* TestClock.adjust("8 days")
      assert.strictEqual(timers.set, 0)
    })
  )
})
