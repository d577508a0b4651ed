/**
 * The time of the database, which every engine that uses it shares: the wall clock of one machine may be wrong or jump.
 *
 * The database's time is measured at the start and again every minute. In between, the time that passes on the monotonic
 * clock of the machine is added, so that a reading costs no round trip.
 */
import { Clock, Effect } from "effect"
import type { Duration, Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { numeral } from "../ReadRow.ts"
import type { PostgresDatabase } from "./PostgresClient.ts"

/**
 * Reads the time of the database in whole ms UTC. Readings never go backwards. It is measured again at the interval
 * `every` until the scope closes. Fails if the first measurement fails.
 */
export const databaseClock = Effect.fnUntraced(function* (
  { query }: Pick<PostgresDatabase["Service"], "query">,
  every: Duration.Input = "60 seconds"
): Effect.fn.Return<Effect.Effect<number>, SqlError, Scope.Scope> {
  // Readings of two monotonic clocks cannot be compared: all of them are of this one, whichever clock the reader has.
  const clock = yield* Clock.Clock
  const measure = measurement(clock, query)
  let offset = (yield* measure).offset
  let latest = 0
  yield* measure.pipe(
    Effect.tap(({ offset: found, roundTrip }) =>
      Effect.sync(() => {
        if (roundTrip <= longestRoundTrip) offset = found
      })
    ),
    // The last measurement stays in use when one fails: two clocks hardly drift apart within minutes.
    Effect.ignore,
    Effect.delay(every),
    Effect.forever,
    // The machine's own timer, since the clock of a test has nothing to do with the time of a real database.
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()),
    Effect.forkScoped
  )
  return Effect.sync(() => {
    latest = Math.max(latest, Math.floor(offset + elapsed(clock)))
    return latest
  })
})

interface Measurement {
  /** In ms; added to the monotonic time, it gives the time of the database, with an error of at most half the round trip. */
  readonly offset: number
  /** ms */
  readonly roundTrip: number
}

const measurement = (
  clock: Clock.Clock,
  query: PostgresDatabase["Service"]["query"]
): Effect.Effect<Measurement, SqlError> =>
  Effect.suspend(() => {
    const sent = elapsed(clock)
    return Effect.map(query(selectNow, []), ([row]) => {
      const received = elapsed(clock)
      return { offset: numeral(row ?? {}, "now") - (sent + received) / 2, roundTrip: received - sent }
    })
  })

/** In ms. A measurement that takes longer is discarded: the query may have waited for a free session. */
const longestRoundTrip = 1_000

const selectNow = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now"

const elapsed = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000
