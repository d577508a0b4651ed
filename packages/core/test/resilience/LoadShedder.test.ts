import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { LoadShedder, loadSheddingDefaults } from "../../src/resilience/LoadShedder.ts"

const now = { startImmediately: true } as const
const together = { concurrency: "unbounded" } as const
const many = <A>(count: number, one: A): ReadonlyArray<A> => Array.from({ length: count }, () => one)

const small = { burst: 4, sustained: 2, queue: 3, patience: 500, calmAfter: 1000 }
const shedding = Effect.provide(LoadShedder.layer(small))

/** Requests in flight, until they are released. */
const onTheirWay = Effect.fnUntraced(function* (count: number) {
  const { admit } = yield* LoadShedder
  const held = yield* Deferred.make<void>()
  const fibers = yield* Effect.forEach(Array.from({ length: count }), () =>
    Effect.forkChild(admit(Deferred.await(held)), { startImmediately: true })
  )
  return { fibers, release: Effect.andThen(Deferred.succeed(held, undefined), Fiber.joinAll(fibers)) }
})

const refusal = Effect.flatMap(LoadShedder, ({ admit }) => Effect.flip(admit(Effect.die("it was begun"))))

describe("LoadShedder", () => {
  it.effect("takes a burst, and not one more; that one is not begun", () =>
    Effect.gen(function* () {
      const { release } = yield* onTheirWay(small.burst)
      const error = yield* refusal
      assert.deepInclude(error.reason, { _tag: "Overloaded", retryAfterMs: 1000 })
      yield* release
      assert.deepStrictEqual((yield* LoadShedder).standing(), { waiting: 0, refused: 1 })
    }).pipe(shedding)
  )

  it.effect("after a refusal takes fewer, until none was refused for a second", () =>
    Effect.gen(function* () {
      const isRefusedAbove = Effect.fnUntraced(function* (bound: number) {
        const { release } = yield* onTheirWay(bound)
        yield* refusal
        yield* release
      })
      yield* isRefusedAbove(small.burst)
      yield* isRefusedAbove(small.sustained)
      yield* TestClock.adjust(999)
      yield* isRefusedAbove(small.sustained)
      yield* TestClock.adjust(999)
      yield* isRefusedAbove(small.sustained)
      yield* TestClock.adjust(1000)
      yield* isRefusedAbove(small.burst)
    }).pipe(shedding)
  )

  it.effect("or until as many were let in as make a refusal an exception", () =>
    Effect.gen(function* () {
      const { admit } = yield* LoadShedder
      const first = yield* onTheirWay(small.burst)
      yield* refusal
      yield* first.release
      // As many as a burst.
      yield* Effect.all(many(small.burst - small.sustained, admit(Effect.void)))
      const second = yield* onTheirWay(small.sustained)
      yield* admit(Effect.void)
      yield* second.release
    }).pipe(shedding)
  )

  it.effect("takes no more where the queue has stood for too long, however short it is", () =>
    Effect.gen(function* () {
      const { admit } = yield* LoadShedder
      const { release } = yield* onTheirWay(small.queue)
      yield* admit(Effect.void)
      yield* TestClock.adjust(small.patience)
      yield* admit(Effect.void)
      yield* TestClock.adjust(1)
      yield* refusal
      yield* release
    }).pipe(shedding)
  )

  it.effect("a queue that went away in between has not stood", () =>
    Effect.gen(function* () {
      const { admit } = yield* LoadShedder
      for (const _ of many(2, "time")) {
        const { release } = yield* onTheirWay(small.queue)
        yield* admit(Effect.void)
        yield* TestClock.adjust(small.patience)
        yield* admit(Effect.void)
        yield* release
      }
    }).pipe(shedding)
  )

  it.effect("fewer than a queue may stand for ever", () =>
    Effect.gen(function* () {
      const { admit } = yield* LoadShedder
      const { release } = yield* onTheirWay(small.queue - 1)
      yield* admit(Effect.void)
      yield* TestClock.adjust("1 hour")
      yield* admit(Effect.void)
      yield* release
    }).pipe(shedding)
  )

  it.effect("a caller that asks first and is refused is counted as refused", () =>
    Effect.gen(function* () {
      const { refuses, standing } = yield* LoadShedder
      assert.isFalse(refuses())
      const { release } = yield* onTheirWay(small.burst)
      assert.isTrue(refuses())
      yield* release
      const { release: releaseTwo } = yield* onTheirWay(small.sustained)
      assert.isTrue(refuses())
      assert.deepStrictEqual(standing(), { waiting: 2, refused: 2 })
      yield* releaseTwo
      assert.isFalse(refuses())
    }).pipe(shedding)
  )

  it.effect("a wall clock that is set back does not keep the bound low", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      const first = yield* onTheirWay(small.burst)
      yield* refusal
      yield* first.release
      yield* TestClock.setTime(0)
      yield* TestClock.adjust(1000)
      const again = yield* onTheirWay(small.burst)
      yield* again.release
    }).pipe(shedding)
  )

  it.effect("work that fails, breaks or is interrupted is on its way no longer", () =>
    Effect.gen(function* () {
      const { admit, counted, standing } = yield* LoadShedder
      const { fibers } = yield* onTheirWay(1)
      yield* Fiber.interruptAll(fibers)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(admit(Effect.fail("no")))))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(counted(Effect.die("broken"), () => true))))
      assert.deepStrictEqual(standing(), { waiting: 0, refused: 0 })
    }).pipe(shedding)
  )

  it.effect("what was admitted before is counted and never refused", () =>
    Effect.gen(function* () {
      const { counted, standing } = yield* LoadShedder
      const { release } = yield* onTheirWay(small.burst)
      assert.deepStrictEqual(yield* counted(Effect.sync(standing), () => true), {
        waiting: small.burst + 1,
        refused: 0
      })
      yield* release
    }).pipe(shedding)
  )

  it.effect("a line before a provider counts where its places wait for us, and not where they are sending", () =>
    Effect.gen(function* () {
      const { admit, at, standing } = yield* LoadShedder
      const places = at("acme")
      yield* Effect.forkChild(Effect.all(many(small.burst, places.inLine(Effect.never)), together), now)
      yield* refusal
      for (const begin of many(128, places.sends)) begin()
      assert.strictEqual(standing().waiting, 0)
      yield* admit(Effect.void)
      places.leaves()
      yield* refusal
    }).pipe(shedding)
  )

  it.effect("by default 32 clients at full speed are far from any bound", () =>
    Effect.gen(function* () {
      assert.isAtLeast(loadSheddingDefaults.queue, 4 * 32)
      const { release } = yield* onTheirWay(loadSheddingDefaults.burst)
      yield* refusal
      yield* release
    }).pipe(Effect.provide(LoadShedder.layer()))
  )
})
