/** Waiting for what really happens on sockets, whatever the clock of the check says. */
import { Effect, type Exit, Fiber } from "effect"
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

/**
 * How an effect ended within `ms`; `null`: it did not. It runs in a fiber that is left behind then: waiting for its
 * interruption could take for ever, too.
 */
export const exitWithin = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  ms = patience
): Effect.Effect<Exit.Exit<A, E> | null, never, R> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkDetach(effect)
    const late = new AbortController()
    const exit = yield* Effect.promise(() =>
      Promise.race([Effect.runPromise(Fiber.await(fiber)), sleep(ms, null, { signal: late.signal }).catch(() => null)])
    )
    late.abort()
    if (exit === null) fiber.interruptUnsafe()
    return exit
  })

const step = 2
