/**
 * Automatic reversals: the engine refunds overpayments and releases holds that no payment needs. Pure.
 *
 * Only what an inquiry has confirmed is refunded: two reports of one charge must never count as two charges.
 */
import { sum } from "./amounts.ts"
import { isClosedWithoutMoney } from "../Attempt.ts"
import type { Attempt } from "../Attempt.ts"
import { chargesOf, isConfirming, isUndecided, overpaid, refundedBy, reversalsOf, reversedBy } from "./balance.ts"
import type { ChargeBalance } from "./balance.ts"
import { refundableOf } from "./refundable.ts"
import type { Entry } from "../Entry.ts"
import type { Operation, OperationKind } from "../Operation.ts"
import { isUnsent } from "./outsideRefunds.ts"
import type { PaymentRecord } from "../Payment.ts"

export interface Reversal {
  readonly attempt: Attempt
  /** A refund of money that was captured, the cancel of a hold. */
  readonly kind: Extract<OperationKind, "refund" | "cancel">
  /** Minor units. */
  readonly minorUnits: number
}

/** What was not asked of the engine yet. Each excess is given back by one operation, which is not repeated once it failed. */
export const dueReversals = (record: PaymentRecord): ReadonlyArray<Reversal> =>
  record.attempts.flatMap((attempt) => {
    const own = chargesOf(record, attempt)[0]
    const confirmed = chargesOf(record, attempt, isConfirmed).find(({ reference }) => reference === own?.reference)
    if (own === undefined || confirmed === undefined) return []
    return [
      { attempt, kind: "refund", minorUnits: unattended(record, attempt, { ...own, captured: confirmed.captured }) },
      { attempt, kind: "cancel", minorUnits: unattendedHold(record, attempt, confirmed) }
    ].filter((each): each is Reversal => each.minorUnits > 0)
  })

/** Refunds of the engine that were never sent, and would return more than is left of their excess by now. */
export const needlessReversals = (record: PaymentRecord): ReadonlyArray<Operation> =>
  record.attempts.flatMap((attempt) => {
    const unsent = reversalsOf(record, attempt, "refund").filter(isUnsent)
    const own = unsent.length === 0 ? undefined : chargesOf(record, attempt)[0]
    if (own === undefined) return []
    let left = overpaid(own)
    return unsent.filter(({ minorUnits }) => {
      const isNeedless = minorUnits > left
      left -= isNeedless ? 0 : minorUnits
      return isNeedless
    })
  })

/** Whether an inquiry has to confirm what was only reported. */
export const isUnconfirmed = (record: PaymentRecord, attempt: Attempt): boolean => {
  const own = chargesOf(record, attempt)[0]
  if (own === undefined) return false
  if (isMoreThanAsked(record, attempt, own))
    return !record.entries.some(
      (entry) => entry.attemptSeq === attempt.seq && entry.kind === "captured" && isConfirming(entry)
    )
  const isReported = unattended(record, attempt, own) + unattendedHold(record, attempt, own) > 0
  return isReported && !dueReversals(record).some((due) => due.attempt.seq === attempt.seq)
}

/** On a chain: it is the payment's, and shown as received. */
const isMoreThanAsked = (
  { payment }: PaymentRecord,
  { status, isOverpayment }: Attempt,
  { captured }: ChargeBalance
): boolean =>
  payment.method.rail === "stablecoin" &&
  status === "succeeded" &&
  !isOverpayment &&
  captured > payment.amount.minorUnits

/** What the provider's own books have shown; of releases and refunds, every report. */
export const isConfirmed = (entry: Entry): boolean =>
  (entry.kind !== "captured" && entry.kind !== "authorized") || isConfirming(entry)

const unattended = (record: PaymentRecord, attempt: Attempt, { captured, wanted, returned }: ChargeBalance): number => {
  if (isUndecided(attempt)) return 0
  const asked = sum(reversalsOf(record, attempt, "refund"), (each) =>
    Math.max(each.minorUnits, refundedBy(record.entries, each))
  )
  const done = sum(reversalsOf(record, attempt, "refund"), (each) => reversedBy(record.entries, each))
  const excess = captured - Math.min(captured, wanted) - (returned - done) - asked
  // The payer's bank may return what is disputed.
  return record.payment.disputedAt === null
    ? excess
    : Math.min(excess, refundableOf(record, attempt, captured).available)
}

const unattendedHold = (record: PaymentRecord, attempt: Attempt, { held }: ChargeBalance): number =>
  isHoldWanted(attempt) || reversalsOf(record, attempt, "cancel").length > 0 ? 0 : held

/** A payment waits for it, or has captured a part of it: the provider releases the rest automatically. */
export const isHoldWanted = ({ status, isOverpayment }: Attempt): boolean =>
  !isClosedWithoutMoney(status) && !(status === "authorized" && isOverpayment)
