import { Effect, Fiber, Option } from "effect"
import type { Exit } from "effect"

/**
 * Runs `effect` for at most `ms`; `none`: the deadline passed first.
 *
 * The deadline holds even if the effect cannot be interrupted immediately: `Effect.timeout` waits for finalizers, this
 * function does not. An effect that ends without waiting starts no timer.
 */
export const withDeadline = <A, E>(
  effect: Effect.Effect<A, E>,
  ms: number
): Effect.Effect<Option.Option<Exit.Exit<A, E>>> =>
  Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (fiber) => {
    const early = fiber.pollUnsafe()
    return early === undefined ? awaited(fiber, ms) : Effect.succeed(Option.some(early))
  })

const awaited = Effect.fnUntraced(function* <A, E>(fiber: Fiber.Fiber<A, E>, ms: number) {
  const exit: Option.Option<Exit.Exit<A, E>> = yield* Fiber.await(fiber).pipe(
    Effect.timeoutOption(Math.max(0, ms)),
    Effect.onInterrupt(() => Effect.sync(() => fiber.interruptUnsafe()))
  )
  if (Option.isNone(exit)) fiber.interruptUnsafe()
  return exit
})
