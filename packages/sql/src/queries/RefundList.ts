/**
 * The refunds of an account and mode, newest first. Each status has its own range of an index, so a page costs the same
 * beside millions of other refunds; a list of all statuses merges the newest refunds of each status.
 */
import type { Tenant } from "@paymux/core"
import { logCursor, readLogCursor, refundStatuses, StoreUnavailable } from "@paymux/core/store"
import type { LogPlace, RefundStatus } from "@paymux/core/store"
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { operationColumns } from "../rows/columns.ts"
import { numeral } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { readRefund } from "../rows/rows.ts"
import type { ListedRefund } from "../rows/rows.ts"

/** Conditions that are left out exclude nothing. */
export interface RefundQuery {
  /** At least one. */
  readonly statuses?: ReadonlyArray<RefundStatus>
  readonly paymentId?: string
  /** The provider instance. */
  readonly provider?: string
  /** ms UTC, inclusive: when the refund was requested. */
  readonly from?: number
  /** ms UTC, exclusive. */
  readonly until?: number
  /** The `next` cursor of the previous page. */
  readonly after?: string
  /** 1 to 1000. */
  readonly limit: number
}

export interface RefundPage {
  readonly refunds: ReadonlyArray<ListedRefund>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** The cursor is not one that a list of refunds returned. */
export class RefundCursorInvalid extends Data.TaggedError("RefundCursorInvalid") {
  override get message(): string {
    return "The cursor must be the `next` of a former page of refunds."
  }
}

/** Refunds that were requested; automatic reversals of late or duplicate payments are no refunds. */
export const listRefunds = Effect.fnUntraced(function* (
  tenant: Tenant,
  query: RefundQuery
): Effect.fn.Return<RefundPage, RefundCursorInvalid | StoreUnavailable, SqlClient.SqlClient> {
  const after = query.after === undefined ? null : readLogCursor(query.after)
  if (query.after !== undefined && after === null) return yield* new RefundCursorInvalid()
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.mapError(
    refundsStatement(sql, tenant, query, after).unprepared,
    (cause) => new StoreUnavailable({ cause })
  )
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return {
    refunds: shown.map(readRefund),
    next: last === undefined || rows.length <= query.limit ? null : logCursor(placeOf(last))
  }
})

/** @internal Exported for the test of its query plan. */
export const refundsStatement = (
  sql: SqlClient.SqlClient,
  { account, livemode }: Tenant,
  { from, limit, paymentId, provider, statuses = refundStatuses, until }: RefundQuery,
  after: LogPlace | null
) => {
  const conditions = [
    sql`account = ${account} AND livemode = ${livemode}`,
    ...(provider === undefined ? [] : [sql`provider = ${provider}`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(until === undefined ? [] : [sql`created_at < ${until}`]),
    ...(after === null ? [] : [sql`(created_at, position) < (${after.at}, ${after.row})`])
  ]
  const newest = sql`ORDER BY created_at DESC, position DESC LIMIT ${limit + 1}`
  const branches = [...new Set(statuses)].map(
    (status) => sql`
      SELECT * FROM (SELECT operation_id, position, created_at FROM refunds
        WHERE ${sql.and([...conditions, sql`status = ${status}`])} ${newest}) AS of_status`
  )
  // Materialized: a payment has a few refunds, and the planner would rather walk all refunds in the order of the page.
  const page =
    paymentId === undefined
      ? sql`${branches.reduce((all, each) => sql`${all} UNION ALL ${each}`)} ${newest}`
      : sql`SELECT operation_id, position, created_at FROM of_payment
          WHERE ${sql.and([...conditions, sql.in("status", statuses)])} ${newest}`
  const ofPayment =
    paymentId === undefined
      ? sql``
      : sql`of_payment AS MATERIALIZED (SELECT * FROM refunds WHERE payment_id = ${paymentId}),`
  return sql<Row>`WITH ${ofPayment} page AS (SELECT * FROM (${page}) AS found)
    SELECT ${sql.literal(columns)}, page.created_at AS listed_at, page.position AS listed_position,
      p.livemode AS livemode, p.currency AS currency, p.minor_units AS payment_minor_units
    FROM page JOIN operations o ON o.id = page.operation_id JOIN payments p ON p.id = o.payment_id
    ORDER BY page.created_at DESC, page.position DESC`
}

const columns = operationColumns.all.map(({ name }) => `o.${name} AS ${name}`).join(", ")

const placeOf = (row: Row): LogPlace => ({ at: numeral(row, "listed_at"), row: numeral(row, "listed_position") })
