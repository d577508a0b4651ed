/** Calls that wait for a slot at their provider. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { ask } from "../../../src/execution/recover/Inquiry.ts"
import { succeeded } from "../../../src/domain/Outcome.ts"
import * as Bulkhead from "../../../src/resilience/Bulkhead.ts"
import { LoadShedder } from "../../../src/resilience/LoadShedder.ts"
import * as OpossumBreaker from "../../../src/resilience/OpossumBreaker.ts"
import { ProviderGuard } from "../../../src/resilience/ProviderGuard.ts"

const oneAtATime = ProviderGuard.layer.pipe(
  Layer.provide(Layer.mergeAll(Bulkhead.layer({ maxInFlight: 1 }), LoadShedder.layer(), OpossumBreaker.layer()))
)

describe("a call that waits for a slot", () => {
  for (const [change, calls, end] of [
    ["is made if its operation did not change meanwhile", 1, "Succeeded"],
    ["is not made if its operation changed meanwhile", 0, "Outdated"]
  ] as const)
    it.effect(change, () =>
      Effect.gen(function* () {
        const guard = yield* ProviderGuard
        const isReleased = yield* Deferred.make<void>()
        let isCurrent = true
        let called = 0
        const holder = yield* Effect.forkChild(
          ask(guard, "acme", "inquire", Effect.as(Deferred.await(isReleased), succeeded()))
        )
        const call = Effect.sync(() => (called++, succeeded()))
        const waiting = yield* Effect.forkChild(
          ask(
            guard,
            "acme",
            "inquire",
            call,
            Effect.sync(() => isCurrent)
          )
        )
        yield* Effect.yieldNow
        isCurrent = end === "Succeeded"
        yield* Deferred.succeed(isReleased, undefined)
        yield* Fiber.join(holder)
        assert.strictEqual((yield* Fiber.join(waiting))._tag, end)
        assert.strictEqual(called, calls)
      }).pipe(Effect.provide(oneAtATime))
    )
})
