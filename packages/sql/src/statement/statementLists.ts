/** The lists that operators see of statements: runs, differences, movements. Newest first. */
import type { Difference, DifferenceKind } from "@paymux/core/engine"
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { unavailable } from "../dialect/unavailable.ts"
import { conditionsOf, inPage, pageOf, readLogPage } from "../lists/logPage.ts"
import type { LogPage } from "../lists/logPage.ts"
import { flag, inColumn, numeral, numeralOrNull, reading, text, textOrNull, word } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { money, movementFields } from "./movementRows.ts"
import type { EnteredMovement } from "./movementRows.ts"
import { StatementCursorInvalid } from "./StatementRefused.ts"
import { readRun } from "./StatementRun.ts"
import type { StatementRun } from "./StatementRun.ts"

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
  /** The time at which the difference was found, ms UTC. */
  readonly foundAt: number
  /** The time at which a later statement had the missing movement, ms UTC. */
  readonly resolvedAt: number | null
}

/**
 * The status of a difference. `resolved`: a later statement has the missing movement. Every other difference is `open`.
 */
export const differenceStates = ["open", "resolved"] as const
export type DifferenceState = (typeof differenceStates)[number]

/** The filters of the list. An omitted filter excludes nothing. */
export interface DifferenceQuery {
  readonly provider?: string
  readonly kind?: DifferenceKind
  readonly state?: DifferenceState
  readonly run?: number
  readonly after?: string
  /** The maximum number of differences on the page, 1 to 1000. */
  readonly limit: number
}

export interface RunQuery {
  readonly provider?: string
  readonly after?: string
  /** The maximum number of movements on the page, 1 to 1000. */
  readonly limit: number
}

/**
 * The kind of movements to list. `foreign`: movements of other systems at the account. `payouts`: transfers to the
 * bank. `payout`: the parts of one payout.
 */
export type MovementQuery = { readonly provider: string; readonly after?: string; readonly limit: number } & (
  | { readonly of: "foreign" | "payouts" }
  | { readonly of: "payout"; readonly payout: string }
)

export interface ListedMovement extends EnteredMovement {
  /** The account of the payment; `null`: the payment is not in the database. */
  readonly account: string | null
}

export type StatementList<A> = LogPage<A>

const cursorInvalid = () => new StatementCursorInvalid()

export const listRuns = (sql: SqlClient.SqlClient, livemode: boolean, query: RunQuery) =>
  readLogPage(
    query,
    cursorInvalid,
    (after) => {
      const conditions = [
        ...conditionsOf(sql, { "livemode =": livemode, "provider =": query.provider }),
        ...(after === null ? [] : [sql`id < ${after.row}`])
      ]
      return sql<Row>`SELECT * FROM statement_runs WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${query.limit + 1}`
    },
    ["started_at", "id"],
    readRun
  )

/** The latest run of each provider, of any source and outcome, in the order of the providers' ids. */
export const listLastRuns = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  livemode: boolean
): Effect.fn.Return<ReadonlyArray<StatementRun>, SqlError> {
  const rows = yield* sql<Row>`SELECT * FROM statement_runs
    WHERE id IN (SELECT max(id) FROM statement_runs WHERE livemode = ${livemode} GROUP BY provider) ORDER BY provider`
  return rows.map(readRun)
})

export const listDifferences = (sql: SqlClient.SqlClient, livemode: boolean, query: DifferenceQuery) =>
  readLogPage(
    query,
    cursorInvalid,
    (after) => {
      const { beyond, inOrder } = inPage(sql, differencePlace, after, query.limit)
      const { kind, provider, run, state } = query
      const conditions = [
        ...conditionsOf(sql, { "livemode =": livemode, "provider =": provider, "kind =": kind, "run =": run }),
        ...(state === undefined ? [] : [state === "open" ? sql`resolved_at IS NULL` : sql`resolved_at IS NOT NULL`]),
        ...beyond
      ]
      return sql<Row>`SELECT *,
          (SELECT account FROM payments WHERE payments.id = statement_differences.payment_id) AS account,
          EXISTS (SELECT 1 FROM open_reviews WHERE open_reviews.payment_id = statement_differences.payment_id) AS in_review
        FROM statement_differences WHERE ${sql.and(conditions)} ${inOrder}`
    },
    differencePlace,
    readDifference
  )

const differencePlace = ["found_at", "position"] as const

/**
 * Lists movements. Movements of the same time are sorted by the provider's id, so the last movement of a page is the
 * cursor of the next page.
 */
export const listMovements = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  query: MovementQuery
): Effect.fn.Return<StatementList<ListedMovement>, StoreUnavailable | StatementCursorInvalid> {
  const after = query.after === undefined ? null : movementPlace(query.after)
  if (query.after !== undefined && after === null) return yield* new StatementCursorInvalid()
  const rows = yield* unavailable(movementsStatement(sql, query, after).unprepared)
  return pageOf(rows, query.limit, readListedMovement, movementCursor)
})

/** @internal Exported for the test of its query plan. */
export const movementsStatement = (sql: SqlClient.SqlClient, query: MovementQuery, after: MovementPlace | null) => {
  const isPayout = query.of === "payout"
  const conditions = [
    sql`provider = ${query.provider}`,
    ...(after === null ? [] : [sql`(booked_at, id) < (${after.at}, ${after.id})`]),
    isPayout ? sql`payout = ${query.payout}` : sql.literal(listed[query.of])
  ]
  const from = isPayout ? movementsOfPayout(sql) : sql`statement_movements`
  return selectMovements(sql, from, conditions, query.limit + 1)
}

const listed = { foreign: "result = 'foreign'", payouts: "type = 'payout'" } as const

/** Reads a page of movements, newest first. */
export const selectMovements = (
  sql: SqlClient.SqlClient,
  from: Fragment,
  conditions: ReadonlyArray<Fragment>,
  limit: number
) =>
  sql<Row>`SELECT *,
      (SELECT account FROM payments WHERE payments.id = statement_movements.payment_id) AS account
    FROM ${from} WHERE ${sql.and(conditions)} ORDER BY booked_at DESC, id DESC LIMIT ${limit}`

/** Names the index: without statistics of the table, SQLite would read every movement of the provider. */
export const movementsOfPayout = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({
    sqlite: () => sql`statement_movements INDEXED BY statement_movements_of_payout`,
    orElse: () => sql`statement_movements`
  })

export const readListedMovement = reading<ListedMovement>({ ...movementFields, account: textOrNull })

/** Encodes the cursor in base64url, because the provider's ids may contain any character. */
const movementCursor = (row: Row): string =>
  Buffer.from(`${numeral(row, "booked_at")} ${text(row, "id")}`).toString("base64url")

interface MovementPlace {
  /** The time of the booking, ms UTC. */
  readonly at: number
  readonly id: string
}

const movementPlace = (cursor: string): MovementPlace | null => {
  const [, at, id] = /^(\d{1,15}) (.+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? []
  return at === undefined || id === undefined ? null : { at: Number(at), id }
}

const readDifference = reading<ListedDifference>({
  id: inColumn("position", numeral),
  provider: text,
  kind: word,
  movement: textOrNull,
  operationId: textOrNull,
  paymentId: textOrNull,
  account: textOrNull,
  isInReview: inColumn("in_review", flag),
  expected: money,
  found: money,
  run: numeral,
  foundAt: numeral,
  resolvedAt: numeralOrNull
})
