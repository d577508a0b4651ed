/**
 * The open reviews of an account and mode: the oldest first, or those about the most money. The index contains the
 * filtered columns, so only the rows of the page are read.
 */
import type { EvidenceSource, OperationId, PaymentId, Tenant } from "@paymux/core"
import type { LogPlace, ReviewReason, StoreUnavailable } from "@paymux/core/store"
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { conditionsOf, inPage, placeOf, readLogPage } from "../lists/logPage.ts"
import { inColumn, numeral, reading, text, textOrNull, word, wordOrNull } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

/** An open review, with the payment that it is part of. */
export interface QueuedReview {
  readonly paymentId: PaymentId
  /** The id of the review, `rev_…`. */
  readonly id: string
  readonly reason: ReviewReason
  /** The provider instance that has the money in question. */
  readonly provider: string
  /** The provider's reference of the charge or movement in question, if it is known. */
  readonly reference: string | null
  /** The operation in question, if the review is about one. */
  readonly operationId: OperationId | null
  /** The amount in question, in the smallest unit of `currency`. */
  readonly amount: number
  readonly currency: string
  /** The source of the report in question, if it is known. */
  readonly source: EvidenceSource | null
  /** The time at which the review was opened, ms UTC. */
  readonly since: number
}

/** The filters of the list. An omitted filter excludes nothing. */
export interface ReviewQuery {
  /**
   * The order of the list. `age`: oldest first (default). `amount`: the largest amount first; it needs a `currency`.
   */
  readonly order?: "age" | "amount"
  readonly reason?: ReviewReason
  /** The provider instance that has the money in question. */
  readonly provider?: string
  /** The ISO 4217 currency code, as the provider reported it. */
  readonly currency?: string
  /** Only reviews opened at this time or later, ms UTC. */
  readonly from?: number
  /** Only reviews opened before this time, ms UTC. */
  readonly until?: number
  /** The `next` cursor of the previous page, in the same order. */
  readonly after?: string
  /** The maximum number of reviews on the page, 1 to 1000. */
  readonly limit: number
}

export interface ReviewPage {
  readonly data: ReadonlyArray<QueuedReview>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/**
 * The reason why a query is invalid.
 *
 * - `cursor`: the cursor was not issued for a list of reviews.
 * - `currency`: amounts of different currencies have no order.
 */
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
  yield* placeOf(query.after, cursorInvalid)
  if (query.order === "amount" && query.currency === undefined) {
    return yield* new ReviewQueryInvalid({ reason: "currency" })
  }
  const sql = yield* SqlClient.SqlClient
  const { entries, next } = yield* readLogPage(
    query,
    cursorInvalid,
    (after) => reviewsStatement(sql, tenant, query, after),
    columnsOf(query.order),
    readReview
  )
  return { data: entries, next }
})

const cursorInvalid = () => new ReviewQueryInvalid({ reason: "cursor" })

const columnsOf = (order: ReviewQuery["order"]) => [order === "amount" ? "minor_units" : "since", "position"] as const

/** @internal Exported for the test of its query plan. */
export const reviewsStatement = (
  sql: SqlClient.SqlClient,
  { account, livemode }: Tenant,
  { currency, from, limit, order, provider, reason, until }: ReviewQuery,
  after: LogPlace | null
) => {
  const conditions = conditionsOf(sql, {
    "account =": account,
    "livemode =": livemode,
    "reason =": reason,
    "provider =": provider,
    "currency =": currency,
    "since >=": from,
    "since <": until
  })
  const { beyond, inOrder } = inPage(sql, columnsOf(order), after, limit, order === "amount" ? "DESC" : "ASC")
  return sql<Row>`SELECT * FROM open_reviews WHERE ${sql.and([...conditions, ...beyond])} ${inOrder}`
}

const readReview = reading<QueuedReview>({
  paymentId: word,
  id: text,
  reason: word,
  provider: text,
  reference: textOrNull,
  operationId: wordOrNull,
  amount: inColumn("minor_units", numeral),
  currency: text,
  source: wordOrNull,
  since: numeral
})
