/**
 * The operations of a store for retention. They delete rows in ranges of bounded length, so that no payment waits for
 * long.
 */
import type { PaymentId } from "../domain/Ids.ts"
import type { StoreEffect } from "./StoreUnavailable.ts"

/** A range to delete. A deletion is safe to repeat, and to run in several processes concurrently. */
export interface PruneQuery {
  /** The time before which data is deleted, ms UTC, exclusive. */
  readonly before: number
  /** The number of rows to examine. */
  readonly limit: number
}

export interface PrunedAnswers {
  readonly pruned: number
  /** The beginning of the next range; `null`: no more rows follow. */
  readonly next: PaymentId | null
}

export interface RetentionStore {
  /**
   * Deletes stored responses if both the request and the payment were made before `before`. Their idempotency keys stay
   * bound. `after`: the end of the previous range; `null`: begin at the oldest payment.
   */
  readonly pruneAnswers: (query: PruneQuery & { readonly after: PaymentId | null }) => StoreEffect<PrunedAnswers>
  /**
   * Deletes the evidence of applied inbox entries, and returns the number of these entries. The entries are kept, so
   * that no event is applied again. A repeated event is returned with the evidence of its repetition.
   */
  readonly pruneInbox: (query: PruneQuery) => StoreEffect<number>
}
