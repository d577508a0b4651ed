import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Result, Scope } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, beforeEach, vi } from "vitest"
import { breakerConformance } from "../../../../test/suites/src/breakerConformance.ts"
import { Breakers } from "../../src/resilience/Breaker.ts"
import type { Breaker, BreakerResult } from "../../src/resilience/Breaker.ts"
import { layer } from "../../src/resilience/OpossumBreaker.ts"

// opossum reads the system's clock and timers; Effect's scheduler keeps its own.
beforeEach(
  () => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] })
)
afterEach(() => void vi.useRealTimers())

const call = (breaker: Breaker, result: BreakerResult) =>
  Effect.map(Effect.fromResult(breaker.admit()), (permit) => permit.report(result))

const advance = (ms: number) =>
  Effect.andThen(
    TestClock.adjust(ms),
    Effect.sync(() => void vi.advanceTimersByTime(ms))
  )

breakerConformance("OpossumBreaker", () => layer(), advance)

describe("OpossumBreaker", () => {
  it.effect("closing the layer stops every timer, of open, probing and recovered breakers too", () =>
    Effect.gen(function* () {
      const before = vi.getTimerCount()
      const scope = yield* Scope.make()
      yield* Effect.gen(function* () {
        const breakers = yield* Breakers
        const recovered = breakers.get({ provider: "recovered", operation: "create" })
        recovered.forceOpen("misconfigured")
        const probing = breakers.get({ provider: "probing", operation: "create" })
        probing.forceOpen("misconfigured")
        yield* advance(30_000)
        yield* call(recovered, "success")
        Result.getOrThrow(probing.admit())
        breakers.get({ provider: "closed", operation: "create" })
        const open = breakers.get({ provider: "open", operation: "create" })
        open.forceOpen("misconfigured")
      }).pipe(Effect.provide(Layer.effectContext(Layer.buildWithScope(layer(), scope))))
      assert.isAbove(vi.getTimerCount(), before)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(vi.getTimerCount(), before)
    })
  )

  it.effect("a breaker has one timer, however often it recovers", () =>
    Effect.gen(function* () {
      const breaker = (yield* Breakers).get({ provider: "acme", operation: "create" })
      const before = vi.getTimerCount()
      for (let round = 0; round < 10; round += 1) {
        breaker.forceOpen("misconfigured")
        yield* advance(30_000)
        yield* call(breaker, "success")
      }
      assert.strictEqual(vi.getTimerCount(), before)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a report after the layer is closed is harmless", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const breakers = yield* Layer.buildWithScope(layer(), scope)
      const permit = yield* Effect.gen(function* () {
        return yield* Effect.fromResult((yield* Breakers).get({ provider: "acme", operation: "create" }).admit())
      }).pipe(Effect.provide(breakers))
      yield* Scope.close(scope, Exit.void)
      permit.report("failure")
      assert.strictEqual(vi.getTimerCount(), 0)
    })
  )

  it.effect("settings replace the defaults one by one", () =>
    Effect.gen(function* () {
      const breaker = (yield* Breakers).get({ provider: "acme", operation: "create" })
      yield* call(breaker, "failure")
      yield* call(breaker, "failure")
      assert.strictEqual(breaker.state(), "open")
      yield* advance(30_000)
      assert.strictEqual(breaker.state(), "half_open")
    }).pipe(Effect.provide(layer({ minimumCalls: 2 })))
  )
})
