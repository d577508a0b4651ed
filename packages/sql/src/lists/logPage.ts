/**
 * Pages of a log table, newest first. The cursor of a page is the time and the number of its last row; the next page
 * begins after that row.
 */
import { logCursor, readLogCursor } from "@paymux/core/store"
import type { LogPlace, StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment, Statement } from "effect/sql/Statement"
import { unavailable } from "../dialect/unavailable.ts"
import { numeral } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

/** The columns with the time and the number of a row, which together identify the row. */
export type PlaceColumns = readonly [at: string, row: string]

export interface PageQuery {
  /** The `next` cursor of the previous page; absent: the first page. */
  readonly after?: string
  readonly limit: number
}

export interface LogPage<A> {
  readonly entries: ReadonlyArray<A>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** Reads a page. `statement` returns one row more than fits on the page if more rows follow. */
export const readLogPage = Effect.fnUntraced(function* <A, E>(
  { after, limit }: PageQuery,
  cursorInvalid: () => E,
  statement: (after: LogPlace | null) => Statement<Row>,
  [at, row]: PlaceColumns,
  read: (row: Row) => A
): Effect.fn.Return<LogPage<A>, E | StoreUnavailable> {
  const place = yield* placeOf(after, cursorInvalid)
  const rows = yield* unavailable<ReadonlyArray<Row>, SqlError, never>(statement(place).unprepared)
  return pageOf(rows, limit, read, (last) => logCursor({ at: numeral(last, at), row: numeral(last, row) }))
})

/** Decodes a cursor to a position in the log; `null`: no cursor was given. */
export const placeOf = <E>(cursor: string | undefined, cursorInvalid: () => E): Effect.Effect<LogPlace | null, E> => {
  const place = cursor === undefined ? null : readLogCursor(cursor)
  return cursor !== undefined && place === null ? Effect.fail(cursorInvalid()) : Effect.succeed(place)
}

export const pageOf = <A>(
  rows: ReadonlyArray<Row>,
  limit: number,
  read: (row: Row) => A,
  cursorOf: (row: Row) => string
): LogPage<A> => {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    entries: shown.map(read),
    next: last === undefined || rows.length <= limit ? null : cursorOf(last)
  }
}

/** The condition for rows after the cursor, and the clause for the order and the number of rows. */
export const inPage = (
  sql: SqlClient.SqlClient,
  columns: PlaceColumns,
  after: LogPlace | null,
  limit: number,
  direction: "ASC" | "DESC" = "DESC"
) => ({
  beyond:
    after === null
      ? []
      : [
          sql`(${sql.literal(columns.join(", "))}) ${sql.literal(direction === "DESC" ? "<" : ">")} (${after.at}, ${after.row})`
        ],
  inOrder: sql`ORDER BY ${sql.literal(columns.map((column) => `${column} ${direction}`).join(", "))} LIMIT ${limit + 1}`
})

/** The conditions for the values that are not `undefined`, keyed by column and operator: `{ "at >=": from }`. */
export const conditionsOf = (
  sql: SqlClient.SqlClient,
  values: { readonly [comparison: string]: string | number | boolean | undefined }
): ReadonlyArray<Fragment> =>
  Object.entries(values).flatMap(([comparison, value]) =>
    value === undefined ? [] : [sql`${sql.literal(comparison)} ${value}`]
  )

/**
 * The newest rows of several index ranges as one list: each branch is a `SELECT` with the order and limit of the list.
 */
export const merged = (sql: SqlClient.SqlClient, branches: ReadonlyArray<Fragment>): Fragment =>
  branches
    .map((branch) => sql`SELECT * FROM (${branch}) AS branch`)
    .reduce((all, each) => sql`${all} UNION ALL ${each}`)
