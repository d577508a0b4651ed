/** The refundable amount of a charge: the part that is neither returned nor disputed. Pure. */
import type { Attempt } from "../Attempt.ts"
import { isOpen } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"
import { sum } from "./amounts.ts"
import { chargesOf, refundedBy, strayRefunds } from "./balance.ts"
import { disputedAmount } from "./disputes.ts"

/** The refundable amount and its parts, in minor units of the payment's currency. */
export interface Refundable {
  /** The amount captured by the attempt's own charge, including an excess. */
  readonly captured: number
  /** The amount refunded by operations of this installation. */
  readonly refunded: number
  /** The amount of this installation's refunds that are not decided yet. */
  readonly pending: number
  /** The amount refunded outside of this installation, such as in the provider's dashboard. */
  readonly refundedElsewhere: number
  /** The amount in disputes that are open or lost. */
  readonly disputed: number
  /** The refundable amount: `captured` minus all other amounts. */
  readonly available: number
}

/**
 * Computes the refundable amount of an attempt. `ofCharge` replaces the reported captured amount if only a part of that
 * amount counts.
 */
export const refundableOf = (record: PaymentRecord, attempt: Attempt, ofCharge?: number): Refundable => {
  const [own] = chargesOf(record, attempt)
  const captured = ofCharge ?? own?.captured ?? 0
  const refunds = record.operations.filter(
    ({ attemptSeq, charge, kind }) =>
      attemptSeq === attempt.seq && kind === "refund" && (charge === null || charge === own?.reference)
  )
  const refunded = sum(refunds, (each) => refundedBy(record.entries, each))
  const pending = sum(refunds.filter(isOpen), (each) => Math.max(0, each.minorUnits - refundedBy(record.entries, each)))
  // Takes the larger amount and not the sum, since an operator's stated amount includes the reported refunds.
  const refundedElsewhere = Math.max(own?.byHand ?? 0, strayRefunds(record, attempt, own?.reference ?? null))
  const disputed = disputedAmount(record, attempt, captured)
  const available = Math.max(0, captured - refunded - pending - refundedElsewhere - disputed)
  return { captured, refunded, pending, refundedElsewhere, disputed, available }
}
