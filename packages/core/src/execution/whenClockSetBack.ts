import { Effect } from "effect"
import type { Scope } from "effect"

/**
 * Runs `correct` when the clock was set back, and at the start: the clock may have been set while nothing ran. It runs until
 * the scope closes. `correct` gets the time in ms UTC; if it fails, it is repeated.
 */
export const whenClockSetBack = <E, R>(
  clock: Effect.Effect<number>,
  correct: (now: number) => Effect.Effect<void, E, R>
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.suspend(() => {
    let latest: number | null = null
    const look = Effect.gen(function* () {
      const now = yield* clock
      if (latest === null || now < latest - smallestStep) yield* correct(now)
      latest = now
    })
    return look.pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logWarning("Due times could not be corrected after a change of the clock", cause),
          Effect.sleep(pause)
        )
      ),
      Effect.andThen(Effect.sleep(lookEvery)),
      Effect.forever,
      Effect.forkScoped,
      Effect.asVoid
    )
  })

/** Far within `clockTolerance`. */
const lookEvery = "10 seconds"

/** ms. A clock that is only adjusted steps back by less. */
const smallestStep = 1_000

/** After a failure: one that is repeated at once would load a database that is slow already. */
const pause = "1 minute"
