/** One disagreement between a vendor's ledger and the API. */
import type { LedgerCharge } from "./facts.ts"

/**
 * - `hidden`: kept beyond what the API shows.
 * - `unasked`: shown, and kept, beyond what the merchant asked for.
 * - `missing`: the API shows more than the charge keeps.
 * - `held`: reserved for a payment that does not wait for it.
 * - `foreign`: kept in a currency that was not asked for.
 */
export type DiscrepancyKind = "hidden" | "unasked" | "missing" | "held" | "foreign"

export interface Discrepancy {
  readonly kind: DiscrepancyKind
  readonly provider: string
  /** `null`: the API shows money, and the vendor has taken none. */
  readonly charge: LedgerCharge | null
  /** Minor units, above zero. */
  readonly amount: number
}
