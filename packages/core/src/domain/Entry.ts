/**
 * The books: the reported movements of money, one row for each report with new information. Rows are only added.
 *
 * Providers report in two ways. A `movement` is one capture, refund or release, with a reference of its own or as the result of
 * one of our operations. A `total` is the amount that a charge has captured so far, and a later, larger total includes the
 * earlier one. `balance` reads both; no other code adds entries up.
 */
import type { OperationId } from "./Ids.ts"
import type { EvidenceSource } from "./Evidence.ts"

/**
 * - `authorized`: funds were reserved. `released`: reserved funds were released.
 * - `captured`: money was taken. `capture_reversed`: the provider took back a capture that it had confirmed.
 * - `received`: a transfer arrived, whose amount may differ from the request (stablecoins).
 * - `refunded`: money was refunded. `refund_returned`: the payer's bank returned a refund.
 * - `disputed`, `dispute_lost`, `dispute_reversed`: a dispute was opened, lost, or won.
 * - `fee`, `payout`: of a settlement.
 * - `correction`: an operator's statement that corrects the books.
 */
export const entryKinds = [
  "authorized",
  "captured",
  "capture_reversed",
  "released",
  "received",
  "refunded",
  "refund_returned",
  "disputed",
  "dispute_lost",
  "dispute_reversed",
  "fee",
  "payout",
  "correction"
] as const
export type EntryKind = (typeof entryKinds)[number]

export const entryBases = ["movement", "total"] as const
export type EntryBasis = (typeof entryBases)[number]

export interface Entry {
  readonly attemptSeq: number
  /** The operation that the report names; `null`: not named. */
  readonly operationId: OperationId | null
  readonly kind: EntryKind
  readonly basis: EntryBasis
  /** Above zero, in the smallest unit of `currency`. */
  readonly minorUnits: number
  /** ISO 4217, as the provider reported it: it may differ from the payment's. */
  readonly currency: string
  readonly provider: string
  /** The provider's reference: of the movement, or of the charge where the basis is `total`. */
  readonly reference: string | null
  readonly source: EvidenceSource
  /** ms UTC */
  readonly recordedAt: number
}
