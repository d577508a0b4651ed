/**
 * The disputes of a payment, computed from its ledger entries. Pure.
 *
 * Reports are repeated and arrive in any order: no report opens a closed dispute again, and `lost` takes precedence
 * over `won`, since a bank may take the money again after it had returned it. An operator's statement takes precedence
 * over all earlier entries about the dispute.
 */
import type { Attempt } from "../Attempt.ts"
import type { Dispute, DisputeStatus } from "../Dispute.ts"
import type { Entry, EntryKind } from "../Entry.ts"
import type { PaymentRecord } from "../Payment.ts"
import { sum } from "./amounts.ts"
import { acceptedAttempt, chargesOf } from "./balance.ts"

/** The kind of ledger entry for each dispute status. */
export const disputeKinds = {
  open: "disputed",
  lost: "dispute_lost",
  won: "dispute_reversed"
} as const satisfies { readonly [status in DisputeStatus]: EntryKind }

const kinds: ReadonlySet<EntryKind> = new Set(Object.values(disputeKinds))

/** The ledger entries about disputes. Earlier versions of the software wrote none. */
export const enteredDisputes = ({ entries }: PaymentRecord): ReadonlyArray<Entry> =>
  entries.filter(({ kind }) => kinds.has(kind))

/**
 * The disputes of a payment in the order of the attempts; those of one attempt in the order of their first ledger
 * entries.
 */
export const disputesOf = (record: PaymentRecord): ReadonlyArray<Dispute> => {
  const { disputedAt } = record.payment
  if (disputedAt === null) return []
  const entered = enteredDisputes(record)
  return entered.length === 0
    ? unentered(record, disputedAt)
    : record.attempts.flatMap(({ seq }) => ofAttempt(entered, seq))
}

/**
 * The part of `captured` that is disputed and not won by the merchant. A dispute in another currency counts as the
 * whole charge, since its share of the charge is unknown.
 */
export const disputedAmount = (record: PaymentRecord, { seq }: Attempt, captured: number): number => {
  const standing = disputesOf(record).filter(({ attemptSeq, status }) => attemptSeq === seq && status !== "won")
  const { currency } = record.payment.amount
  return Math.min(
    captured,
    sum(standing, (each) => (each.currency === currency ? each.minorUnits : captured))
  )
}

const ofAttempt = (entered: ReadonlyArray<Entry>, seq: number): ReadonlyArray<Dispute> => {
  const own = entered.filter(({ attemptSeq }) => attemptSeq === seq)
  const named = own.filter(({ reference }) => reference !== null)
  // If no report has a reference, all of them are about one dispute; otherwise a report without a reference may be
  // about any dispute.
  const disputes = named.length > 0 ? Map.groupBy(named, ({ reference }) => reference).values() : [own]
  return [...disputes].flatMap((entries) => disputeOf(entries) ?? [])
}

const disputeOf = (entries: ReadonlyArray<Entry>): Dispute | null => {
  const stated = entries.findLastIndex(({ source }) => source === "operator")
  const standing = entries.slice(Math.max(0, stated))
  const status = precedence.find((each) => standing.some(({ kind }) => kind === disputeKinds[each]))
  const deciding = standing.filter(({ kind }) => status !== undefined && kind === disputeKinds[status])
  const [opened] = entries
  const [first] = deciding
  if (opened === undefined || first === undefined || status === undefined) return null
  const { currency, minorUnits } = deciding.reduce((most, each) => (each.minorUnits > most.minorUnits ? each : most))
  return {
    attemptSeq: first.attemptSeq,
    provider: first.provider,
    reference: first.reference,
    minorUnits,
    currency,
    status,
    source: first.source === "operator" ? "operator" : "provider",
    openedAt: opened.recordedAt,
    closedAt: status === "open" ? null : first.recordedAt
  }
}

const precedence: ReadonlyArray<DisputeStatus> = ["lost", "won", "open"]

/** The dispute that an earlier version of the software recorded, which stored only the time of the first dispute. */
const unentered = (record: PaymentRecord, disputedAt: number): ReadonlyArray<Dispute> => {
  const attempt = acceptedAttempt(record)
  if (attempt === undefined) return []
  const { amount } = record.payment
  return [
    {
      attemptSeq: attempt.seq,
      provider: attempt.provider,
      reference: null,
      minorUnits: chargesOf(record, attempt)[0]?.captured || amount.minorUnits,
      currency: amount.currency,
      status: "open",
      source: "provider",
      openedAt: disputedAt,
      closedAt: null
    }
  ]
}
