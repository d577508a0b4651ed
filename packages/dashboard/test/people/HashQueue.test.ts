/** Who is hashed when, in virtual time: counts and order. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeHashQueue } from "../../src/server/people/HashQueue.ts"
import type { HashQueue, Origin } from "../../src/server/people/HashQueue.ts"

/** ms that a hash takes here. */
const took = 400

/** A queue, with the names of those that were hashed and when each began. */
const recordedQueue = Effect.fnUntraced(function* (places: number) {
  const queue: HashQueue = yield* makeHashQueue(places)
  const begun: Array<readonly [name: string, at: number]> = []
  const enter = (origin: Origin, name: string) => {
    const hash = Effect.gen(function* () {
      begun.push([name, yield* Clock.currentTimeMillis])
      yield* Effect.sleep(took)
    })
    return Effect.match(queue.withPlace(origin, queue.inTurn(origin, hash)), {
      onSuccess: () => "hashed",
      onFailure: ({ _tag }) => _tag
    })
  }
  return { begun, enter }
})

const inParallel = <A, R>(entering: ReadonlyArray<Effect.Effect<A, never, R>>) =>
  Effect.forkChild(Effect.all(entering, { concurrency: "unbounded" }))

describe("passwords are hashed", () => {
  it.effect("one at a time, with a pause after each that is as long as the hash took", () =>
    Effect.gen(function* () {
      const { begun, enter } = yield* recordedQueue(10)
      const all = yield* inParallel(["a", "b", "c"].map((name) => enter("unknown", name)))
      yield* TestClock.adjust(3 * took)
      assert.deepStrictEqual(begun, [
        ["a", 0],
        ["b", 2 * took]
      ])
      yield* TestClock.adjust(3 * took)
      assert.deepStrictEqual(yield* Fiber.join(all), ["hashed", "hashed", "hashed"])
      assert.deepStrictEqual(begun[2], ["c", 4 * took])
    })
  )

  it.effect("at once after a pause without work", () =>
    Effect.gen(function* () {
      const { begun, enter } = yield* recordedQueue(10)
      yield* Effect.forkChild(enter("unknown", "a"))
      yield* TestClock.adjust(60_000)
      const late = yield* Effect.forkChild(enter("unknown", "b"))
      yield* TestClock.adjust(took)
      assert.strictEqual(yield* Fiber.join(late), "hashed")
      assert.deepStrictEqual(begun[1], ["b", 60_000])
    })
  )

  it.effect("of a known device next, while more of unknown ones wait than have a place", () =>
    Effect.gen(function* () {
      const { begun, enter } = yield* recordedQueue(4)
      const flood = yield* inParallel(Array.from({ length: 10 }, (_, n) => enter("unknown", `stranger ${n}`)))
      yield* TestClock.adjust(1)
      const known = yield* inParallel(Array.from({ length: 5 }, (_, n) => enter("known", `known ${n}`)))
      yield* TestClock.adjust(60_000)
      const refused = (outcomes: ReadonlyArray<string>) => outcomes.filter((each) => each === "SignInBusy").length
      assert.strictEqual(refused(yield* Fiber.join(flood)), 6)
      assert.strictEqual(refused(yield* Fiber.join(known)), 1)
      assert.deepStrictEqual(
        begun.map(([name]) => name),
        ["stranger 0", "known 0", "known 1", "known 2", "known 3", "stranger 1", "stranger 2", "stranger 3"]
      )
    })
  )

  it.effect("for half of the time at most during a flood, and a known device waits for one hash and its pause", () =>
    Effect.gen(function* () {
      const { begun, enter } = yield* recordedQueue(12)
      const flood = Effect.gen(function* () {
        for (let n = 0; n < 6000; n++) {
          yield* Effect.forkChild(enter("unknown", "stranger"))
          yield* Effect.sleep(10)
        }
      })
      yield* Effect.forkChild(flood)
      yield* TestClock.adjust(30_010)
      const owner = yield* Effect.forkChild(enter("known", "owner"))
      yield* TestClock.adjust(3 * took)
      assert.strictEqual(yield* Fiber.join(owner), "hashed")
      yield* TestClock.adjust(60_000 - 30_010 - 3 * took)
      assert.strictEqual(begun.length, 60_000 / (2 * took))
    })
  )

  it.effect("no longer for a client that disconnected, whose place is free again", () =>
    Effect.gen(function* () {
      const { begun, enter } = yield* recordedQueue(2)
      yield* Effect.forkChild(enter("unknown", "a"))
      const gone = yield* Effect.forkChild(enter("unknown", "b"))
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* enter("unknown", "c"), "SignInBusy")
      yield* Fiber.interrupt(gone)
      const next = yield* Effect.forkChild(enter("unknown", "d"))
      yield* TestClock.adjust(10 * took)
      assert.strictEqual(yield* Fiber.join(next), "hashed")
      assert.deepStrictEqual(
        begun.map(([name]) => name),
        ["a", "d"]
      )
    })
  )
})
