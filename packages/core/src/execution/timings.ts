/**
 * The time limits and intervals of the engine, ms. They depend on each other: review all of them before you change one.
 */
import type { Rail } from "../domain/PaymentMethod.ts"

export const timings = {
  /** The time limit for the first commit of a request. After it the request is refused and nothing is sent. */
  beginWithin: 8_000,
  /** The time for which a new payment waits for the close of the payment that it replaces. */
  closeFirst: 5_000,
  /** The time after which a request is answered `pending`, while the engine keeps working. */
  answerAfter: 10_000,
  /** The time limit of the writes for that response. The payment is returned even if they do not finish. */
  answerWithin: 12_000,
  /** The time limit of one attempt, including all its sends. */
  attempt: 30_000,
  /** The minimum time that must be left of an attempt to start a send. */
  leastForSend: 5_000,
  /** The time after an operation's deadline from which it counts as orphaned if it is still in `sending`. */
  orphanGrace: 5_000,
  /** The safety margin by which an idempotency key counts as expired before its declared lifetime ends. */
  keyMargin: 15 * 60_000,
  maxSends: 3,
  /** The delay between sends: random (full jitter), with a limit that grows from `retryBase` to `retryCap`. */
  retryBase: 200,
  retryCap: 5_000,
  inquiry: 10_000,
  /** The time limit of an inquiry that is made before a request is begun. */
  lookUp: 4_000,
  /** The time for which the engine waits for a webhook before it opens a review, if the provider has no inquiry. */
  holdBeforeReview: 15 * 60_000,
  /**
   * The time for which unmatched evidence waits for its payment, and the longest time between two tries to match it.
   */
  unmatched: 3 * 24 * 60 * 60_000,
  matchRetryCap: 60 * 60_000,
  /** The interval of the checks after the schedule of inquiries is exhausted. */
  longCheck: 24 * 60 * 60_000,
  /**
   * The longest time between two checks of an operation, unless its provider declares later checks (`lookBackAfter`).
   */
  longestCheck: 3 * 24 * 60 * 60_000,
  /** The interval between checks of a hold on funds. */
  holdCheck: 24 * 60 * 60_000,
  /** The delays before an unanswered inquiry that confirms an overpayment is repeated. */
  confirmAgain: [5 * 60_000, 60 * 60_000],
  /** The backoff of a failed operation of the engine: this time, doubled for each retry. */
  retryPlanned: 60_000,
  /** The grace period after a `next_action` expires, before the attempt is closed. */
  closeAfterExpiry: 5_000,
  /** The delay before a provider is tried again if it is not configured or its circuit breaker is open. */
  absentProvider: 60_000,
  /** The delay between checks for an instance that is not configured, once its operations are in review. */
  absentInstance: 60 * 60_000
} as const

/** The time limit of one send by payment method, ms. */
export const sendTimeouts: { readonly [rail in Rail]: number } = { upi: 15_000, card: 20_000, stablecoin: 5_000 }
