import { Effect, Fiber, Option } from "effect"
import type { Exit } from "effect"

/**
 * Runs `effect` for at most `ms`; `none`: the deadline passed first.
 *
 * The deadline holds even if the effect cannot be interrupted immediately: `Effect.timeout` waits for finalizers, this
 * function does not. An effect that ends without waiting starts no timer.
 */
export const withDeadline = Effect.fnUntraced(function* <A, E>(
  effect: Effect.Effect<A, E>,
  ms: number
): Effect.fn.Return<Option.Option<Exit.Exit<A, E>>> {
  const fiber = yield* Effect.forkDetach(effect, { startImmediately: true })
  const early = fiber.pollUnsafe()
  if (early !== undefined) return Option.some(early)
  const exit: Option.Option<Exit.Exit<A, E>> = yield* Fiber.await(fiber).pipe(
    Effect.timeoutOption(Math.max(0, ms)),
    Effect.onInterrupt(() => Effect.sync(() => fiber.interruptUnsafe()))
  )
  if (Option.isNone(exit)) fiber.interruptUnsafe()
  return exit
})
