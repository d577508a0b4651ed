/**
 * The open reviews of a payment. An imbalance is derived from the books (the ledger entries); a question is a review
 * that only an operator or a later report can answer. Pure.
 *
 * A derived review is open as long as its imbalance exists, so no code has to remove the review. A question is open
 * until its operation is settled, or until an operator has answered the question.
 */
import { amountOf } from "../transition/reportedMoney.ts"
import { namedAmounts } from "./amounts.ts"
import { isClosedWithoutMoney, isInFlight } from "../Attempt.ts"
import type { Attempt } from "../Attempt.ts"
import type { Entry } from "../Entry.ts"
import {
  amountCaptured,
  amountRefunded,
  chargesOf,
  isConfirming,
  isReport,
  isUndecided,
  overpaid,
  refundedBeyond,
  refundedBy,
  statedOfOthers
} from "./balance.ts"
import type { ChargeBalance } from "./balance.ts"
import { disputesOf, enteredDisputes } from "./disputes.ts"
import { refundableOf } from "./refundable.ts"
import { createOf } from "../Payment.ts"
import { isOpen } from "../Operation.ts"
import type { Operation } from "../Operation.ts"
import { outsideRefunds } from "./outsideRefunds.ts"
import type { Payment, PaymentRecord } from "../Payment.ts"
import { isRefund } from "../Refund.ts"
import { isQuestion } from "../Review.ts"
import type { Review, ReviewReason } from "../Review.ts"
import { isHoldWanted, isUnconfirmed, unconfirmedCharges } from "./reversal.ts"
import type { Money } from "../Money.ts"
import type { Evidence, EvidenceSource } from "../Evidence.ts"

/** The reviews that are open at `now` (ms UTC). Reviews that were open before keep their object identity. */
export const standingReviews = (record: PaymentRecord, now: number): ReadonlyArray<Review> => {
  const { payment } = record
  if (record.entries.length === 0 && payment.reviews.length === 0) return payment.reviews
  const questions = payment.reviews.filter((review) => isQuestion(review) && isStanding(record, review))
  const found = [...questions, ...imbalances(record, now)].filter((review) => !isAnswered(payment, review))
  const kept = found.map((review) => {
    const before = payment.reviews.find(({ id }) => id === review.id)
    if (before === undefined) return review
    const same = { ...review, since: before.since }
    return JSON.stringify(same) === JSON.stringify(before) ? before : same
  })
  return kept.length === payment.reviews.length && kept.every((review, place) => review === payment.reviews[place])
    ? payment.reviews
    : kept
}

/** The data of a report that are stored in a review (a "question"). */
export interface Reported {
  readonly money?: Money
  readonly reference?: string | null
  readonly source?: EvidenceSource
}

/** Adds a question about `operation` to the record, unless it exists or an operator has answered it. */
export const questioned = (
  record: PaymentRecord,
  reason: ReviewReason,
  operation: Operation,
  now: number,
  report: Reported = {}
): PaymentRecord => {
  const review = questionOf(record, reason, operation, now, report)
  const before = record.payment.reviews.find(({ id }) => id === review.id)
  return before !== undefined && before.minorUnits >= review.minorUnits ? record : withQuestion(record, review)
}

/** Replaces an open question by the same question with another amount. */
export const renamed = (...question: Parameters<typeof questionOf>): PaymentRecord =>
  withQuestion(question[0], questionOf(...question))

const questionOf = (
  { payment }: PaymentRecord,
  reason: ReviewReason,
  operation: Operation,
  now: number,
  report: Reported
): Review => {
  const minorUnits = report.money?.minorUnits ?? operation.minorUnits
  return {
    id: idOf(payment, `${reason} ${operation.id}`),
    reason,
    attemptSeq: operation.attemptSeq,
    operationId: operation.id,
    provider: operation.provider,
    reference: report.reference ?? operation.reference,
    minorUnits,
    currency: report.money?.currency ?? payment.amount.currency,
    since: now,
    ...(report.source !== undefined && { source: report.source })
  }
}

/** Removes the question about `operation` from the record. */
export const withoutQuestion = (record: PaymentRecord, reason: ReviewReason, { id }: Operation): PaymentRecord => {
  const { payment } = record
  const reviews = payment.reviews.filter((each) => each.reason !== reason || each.operationId !== id)
  return reviews.length === payment.reviews.length ? record : { ...record, payment: { ...payment, reviews } }
}

const withQuestion = (record: PaymentRecord, review: Review): PaymentRecord => {
  const { payment } = record
  const others = payment.reviews.filter(({ id }) => id !== review.id)
  return isAnswered(payment, review) ? record : { ...record, payment: { ...payment, reviews: [...others, review] } }
}

/** Extracts the data of the report that caused a question. */
export const reportedBy = ({ outcome, source }: Evidence): Reported => {
  const money = amountOf(outcome)
  return { reference: outcome.reference ?? null, source, ...(money !== undefined && { money }) }
}

export const hasReview = ({ payment }: PaymentRecord, reason: ReviewReason, attempt?: Attempt): boolean =>
  payment.reviews.some((each) => each.reason === reason && (attempt === undefined || each.attemptSeq === attempt.seq))

/**
 * Whether the review about another amount is based on an unconfirmed report. An inquiry may still show that the
 * requested amount has arrived.
 */
export const isMismatchUnconfirmed = (record: PaymentRecord, attempt: Attempt): boolean =>
  hasReview(record, "amount_mismatch", attempt) &&
  !record.entries.some(
    (entry) =>
      entry.attemptSeq === attempt.seq &&
      (entry.kind === "captured" || entry.kind === "authorized") &&
      isConfirming(entry)
  )

const isStanding = (record: PaymentRecord, review: Review): boolean => {
  const { attemptSeq, currency, operationId, reason, since } = review
  const { operations, payment } = record
  const operation = operations.find(({ id }) => id === operationId)
  switch (reason) {
    case "inquiries_exhausted":
      // A review of exhausted inquiries is open while the operation is open and the engine no longer checks it.
      return operation !== undefined && isOpen(operation) && operation.nextCheckAt === null
    case "instance_not_configured":
      return operation !== undefined && (isOpen(operation) || operation.status === "authorized")
    case "reference_conflict":
      // A review of a reference conflict stays open if the provider refused the operation: a refusal does not explain
      // the reported charge.
      return operation !== undefined && !isExplained(record, operation, review)
    case "contradiction":
      // A contradiction is settled by the provider's own records, or by an operator who read them.
      return !record.entries.some(
        (entry) =>
          entry.attemptSeq === attemptSeq &&
          entry.kind === "captured" &&
          (entry.source === "inquiry" || entry.source === "operator") &&
          entry.recordedAt >= since &&
          isOfOwnCharge(record, entry)
      )
    case "possible_duplicate":
      return isKept(record)
    case "close_failed":
      return payment.state.status === "pending"
    case "amount_mismatch":
      return (
        currency !== payment.amount.currency ||
        (operation !== undefined && (isOpen(operation) || operation.status === "authorized"))
      )
    default:
      return true
  }
}

/** Whether the merchant has received money that is not refunded. */
export const isKept = (record: PaymentRecord): boolean => amountRefunded(record) < amountCaptured(record)

/** Whether a ledger entry is about the attempt's own charge. A further charge settles no question about it. */
const isOfOwnCharge = (record: PaymentRecord, { attemptSeq, basis, reference }: Entry): boolean =>
  basis === "movement" || reference === null || reference === createOf(record, attemptSeq)?.reference

/**
 * Whether a reference conflict is explained, because the operation has received a charge of its own since. If a reply
 * caused the conflict, any own charge explains it: a reply may contain another payment. If a webhook for this payment
 * caused it, only the charge in the review explains it: any other charge is a second one.
 */
const isExplained = (record: PaymentRecord, operation: Operation, review: Review): boolean =>
  hasOwnCharge(operation) &&
  isReportedSince(record, operation, review.since) &&
  (!isReport(review) || operation.reference === review.reference)

/**
 * Whether the operation succeeded or holds funds, with a reference. A success without a reference may be about the
 * charge of the other payment.
 */
const hasOwnCharge = ({ reference, status }: Operation): boolean =>
  (status === "succeeded" || status === "authorized") && reference !== null

/** Whether the operation's charge was reported or confirmed at or after `since`, ms UTC. */
const isReportedSince = ({ entries }: PaymentRecord, { attemptSeq, reference }: Operation, since: number): boolean =>
  entries.some((entry) => entry.attemptSeq === attemptSeq && entry.reference === reference && entry.recordedAt >= since)

/** Whether an operator has answered the review for at least its current amount. */
const isAnswered = ({ resolutions }: Payment, { id, minorUnits }: Review): boolean =>
  resolutions.some((answer) => answer.review === id && answer.minorUnits >= minorUnits)

const imbalances = (record: PaymentRecord, now: number): ReadonlyArray<Review> =>
  record.attempts.flatMap((attempt) => [
    ...ofCharges(record, attempt, now),
    ...ofRefunds(record, attempt, now),
    ...ofDisputes(record, attempt, now)
  ])

/**
 * The reviews about an attempt's charges. While an inquiry is scheduled to confirm a charge, no operator has to act.
 */
const ofCharges = (record: PaymentRecord, attempt: Attempt, now: number): ReadonlyArray<Review> => {
  const isInquired = isInquiredAfterEnd(record, attempt)
  if (isInquired && isUnconfirmed(record, attempt)) return []
  const unconfirmed = isInquired ? unconfirmedCharges(record, attempt) : []
  return chargesOf(record, attempt).flatMap((charge, place) =>
    charge.reference !== null && unconfirmed.includes(charge.reference)
      ? []
      : ofCharge(record, attempt, charge, place, now)
  )
}

/** Whether an inquiry is scheduled that can confirm a reported charge. */
export const isBeingConfirmed = (record: PaymentRecord, attempt: Attempt): boolean =>
  isInquiredAfterEnd(record, attempt) &&
  (isUnconfirmed(record, attempt) || unconfirmedCharges(record, attempt).length > 0)

/**
 * Whether inquiries continue after the end of the attempt. The engine inquires about an authorization as long as it is
 * valid.
 */
const isInquiredAfterEnd = (record: PaymentRecord, { seq, status, isOverpayment }: Attempt): boolean =>
  (status === "succeeded" || isClosedWithoutMoney(status) || isOverpayment) &&
  (createOf(record, seq)?.nextCheckAt ?? null) !== null

const ofCharge = (
  record: PaymentRecord,
  attempt: Attempt,
  charge: ChargeBalance,
  place: number,
  now: number
): ReadonlyArray<Review> => {
  // While a review about the amount is open, only the first charge counts as the attempt's own charge. The others are
  // further charges, whose excess is shown.
  const isOther = place > 0 && hasReview(record, "amount_mismatch", attempt)
  const excess = isUndecided(attempt) && !isOther ? 0 : overpaid(charge) - charge.returning
  // A hold of the first charge is expected if the payment needs it. A second authorization with another reference is
  // expected only while the attempt is in flight.
  const isExpected = place === 0 ? isHoldWanted(attempt) || isReleasing(record, attempt) : isInFlight(attempt.status)
  const hold = isExpected ? 0 : charge.held
  const item = (reason: ReviewReason, minorUnits: number) =>
    imbalance(record, reason, attempt, null, charge.reference, minorUnits, place === 0 ? "own" : charge.reference, now)
  return [
    ...(excess > 0 ? [item(excessReason(record, attempt, place), excess)] : []),
    ...(hold > 0 ? [item("late_authorization", hold)] : [])
  ]
}

const isReleasing = ({ operations }: PaymentRecord, { seq }: Attempt): boolean =>
  operations.some(
    (each) => each.attemptSeq === seq && each.kind === "cancel" && each.purpose === "reversal" && isOpen(each)
  )

const excessReason = ({ payment }: PaymentRecord, attempt: Attempt, place: number): ReviewReason => {
  if (!attempt.isOverpayment && !isClosedWithoutMoney(attempt.status))
    return place === 0 ? "excess_capture" : "duplicate_capture"
  return payment.state.status === "failed" || payment.state.status === "canceled" ? "late_success" : "duplicate_capture"
}

const ofRefunds = (record: PaymentRecord, attempt: Attempt, now: number): ReadonlyArray<Review> => {
  const own = record.operations.filter(({ attemptSeq, kind }) => attemptSeq === attempt.seq && kind === "refund")
  const more = refundedBeyond(record, attempt)
  const lastRequested = own.findLast((each) => isRefund(each) && each.status === "succeeded")
  const item = (reference: string | null, minorUnits: number, subject: string) =>
    imbalance(record, "excess_refund", attempt, null, reference, minorUnits, subject, now)
  return [
    ...own.flatMap((operation) => ofRefund(record, attempt, operation, now)),
    ...outsideItems(record, attempt, now),
    ...chargesOf(record, attempt).flatMap((charge, place) => returnedTwice(record, attempt, charge, place, now)),
    ...(more > 0 ? [item(lastRequested === undefined ? null : movementOf(record, lastRequested), more, "refunds")] : [])
  ]
}

/** The review about a dispute by which the payer has got money back twice, or will if the dispute is lost. */
const ofDisputes = (record: PaymentRecord, attempt: Attempt, now: number): ReadonlyArray<Review> => {
  // For disputes from earlier versions of the software, no review is opened, since their end is unknown.
  if (enteredDisputes(record).length === 0 || isUndecided(attempt)) return []
  const { captured, disputed, refunded, refundedElsewhere } = refundableOf(record, attempt)
  const more = Math.min(disputed, refunded + refundedElsewhere + disputed - captured)
  const latest = disputesOf(record).findLast(({ attemptSeq, status }) => attemptSeq === attempt.seq && status !== "won")
  return more > 0
    ? [imbalance(record, "disputed_refund", attempt, null, latest?.reference ?? null, more, "disputes", now)]
    : []
}

/** The review about an excess that both an operator and the engine returned. The review names the engine's refund. */
const returnedTwice = (
  record: PaymentRecord,
  attempt: Attempt,
  { reference, returnedTwice: minorUnits, reversals }: ChargeBalance,
  place: number,
  now: number
): ReadonlyArray<Review> => {
  if (minorUnits === 0) return []
  const last = reversals.findLast((each) => refundedBy(record.entries, each) > 0) ?? null
  const name = (last === null ? null : movementOf(record, last)) ?? reference
  const subject = `returned ${place === 0 ? "own" : reference}`
  return [imbalance(record, "excess_refund", attempt, last, name, minorUnits, subject, now)]
}

/** The provider's reference for the movement of a refund of ours. */
const movementOf = ({ entries }: PaymentRecord, { id, reference }: Operation): string | null =>
  reference ?? entries.findLast((entry) => entry.operationId === id && entry.reference !== null)?.reference ?? null

/**
 * The reviews about refunds outside of the engine. No review is opened for the parts that returned an excess, or that
 * an operator stated.
 */
const outsideItems = (record: PaymentRecord, attempt: Attempt, now: number): ReadonlyArray<Review> => {
  const [own] = chargesOf(record, attempt)
  let left = own === undefined ? 0 : Math.max(own.byHand, own.stray) + statedOfOthers(record, attempt, own.reference)
  return outsideRefunds(record, attempt).flatMap(({ minorUnits, reference }) => {
    const part = Math.min(left, minorUnits)
    left -= part
    if (part === minorUnits) return []
    const subject = reference === null ? "refund" : `refund ${reference}`
    return [imbalance(record, "excess_refund", attempt, null, reference, minorUnits - part, subject, now)]
  })
}

/**
 * The reviews about refunds beyond the requested amount: one for each further movement, then one for the operation's
 * own movement.
 */
const ofRefund = (
  record: PaymentRecord,
  attempt: Attempt,
  operation: Operation,
  now: number
): ReadonlyArray<Review> => {
  const amounts = namedAmounts(
    record.entries.filter(({ kind, operationId }) => kind === "refunded" && operationId === operation.id)
  )
  const { id, reference } = operation
  const own = reference !== null && amounts.has(reference) ? reference : ([...amounts.keys()][0] ?? reference)
  const others = [...amounts].filter(([name]) => name !== own)
  let left = refundedBy(record.entries, operation) - explained(operation)
  const items = others.map(([name, amount]) => {
    const part = Math.min(left, amount)
    left -= part
    return imbalance(record, "excess_refund", attempt, operation, name, part, `${id} ${name}`, now)
  })
  return [...items, imbalance(record, "excess_refund", attempt, operation, own, left, id, now)].filter(
    ({ minorUnits }) => minorUnits > 0
  )
}

/** The amount that a refund operation explains: the requested one. A refund that has failed explains no movement. */
const explained = (operation: Operation): number =>
  isOpen(operation) || operation.status === "succeeded" || operation.purpose === "reversal" ? operation.minorUnits : 0

const imbalance = (
  { payment }: PaymentRecord,
  reason: ReviewReason,
  attempt: Attempt,
  operation: Operation | null,
  reference: string | null,
  minorUnits: number,
  subject: string | null,
  now: number
): Review => ({
  // The id is computed from `hold` or `excess` instead of the reason of the review: the reason may change with the
  // payment's state, although the imbalance is the same.
  id: idOf(payment, `${reason === "late_authorization" ? "hold" : "excess"} ${attempt.seq} ${subject}`),
  reason,
  attemptSeq: attempt.seq,
  operationId: operation?.id ?? null,
  provider: attempt.provider,
  reference,
  minorUnits,
  currency: payment.amount.currency,
  since: now
})

/**
 * Computes the id of a review from the payment's id and a 32-bit hash (FNV-1a) of its subject, so that every process
 * computes the same id.
 */
const idOf = ({ id }: Payment, subject: string): string => {
  let hash = 0x811c9dc5
  for (const character of subject) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return `rev_${id.slice(4)}_${(hash >>> 0).toString(16).padStart(8, "0")}`
}
