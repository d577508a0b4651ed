import { Effect, Fiber, Option } from "effect"
import type { Exit } from "effect"

/**
 * Runs `effect` for at most `ms`; `null`: the deadline passed first.
 *
 * The deadline holds even if the effect cannot be interrupted immediately: `Effect.timeout` waits for finalizers, this
 * function does not. An effect that ends without waiting starts no timer.
 */
export const withDeadline = <A, E>(effect: Effect.Effect<A, E>, ms: number): Effect.Effect<Exit.Exit<A, E> | null> =>
  Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (fiber) => {
    const early = fiber.pollUnsafe()
    return early === undefined ? ended(fiber, ms) : Effect.succeed(early)
  })

const ended = <A, E>(fiber: Fiber.Fiber<A, E>, ms: number): Effect.Effect<Exit.Exit<A, E> | null> =>
  Fiber.await(fiber).pipe(
    Effect.timeoutOption(Math.max(0, ms)),
    Effect.onInterrupt(() => Effect.sync(() => fiber.interruptUnsafe())),
    Effect.map((exit) => {
      if (Option.isSome(exit)) return exit.value
      fiber.interruptUnsafe()
      return null
    })
  )
