import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { BulkheadFull, Bulkheads, bulkheadDefaults, layer, make } from "../../src/resilience/Bulkhead.ts"
import type { Release } from "../../src/resilience/Bulkhead.ts"

/** Waits for the slot, and gives it back. */
const released = (waiter: Fiber.Fiber<Release, BulkheadFull>) => Effect.map(Fiber.join(waiter), (release) => release())

const small = { maxInFlight: 2, maxWaitMs: 1000 }

describe("Bulkhead", () => {
  it.effect("by default 256 calls are in flight per provider, and not one more", () =>
    Effect.gen(function* () {
      const bulkhead = (yield* Bulkheads).get("acme", "payments")
      yield* Effect.all(Array.from({ length: 256 }, () => bulkhead.acquire))
      const waiter = yield* Effect.forkChild(Effect.flip(bulkhead.acquire), { startImmediately: true })
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 256, waiting: 1 })
      yield* TestClock.adjust(bulkheadDefaults.maxWaitMs)
      assert.instanceOf(yield* Fiber.join(waiter), BulkheadFull)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a full provider delays no other", () =>
    Effect.gen(function* () {
      const bulkheads = yield* Bulkheads
      const slow = bulkheads.get("slow", "payments")
      yield* Effect.all([slow.acquire, slow.acquire])
      yield* bulkheads.get("healthy", "payments").acquire
      assert.strictEqual(bulkheads.get("slow", "payments"), slow)
    }).pipe(Effect.provide(layer(small)))
  )

  it.effect("inquiries that fill their lane delay no payment", () =>
    Effect.gen(function* () {
      const bulkheads = yield* Bulkheads
      const inquiries = bulkheads.get("acme", "inquiries")
      yield* Effect.all([inquiries.acquire, inquiries.acquire])
      yield* bulkheads.get("acme", "payments").acquire
      assert.deepStrictEqual(inquiries.occupancy(), { inFlight: 2, waiting: 0 })
    }).pipe(Effect.provide(layer(small)))
  )

  it.effect("a waiter gives up after maxWaitMs, not before, and leaves the line", () =>
    Effect.gen(function* () {
      const bulkhead = make("acme", small)
      yield* Effect.all([bulkhead.acquire, bulkhead.acquire])
      const waiter = yield* Effect.forkChild(Effect.exit(bulkhead.acquire), { startImmediately: true })
      yield* TestClock.adjust(999)
      assert.isUndefined(waiter.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        yield* Fiber.join(waiter),
        Exit.fail(new BulkheadFull({ provider: "acme", waitedMs: 1000 }))
      )
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 2, waiting: 0 })
    })
  )

  it.effect("the wait ends in time also where it cannot be interrupted", () =>
    Effect.gen(function* () {
      const bulkhead = make("acme", small)
      yield* Effect.all([bulkhead.acquire, bulkhead.acquire])
      const waiter = yield* Effect.forkChild(Effect.uninterruptible(Effect.exit(bulkhead.acquire)), {
        startImmediately: true
      })
      yield* TestClock.adjust(1000)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(waiter)))
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 2, waiting: 0 })
    })
  )

  it.effect("interrupting a waiter that must not be interrupted neither loses nor doubles its slot", () =>
    Effect.gen(function* () {
      const bulkhead = make("acme", small)
      const [first] = yield* Effect.all([bulkhead.acquire, bulkhead.acquire])
      const waiter = yield* Effect.forkChild(
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(bulkhead.acquire, (release) => Effect.ensuring(restore(Effect.never), Effect.sync(release)))
        ),
        { startImmediately: true }
      )
      const interruption = yield* Effect.forkChild(Fiber.interrupt(waiter), { startImmediately: true })
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 2, waiting: 1 })
      first()
      yield* Fiber.join(interruption)
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 1, waiting: 0 })
    })
  )

  it.effect("waiters are served in the order in which they came", () =>
    Effect.gen(function* () {
      const bulkhead = make("acme", { maxInFlight: 1, maxWaitMs: 1000 })
      const served: Array<number> = []
      const first = yield* bulkhead.acquire
      const fibers = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        (index) =>
          Effect.forkChild(
            Effect.flatMap(bulkhead.acquire, (release) =>
              Effect.sync(() => {
                served.push(index)
                release()
              })
            ),
            { startImmediately: true }
          )
      )
      first()
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(
        served,
        Array.from({ length: 20 }, (_, index) => index)
      )
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 0, waiting: 0 })
    })
  )

  it.effect("a slot that is given back goes to the next in line, not to a newcomer", () =>
    Effect.gen(function* () {
      const bulkhead = make("acme", { maxInFlight: 1, maxWaitMs: 1000 })
      const first = yield* bulkhead.acquire
      const waiter = yield* Effect.forkChild(bulkhead.acquire, { startImmediately: true })
      first()
      const newcomer = yield* Effect.forkChild(bulkhead.acquire, { startImmediately: true })
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 1, waiting: 1 })
      yield* released(waiter)
      yield* released(newcomer)
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 0, waiting: 0 })
    })
  )

  it.effect("releasing twice gives back one slot", () =>
    Effect.gen(function* () {
      const bulkhead = make("acme", small)
      const [first] = yield* Effect.all([bulkhead.acquire, bulkhead.acquire])
      first()
      first()
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 1, waiting: 0 })
    })
  )

  it.effect("an interrupted waiter leaves the line and takes nothing", () =>
    Effect.gen(function* () {
      const bulkhead = make("acme", small)
      const held = yield* Effect.all([bulkhead.acquire, bulkhead.acquire])
      const waiter = yield* Effect.forkChild(bulkhead.acquire, { startImmediately: true })
      yield* Fiber.interrupt(waiter)
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 2, waiting: 0 })
      for (const release of held) release()
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 0, waiting: 0 })
    })
  )

  it.effect("a waiter interrupted in the moment it is granted the slot passes it on", () =>
    Effect.gen(function* () {
      const bulkhead = make("acme", { maxInFlight: 1, maxWaitMs: 1000 })
      const first = yield* bulkhead.acquire
      const interrupted = yield* Effect.forkChild(
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(bulkhead.acquire, (release) => Effect.ensuring(restore(Effect.never), Effect.sync(release)))
        ),
        { startImmediately: true }
      )
      const next = yield* Effect.forkChild(bulkhead.acquire, { startImmediately: true })
      first()
      interrupted.interruptUnsafe()
      assert.isTrue(Exit.isFailure(yield* Fiber.await(interrupted)))
      yield* released(next)
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 0, waiting: 0 })
    })
  )

  it.effect("a slot granted in the moment the wait ends is taken, not lost", () =>
    Effect.gen(function* () {
      const alarm = Deferred.makeUnsafe<void>()
      const clock = yield* Clock.Clock
      const ringing: Clock.Clock = {
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
        currentTimeMillis: clock.currentTimeMillis,
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
        currentTimeNanos: clock.currentTimeNanos,
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: () => Deferred.await(alarm)
      }
      const bulkhead = make("acme", { maxInFlight: 1, maxWaitMs: 1000 })
      const first = yield* bulkhead.acquire
      const waiter = yield* Effect.forkChild(Effect.provideService(bulkhead.acquire, Clock.Clock, ringing), {
        startImmediately: true
      })
      // Two timers of one turn of the event loop: nothing that the first one scheduled runs before the second.
      first()
      Deferred.doneUnsafe(alarm, Exit.void)
      yield* released(waiter)
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 0, waiting: 0 })
    })
  )

  it.effect("a line of 5,000 empties, each waking the next", () =>
    Effect.gen(function* () {
      const bulkhead = make("acme", { maxInFlight: 1, maxWaitMs: 1000 })
      const first = yield* bulkhead.acquire
      const fibers = yield* Effect.forEach(Array.from({ length: 5000 }), () =>
        Effect.forkChild(
          Effect.map(bulkhead.acquire, (release) => release()),
          { startImmediately: true }
        )
      )
      first()
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 0, waiting: 0 })
    })
  )

  it.effect("after a storm of calls, timeouts and interruptions every slot is free", () =>
    Effect.gen(function* () {
      const bulkhead = make("acme", { maxInFlight: 8, maxWaitMs: 50 })
      let most = 0
      const call = (index: number) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(bulkhead.acquire, (release) =>
            Effect.ensuring(
              restore(
                Effect.gen(function* () {
                  most = Math.max(most, bulkhead.occupancy().inFlight)
                  yield* Effect.sleep((index * 7) % 40)
                })
              ),
              Effect.sync(release)
            )
          )
        )
      const fibers = yield* Effect.forEach(
        Array.from({ length: 500 }, (_, index) => index),
        (index) => Effect.forkChild(Effect.delay(call(index), (index * 13) % 100), { startImmediately: true })
      )
      for (let step = 0; step < 200; step += 1) {
        yield* TestClock.adjust(1)
        if (step % 3 === 0) fibers[(step * 11) % fibers.length]?.interruptUnsafe()
      }
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      assert.isAbove(exits.filter(Exit.isSuccess).length, 0)
      assert.isAbove(exits.filter(Exit.isFailure).length, 0)
      assert.strictEqual(most, 8)
      assert.deepStrictEqual(bulkhead.occupancy(), { inFlight: 0, waiting: 0 })
    })
  )
})
