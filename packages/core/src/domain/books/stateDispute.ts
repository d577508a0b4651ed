/** Enters an operator's statement about a dispute in the books, or rejects it with a reason. Pure. */
import type { Attempt } from "../Attempt.ts"
import type { DisputeStatus } from "../Dispute.ts"
import { createOf } from "../Payment.ts"
import type { PaymentRecord } from "../Payment.ts"
import { disputed } from "../transition/dispute.ts"
import type { Disputed } from "../Outcome.ts"
import { acceptedAttempt, chargesOf } from "./balance.ts"
import { disputesOf } from "./disputes.ts"
import type { Resolved } from "./resolve.ts"

export interface StatedDispute {
  /** The provider's reference for the dispute; `null` if unknown. */
  readonly reference: string | null
  readonly status: DisputeStatus
  /**
   * The disputed amount in minor units. `null` means the known amount of the dispute or, for a new dispute, the whole
   * charge.
   */
  readonly amount: number | null
  readonly currency: string | null
  /**
   * The provider instance whose charge is disputed; `null` for the instance of the known dispute, or of the paid
   * attempt.
   */
  readonly provider: string | null
}

/**
 * The reason for which an operator's statement is rejected. `most` is the captured amount of the charge, set only if
 * the stated amount exceeds it.
 */
export interface DisputeFault {
  readonly reason: DisputeFaultReason
  readonly most?: number
}

export type DisputeFaultReason =
  | "no_charge"
  | "invalid_amount"
  | "above_charge"
  | "other_currency"
  | "reference_needed"
  | "not_opened"
  | "unchanged"

export const stateDispute = (record: PaymentRecord, stated: StatedDispute, now: number): Resolved | DisputeFault => {
  const { amount, currency, reference, status } = stated
  const attempt = attemptOf(record, stated)
  const operation = attempt === undefined ? undefined : createOf(record, attempt.seq)
  const captured = attempt === undefined ? 0 : (chargesOf(record, attempt)[0]?.captured ?? 0)
  if (attempt === undefined || operation === undefined || captured === 0) return { reason: "no_charge" }
  const paid = record.payment.amount
  if (currency !== null && currency !== paid.currency) return { reason: "other_currency" }
  if (amount !== null && !(Number.isSafeInteger(amount) && amount > 0)) return { reason: "invalid_amount" }
  if (amount !== null && amount > captured) return { reason: "above_charge", most: captured }
  const own = disputesOf(record).filter(({ attemptSeq }) => attemptSeq === attempt.seq)
  if (reference === null && own.some((each) => each.reference !== null)) return { reason: "reference_needed" }
  // A known dispute without a reference also counts as this dispute, because the provider may have reported it without
  // its reference first.
  const isOpened = own.some((each) => each.reference === reference || each.reference === null)
  if (status === "won" && !isOpened) return { reason: "not_opened" }
  const outcome: Disputed = {
    _tag: "Disputed",
    status,
    ...(amount !== null && { amount: { ...paid, minorUnits: amount } }),
    ...(reference !== null && { reference })
  }
  const change = disputed(record, attempt, outcome, "operator", now)
  if (change._tag === "Unchanged") return { reason: "unchanged" }
  const about = { operation: operation.id }
  const evidence = { source: "operator", about, outcome, eventId: null, occurredAt: null } as const
  return { change, cause: { evidence, operation } }
}

const attemptOf = (record: PaymentRecord, { provider, reference }: StatedDispute): Attempt | undefined => {
  const { attempts } = record
  if (provider !== null) return attempts.find((each) => each.provider === provider)
  const known = disputesOf(record).find((each) => reference !== null && each.reference === reference)
  if (known !== undefined) return attempts.find(({ seq }) => seq === known.attemptSeq)
  return acceptedAttempt(record) ?? attempts.find((each) => (chargesOf(record, each)[0]?.captured ?? 0) > 0)
}
