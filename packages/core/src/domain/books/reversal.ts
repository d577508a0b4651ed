/**
 * Automatic reversals: the engine refunds overpayments and releases holds that no payment needs. Pure.
 *
 * Only what an inquiry has confirmed is refunded: two reports of one charge must never count as two charges.
 */
import { sum } from "./amounts.ts"
import { isClosedWithoutMoney } from "../Attempt.ts"
import type { Attempt } from "../Attempt.ts"
import {
  chargesOf,
  isConfirming,
  isUndecided,
  overpaid,
  refundedBy,
  reversalsOf,
  reversalsOfCharge,
  reversedBy,
  strayRefunds
} from "./balance.ts"
import type { ChargeBalance } from "./balance.ts"
import { refundableOf } from "./refundable.ts"
import type { Entry } from "../Entry.ts"
import type { Operation, OperationKind } from "../Operation.ts"
import { isUnsent } from "./outsideRefunds.ts"
import type { PaymentRecord } from "../Payment.ts"
import { isQuestion } from "../Review.ts"

export interface Reversal {
  readonly attempt: Attempt
  /** A refund of money that was captured, the cancel of a hold. */
  readonly kind: Extract<OperationKind, "refund" | "cancel">
  /** As in `Operation`. */
  readonly charge: string | null
  /** Minor units. */
  readonly minorUnits: number
}

/** What was not asked of the engine yet. Each excess is given back by one operation, which is not repeated once it failed. */
export const dueReversals = (record: PaymentRecord): ReadonlyArray<Reversal> =>
  record.attempts.flatMap((attempt) => {
    const [own, ...others] = chargesOf(record, attempt)
    if (own === undefined) return []
    return [...ofOwn(record, attempt, own), ...ofOthers(record, attempt, own, others)].filter(
      ({ minorUnits }) => minorUnits > 0
    )
  })

const ofOwn = (record: PaymentRecord, attempt: Attempt, own: ChargeBalance): ReadonlyArray<Reversal> => {
  const confirmed = chargesOf(record, attempt, isConfirmed).find(({ reference }) => reference === own.reference)
  if (confirmed === undefined) return []
  const { captured } = confirmed
  return [
    { attempt, kind: "refund", charge: null, minorUnits: unattended(record, attempt, { ...own, captured }, own) },
    { attempt, kind: "cancel", charge: null, minorUnits: unattendedHold(record, attempt, confirmed) }
  ]
}

const ofOthers = (
  record: PaymentRecord,
  attempt: Attempt,
  own: ChargeBalance,
  others: ReadonlyArray<ChargeBalance>
): ReadonlyArray<Reversal> =>
  isQuestioned(record, attempt) || !isOwnShown(record, attempt, own)
    ? []
    : others
        .filter((charge) => isPaidAgain(record, charge) && isShown(record, attempt, charge))
        .map((charge) => ({
          attempt,
          kind: "refund",
          charge: charge.reference,
          minorUnits: unattended(record, attempt, charge, own)
        }))

/** While something about the attempt is in question, a further charge may be what paid the payment. */
const isQuestioned = ({ payment }: PaymentRecord, { seq }: Attempt): boolean =>
  payment.reviews.some((review) => review.attemptSeq === seq && isQuestion(review))

/** The provider's own books have what the payment wants of the attempt's own charge. */
const isOwnShown = (record: PaymentRecord, attempt: Attempt, { reference, wanted }: ChargeBalance): boolean =>
  wanted === 0 ||
  chargesOf(record, attempt, isConfirmed).some((each) => each.reference === reference && each.captured >= wanted)

/** Of another amount it may be the charge of a payment that is not known here. */
const isPaidAgain = ({ payment }: PaymentRecord, { captured }: ChargeBalance): boolean =>
  captured === payment.amount.minorUnits

/** The provider's own books have exactly this charge. */
const isShown = (
  { entries, payment }: PaymentRecord,
  { seq }: Attempt,
  { captured, reference }: Pick<ChargeBalance, "captured" | "reference">
): boolean =>
  entries.some(
    (entry) =>
      entry.attemptSeq === seq &&
      entry.kind === "captured" &&
      entry.basis === "total" &&
      entry.reference === reference &&
      entry.minorUnits === captured &&
      entry.currency === payment.amount.currency &&
      isConfirming(entry)
  )

/** Refunds of the engine that were never sent, and would return more than is left of their excess by now. */
export const needlessReversals = (record: PaymentRecord): ReadonlyArray<Operation> =>
  record.attempts.flatMap((attempt) => {
    if (!reversalsOf(record, attempt, "refund").some(isUnsent)) return []
    const charges = chargesOf(record, attempt)
    return charges.flatMap((charge) => needlessOf(record, attempt, charge, charges[0]))
  })

const needlessOf = (
  record: PaymentRecord,
  attempt: Attempt,
  charge: ChargeBalance,
  own: ChargeBalance | undefined
): ReadonlyArray<Operation> => {
  // What is disputed is not refunded beside the dispute.
  let left = record.payment.disputedAt !== null && charge.reference !== own?.reference ? 0 : overpaid(charge)
  return reversalsOfThis(record, attempt, charge, own)
    .filter(isUnsent)
    .filter(({ minorUnits }) => {
      const isNeedless = minorUnits > left
      left -= isNeedless ? 0 : minorUnits
      return isNeedless
    })
}

/** Whether an inquiry has to confirm what was only reported of the attempt's own charge. */
export const isUnconfirmed = (record: PaymentRecord, attempt: Attempt): boolean => {
  const own = chargesOf(record, attempt)[0]
  if (own === undefined) return false
  if (isMoreThanAsked(record, attempt, own))
    return !record.entries.some(
      (entry) => entry.attemptSeq === attempt.seq && entry.kind === "captured" && isConfirming(entry)
    )
  const isReported = unattended(record, attempt, own, own) + unattendedHold(record, attempt, own) > 0
  return isReported && !dueReversals(record).some((due) => due.attempt.seq === attempt.seq && due.charge === null)
}

/**
 * The charges that an inquiry has to confirm before those beyond the attempt's own are refunded, the own one first: a charge that was
 * only reported is not the reason to refund another one.
 */
export const unconfirmedCharges = (record: PaymentRecord, attempt: Attempt): ReadonlyArray<string> => {
  const [own, ...others] = chargesOf(record, attempt)
  if (own === undefined || isQuestioned(record, attempt)) return []
  const further = others.filter((charge) => isPaidAgain(record, charge) && unattended(record, attempt, charge, own) > 0)
  if (further.length === 0) return []
  const onlyReported = further.filter((charge) => !isShown(record, attempt, charge))
  return [...(isOwnShown(record, attempt, own) ? [] : [own]), ...onlyReported].flatMap(({ reference }) =>
    reference === null ? [] : [reference]
  )
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

const unattended = (
  record: PaymentRecord,
  attempt: Attempt,
  charge: ChargeBalance,
  own: ChargeBalance | undefined
): number => {
  if (isUndecided(attempt)) return 0
  const { captured, wanted, returned } = charge
  const reversals = reversalsOfThis(record, attempt, charge, own)
  const asked = sum(reversals, (each) => Math.max(each.minorUnits, refundedBy(record.entries, each)))
  const done = sum(reversals, (each) => reversedBy(record.entries, each))
  const excess = captured - Math.min(captured, wanted) - (returned - done) - asked
  const isDisputed = record.payment.disputedAt !== null
  if (own !== undefined && charge.reference !== own.reference) {
    // Neither a dispute nor a refund at the provider says which of several charges it is about.
    return isDisputed || strayRefunds(record, attempt, own.reference) > own.stray ? 0 : excess
  }
  // The payer's bank may return what is disputed.
  return isDisputed ? Math.min(excess, refundableOf(record, attempt, captured).available) : excess
}

const reversalsOfThis = (
  record: PaymentRecord,
  attempt: Attempt,
  { reference }: ChargeBalance,
  own: ChargeBalance | undefined
): ReadonlyArray<Operation> => reversalsOfCharge(record, attempt, { own: own?.reference ?? null, reference })

const unattendedHold = (record: PaymentRecord, attempt: Attempt, { held }: ChargeBalance): number =>
  isHoldWanted(attempt) || reversalsOf(record, attempt, "cancel").length > 0 ? 0 : held

/** A payment waits for it, or has captured a part of it: the provider releases the rest automatically. */
export const isHoldWanted = ({ status, isOverpayment }: Attempt): boolean =>
  !isClosedWithoutMoney(status) && !(status === "authorized" && isOverpayment)
