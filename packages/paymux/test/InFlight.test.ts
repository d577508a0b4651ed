import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as InFlight from "../src/InFlight.ts"

describe("what is in flight", () => {
  it.effect("is waited for once nothing more is let in", () =>
    Effect.gen(function* () {
      const inFlight = InFlight.make()
      assert.isTrue(inFlight.begin())
      assert.isTrue(inFlight.begin())
      const closing = yield* Effect.forkChild(inFlight.close, { startImmediately: true })
      assert.isFalse(inFlight.begin())
      inFlight.end()
      assert.isUndefined(closing.pollUnsafe())
      inFlight.end()
      yield* Fiber.join(closing)
    })
  )

  it.effect("is not waited for where there is nothing", () => InFlight.make().close)

  it.effect("is waited for five seconds at most", () =>
    Effect.gen(function* () {
      const inFlight = InFlight.make()
      inFlight.begin()
      const closing = yield* Effect.forkChild(inFlight.close, { startImmediately: true })
      yield* TestClock.adjust(4999)
      assert.isUndefined(closing.pollUnsafe())
      yield* TestClock.adjust(1)
      yield* Fiber.join(closing)
      assert.isFalse(inFlight.begin())
    })
  )
})
