import { Effect } from "effect"
import type { Scope } from "effect"

/**
 * Runs `correct` when the clock was set back, until the scope closes. `correct` gets the time in ms UTC. It also runs
 * at the start, because the clock may have been set back while no engine ran, and again after a failure. After a change
 * of the clock, it also runs at the next two polls, for commits in progress that have a time from before the change.
 * `every` is the interval of polls, ms, far below `clockTolerance`.
 */
export const whenClockSetBack = <E, R>(
  clock: Effect.Effect<number>,
  every: number,
  correct: (now: number) => Effect.Effect<void, E, R>
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.suspend(() => {
    let latest: number | null = null
    let left = 0
    const look = Effect.gen(function* () {
      const now = yield* clock
      if (latest === null) left = 1
      else if (now < latest - smallestStep) left = looksAfterwards + 1
      latest = now
      if (left === 0) return
      yield* correct(now)
      left--
    })
    return look.pipe(
      Effect.catchCause((cause) =>
        Effect.logWarning("Due times could not be corrected after a change of the clock", cause)
      ),
      Effect.andThen(Effect.sleep(every)),
      Effect.forever,
      Effect.forkScoped,
      Effect.asVoid
    )
  })

/** The number of additional runs after a change of the clock. Together their intervals are longer than a commit. */
const looksAfterwards = 2

/** The smallest step back of the clock that counts as a change, ms. Ordinary clock adjustments are smaller. */
const smallestStep = 1_000
