/**
 * The ledger of a payment (its "books"): the reported movements of money, one entry for each report with new
 * information. Entries are only appended.
 *
 * Providers report in two ways. A `movement` is one capture, refund or release, with a reference of its own or as the
 * result of one of our operations. A `total` is the amount that a charge has captured so far, and a later, larger total
 * includes the earlier total. `balance` reads both; no other code adds entries up.
 */
import type { OperationId } from "./Ids.ts"
import type { EvidenceSource } from "./Evidence.ts"

/**
 * The kind of a movement.
 *
 * - `authorized`: funds were reserved. `released`: reserved funds were released.
 * - `captured`: money was taken. `capture_reversed`: the provider took back a capture that it had confirmed.
 * - `received`: a transfer arrived, whose amount may differ from the request (stablecoins).
 * - `refunded`: money was refunded. `refund_returned`: the payer's bank returned a refund.
 * - `disputed`, `dispute_lost`, `dispute_reversed`: a dispute was opened, lost, or won.
 * - `fee`, `payout`: the provider's fee, or the payout, in a settlement.
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
  /** The id of the operation in the report; `null` if the report contains none. */
  readonly operationId: OperationId | null
  readonly kind: EntryKind
  readonly basis: EntryBasis
  /** The amount, above zero, in the smallest unit of `currency`. */
  readonly minorUnits: number
  /** The ISO 4217 currency as the provider reported it. It may differ from the payment's currency. */
  readonly currency: string
  readonly provider: string
  /** The provider's reference: of the charge if `basis` is `total`, of the single movement if it is `movement`. */
  readonly reference: string | null
  readonly source: EvidenceSource
  /** The time at which the entry was recorded, ms UTC. */
  readonly recordedAt: number
}
