/**
 * The last report of each process on its breakers: one row for each process, written every 15 seconds and at each transition. A
 * process that ended without notice is no longer listed when its row is a minute old.
 */
import type { BreakerCause, BreakerState } from "@paymux/core/engine"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { inColumn, numeral, parsed, reading, text } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

interface ReportedBreaker {
  readonly provider: string
  readonly operation: string
  readonly livemode: boolean
  readonly state: BreakerState
  readonly cause: BreakerCause | null
  /** The start of the process, ms UTC. */
  readonly since: number
}

export interface RunningProcess {
  readonly process: string
  readonly host: string
  readonly pid: number
  /** The time of the last report, ms UTC. */
  readonly seenAt: number
  readonly breakers: ReadonlyArray<ReportedBreaker>
}

/** The interval between two reports of a process, ms. */
export const reportEvery = 15_000
/** The time without a report after which a process counts as ended, ms. */
const silentFor = 60_000

/** The breakers of every running process, as the process last reported them. */
export const presentBreakers = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const now = yield* timeOf(sql)
  // Lists rows only if their time is near the present, in both directions. Otherwise, after a clock was set back, a row
  // with a time in the future would list an ended process for hours.
  const rows = yield* sql<Row>`SELECT * FROM breaker_processes
    WHERE seen_at > ${now} - ${sql.literal(String(silentFor))} AND seen_at < ${now} + ${sql.literal(String(silentFor))}`
  return rows.map(readProcess)
})

const readProcess = reading<RunningProcess>({
  process: text,
  host: text,
  pid: numeral,
  seenAt: numeral,
  breakers: inColumn("breakers_json", parsed<RunningProcess["breakers"]>)
})

/** Returns the breakers in a process's report, each with the fields of the process. */
export const withProcess = ({ breakers, ...process }: RunningProcess) =>
  breakers.map((breaker) => ({ ...breaker, ...process }))

/** Writes the row of a process, and deletes the rows of processes that ended without deleting their own. */
export const reportBreakers = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { breakers, host, pid, process }: RunningProcess
) {
  const now = yield* timeOf(sql)
  yield* sql`INSERT INTO breaker_processes (process, host, pid, seen_at, breakers_json)
    VALUES (${process}, ${host}, ${pid}, ${now}, ${JSON.stringify(breakers)})
    ON CONFLICT (process) DO UPDATE SET seen_at = excluded.seen_at, breakers_json = excluded.breakers_json`
  const silence = sql.literal(String(silentFor))
  yield* sql`DELETE FROM breaker_processes WHERE seen_at <= ${now} - ${silence} OR seen_at >= ${now} + ${silence}`
})

export const forgetProcess = (sql: SqlClient.SqlClient, process: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`DELETE FROM breaker_processes WHERE process = ${process}`)

/**
 * The SQL for the current time, by a clock that all processes share. PostgreSQL uses the clock of the database; SQLite
 * uses the machine's clock, because only one machine uses the file.
 */
const timeOf = (sql: SqlClient.SqlClient) =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    sql.onDialectOrElse({
      pg: () => sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`,
      orElse: () => sql`${now}`
    })
  )
