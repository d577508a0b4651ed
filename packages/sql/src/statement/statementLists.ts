/** The lists that operators see of statements: runs, differences, movements. Newest first. */
import type { Difference, DifferenceKind } from "@paymux/core/engine"
import { logCursor, readLogCursor } from "@paymux/core/store"
import type { LogPlace } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { readMoney, readMovementRow } from "./movementRows.ts"
import type { EnteredMovement, MovementRow } from "./movementRows.ts"
import { StatementCursorInvalid } from "./StatementRefused.ts"
import { readRun } from "./StatementRun.ts"
import type { RunRow, StatementRun } from "./StatementRun.ts"

export interface ListedDifference {
  readonly id: number
  readonly provider: string
  readonly kind: DifferenceKind
  /** The provider's id of the movement; `null`: the statement has none. */
  readonly movement: string | null
  readonly operationId: string | null
  readonly paymentId: string | null
  /** The account of the payment; `null`: the payment is not in the database. */
  readonly account: string | null
  /** Whether the payment has an open review. */
  readonly isInReview: boolean
  /** The amount on our side, in minor units. */
  readonly expected: Difference["expected"]
  /** The amount in the statement, in minor units. */
  readonly found: Difference["found"]
  readonly run: number
  /** ms UTC */
  readonly foundAt: number
  /** ms UTC; when a later statement had the missing movement. */
  readonly resolvedAt: number | null
}

/** `resolved`: a later statement has the missing movement. Every other difference is `open`. */
export const differenceStates = ["open", "resolved"] as const
export type DifferenceState = (typeof differenceStates)[number]

/** Conditions that are left out exclude nothing. */
export interface DifferenceQuery {
  readonly provider?: string
  readonly kind?: DifferenceKind
  readonly state?: DifferenceState
  readonly run?: number
  readonly after?: string
  /** 1 to 1000. */
  readonly limit: number
}

export interface RunQuery {
  readonly provider?: string
  readonly after?: string
  /** 1 to 1000. */
  readonly limit: number
}

/** `foreign`: movements of other systems at the account. `payouts`: transfers to the bank. `payout`: the parts of one payout. */
export type MovementQuery = { readonly provider: string; readonly after?: string; readonly limit: number } & (
  | { readonly of: "foreign" | "payouts" }
  | { readonly of: "payout"; readonly payout: string }
)

export interface ListedMovement extends EnteredMovement {
  /** The account of the payment; `null`: the payment is not in the database. */
  readonly account: string | null
}

/** `next`: the cursor of the next page; `null`: this page is the last. */
export interface StatementList<A> {
  readonly entries: ReadonlyArray<A>
  readonly next: string | null
}

export const listRuns = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  livemode: boolean,
  query: RunQuery
): Effect.fn.Return<StatementList<StatementRun>, SqlError | StatementCursorInvalid> {
  const after = yield* placeOf(query.after)
  const conditions = [
    sql`livemode = ${livemode}`,
    ...(query.provider === undefined ? [] : [sql`provider = ${query.provider}`]),
    ...(after === null ? [] : [sql`id < ${after.row}`])
  ]
  const rows = yield* sql<RunRow>`SELECT * FROM statement_runs WHERE ${sql.and(conditions)}
    ORDER BY id DESC LIMIT ${query.limit + 1}`.unprepared
  return listOf(rows, query.limit, readRun, (row) => cursorOf(row.started_at, row.id))
})

/** The last run of each provider, of any source and outcome, in the order of their ids. */
export const listLastRuns = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  livemode: boolean
): Effect.fn.Return<ReadonlyArray<StatementRun>, SqlError> {
  const rows = yield* sql<RunRow>`SELECT * FROM statement_runs
    WHERE id IN (SELECT max(id) FROM statement_runs WHERE livemode = ${livemode} GROUP BY provider) ORDER BY provider`
  return rows.map(readRun)
})

export const listDifferences = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  livemode: boolean,
  query: DifferenceQuery
): Effect.fn.Return<StatementList<ListedDifference>, SqlError | StatementCursorInvalid> {
  const after = yield* placeOf(query.after)
  const conditions = [
    sql`livemode = ${livemode}`,
    ...(query.provider === undefined ? [] : [sql`provider = ${query.provider}`]),
    ...(query.kind === undefined ? [] : [sql`kind = ${query.kind}`]),
    ...(query.state === undefined
      ? []
      : [query.state === "open" ? sql`resolved_at IS NULL` : sql`resolved_at IS NOT NULL`]),
    ...(query.run === undefined ? [] : [sql`run = ${query.run}`]),
    ...(after === null ? [] : [sql`(found_at, position) < (${after.at}, ${after.row})`])
  ]
  const rows = yield* sql<DifferenceRow>`SELECT *,
      (SELECT account FROM payments WHERE payments.id = statement_differences.payment_id) AS account,
      EXISTS (SELECT 1 FROM open_reviews WHERE open_reviews.payment_id = statement_differences.payment_id) AS in_review
    FROM statement_differences WHERE ${sql.and(conditions)}
    ORDER BY found_at DESC, position DESC LIMIT ${query.limit + 1}`.unprepared
  return listOf(rows, query.limit, readDifference, (row) => cursorOf(row.found_at, row.position))
})

/** Lists movements. Those of one time are in the order of the provider's ids, so the cursor is the last movement of the page. */
export const listMovements = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  query: MovementQuery
): Effect.fn.Return<StatementList<ListedMovement>, SqlError | StatementCursorInvalid> {
  const after = query.after === undefined ? null : movementPlace(query.after)
  if (query.after !== undefined && after === null) return yield* new StatementCursorInvalid()
  const rows = yield* movementsStatement(sql, query, after).unprepared
  return listOf(rows, query.limit, readListedMovement, movementCursor)
})

export interface ListedMovementRow extends MovementRow {
  readonly account: string | null
}

/** @internal Exported for the test of its query plan. */
export const movementsStatement = (sql: SqlClient.SqlClient, query: MovementQuery, after: MovementPlace | null) => {
  const page = [
    sql`provider = ${query.provider}`,
    ...(after === null ? [] : [sql`(booked_at, id) < (${after.at}, ${after.id})`])
  ]
  const limit = query.limit + 1
  switch (query.of) {
    case "payout":
      return selectMovements(sql, movementsOfPayout(sql), [...page, sql`payout = ${query.payout}`], limit)
    case "foreign":
      return selectMovements(sql, sql`statement_movements`, [...page, sql`result = 'foreign'`], limit)
    case "payouts":
      return selectMovements(sql, sql`statement_movements`, [...page, sql`type = 'payout'`], limit)
  }
}

/** Newest first. */
export const selectMovements = (
  sql: SqlClient.SqlClient,
  from: Fragment,
  conditions: ReadonlyArray<Fragment>,
  limit: number
) =>
  sql<ListedMovementRow>`SELECT *,
      (SELECT account FROM payments WHERE payments.id = statement_movements.payment_id) AS account
    FROM ${from} WHERE ${sql.and(conditions)} ORDER BY booked_at DESC, id DESC LIMIT ${limit}`

/** Without statistics of the table, SQLite would read every movement of the provider. */
export const movementsOfPayout = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({
    sqlite: () => sql`statement_movements INDEXED BY statement_movements_of_payout`,
    orElse: () => sql`statement_movements`
  })

export const readListedMovement = (row: ListedMovementRow): ListedMovement => ({
  ...readMovementRow(row),
  account: row.account
})

/** The ids in the cursor are the provider's, and may have any character. */
const movementCursor = ({ booked_at, id }: MovementRow): string =>
  Buffer.from(`${booked_at} ${id}`).toString("base64url")

interface MovementPlace {
  /** ms UTC */
  readonly at: number
  readonly id: string
}

const movementPlace = (cursor: string): MovementPlace | null => {
  const [, at, id] = /^(\d{1,15}) (.+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? []
  return at === undefined || id === undefined ? null : { at: Number(at), id }
}

const placeOf = (cursor: string | undefined): Effect.Effect<LogPlace | null, StatementCursorInvalid> => {
  if (cursor === undefined) return Effect.succeed(null)
  const place = readLogCursor(cursor)
  return place === null ? Effect.fail(new StatementCursorInvalid()) : Effect.succeed(place)
}

const cursorOf = (at: number | string, row: number | string): string => logCursor({ at: Number(at), row: Number(row) })

const listOf = <Row, A>(
  rows: ReadonlyArray<Row>,
  limit: number,
  read: (row: Row) => A,
  cursor: (row: Row) => string
): StatementList<A> => {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    entries: shown.map(read),
    next: last === undefined || rows.length <= limit ? null : cursor(last)
  }
}

interface DifferenceRow {
  /** PostgreSQL returns a bigint as text. */
  readonly position: number | string
  readonly provider: string
  readonly kind: string
  readonly movement: string | null
  readonly operation_id: string | null
  readonly payment_id: string | null
  readonly account: string | null
  readonly in_review: number | boolean
  readonly expected: number | string | null
  readonly expected_currency: string | null
  readonly found: number | string | null
  readonly found_currency: string | null
  readonly run: number | string
  readonly found_at: number | string
  readonly resolved_at: number | string | null
}

const readDifference = (row: DifferenceRow): ListedDifference => ({
  id: Number(row.position),
  provider: row.provider,
  // Boundary: the column was written from a kind.
  kind: row.kind as DifferenceKind,
  movement: row.movement,
  operationId: row.operation_id,
  paymentId: row.payment_id,
  account: row.account,
  isInReview: Boolean(row.in_review),
  expected: readMoney(row.expected, row.expected_currency),
  found: readMoney(row.found, row.found_currency),
  run: Number(row.run),
  foundAt: Number(row.found_at),
  resolvedAt: row.resolved_at === null ? null : Number(row.resolved_at)
})
