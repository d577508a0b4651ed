/** Times of the engine, in ms. They depend on each other: review all of them before you change one. */
import type { Rail } from "../domain/PaymentMethod.ts"

export const timings = {
  /** If the first commit of a request is not acknowledged within this time, the request is refused and nothing is sent. */
  beginWithin: 8_000,
  /** How long a payment that replaces another one waits for that one to close. */
  closeFirst: 5_000,
  /** From the start of a request: after this time it is answered `pending`, and the engine keeps working. */
  answerAfter: 10_000,
  /** Time limit of the writes for that answer. The payment is returned even if they do not finish. */
  answerWithin: 12_000,
  /** One attempt, including all its sends. */
  attempt: 30_000,
  /** No send starts if less than this is left of its attempt. */
  leastForSend: 5_000,
  /** An operation still in `sending` this long after its deadline is orphaned. */
  orphanGrace: 5_000,
  /** Safety margin: an idempotency key counts as expired this long before its declared lifetime ends. */
  keyMargin: 15 * 60_000,
  maxSends: 3,
  /** The delay between sends: full jitter, growing from `retryBase` to `retryCap`. */
  retryBase: 200,
  retryCap: 5_000,
  inquiry: 10_000,
  /** An inquiry that is made before a request is begun. */
  lookUp: 4_000,
  /** Without an inquiry: how long the engine waits for a webhook before it opens a review. */
  holdBeforeReview: 15 * 60_000,
  /** How long unmatched evidence waits for its payment, and the longest time between two tries to match it. */
  unmatched: 3 * 24 * 60 * 60_000,
  matchRetryCap: 60 * 60_000,
  /** Interval of the checks after the schedule of inquiries is exhausted. */
  longCheck: 24 * 60 * 60_000,
  /** The longest time between two checks of an operation, unless its provider declares a later look-back. */
  longestCheck: 3 * 24 * 60 * 60_000,
  /** How often a hold on funds is checked. */
  holdCheck: 24 * 60 * 60_000,
  /** Delays before an unanswered inquiry that confirms an overpayment is repeated. */
  confirmAgain: [5 * 60_000, 60 * 60_000],
  /** Backoff of a failed operation of the engine: this time, doubled for each retry. */
  retryPlanned: 60_000,
  /** Grace period after a `next_action` expires, before the attempt is closed. */
  closeAfterExpiry: 5_000,
  /** Delay until a provider that is not configured, or whose breaker is open, is tried again. */
  absentProvider: 60_000,
  /** The same for an instance that is not configured, once its operations are in review. */
  absentInstance: 60 * 60_000
} as const

/** The longest one send may take. */
export const sendTimeouts: { readonly [rail in Rail]: number } = { upi: 15_000, card: 20_000, stablecoin: 5_000 }
