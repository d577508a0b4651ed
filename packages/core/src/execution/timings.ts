/** Times of the engine, in ms. They are those of the failover design: change them together or not at all. */
import type { Rail } from "../domain/PaymentMethod.ts"

export const timings = {
  /** A request whose first commit is not acknowledged after this time is refused; nothing is sent for it. */
  beginWithin: 8_000,
  /** How long a payment that replaces another one waits until that is closed. */
  closeFirst: 5_000,
  /** From its beginning, a request is answered `pending` after this time, and the engine keeps working. */
  answerAfter: 10_000,
  /** What is written for that answer has until then. The payment is answered in any case. */
  answerWithin: 12_000,
  /** One attempt, over all its sends. */
  attempt: 30_000,
  /** No send starts with less than this left of its attempt. */
  leastForSend: 5_000,
  /** An operation found in `sending` this long after its deadline has lost its owner. */
  orphanGrace: 5_000,
  /** By how much a key's life is taken to be shorter than declared. */
  keyMargin: 15 * 60_000,
  maxSends: 3,
  /** Full jitter between sends grows from `retryBase` to `retryCap`. */
  retryBase: 200,
  retryCap: 5_000,
  inquiry: 10_000,
  /** The same, made before a request is begun. */
  lookUp: 4_000,
  /** Without an inquiry: how long the engine waits for a webhook before it opens a review. */
  holdBeforeReview: 15 * 60_000,
  /** How long evidence about nothing known waits for its payment, and the longest time between two tries. */
  unmatched: 3 * 24 * 60 * 60_000,
  matchRetryCap: 60 * 60_000,
  /** Once a day: the checks of a payer or network that takes longer than the schedule of inquiries. */
  longCheck: 24 * 60 * 60_000,
  /** The longest time between two checks of an operation, unless its provider declares a later look-back. */
  longestCheck: 3 * 24 * 60 * 60_000,
  /** How often a hold on funds is looked after. */
  holdCheck: 24 * 60 * 60_000,
  /** When the inquiry that is to confirm an excess is made again, where it had no answer. */
  confirmAgain: [5 * 60_000, 60 * 60_000],
  /** An operation of the engine that failed is sent again after this time, then after twice as long. */
  retryPlanned: 60_000,
  /** After a `next_action` has expired, its payer has this long to have been seen. */
  closeAfterExpiry: 5_000,
  /** When a provider that is not configured, or that the breaker keeps from us, is looked for again. */
  absentProvider: 60_000,
  /** The same for an instance that is not configured, once its operations stand in reviews. */
  absentInstance: 60 * 60_000
} as const

/** The longest one send may take. */
export const sendTimeouts: { readonly [rail in Rail]: number } = { upi: 15_000, card: 20_000, stablecoin: 5_000 }
