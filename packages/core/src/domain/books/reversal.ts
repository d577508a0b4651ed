/**
 * Determines the automatic reversals: refunds of overpayments, and releases of unneeded authorizations. Pure.
 *
 * Only charges that an inquiry has confirmed are refunded: two reports about one charge must never count as two
 * charges.
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
  /** The kind of operation: a refund of captured money, or the cancel of an authorization. */
  readonly kind: Extract<OperationKind, "refund" | "cancel">
  /** The reference of the refunded charge, see `Operation`. */
  readonly charge: string | null
  /** The amount to return, in minor units. */
  readonly minorUnits: number
}

/**
 * The reversals that are due and have no operation yet. Each excess is returned by one operation, which is not repeated
 * after a failure.
 */
export const dueReversals = (record: PaymentRecord): ReadonlyArray<Reversal> =>
  record.attempts.flatMap((attempt) =>
    [...ofOwnCharge(record, attempt), ...ofFurtherCharges(record, attempt)].filter(({ minorUnits }) => minorUnits > 0)
  )

const ofOwnCharge = (record: PaymentRecord, attempt: Attempt): ReadonlyArray<Reversal> => {
  const own = chargesOf(record, attempt)[0]
  const confirmed = chargesOf(record, attempt, isConfirmed).find(({ reference }) => reference === own?.reference)
  if (own === undefined || confirmed === undefined) return []
  const { captured } = confirmed
  return [
    { attempt, kind: "refund", charge: null, minorUnits: unattended(record, attempt, { ...own, captured }) },
    { attempt, kind: "cancel", charge: null, minorUnits: unattendedHold(record, attempt, confirmed) }
  ]
}

const ofFurtherCharges = (record: PaymentRecord, attempt: Attempt): ReadonlyArray<Reversal> =>
  isOwnChargeShown(record, attempt)
    ? paidAgain(record, attempt)
        .filter((charge) => isShown(record, attempt, charge))
        .map((charge) => ({
          attempt,
          kind: "refund",
          charge: charge.reference,
          minorUnits: excessOf(record, charge)
        }))
    : []

/**
 * The charges that an inquiry must confirm before a further charge is refunded. The attempt's own charge is the first
 * of them if it was only reported, since then the further charge may be the only charge that was paid.
 */
export const unconfirmedCharges = (record: PaymentRecord, attempt: Attempt): ReadonlyArray<string> => {
  const further = paidAgain(record, attempt)
  if (further.length === 0) return []
  const own = isOwnChargeShown(record, attempt) ? [] : chargesOf(record, attempt).slice(0, 1)
  return [...own, ...further.filter((charge) => !isShown(record, attempt, charge))].flatMap(({ reference }) =>
    reference === null ? [] : [reference]
  )
}

/**
 * The second and further charges of the payment's amount that are not refunded yet. A charge of another amount may
 * belong to a payment that this installation does not have. Empty while the attempt has an open review that is a
 * question, or while a dispute or a refund at the provider may be about any of the charges.
 */
const paidAgain = (record: PaymentRecord, attempt: Attempt): ReadonlyArray<ChargeBalance> => {
  const { amount, disputedAt, reviews } = record.payment
  const [own, ...others] = chargesOf(record, attempt)
  if (own === undefined || others.length === 0 || isUndecided(attempt) || disputedAt !== null) return []
  if (reviews.some((review) => review.attemptSeq === attempt.seq && isQuestion(review))) return []
  if (strayRefunds(record, attempt, own.reference) > own.stray) return []
  return others.filter((charge) => charge.captured === amount.minorUnits && excessOf(record, charge) > 0)
}

/**
 * Whether the provider's own records confirm the attempt's own charge for at least the amount that belongs to the
 * payment.
 */
const isOwnChargeShown = (record: PaymentRecord, attempt: Attempt): boolean => {
  const own = chargesOf(record, attempt)[0]
  const confirmed = chargesOf(record, attempt, isConfirmed)
  return (
    own !== undefined &&
    (own.wanted === 0 || confirmed.some((each) => each.reference === own.reference && each.captured >= own.wanted))
  )
}

/** Whether the provider's own records contain exactly this charge. */
const isShown = (
  { entries, payment }: PaymentRecord,
  { seq }: Attempt,
  { captured, reference }: ChargeBalance
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

/** The engine's own refunds that were never sent, and would return more than the remaining excess. */
export const needlessReversals = (record: PaymentRecord): ReadonlyArray<Operation> =>
  record.attempts.flatMap((attempt) =>
    reversalsOf(record, attempt, "refund").some(isUnsent)
      ? chargesOf(record, attempt).flatMap((charge, place) => needlessOf(record, charge, place))
      : []
  )

const needlessOf = ({ payment }: PaymentRecord, charge: ChargeBalance, place: number): ReadonlyArray<Operation> => {
  // No excess of a second charge counts while a dispute exists: a dispute does not name the disputed charge, so the
  // payer's bank may return the same money.
  let left = place > 0 && payment.disputedAt !== null ? 0 : overpaid(charge)
  return charge.reversals.filter(isUnsent).filter(({ minorUnits }) => {
    const isNeedless = minorUnits > left
    left -= isNeedless ? 0 : minorUnits
    return isNeedless
  })
}

/**
 * Whether an inquiry has to confirm an excess or a hold of the attempt's own charge, because it was only reported so
 * far.
 */
export const isUnconfirmed = (record: PaymentRecord, attempt: Attempt): boolean => {
  const own = chargesOf(record, attempt)[0]
  if (own === undefined) return false
  if (isMoreThanAsked(record, attempt, own))
    return !record.entries.some(
      (entry) => entry.attemptSeq === attempt.seq && entry.kind === "captured" && isConfirming(entry)
    )
  const isReported = unattended(record, attempt, own) + unattendedHold(record, attempt, own) > 0
  return isReported && !ofOwnCharge(record, attempt).some(({ minorUnits }) => minorUnits > 0)
}

/** Whether the charge is an overpayment on a chain, which belongs to the payment. */
const isMoreThanAsked = (
  { payment }: PaymentRecord,
  { status, isOverpayment }: Attempt,
  { captured }: ChargeBalance
): boolean =>
  payment.method.rail === "stablecoin" &&
  status === "succeeded" &&
  !isOverpayment &&
  captured > payment.amount.minorUnits

/**
 * Whether the provider's own records confirm the entry. For releases and refunds, every report is a sufficient
 * confirmation.
 */
export const isConfirmed = (entry: Entry): boolean =>
  (entry.kind !== "captured" && entry.kind !== "authorized") || isConfirming(entry)

/** The part of the excess of the attempt's own charge for which no reversal exists yet. */
const unattended = (record: PaymentRecord, attempt: Attempt, own: ChargeBalance): number => {
  if (isUndecided(attempt)) return 0
  const excess = excessOf(record, own)
  // During a dispute, the excess is limited to the refundable amount, because the payer's bank may return the disputed
  // amount.
  return record.payment.disputedAt === null
    ? excess
    : Math.min(excess, refundableOf(record, attempt, own.captured).available)
}

/** The excess that is neither returned nor being returned. */
const excessOf = ({ entries }: PaymentRecord, { captured, wanted, returned, reversals }: ChargeBalance): number => {
  const asked = sum(reversals, (each) => Math.max(each.minorUnits, refundedBy(entries, each)))
  const done = sum(reversals, (each) => reversedBy(entries, each))
  return captured - Math.min(captured, wanted) - (returned - done) - asked
}

const unattendedHold = (record: PaymentRecord, attempt: Attempt, { held }: ChargeBalance): number =>
  isHoldWanted(attempt) || reversalsOf(record, attempt, "cancel").length > 0 ? 0 : held

/**
 * Whether the authorization must not be released by the engine: the payment needs it, or a part was captured and the
 * provider releases the rest automatically.
 */
export const isHoldWanted = ({ status, isOverpayment }: Attempt): boolean =>
  !isClosedWithoutMoney(status) && !(status === "authorized" && isOverpayment)
