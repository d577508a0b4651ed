/** The type of `paymux.reviews`. */
import type {
  IntendedReviewStatement,
  ResolvedPayment,
  ReviewConsequences,
  ReviewedPayment,
  ReviewStatement
} from "@paymux/dashboard"
import type { ReviewPage, ReviewQuery } from "@paymux/sql"

/** Refusals are `ReviewRefused`; its `reason` says why, and `present` is the version if it may have changed since. */
export interface ReviewOperations {
  /** Open reviews, the oldest first; 20 unless `limit` says otherwise (at most 1000). */
  readonly list: (query?: Partial<ReviewQuery>) => Promise<ReviewPage>
  /** A payment with its open reviews, the resolutions that fit each, and everything known about it on both sides. */
  readonly get: (paymentId: string) => Promise<ReviewedPayment>
  /** The effect of a resolution on the payment, before it is given. Nothing is written. */
  readonly consequences: (paymentId: string, intended: IntendedReviewStatement) => Promise<ReviewConsequences>
  /** Resolves one open review, or corrects the outcome of one operation (`succeeded` or `not_done`). */
  readonly resolve: (paymentId: string, statement: ReviewStatement) => Promise<ResolvedPayment>
}
