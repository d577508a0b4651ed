/**
 * The refunds of an account and mode, newest first. Each status has its own range of an index, so a page costs the same
 * beside millions of other refunds; a list of all statuses merges the newest refunds of each status.
 */
import type { Tenant } from "@paymux/core"
import { refundStatuses } from "@paymux/core/store"
import type { LogPlace, RefundStatus, StoreUnavailable } from "@paymux/core/store"
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { conditionsOf, inPage, merged, readLogPage } from "../lists/logPage.ts"
import { operationColumns } from "../rows/columns.ts"
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
  const sql = yield* SqlClient.SqlClient
  const { entries, next } = yield* readLogPage(
    query,
    () => new RefundCursorInvalid(),
    (after) => refundsStatement(sql, tenant, query, after),
    ["listed_at", "listed_position"],
    readRefund
  )
  return { refunds: entries, next }
})

/** @internal Exported for the test of its query plan. */
export const refundsStatement = (
  sql: SqlClient.SqlClient,
  { account, livemode }: Tenant,
  { from, limit, paymentId, provider, statuses = refundStatuses, until }: RefundQuery,
  after: LogPlace | null
) => {
  const { beyond, inOrder } = inPage(sql, ["created_at", "position"], after, limit)
  const conditions = [
    ...conditionsOf(sql, {
      "account =": account,
      "livemode =": livemode,
      "provider =": provider,
      "created_at >=": from,
      "created_at <": until
    }),
    ...beyond
  ]
  const branches = [...new Set(statuses)].map(
    (status) => sql`SELECT operation_id, position, created_at FROM refunds
      WHERE ${sql.and([...conditions, sql`status = ${status}`])} ${inOrder}`
  )
  // Materialized: a payment has a few refunds, and the planner would rather walk all refunds in the order of the page.
  const [ofPayment, page] =
    paymentId === undefined
      ? [sql``, sql`${merged(sql, branches)} ${inOrder}`]
      : [
          sql`of_payment AS MATERIALIZED (SELECT * FROM refunds WHERE payment_id = ${paymentId}),`,
          sql`SELECT operation_id, position, created_at FROM of_payment
            WHERE ${sql.and([...conditions, sql.in("status", statuses)])} ${inOrder}`
        ]
  return sql<Row>`WITH ${ofPayment} page AS (SELECT * FROM (${page}) AS found)
    SELECT ${sql.literal(columns)}, page.created_at AS listed_at, page.position AS listed_position,
      p.livemode AS livemode, p.currency AS currency, p.minor_units AS payment_minor_units
    FROM page JOIN operations o ON o.id = page.operation_id JOIN payments p ON p.id = o.payment_id
    ORDER BY page.created_at DESC, page.position DESC`
}

const columns = operationColumns.all.map(({ name }) => `o.${name} AS ${name}`).join(", ")
