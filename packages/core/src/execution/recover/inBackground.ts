import { Effect } from "effect"
import type { Scope } from "effect"

/** ms */
interface Times {
  readonly first: number
  readonly every: number
}

/** A pass again and again, for as long as the scope lives. One that fails is logged as `failed`, and the next one comes in its turn. */
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
