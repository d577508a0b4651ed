/**
 * The balance of a payment, computed from its ledger entries. Pure.
 *
 * Reports are repeated, out of order, and sometimes without a reference, so entries are not simply added: the balance
 * is the smallest amount that explains every entry. Two reports about one movement never count twice, and two
 * references are always two movements. The result does not depend on the order of the entries.
 */
import { largest, namedOf, sum } from "./amounts.ts"
import { isClosedWithoutMoney, isInFlight } from "../Attempt.ts"
import type { Attempt } from "../Attempt.ts"
import type { Entry, EntryKind } from "../Entry.ts"
import { createOf } from "../Payment.ts"
import { isOpen } from "../Operation.ts"
import type { Operation, OperationKind } from "../Operation.ts"
import { outsideRefunds } from "./outsideRefunds.ts"
import type { PaymentRecord } from "../Payment.ts"
import type { Review } from "../Review.ts"

/** The balance of one charge of an attempt, in minor units of the payment's currency. */
export interface ChargeBalance {
  /** The provider's reference of the charge; `null` if unknown. */
  readonly reference: string | null
  readonly captured: number
  /** The part of `captured` that the payment requested ("wanted"); the rest is an excess. */
  readonly wanted: number
  /**
   * The amount that was refunded outside of the engine, according to an operator's statement. The stated amount
   * includes the refunds that were reported before.
   */
  readonly byHand: number
  /** The part of the excess that was refunded at the provider without an operation of the engine. */
  readonly stray: number
  /** The sum of all refunds except those that the merchant requested. */
  readonly returned: number
  /** The part of the merchant's refunds that exceeds `wanted` and returned no part of the excess. */
  readonly refundedBeyond: number
  /**
   * The amount that was returned twice: the refunds of an operator and of the engine together exceed the excess by it.
   */
  readonly returnedTwice: number
  /** The amount that is being refunded automatically. */
  readonly returning: number
  /** The authorized amount that is neither captured nor released. */
  readonly held: number
  /** The authorized amount that was released. */
  readonly released: number
  /** The engine's automatic refunds of this charge (its reversals). */
  readonly reversals: ReadonlyArray<Operation>
}

/** The sources of evidence that read the provider's own records, unlike a reply or a webhook. */
const confirming: ReadonlySet<Entry["source"]> = new Set(["inquiry", "observed", "operator"])

export const isConfirming = ({ source }: Pick<Entry, "source">): boolean => confirming.has(source)

const reports: ReadonlySet<Entry["source"]> = new Set(["webhook", "observed", "statement"])

/**
 * Whether the provider sent the report without a request. Such a report may be about another charge than the expected
 * one.
 */
export const isReport = ({ source }: { readonly source?: Entry["source"] }): boolean =>
  source !== undefined && reports.has(source)

/** The overpaid amount that is not refunded yet. */
export const overpaid = ({ captured, returned, wanted }: ChargeBalance): number =>
  Math.max(0, captured - wanted - returned)

/**
 * The balances of an attempt's charges, the attempt's own charge first. Its own charge is the one that the payment
 * expects; all others were reported in addition, such as duplicates.
 */
export const chargesOf = (
  record: PaymentRecord,
  attempt: Attempt,
  isCounted: (entry: Entry) => boolean = () => true
): ReadonlyArray<ChargeBalance> => {
  const { currency } = record.payment.amount
  const entries = record.entries.filter(
    (entry) => entry.attemptSeq === attempt.seq && entry.currency === currency && isCounted(entry)
  )
  const own = ownReference(record, attempt, entries)
  const references = [...new Set([own, ...entries.map((entry) => chargeOf(entry, own))])]
  return references.map((reference) => {
    const here = entries.filter((entry) => chargeOf(entry, own) === reference)
    const isOwn = reference === own
    const reported = Math.max(capturedTotal(record, attempt, here, isOwn), leastOf(here, "captured"))
    const captured = Math.max(0, reported - totalOf(here, "correction"))
    const byHand = totalOf(here, "refunded")
    const wanted = isOwn ? Math.min(captured, wantedOf(record, attempt, here)) : 0
    // Computes the part of the excess that was refunded without a reversal by the engine: by refunds outside of the
    // engine, and by a merchant's refunds of more than the payment.
    const reversals = reversalsOf(record, attempt, "refund").filter(({ charge }) => (charge ?? own) === reference)
    const reversed = sum(reversals, (each) => reversedBy(record.entries, each))
    const left = Math.max(0, captured - wanted - reversed)
    const stray = isOwn ? Math.min(left, strayRefunds(record, attempt, own)) : 0
    const past = Math.max(byHand, stray)
    const more = isOwn ? Math.max(0, refundedOn(record, attempt) - wanted) : 0
    const beyond = Math.min(Math.max(0, captured - wanted - past - reversed), more)
    // The excess begins at the requested amount. On a chain, `wanted` includes an overpayment, since it belongs to the
    // payment, but it may still be refunded.
    const excess = captured - Math.min(wanted, record.payment.amount.minorUnits)
    return {
      reference,
      captured,
      wanted,
      byHand,
      stray,
      returned: past + beyond + reversed,
      refundedBeyond: more - beyond,
      returnedTwice: Math.min(byHand + reversed, Math.max(0, byHand + reversed - excess)),
      returning: sum(reversals.filter(isOpen), (each) =>
        Math.max(0, each.minorUnits - refundedBy(record.entries, each))
      ),
      held: Math.max(0, likelyTotal(record, here, "authorized") - totalOf(here, "released") - captured),
      released: totalOf(here, "released"),
      reversals
    }
  })
}

/**
 * Whether the balance follows without a computation, the usual case: the payment has no report, or one charge of the
 * whole amount by its only attempt.
 */
export const isPlain = ({ attempts, entries, payment }: PaymentRecord): boolean => {
  const [entry] = entries
  const [attempt] = attempts
  if (entry === undefined || attempt === undefined) return true
  if (entries.length > 1 || attempts.length > 1 || attempt.isOverpayment) return false
  const { amount, captureMethod } = payment
  const isWhole = entry.minorUnits === amount.minorUnits && entry.currency === amount.currency
  return isWhole && captureMethod === "automatic" && entry.kind === "captured" && attempt.status === "succeeded"
}

/** The captured amount that the payment accepted from its paid attempt. */
export const amountCaptured = (record: PaymentRecord): number => {
  const paid = record.payment.state.status === "succeeded" ? acceptedAttempt(record) : undefined
  // Limited to the requested amount: on a chain, only the received amount includes an overpayment.
  return paid === undefined ? 0 : Math.min(record.payment.amount.minorUnits, chargesOf(record, paid)[0]?.wanted ?? 0)
}

/**
 * The received amount if it differs from the requested amount, otherwise `null`. While a review about the amount is
 * open, this is the reported amount. For a paid payment, it is the smaller amount that an operator has accepted. On a
 * chain the payer decides how much to send; the chain itself, or an inquiry, takes precedence over other reports.
 */
export const amountReceived = (record: PaymentRecord, reviews: ReadonlyArray<Review>): number | null => {
  const { payment } = record
  const paid = acceptedAttempt(record)
  const differs = reviews.findLast(
    ({ attemptSeq, operationId, reason }) =>
      reason === "amount_mismatch" && operationId === createOf(record, attemptSeq)?.id
  )
  if (paid === undefined || payment.state.status !== "succeeded") return differs?.minorUnits ?? null
  const own = chargesOf(record, paid)[0]
  const wanted = own?.wanted ?? 0
  // If the payment was accepted with less than the requested amount, an operator has accepted the smaller amount.
  if (wanted > 0 && wanted < requestedOf(record, paid)) return wanted
  if (payment.method.rail !== "stablecoin") return differs?.minorUnits ?? null
  const confirmed = chargesOf(record, paid, isConfirming).find(
    ({ reference }) => reference === own?.reference
  )?.captured
  const arrived = (confirmed ?? 0) > 0 ? (confirmed ?? 0) : (own?.wanted ?? 0)
  const received = arrived - (own?.byHand ?? 0)
  return received > payment.amount.minorUnits ? received : null
}

/** The amount that was refunded at the merchant's request. */
export const amountRefunded = (record: PaymentRecord): number =>
  sum(record.attempts, (attempt) => refundedOn(record, attempt))

const refundedOn = ({ entries, operations }: PaymentRecord, { seq }: Attempt): number =>
  sum(operations, (operation) => {
    const { attemptSeq, kind, minorUnits, purpose, status } = operation
    return attemptSeq === seq && kind === "refund" && purpose === "requested" && status === "succeeded"
      ? Math.min(minorUnits, refundedBy(entries, operation))
      : 0
  })

/**
 * The amount by which the merchant's refunds exceed the rest of the attempt's captured amount, after all other refunds
 * are subtracted from it.
 */
export const refundedBeyond = (record: PaymentRecord, attempt: Attempt): number =>
  isUndecided(attempt) ? 0 : (chargesOf(record, attempt)[0]?.refundedBeyond ?? 0)

/** The overpayment: the amount captured beyond the payment's amount at all providers, and not refunded. */
export const overpayment = (record: PaymentRecord): number =>
  sum(record.attempts, (attempt) => (isUndecided(attempt) ? 0 : sum(chargesOf(record, attempt), overpaid)))

/**
 * The amount that a refund operation returned. Unless the refund succeeded, the amount that the payer's bank sent back
 * is subtracted.
 */
export const refundedBy = (entries: ReadonlyArray<Entry>, { id, status }: Pick<Operation, "id" | "status">): number => {
  const own = entries.filter(({ operationId }) => operationId === id)
  return leastOf(own, "refunded") - (status === "succeeded" ? 0 : leastOf(own, "refund_returned"))
}

/**
 * The sum of the attempt's reported refunds that belong to no operation. An operator's refunds of the attempt's other
 * charges are subtracted, because the provider reports them, too.
 */
export const strayRefunds = (record: PaymentRecord, attempt: Attempt, own: string | null): number =>
  Math.max(0, unexplainedRefunds(record, attempt) - statedOfOthers(record, attempt, own))

/** The amount refunded, according to an operator, from the attempt's further charges (all charges but its own one). */
export const statedOfOthers = ({ entries }: PaymentRecord, { seq }: Attempt, own: string | null): number =>
  namedOf(
    entries.filter(
      ({ attemptSeq, basis, kind, reference }) =>
        attemptSeq === seq && kind === "refunded" && basis === "total" && reference !== null && reference !== own
    )
  )

/**
 * The amount that a reversal returned, limited to the amount of its operation. A larger reported amount opens a review.
 */
export const reversedBy = (entries: ReadonlyArray<Entry>, reversal: Operation): number =>
  Math.min(reversal.minorUnits, refundedBy(entries, reversal))

/**
 * The sum of an attempt's reported refunds that no operation explains.
 *
 * @internal Exported for its own test.
 */
export const unexplainedRefunds = (record: PaymentRecord, attempt: Attempt): number =>
  sum(outsideRefunds(record, attempt), ({ minorUnits }) => minorUnits)

/** The attempt whose captured or authorized money belongs to the payment. */
export const acceptedAttempt = ({ attempts }: PaymentRecord): Attempt | undefined =>
  attempts.find(({ status, isOverpayment }) => !isOverpayment && (status === "succeeded" || status === "authorized"))

/** Whether the outcome of the attempt is open, or its capture is awaited, so that its money is no excess yet. */
export const isUndecided = ({ status, isOverpayment }: Attempt): boolean =>
  isInFlight(status) || (status === "authorized" && !isOverpayment)

/** The reversals of an attempt: operations by which the engine refunds or releases money automatically. */
export const reversalsOf = (
  { operations }: PaymentRecord,
  { seq }: Attempt,
  kind: OperationKind
): ReadonlyArray<Operation> =>
  operations.filter((each) => each.attemptSeq === seq && each.purpose === "reversal" && each.kind === kind)

const minorUnits = (operation: Operation): number => operation.minorUnits

const wantedOf = (record: PaymentRecord, attempt: Attempt, charge: ReadonlyArray<Entry>): number => {
  if (attempt.isOverpayment || isClosedWithoutMoney(attempt.status)) return 0
  if (record.payment.method.rail === "stablecoin") return leastReceived(record, attempt, charge)
  return requestedOf(record, attempt)
}

/** The requested amount of an attempt: the payment's amount, or the amounts of its captures. */
export const requestedOf = ({ operations, payment }: PaymentRecord, { seq }: Attempt): number => {
  const { amount, captureMethod, method } = payment
  if (captureMethod === "automatic" || method.rail === "stablecoin") return amount.minorUnits
  const captures = operations.filter(
    ({ attemptSeq, kind, isOverpayment }) => attemptSeq === seq && kind === "capture" && !isOverpayment
  )
  const done = captures.filter(({ status }) => status === "succeeded")
  const asked = done.length > 0 ? done : captures.filter(isOpen)
  // Without a capture operation, the authorization was captured in the provider's dashboard, for the whole amount.
  return asked.length === 0 ? amount.minorUnits : Math.min(amount.minorUnits, sum(asked, minorUnits))
}

/**
 * The limit on the received amount on a chain, where the payer decides how much to send. There is no limit once a
 * report is confirmed, or while all reports agree. If unconfirmed reports of sufficient amounts differ, the smallest
 * one counts. If all inquiries ended without a confirmation, the requested amount counts.
 */
const leastReceived = (record: PaymentRecord, { seq }: Attempt, charge: ReadonlyArray<Entry>): number => {
  const totals = charge.filter(({ basis, kind }) => kind === "captured" && basis === "total")
  const asked = record.payment.amount.minorUnits
  const enough = new Set(totals.map((each) => each.minorUnits).filter((each) => each >= asked))
  const create = createOf(record, seq)
  const isUnanswered = create !== undefined && create.checks > 0 && create.nextCheckAt === null
  if (totals.some(isConfirming) || (enough.size < 2 && !isUnanswered)) return Number.MAX_SAFE_INTEGER
  return isUnanswered ? asked : Math.min(...enough)
}

/**
 * The reference of the attempt's own charge. If no report names that charge, the reference of the first reported
 * charge.
 */
const ownReference = (record: PaymentRecord, { seq }: Attempt, entries: ReadonlyArray<Entry>): string | null => {
  const known = createOf(record, seq)?.reference ?? null
  const reported = entries.flatMap(({ basis, reference }) =>
    basis === "total" && reference !== null ? [reference] : []
  )
  return reported.length === 0 || (known !== null && reported.includes(known)) ? known : (reported[0] ?? null)
}

/**
 * The reference of the charge that an entry belongs to. An entry with the basis `movement` has the reference of the
 * movement and not of a charge, so it is assigned to the attempt's own charge.
 */
const chargeOf = ({ basis, reference }: Entry, own: string | null): string | null =>
  basis === "total" && reference !== null ? reference : own

/**
 * The captured total of a charge: the largest reported total, so that no excess is hidden. If the payment does not need
 * the charge, the likely total is taken instead.
 */
const capturedTotal = (
  record: PaymentRecord,
  attempt: Attempt,
  entries: ReadonlyArray<Entry>,
  isOwn: boolean
): number =>
  isOwn && (record.payment.captureMethod === "manual" || wantedOf(record, attempt, entries) > 0)
    ? totalOf(entries, "captured")
    : likelyTotal(record, entries, "captured")

/**
 * The likely total of a charge whose reports contradict each other. If some reports are above the requested amount, it
 * is the amount in the provider's own records, or the requested amount if no report comes from these.
 */
const likelyTotal = (record: PaymentRecord, entries: ReadonlyArray<Entry>, kind: EntryKind): number => {
  const totals = entries.filter((entry) => entry.kind === kind && entry.basis === "total")
  const requested = record.payment.amount.minorUnits
  const largestTotal = largest(totals)
  if (largestTotal <= requested) return largestTotal
  const confirmed = totals.filter(isConfirming)
  const likely = confirmed.length > 0 ? largest(confirmed) : requested
  return totals.some(({ minorUnits }) => minorUnits === likely) ? likely : largestTotal
}

/** The largest reported total of a kind of entry. */
const totalOf = (entries: ReadonlyArray<Entry>, kind: EntryKind): number =>
  largest(entries.filter((entry) => entry.kind === kind && entry.basis === "total"))

/**
 * The smallest sum of movements of one kind (such as `captured`) that explains all reports about them. A report without
 * a reference may repeat any movement of the same operation.
 */
const leastOf = (all: ReadonlyArray<Entry>, kind: EntryKind): number => {
  const entries = all.filter((entry) => entry.kind === kind && entry.basis === "movement")
  return sum([...Map.groupBy(entries, ({ operationId }) => operationId).values()], (own) =>
    Math.max(namedOf(own), largest(own.filter(({ reference }) => reference === null)))
  )
}
