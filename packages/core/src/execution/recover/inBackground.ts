import { Effect } from "effect"
import type { Scope } from "effect"

/** The delay before the first pass, and the interval between passes, ms. */
interface Times {
  readonly first: number
  readonly every: number
}

/**
 * Repeats a pass until the scope closes. A failed pass is logged with the text `failed`; the next pass runs on
 * schedule.
 */
export const inBackground = <A, E, R>(
  pass: Effect.Effect<A, E, R>,
  { every, first }: Times,
  failed: string
): Effect.Effect<void, never, R | Scope.Scope> =>
  pass.pipe(
    Effect.catchCause((cause) => Effect.logWarning(failed, cause)),
    Effect.andThen(Effect.sleep(every)),
    Effect.forever,
    Effect.delay(first),
    Effect.forkScoped,
    Effect.asVoid
  )
