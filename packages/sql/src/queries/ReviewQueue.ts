/**
 * Open reviews of an account and mode: the oldest first, or those about the most money. A filter is decided in the index,
 * so only the rows of the page are read.
 */
import type { EvidenceSource, OperationId, PaymentId, Tenant } from "@paymux/core"
import { logCursor, readLogCursor, StoreUnavailable } from "@paymux/core/store"
import type { LogPlace, ReviewReason } from "@paymux/core/store"
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** An open review, with the payment that it is part of. */
export interface QueuedReview {
  readonly paymentId: PaymentId
  /** `rev_…` */
  readonly id: string
  readonly reason: ReviewReason
  /** The provider instance that has the money. */
  readonly provider: string
  /** The provider's reference of the charge or movement in question, where it is known. */
  readonly reference: string | null
  /** The operation in question, where there is one. */
  readonly operationId: OperationId | null
  /** How much is in question, in the smallest unit of `currency`. */
  readonly amount: number
  readonly currency: string
  /** The source of the report that is in question, where it is known. */
  readonly source: EvidenceSource | null
  /** ms UTC, since when it is open. */
  readonly since: number
}

/** Conditions that are left out exclude nothing. */
export interface ReviewQuery {
  /** `age`: oldest first (default). `amount`: the largest amount first; it needs a `currency`. */
  readonly order?: "age" | "amount"
  readonly reason?: ReviewReason
  /** The provider instance that has the money. */
  readonly provider?: string
  /** ISO 4217, as the provider reported it. */
  readonly currency?: string
  /** Opened at this time or later, ms UTC. */
  readonly from?: number
  /** Opened before this time, ms UTC. */
  readonly until?: number
  /** The `next` cursor of the previous page, in the same order. */
  readonly after?: string
  /** 1 to 1000. */
  readonly limit: number
}

export interface ReviewPage {
  readonly reviews: ReadonlyArray<QueuedReview>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** - `cursor`: it is not one that a list of reviews returned. - `currency`: amounts of different currencies have no order. */
export class ReviewQueryInvalid extends Data.TaggedError("ReviewQueryInvalid")<{
  readonly reason: "cursor" | "currency"
}> {
  override get message(): string {
    return this.reason === "cursor"
      ? "The cursor must be the `next` of a former page of reviews."
      : "Ordering by amount requires a currency: amounts of different currencies cannot be compared."
  }
}

export const listReviews = Effect.fnUntraced(function* (
  tenant: Tenant,
  query: ReviewQuery
): Effect.fn.Return<ReviewPage, ReviewQueryInvalid | StoreUnavailable, SqlClient.SqlClient> {
  const after = query.after === undefined ? null : readLogCursor(query.after)
  if (query.after !== undefined && after === null) return yield* new ReviewQueryInvalid({ reason: "cursor" })
  if (query.order === "amount" && query.currency === undefined) {
    return yield* new ReviewQueryInvalid({ reason: "currency" })
  }
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.mapError(
    reviewsStatement(sql, tenant, query, after).unprepared,
    (cause) => new StoreUnavailable({ cause })
  )
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  const next = last === undefined || rows.length <= query.limit ? null : logCursor(placeOf(last, query))
  return { reviews: shown.map(reviewOf), next }
})

/** @internal Exported for the test of its query plan. */
export const reviewsStatement = (
  sql: SqlClient.SqlClient,
  { account, livemode }: Tenant,
  { currency, from, limit, order, provider, reason, until }: ReviewQuery,
  after: LogPlace | null
) => {
  const conditions = [
    sql`account = ${account} AND livemode = ${livemode}`,
    ...(reason === undefined ? [] : [sql`reason = ${reason}`]),
    ...(provider === undefined ? [] : [sql`provider = ${provider}`]),
    ...(currency === undefined ? [] : [sql`currency = ${currency}`]),
    ...(from === undefined ? [] : [sql`since >= ${from}`]),
    ...(until === undefined ? [] : [sql`since < ${until}`])
  ]
  if (order === "amount") {
    const place = after === null ? [] : [sql`(minor_units, position) < (${after.at}, ${after.row})`]
    return sql<Row>`SELECT * FROM open_reviews WHERE ${sql.and([...conditions, ...place])}
      ORDER BY minor_units DESC, position DESC LIMIT ${limit + 1}`
  }
  const place = after === null ? [] : [sql`(since, position) > (${after.at}, ${after.row})`]
  return sql<Row>`SELECT * FROM open_reviews WHERE ${sql.and([...conditions, ...place])}
    ORDER BY since, position LIMIT ${limit + 1}`
}

const placeOf = (row: Row, { order }: ReviewQuery): LogPlace => ({
  at: Number(order === "amount" ? row.minor_units : row.since),
  row: Number(row.position)
})

interface Row {
  /** PostgreSQL returns a bigint as text. */
  readonly position: number | string
  readonly payment_id: string
  readonly id: string
  readonly reason: string
  readonly provider: string
  readonly reference: string | null
  readonly operation_id: string | null
  readonly minor_units: number | string
  readonly currency: string
  readonly source: string | null
  readonly since: number | string
}

const reviewOf = (row: Row): QueuedReview => ({
  // Boundary: the database has copied these columns from the reviews of a payment.
  paymentId: row.payment_id as PaymentId,
  id: row.id,
  reason: row.reason as ReviewReason,
  provider: row.provider,
  reference: row.reference,
  operationId: row.operation_id as OperationId | null,
  amount: Number(row.minor_units),
  currency: row.currency,
  source: row.source as EvidenceSource | null,
  since: Number(row.since)
})
