import { Effect, Fiber, Option } from "effect"
import type { Exit } from "effect"

/**
 * Runs `effect` for at most `ms`; `null`: the deadline passed first.
 *
 * The deadline holds even if the effect cannot be interrupted immediately: `Effect.timeout` waits for finalizers, this
 * function does not. An effect that ends without waiting starts no timer.
 */
export const withDeadline = Effect.fnUntraced(function* <A, E>(
  effect: Effect.Effect<A, E>,
  ms: number
): Effect.fn.Return<Exit.Exit<A, E> | null> {
  const fiber = yield* Effect.forkDetach(effect, { startImmediately: true })
  const early = fiber.pollUnsafe()
  if (early !== undefined) return early
  const exit = yield* Fiber.await(fiber).pipe(
    Effect.timeoutOption(Math.max(0, ms)),
    Effect.onInterrupt(() => Effect.sync(() => fiber.interruptUnsafe()))
  )
  if (Option.isSome(exit)) return exit.value
  fiber.interruptUnsafe()
  return null
})
