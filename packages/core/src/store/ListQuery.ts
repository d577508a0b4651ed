/** The query for a list of payments, and a page of the list. */
import type { FailureCode } from "../domain/Decline.ts"
import type { PaymentId } from "../domain/Ids.ts"
import type { PaymentRecord, PaymentStatus } from "../domain/Payment.ts"
import type { Rail } from "../domain/PaymentMethod.ts"

/** The filters of a list of payments; several values of one filter mean any of these values. Newest first, by id. */
export interface ListQuery {
  readonly limit: number
  /** Returns only payments after (older than) this position in the list, or before (newer than) this position. */
  readonly position: { readonly side: "after" | "before"; readonly id: PaymentId } | null
  readonly status: ReadonlyArray<PaymentStatus>
  readonly rail: ReadonlyArray<Rail>
  readonly currency: ReadonlyArray<string>
  readonly provider: ReadonlyArray<string>
  /** The e-mail addresses, in any spelling with the same normal form: see `normalEmail`. */
  readonly customerEmail: ReadonlyArray<string>
  /** The provider's reference for an attempt, capture, cancel or refund, at any provider. */
  readonly providerReference: ReadonlyArray<string>
  /** The reason why the payment failed. A payment that has not failed has no code. */
  readonly failureCode: ReadonlyArray<FailureCode>
  /** The merchant's fingerprint of the card. */
  readonly cardFingerprint: ReadonlyArray<string>
  /** The merchant's order, which must match exactly. */
  readonly order: ReadonlyArray<string>
  /**
   * The minimum and maximum amount, in minor units of the payment's own currency, inclusive. With one currency, a list
   * by amount uses an index.
   */
  readonly amountMin: number | null
  readonly amountMax: number | null
  /** The time after which payments were created, ms UTC, exclusive. */
  readonly createdAfter: number | null
  readonly createdBefore: number | null
  readonly metadata: { readonly [key: string]: ReadonlyArray<string> }
  /** Only payments with open reviews; `false`: all payments. */
  readonly inReview: boolean
}

/** The first page of all payments, newest first: the base for filters. */
export const everyPayment: ListQuery = {
  limit: 20,
  position: null,
  status: [],
  rail: [],
  currency: [],
  provider: [],
  customerEmail: [],
  providerReference: [],
  failureCode: [],
  cardFingerprint: [],
  order: [],
  amountMin: null,
  amountMax: null,
  createdAfter: null,
  createdBefore: null,
  metadata: {},
  inReview: false
}

export interface Page {
  readonly records: ReadonlyArray<PaymentRecord>
  /** Whether more payments follow the page in the requested direction. */
  readonly hasMore: boolean
  /**
   * The payment at which a search by metadata without an index stopped at its limit. More payments may match: continue
   * after this one.
   */
  readonly stoppedAt: PaymentId | null
}
