/**
 * Open reviews of an account and mode: the oldest first, or those about the most money. A filter is decided in the index,
 * so only the rows of the page are read.
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
  return { reviews: entries, next }
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
