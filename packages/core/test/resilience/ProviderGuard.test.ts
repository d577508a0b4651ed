/** What a guarded call gives back, however it ends. */
import { assert, describe, it } from "@effect/vitest"
import { ClockBreaker } from "@paymux/test-suites"
import { Effect, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { ask } from "../../src/execution/recover/Inquiry.ts"
import { succeeded } from "../../src/domain/Outcome.ts"
import { breakerDefaults, Breakers } from "../../src/resilience/Breaker.ts"
import * as Bulkhead from "../../src/resilience/Bulkhead.ts"
import { LoadShedder } from "../../src/resilience/LoadShedder.ts"
import { ProviderGuard } from "../../src/resilience/ProviderGuard.ts"

const oneAtATime = ProviderGuard.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Bulkhead.layer({ maxInFlight: 1 }), LoadShedder.layer(), ClockBreaker.layer()))
)

/** The breaker of inquiries, half open: it admits one probe. */
const halfOpen = Effect.gen(function* () {
  const breaker = (yield* Breakers).get({ provider: "acme", operation: "inquire" })
  breaker.forceOpen("misconfigured")
  yield* TestClock.adjust(breakerDefaults.openMs)
  assert.strictEqual(breaker.state(), "half_open")
  return breaker
})

describe("the probe of a half-open breaker", () => {
  it.effect("is possible again if the caller is interrupted while the adapter begins its call", () =>
    Effect.gen(function* () {
      const guard = yield* ProviderGuard
      const breaker = yield* halfOpen
      let caller: Fiber.Fiber<unknown, unknown> | undefined
      const call = Effect.suspend(() => {
        caller?.interruptUnsafe()
        return Effect.never
      })
      const asking = Effect.suspend(() => {
        caller = Fiber.getCurrent()
        return ask(guard, "acme", "inquire", call)
      })
      yield* Fiber.await(yield* Effect.forkChild(asking, { startImmediately: true }))
      assert.isTrue(Result.isSuccess(breaker.admit()))
    }).pipe(Effect.provide(oneAtATime))
  )

  it.effect("is possible again if the answer cannot be read", () =>
    Effect.gen(function* () {
      const guard = yield* ProviderGuard
      const breaker = yield* halfOpen
      const unreadable = Object.defineProperty(succeeded(), "reference", {
        get: () => {
          throw new Error("no reference")
        }
      })
      yield* Effect.exit(ask(guard, "acme", "inquire", Effect.succeed(unreadable)))
      assert.isTrue(Result.isSuccess(breaker.admit()))
    }).pipe(Effect.provide(oneAtATime))
  )

  it.effect("is held while its caller waits for a slot, and is possible again if none becomes free", () =>
    Effect.gen(function* () {
      const guard = yield* ProviderGuard
      const holder = yield* guard.admit("acme", "complete")
      assert.isTrue(Result.isSuccess(holder))
      const breaker = yield* halfOpen
      const waiting = yield* Effect.forkChild(guard.admit("acme", "inquire"), { startImmediately: true })
      assert.isTrue(Result.isFailure(breaker.admit()))
      yield* TestClock.adjust(Bulkhead.bulkheadDefaults.maxWaitMs)
      const admitted = yield* Fiber.join(waiting)
      assert.isTrue(Result.isFailure(admitted) && admitted.failure.cause === "bulkhead_full")
      assert.isTrue(Result.isSuccess(breaker.admit()))
    }).pipe(Effect.provide(oneAtATime))
  )
})

describe("each further send of an admission", () => {
  /** An admission that has sent once, and the breaker of its operation. */
  const sentOnce = Effect.gen(function* () {
    const admission = Result.getOrThrow(yield* (yield* ProviderGuard).admit("acme", "create"))
    const sends = { count: 0 }
    const send = Effect.gen(function* () {
      return yield* admission.call(
        Effect.sync(() => (sends.count++, succeeded())),
        1000
      )
    })
    yield* send
    return { breaker: (yield* Breakers).get({ provider: "acme", operation: "create" }), send, sends }
  })

  it.effect("is refused, and nothing is sent, once the breaker is open", () =>
    Effect.gen(function* () {
      const { breaker, send, sends } = yield* sentOnce
      breaker.forceOpen("misconfigured")
      assert.deepStrictEqual(yield* send, { _tag: "NotSent", refusedBy: "breaker" })
      assert.strictEqual(sends.count, 1)
    }).pipe(Effect.provide(oneAtATime))
  )

  it.effect("is the probe of a breaker that opened since, and closes it by its success", () =>
    Effect.gen(function* () {
      const { breaker, send, sends } = yield* sentOnce
      breaker.forceOpen("misconfigured")
      yield* TestClock.adjust(breakerDefaults.openMs)
      assert.strictEqual((yield* send)._tag, "Succeeded")
      assert.strictEqual(sends.count, 2)
      assert.strictEqual(breaker.state(), "closed")
    }).pipe(Effect.provide(oneAtATime))
  )
})
