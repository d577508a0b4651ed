/** What the retention asks of a store: stretches of bounded length, so that no payment waits for long. */
import type { Effect } from "effect"
import type { PaymentId } from "../domain/Ids.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Done twice, or by several processes at once, it does no harm. */
export interface PruneQuery {
  /** What is older than this goes. ms UTC, exclusive */
  readonly before: number
  /** How many rows are looked at. */
  readonly limit: number
}

export interface PrunedAnswers {
  readonly pruned: number
  /** Where the next stretch begins; `null`: there is no more. */
  readonly next: PaymentId | null
}

export interface RetentionStore {
  /**
   * Forgets the bytes of answers to requests that were made before, about payments that were made before. The keys stay
   * bound. `after`: where the stretch before ended; `null`: from the start.
   */
  readonly pruneAnswers: (
    query: PruneQuery & { readonly after: PaymentId | null }
  ) => Effect.Effect<PrunedAnswers, StoreUnavailable>
  /**
   * Forgets what applied entries of the inbox said, and answers how many. That they were told stays known, so that none is
   * ever applied again: when one is told once more, it is answered with what it says then.
   */
  readonly pruneInbox: (query: PruneQuery) => Effect.Effect<number, StoreUnavailable>
}
