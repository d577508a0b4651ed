/**
 * Appends ledger entries for the money that a report contains to the payment's books. Pure.
 *
 * A report is entered regardless of the state of the payment, and of whether the movement was requested. A repeated
 * report is not entered again.
 */
import type { Attempt } from "../Attempt.ts"
import { chargesOf, isConfirming, refundedBy } from "../books/balance.ts"
import { movementName } from "../books/refundUnderCharge.ts"
import type { Entry, EntryKind } from "../Entry.ts"
import { accepted } from "./reportedMoney.ts"
import { createOf, openOperations } from "../Payment.ts"
import { isFoundAtOtherCharge, isOfAnotherCharge, isUnderCharge } from "./reportedCharge.ts"
import { referenceOf } from "./change.ts"
import type { OperationId } from "../Ids.ts"
import type { PaymentRecord } from "../Payment.ts"
import type { Subject } from "../Step.ts"
import type { Money } from "../Money.ts"

/** Appends the entries for this evidence to the record. Returns the same object if no entry is added. */
export const appendEntries = (subject: Subject): PaymentRecord => {
  const { record } = subject
  const fresh = reported(subject).filter((entry) => entry.minorUnits > 0 && isNews(record.entries, entry))
  return fresh.length === 0 ? record : { ...record, entries: [...record.entries, ...fresh] }
}

/**
 * Whether the entry `fresh` adds information to the books. An entry that repeats a known one does so only if it
 * confirms an entry that was not confirmed yet.
 */
const isNews = (entries: ReadonlyArray<Entry>, fresh: Entry): boolean =>
  !entries.some(
    (known) =>
      known.attemptSeq === fresh.attemptSeq &&
      known.kind === fresh.kind &&
      known.basis === fresh.basis &&
      known.operationId === fresh.operationId &&
      known.reference === fresh.reference &&
      known.currency === fresh.currency &&
      known.minorUnits === fresh.minorUnits &&
      (isConfirming(known) || !isConfirming(fresh))
  )

type Draft = Pick<Entry, "kind" | "basis" | "operationId" | "reference" | "minorUnits"> & { readonly currency?: string }

const reported = (subject: Subject): ReadonlyArray<Entry> => {
  const { attempt, evidence, record, step } = subject
  return drafts(subject).map((draft) => ({
    attemptSeq: attempt.seq,
    currency: record.payment.amount.currency,
    provider: attempt.provider,
    source: evidence.source,
    recordedAt: step.now,
    ...draft
  }))
}

const drafts = (subject: Subject): ReadonlyArray<Draft> => {
  const { evidence, operation } = subject
  const { outcome } = evidence
  switch (outcome._tag) {
    case "Succeeded":
    case "Captured":
      return taken(subject, outcome.amount)
    case "Authorized":
      return operation.kind === "create" ? [ofCharge(subject, "authorized", outcome.amount)] : []
    case "Canceled":
    case "Expired":
      return operation.kind === "create" || operation.kind === "cancel" ? released(subject) : []
    case "RefundSucceeded":
      return refunded(subject, outcome.amount)
    case "RefundFailed":
      return returned(subject)
    case "CaptureFailed":
      return takenBack(subject)
    default:
      return []
  }
}

const taken = (subject: Subject, amount: Money | undefined): ReadonlyArray<Draft> => {
  const { evidence, operation } = subject
  switch (operation.kind) {
    case "create":
      return [ofCharge(subject, "captured", amount)]
    case "capture":
      return captured(subject, amount)
    case "refund":
      return evidence.outcome._tag === "Succeeded" ? refunded(subject, amount) : []
    case "cancel":
      return evidence.outcome._tag === "Succeeded" ? released(subject) : []
  }
}

/**
 * The entry for a report about a charge, which contains the total of the charge so far. If the report has no amount,
 * the total is the requested amount, or the amount that the books already have.
 */
const ofCharge = (subject: Subject, kind: "authorized" | "captured", amount: Money | undefined): Draft => {
  const { attempt, operation, record } = subject
  const asked = kind === "captured" && !attempt.isOverpayment ? accepted(subject) : operation.minorUnits
  const reference = nameOf(subject)
  const isKnown = kind === "captured" && amount === undefined && attempt.status === "succeeded"
  const known = isKnown ? knownOf(record, attempt, reference) : 0
  return { ...moneyOf(amount, known > 0 ? known : asked), kind, basis: "total", operationId: operation.id, reference }
}

/**
 * The captured total that the books have for the charge with this reference. If no entry has the reference, it is the
 * captured amount of the attempt's own charge.
 */
const knownOf = (record: PaymentRecord, attempt: Attempt, reference: string | null): number => {
  const totals = record.entries.filter(
    (entry) =>
      entry.attemptSeq === attempt.seq &&
      entry.kind === "captured" &&
      entry.basis === "total" &&
      entry.reference === reference
  )
  return (
    totals.reduce((most, { minorUnits }) => Math.max(most, minorUnits), 0) ||
    (chargesOf(record, attempt)[0]?.captured ?? 0)
  )
}

/**
 * The entries for a report of a captured amount. If the provider declares totals, the amount is the total of the charge
 * so far. Otherwise a report with another reference than the charge's is one capture (a movement). With the charge's
 * reference or none, the amount may be one capture or the total: if it exceeds the requested capture, both are entered.
 */
const captured = (subject: Subject, amount: Money | undefined): ReadonlyArray<Draft> => {
  const { operation, record, step } = subject
  const create = createOf(record, operation.attemptSeq)
  const name = nameOf(subject)
  const money = { ...moneyOf(amount, operation.minorUnits), kind: "captured" } as const
  const total: Draft = { ...money, basis: "total", operationId: create?.id ?? null, reference: name }
  if (step.reports === "total") return [total]
  const own: Draft = { ...money, basis: "movement", operationId: operation.id, reference: null }
  if (name !== null && name !== create?.reference) return [{ ...own, reference: name }]
  const least = { ...own, minorUnits: Math.min(money.minorUnits, operation.minorUnits) }
  return money.minorUnits <= operation.minorUnits ? [least] : [least, total]
}

const refunded = (subject: Subject, amount: Money | undefined): ReadonlyArray<Draft> => {
  const { attempt, evidence, operation, record } = subject
  const reference = refundName(subject)
  if (operation.kind === "refund") {
    return [{ ...moneyOf(amount, operation.minorUnits), ...movement("refunded", operation.id), reference }]
  }
  // A refund report that has neither an operation nor an amount adds no entry, since the refunded amount is unknown.
  if (amount === undefined) return []
  if (evidence.source !== "operator") {
    return [{ ...moneyOf(amount, 0), ...movement("refunded", null), reference: evidence.outcome.reference ?? null }]
  }
  const charge = chargesOf(record, attempt).find((each) => each.reference === reference)
  // Adds the amount reported before to the operator's amount: the entry is a total, and the operator states only the
  // additional amount.
  const before = Math.max(charge?.byHand ?? 0, charge?.stray ?? 0)
  const { currency, minorUnits } = amount
  return [{ kind: "refunded", basis: "total", operationId: null, reference, currency, minorUnits: before + minorUnits }]
}

const returned = (subject: Subject): ReadonlyArray<Draft> => {
  const { operation, record } = subject
  if (operation.status !== "succeeded") return []
  const minorUnits = refundedBy(record.entries, operation)
  return [{ minorUnits, ...movement("refund_returned", operation.id), reference: refundName(subject) }]
}

const refundName = (subject: Subject): string | null =>
  isUnderCharge(subject)
    ? movementName(subject.record, createOf(subject.record, subject.attempt.seq), subject.evidence)
    : nameOf(subject)

/**
 * The entry for a release. A release covers all the held funds of a charge: the charge that the report names, or the
 * attempt's own charge. A charge without a report has nothing to release.
 */
const released = (subject: Subject): ReadonlyArray<Draft> => {
  const { attempt, record } = subject
  const charges = chargesOf(record, attempt)
  const named = charges.find(({ reference }) => reference !== null && reference === nameOf(subject))
  const isOfOther = isOfAnotherCharge(subject) || isFoundAtOtherCharge(subject)
  const charge = named ?? (isOfOther ? undefined : charges[0])
  if (charge === undefined || charge.held === 0) return []
  const { held, reference, released } = charge
  return [{ minorUnits: released + held, kind: "released", basis: "total", operationId: null, reference }]
}

const takenBack = (subject: Subject): ReadonlyArray<Draft> => {
  const { attempt, operation, record } = subject
  if (operation.kind !== "create" && operation.kind !== "capture") return []
  if (attempt.status !== "succeeded" || openOperations(record, attempt.seq, "capture").length > 0) return []
  const minorUnits = chargesOf(record, attempt)[0]?.captured ?? 0
  return [
    {
      minorUnits,
      ...movement("capture_reversed", operation.kind === "create" ? null : operation.id),
      reference: nameOf(subject)
    }
  ]
}

const movement = (kind: EntryKind, operationId: OperationId | null) =>
  ({ kind, basis: "movement", operationId }) as const

/** The reported money. If the report has no amount, the provider executed the request for the requested amount. */
const moneyOf = (amount: Money | undefined, asked: number): Pick<Draft, "minorUnits" | "currency"> =>
  amount === undefined ? { minorUnits: asked } : { minorUnits: amount.minorUnits, currency: amount.currency }

const nameOf = ({ evidence }: Subject): string | null => referenceOf(evidence)
