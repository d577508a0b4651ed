/**
 * The time of the database, which every engine that uses it shares: the wall clock of one machine may be wrong or jump.
 *
 * The database's time is measured at the start and again every minute. In between, the time that passes on the monotonic
 * clock of the machine is added, so that a reading costs no round trip: see `clockDiscipline.ts`.
 */
import { Clock, Effect } from "effect"
import type { Duration, Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { numeral } from "../rows/ReadRow.ts"
import { afterMeasurement, readingAt, startAt } from "./clockDiscipline.ts"
import type { PostgresDatabase } from "./PostgresClient.ts"

/**
 * Reads the time of the database in whole ms UTC. It is measured again at the interval `every` until the scope closes.
 * Readings go backwards only if the clock of the database was set back by more than half a minute. Fails if the first
 * measurement fails.
 */
export const databaseClock = Effect.fnUntraced(function* (
  { query }: Pick<PostgresDatabase["Service"], "query">,
  every: Duration.Input = "60 seconds"
): Effect.fn.Return<Effect.Effect<number>, SqlError, Scope.Scope> {
  // All readings use this clock, not the clock of the fiber that reads, because readings of two monotonic clocks cannot
  // be compared.
  const clock = yield* Clock.Clock
  const measure = measurement(clock, query)
  const first = yield* measure
  let discipline = startAt(first.at, first.time)
  let latest = 0
  yield* measure.pipe(
    Effect.flatMap(({ at, roundTrip, time }) => {
      if (roundTrip > longestRoundTrip) return Effect.void
      const after = afterMeasurement(discipline, at, time)
      discipline = after.discipline
      if (after.jump < 0) latest = 0
      return after.jump === 0 ? Effect.void : Effect.logError(jumpText(after.jump))
    }),
    // If a measurement fails, the last one stays in use: two clocks hardly drift apart within minutes.
    Effect.ignore,
    Effect.delay(every),
    Effect.forever,
    // The interval uses the machine's clock, since a test clock has nothing to do with the time of a real database.
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()),
    Effect.forkScoped
  )
  return Effect.sync(() => {
    // Unless the clock was set back, no reading is lower than the last one, even after a measurement that took long.
    latest = Math.max(latest, Math.floor(readingAt(discipline, elapsed(clock))))
    return latest
  })
})

const jumpText = (ms: number): string =>
  `The clock of the database was set ${ms < 0 ? "back" : "forward"} by ${Math.round(Math.abs(ms) / 1000)} s. ` +
  "Synchronize it (NTP), and check payments that were created in the meantime."

interface Measurement {
  /** The time of the measurement on the monotonic clock, ms: halfway between the query and its result. */
  readonly at: number
  /** The measured time of the database, ms UTC, with an error of at most half the round trip. */
  readonly time: number
  /** The duration of the query, ms. */
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
      return { at: (sent + received) / 2, time: numeral(row ?? {}, "now"), roundTrip: received - sent }
    })
  })

/**
 * The longest round trip of a usable measurement, ms. A longer one is discarded: the query may have waited for a free
 * session.
 */
const longestRoundTrip = 1_000

const selectNow = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now"

const elapsed = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000
