/** What a store provides for retention: deletion in ranges of bounded length, so that no payment waits for long. */
import type { Effect } from "effect"
import type { PaymentId } from "../domain/Ids.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Safe to repeat, and to run in several processes concurrently. */
export interface PruneQuery {
  /** Older data is deleted. ms UTC, exclusive */
  readonly before: number
  /** The number of rows to examine. */
  readonly limit: number
}

export interface PrunedAnswers {
  readonly pruned: number
  /** Where the next range begins; `null`: no more rows. */
  readonly next: PaymentId | null
}

export interface RetentionStore {
  /**
   * Deletes the stored answers of requests and payments that were made before. The keys stay bound. `after`: where the
   * previous range ended; `null`: from the start.
   */
  readonly pruneAnswers: (
    query: PruneQuery & { readonly after: PaymentId | null }
  ) => Effect.Effect<PrunedAnswers, StoreUnavailable>
  /**
   * Deletes the evidence of applied inbox entries, and returns how many. The entries stay, so that none is applied again; a
   * repeated event is returned with its new evidence.
   */
  readonly pruneInbox: (query: PruneQuery) => Effect.Effect<number, StoreUnavailable>
}
