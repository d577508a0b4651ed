/**
 * Statement runs in the database. Each step is a compare-and-set on the number of pages: of two processes, only one
 * continues a run.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { numeralOrNull } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { ofInstance } from "./conditions.ts"
import type { StatementPlace } from "./ourOperations.ts"
import { RunLost } from "./StatementRefused.ts"
import { noCounts, readRun } from "./StatementRun.ts"
import type { StatementRun } from "./StatementRun.ts"

/** The part of a statement that a run reads. */
export interface NewStatementRun extends StatementPlace {
  /** The source of the statement: `provider`, or `file:` and the name of a file. */
  readonly source: string
  /** The start of the period, ms UTC, inclusive. */
  readonly since: number
  /** The end of the period, ms UTC, exclusive. */
  readonly until: number
}

/**
 * Begins a run, and cancels unfinished runs of the same source: only one process reads the provider's statement, the
 * caller, so no process continues those runs. A run of a file does not cancel a run of the provider's own statement.
 */
export const beginRun = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { livemode, provider, since, source, until }: NewStatementRun,
  now: number
) {
  const sameSource = source === "provider" ? sql`source = 'provider'` : sql`source <> 'provider'`
  yield* sql`UPDATE statement_runs SET state = 'canceled', updated_at = ${now}, ended_at = ${now}
    WHERE provider = ${provider} AND state IN ('reading', 'comparing') AND livemode = ${livemode} AND ${sameSource}`
  const [row] = yield* sql<Row>`INSERT INTO statement_runs
      (provider, livemode, source, since, until, cursor, pages, state, counts, problem, started_at, updated_at, ended_at)
    VALUES (${provider}, ${livemode}, ${source}, ${since}, ${until}, NULL, 0, 'reading', ${JSON.stringify(noCounts)},
      NULL, ${now}, ${now}, NULL) RETURNING *`
  return row === undefined ? yield* Effect.die(new Error("A new run has no row")) : readRun(row)
})

type Progress = Pick<StatementRun, "cursor" | "state" | "counts">

export const advanceRun = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, pages, state: before }: StatementRun,
  { counts, cursor, state }: Progress,
  now: number
) {
  const endedAt = state === "complete" ? now : null
  const [row] = yield* sql<Row>`UPDATE statement_runs SET cursor = ${cursor}, pages = pages + 1, state = ${state},
      counts = ${JSON.stringify(counts)}, updated_at = ${now}, ended_at = ${endedAt}
    WHERE id = ${id} AND pages = ${pages} AND state = ${before} RETURNING *`
  return row === undefined ? yield* new RunLost({ run: id }) : readRun(row)
})

/** Ends a run that is not complete. Its entries are kept. `false`: the run has ended already. */
export const stopRun = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, livemode }: Pick<StatementRun, "id" | "livemode">,
  state: "canceled" | "failed",
  problem: string | null,
  now: number
) {
  const rows = yield* sql`UPDATE statement_runs
    SET state = ${state}, problem = ${problem}, updated_at = ${now}, ended_at = ${now}
    WHERE id = ${id} AND livemode = ${livemode} AND state IN ('reading', 'comparing') RETURNING id`
  return rows.length > 0
})

/** Finds the run of the provider's own statement that a process left unfinished. */
export const unfinishedRun = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { livemode, provider }: StatementPlace
) {
  const [row] = yield* sql<Row>`SELECT * FROM statement_runs
    WHERE provider = ${provider} AND state IN ('reading', 'comparing') AND source = 'provider'
      AND livemode = ${livemode} ORDER BY id DESC LIMIT 1`
  return row === undefined ? null : readRun(row)
})

/**
 * Finds the start of the period, ms UTC, that this run and the complete runs before it have read without a gap. It
 * searches for earlier runs only until that period begins at or before `enough`.
 */
export const coveredSince = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { livemode, provider, since }: StatementRun,
  enough: number
) {
  const isThere = yield* ofInstance(sql, "provider", provider)
  let start = since
  while (start > enough) {
    const [row = {}] = yield* sql<Row>`SELECT min(since) AS since FROM statement_runs
      WHERE ${isThere} AND state = 'complete' AND until >= ${start} AND since < ${start}
        AND livemode = ${livemode} AND since < until`
    const earlier = numeralOrNull(row, "since")
    if (earlier === null) return start
    start = earlier
  }
  return start
})

/**
 * Finds the time up to which complete runs have read the provider's own statement without a gap, from the earliest run
 * on. The next run reads a remaining gap. `null`: nothing was read.
 */
export const readUntil = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { livemode, provider }: StatementPlace
) {
  const complete = sql`${yield* ofInstance(sql, "provider", provider)} AND state = 'complete' AND source = 'provider' AND livemode = ${livemode}`
  const [first] = yield* sql<Row>`SELECT * FROM statement_runs WHERE ${complete} ORDER BY since LIMIT 1`
  if (first === undefined) return null
  let end = readRun(first).until
  while (true) {
    const [row = {}] = yield* sql<Row>`SELECT max(until) AS until FROM statement_runs
      WHERE ${complete} AND since <= ${end} AND until > ${end}`
    const later = numeralOrNull(row, "until")
    if (later === null) return end
    end = later
  }
})
