/** The operations of a store for retention. They delete in ranges of bounded length, so that no payment waits for long. */
import type { Effect } from "effect"
import type { PaymentId } from "../domain/Ids.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** A range to delete. Safe to repeat, and to run in several processes concurrently. */
export interface PruneQuery {
  /** Older data is deleted. ms UTC, exclusive */
  readonly before: number
  /** The number of rows to examine. */
  readonly limit: number
}

export interface PrunedAnswers {
  readonly pruned: number
  /** The beginning of the next range; `null`: no more rows. */
  readonly next: PaymentId | null
}

export interface RetentionStore {
  /**
   * Deletes the stored responses of earlier requests and payments. The keys stay bound. `after`: the end of the previous range;
   * `null`: from the start.
   */
  readonly pruneAnswers: (
    query: PruneQuery & { readonly after: PaymentId | null }
  ) => Effect.Effect<PrunedAnswers, StoreUnavailable>
  /**
   * Deletes the evidence of applied inbox entries, and returns their number. The entries are kept, so that none is applied again.
   * A repeated event is returned with its new evidence.
   */
  readonly pruneInbox: (query: PruneQuery) => Effect.Effect<number, StoreUnavailable>
}
