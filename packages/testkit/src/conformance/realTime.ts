/** Waiting for what really happens on sockets, whatever the clock of the law says. */
import { Effect } from "effect"
import type { Fiber } from "effect"
import { setTimeout as sleep } from "node:timers/promises"

/** ms; longer than any of these takes on a busy machine. Nothing is asserted of how long it took. */
export const patience = 5_000

/** Whether it came true within `ms`. */
export const eventually = (condition: Effect.Effect<boolean>, ms = patience): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    for (let waited = 0; waited < ms; waited += step) {
      if (yield* condition) return true
      yield* Effect.promise(() => sleep(step))
    }
    return yield* condition
  })

export const hasEnded = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<boolean> =>
  Effect.sync(() => fiber.pollUnsafe() !== undefined)

/** Whether an effect that is waited for has ended within `ms`. */
export const endsWithin = <A, E>(effect: Effect.Effect<A, E>, ms = patience): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkDetach(effect, { startImmediately: true })
    const ended = yield* eventually(hasEnded(fiber), ms)
    if (!ended) fiber.interruptUnsafe()
    return ended
  })

const step = 2
