import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as InFlight from "../src/InFlight.ts"

describe("what is in flight", () => {
  it.effect("is waited for once nothing more is let in", () =>
    Effect.gen(function* () {
      const inFlight = InFlight.make()
      assert.isTrue(inFlight.begin())
      assert.isTrue(inFlight.begin())
      const closing = yield* Effect.forkChild(inFlight.close(), { startImmediately: true })
      assert.isFalse(inFlight.begin())
      inFlight.end()
      assert.isUndefined(closing.pollUnsafe())
      inFlight.end()
      yield* Fiber.join(closing)
    })
  )

  it.effect("is not waited for where there is nothing", () => InFlight.make().close())

  it.effect("is waited for five seconds at most", () =>
    Effect.gen(function* () {
      const inFlight = InFlight.make()
      inFlight.begin()
      const closing = yield* Effect.forkChild(inFlight.close(), { startImmediately: true })
      yield* TestClock.adjust(4999)
      assert.isUndefined(closing.pollUnsafe())
      yield* TestClock.adjust(1)
      yield* Fiber.join(closing)
      assert.isFalse(inFlight.begin())
    })
  )

  it.effect("is signaled before its server is stopped; until then requests may begin", () =>
    Effect.gen(function* () {
      const inFlight = InFlight.make()
      const stopped = Deferred.makeUnsafe<void>()
      const stop = Effect.andThen(inFlight.closing, Deferred.await(stopped))
      const closing = yield* Effect.forkChild(inFlight.close(stop), { startImmediately: true })
      assert.isTrue(inFlight.begin())
      inFlight.end()
      yield* Deferred.succeed(stopped, undefined)
      yield* Fiber.join(closing)
      assert.isFalse(inFlight.begin())
    })
  )

  it.effect("has five seconds together with the stop of its server, which is then cut off", () =>
    Effect.gen(function* () {
      const inFlight = InFlight.make()
      let isCutOff = false
      const stop = Effect.ensuring(
        Effect.never,
        Effect.sync(() => void (isCutOff = true))
      )
      const closing = yield* Effect.forkChild(inFlight.close(stop), { startImmediately: true })
      yield* TestClock.adjust(4999)
      assert.isTrue(inFlight.begin())
      yield* TestClock.adjust(1)
      yield* Fiber.join(closing)
      assert.isTrue(isCutOff)
      assert.isFalse(inFlight.begin())
    })
  )
})
