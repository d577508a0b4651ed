/** Applies a report about a dispute. Pure. The report changes no status and no captured or refunded amount. */
import type { Attempt } from "../Attempt.ts"
import { chargesOf } from "../books/balance.ts"
import { disputeKinds, disputesOf } from "../books/disputes.ts"
import type { Dispute } from "../Dispute.ts"
import type { Entry } from "../Entry.ts"
import type { Money } from "../Money.ts"
import { createOf } from "../Payment.ts"
import type { PaymentRecord } from "../Payment.ts"
import type { Evidence } from "../Evidence.ts"
import type { Disputed } from "../Outcome.ts"
import { changed, duplicate } from "./change.ts"
import type { Transition } from "./change.ts"

export const disputed = (
  record: PaymentRecord,
  attempt: Attempt,
  outcome: Disputed,
  source: Evidence["source"],
  now: number
): Transition => {
  const { payment } = record
  const reference = referenceOf(record, attempt, outcome)
  const entry: Entry = {
    attemptSeq: attempt.seq,
    operationId: null,
    kind: disputeKinds[outcome.status ?? "open"],
    basis: "movement",
    ...moneyOf(record, attempt, reference, outcome.amount),
    provider: attempt.provider,
    reference,
    source,
    recordedAt: now
  }
  const change = changed(
    { ...record, entries: [...record.entries, entry] },
    now,
    { disputedAt: payment.disputedAt ?? now },
    null
  )
  const isNews = source === "operator" ? isOtherDispute(record, change.record, entry) : isNewReport(record, entry)
  return isNews ? change : duplicate
}

/** The disputed money. If the report has no amount, it is the known amount of the dispute, or the whole charge. */
const moneyOf = (
  record: PaymentRecord,
  attempt: Attempt,
  reference: string | null,
  amount: Money | undefined
): Pick<Entry, "minorUnits" | "currency"> => {
  if (amount !== undefined && amount.minorUnits > 0) return amount
  const known = disputeIn(record, attempt.seq, reference)
  if (known !== undefined) return { minorUnits: known.minorUnits, currency: known.currency }
  const { currency, minorUnits } = record.payment.amount
  return { minorUnits: chargesOf(record, attempt)[0]?.captured || minorUnits, currency }
}

/**
 * The reference of the dispute. The reference of the disputed charge is ignored, since it does not identify a dispute.
 */
const referenceOf = (record: PaymentRecord, { seq }: Attempt, { reference }: Disputed): string | null =>
  reference === undefined || reference === createOf(record, seq)?.reference ? null : reference

const disputeIn = (record: PaymentRecord, seq: number, reference: string | null): Dispute | undefined =>
  disputesOf(record).find((each) => each.attemptSeq === seq && each.reference === reference)

/**
 * Whether the report adds information. A repeated report does not, even after an operator's statement. A report without
 * a reference does not if it may be about a dispute that has one.
 */
const isNewReport = (record: PaymentRecord, fresh: Entry): boolean => {
  const own = disputesOf(record).filter(({ attemptSeq }) => attemptSeq === fresh.attemptSeq)
  if (fresh.reference === null && own.some(({ reference }) => reference !== null)) return false
  return !record.entries.some(
    (known) =>
      known.source !== "operator" &&
      known.attemptSeq === fresh.attemptSeq &&
      known.kind === fresh.kind &&
      known.reference === fresh.reference &&
      known.minorUnits === fresh.minorUnits &&
      known.currency === fresh.currency
  )
}

const isOtherDispute = (before: PaymentRecord, after: PaymentRecord, { attemptSeq, reference }: Entry): boolean => {
  const known = disputeIn(before, attemptSeq, reference)
  const stated = disputeIn(after, attemptSeq, reference)
  return known?.status !== stated?.status || known?.minorUnits !== stated?.minorUnits
}
