import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { whenClockSetBack } from "../../../src/execution/recover/whenClockSetBack.ts"

const hour = 60 * 60_000
const every = 10_000

describe("due times are corrected", () => {
  it.effect("once at the start, again at three looks after the clock was set back, and not after small steps", () =>
    Effect.gen(function* () {
      const clock = { now: 5 * hour }
      const corrected: Array<number> = []
      yield* whenClockSetBack(
        Effect.sync(() => clock.now),
        every,
        (now) => Effect.sync(() => corrected.push(now))
      )
      const pass = (looks: number) => TestClock.adjust(looks * every)
      yield* pass(5)
      assert.deepStrictEqual(corrected, [5 * hour])
      clock.now -= 900
      yield* pass(5)
      assert.lengthOf(corrected, 1)
      clock.now = 3 * hour
      yield* pass(5)
      assert.deepStrictEqual(corrected, [5 * hour, 3 * hour, 3 * hour, 3 * hour])
      clock.now = 4 * hour
      yield* pass(5)
      assert.lengthOf(corrected, 4)
    })
  )

  it.effect("again after a failure, until they are", () =>
    Effect.gen(function* () {
      let tries = 0
      const correct = Effect.suspend(() => (++tries < 3 ? Effect.fail("the database is down") : Effect.void))
      yield* whenClockSetBack(Effect.succeed(hour), every, () => correct)
      yield* TestClock.adjust(10 * every)
      assert.strictEqual(tries, 3)
    })
  )
})
