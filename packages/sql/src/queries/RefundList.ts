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

/** The filters of the list. An omitted filter excludes nothing. */
export interface RefundQuery {
  /** Only refunds with one of these statuses, at least one. */
  readonly statuses?: ReadonlyArray<RefundStatus>
  readonly paymentId?: string
  /** The id of the provider instance. */
  readonly provider?: string
  /** Only refunds requested at this time or later, ms UTC. */
  readonly from?: number
  /** Only refunds requested before this time, ms UTC. */
  readonly until?: number
  /** The `next` cursor of the previous page; absent: the first page. */
  readonly after?: string
  /** The maximum number of refunds on the page, 1 to 1000. */
  readonly limit: number
}

export interface RefundPage {
  readonly data: ReadonlyArray<ListedRefund>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** Error: the cursor was not issued for a list of refunds. */
export class RefundCursorInvalid extends Data.TaggedError("RefundCursorInvalid") {
  override get message(): string {
    return "The cursor must be the `next` of a former page of refunds."
  }
}

/** The condition for refunds that were requested: automatic reversals of late or duplicate payments are not refunds. */
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
  return { data: entries, next }
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
  // `MATERIALIZED`: a payment has a few refunds, and the planner would rather scan all refunds in the order of the
  // page.
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
