/**
 * Finds the reported refunds that belong to no refund operation of this installation, such as refunds in the provider's
 * dashboard. A report about our own refund may also lack an operation id, if the refund's reference is not known yet.
 * Pure.
 */
import type { Attempt } from "../Attempt.ts"
import type { Entry } from "../Entry.ts"
import { isOpen } from "../Operation.ts"
import type { Operation } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"
import { largest, namedOf, sum } from "./amounts.ts"

export interface OutsideRefund {
  /** The provider's reference for the refund; `null` if it was reported without one. */
  readonly reference: string | null
  readonly minorUnits: number
}

/** The reported refunds that no refund of ours explains, in the order of their first reports. */
export const outsideRefunds = (
  { entries, operations }: PaymentRecord,
  { seq }: Attempt
): ReadonlyArray<OutsideRefund> => {
  const refunds = entries.filter(
    ({ attemptSeq, basis, kind }) => attemptSeq === seq && kind === "refunded" && basis === "movement"
  )
  const others = withoutOperation(refunds)
  if (others.length === 0) return []
  const ours = operations.flatMap((each) => (each.attemptSeq === seq ? unnamedRefund(each, refunds) : []))
  const named = inOrder(others)
  const found = named.filter((each) => !isExplained(each, ours))
  const unnamed = others.filter(({ reference }) => reference === null)
  // Reports without a reference may be about the refunds that are already known, so only the amount that exceeds the
  // sum of those refunds counts.
  const latest = unnamed.reduce((last, { recordedAt }) => Math.max(last, recordedAt), 0)
  const explained = sum(ours, ({ createdAt, left }) => (createdAt <= latest ? left : 0))
  const rest = largest(unnamed) - sum(named, ({ minorUnits }) => minorUnits) - explained
  return rest > 0 ? [...found, { reference: null, minorUnits: rest }] : found
}

/** A refund operation of this installation. `left` is the part of its amount that no reported movement explains yet. */
interface UnnamedRefund {
  readonly createdAt: number
  left: number
}

const unnamedRefund = (operation: Operation, refunds: ReadonlyArray<Entry>): ReadonlyArray<UnnamedRefund> => {
  const { createdAt, id, kind, minorUnits, status } = operation
  if (kind !== "refund" || isUnsent(operation) || !(isOpen(operation) || status === "succeeded")) return []
  const left = minorUnits - namedOf(refunds.filter(({ operationId }) => operationId === id))
  return left > 0 ? [{ createdAt, left }] : []
}

/** Whether an operation is proven not to be sent yet, so that no reported movement can belong to it. */
export const isUnsent = ({ status, unsettled }: Operation): boolean => status === "planned" && !unsettled

/**
 * Whether the reported refund is a refund operation of this installation: one with the same amount that was requested
 * before the report. Each operation explains one report only, so its remaining amount is then set to 0.
 */
const isExplained = ({ minorUnits, reportedAt }: Reported, ours: ReadonlyArray<UnnamedRefund>): boolean => {
  const own = ours.find(({ createdAt, left }) => left === minorUnits && createdAt <= reportedAt)
  if (own === undefined) return false
  own.left = 0
  return true
}

interface Reported extends OutsideRefund {
  readonly reportedAt: number
}

/** The movements by reference, in order, each with the largest amount that was reported for it. */
const inOrder = (entries: ReadonlyArray<Entry>): ReadonlyArray<Reported> => {
  const found = new Map<string, Reported>()
  for (const { minorUnits, recordedAt, reference } of entries) {
    if (reference === null) continue
    const before = found.get(reference)
    found.set(reference, {
      reference,
      minorUnits: Math.max(before?.minorUnits ?? 0, minorUnits),
      reportedAt: Math.min(before?.reportedAt ?? recordedAt, recordedAt)
    })
  }
  return [...found.values()].sort(
    (one, other) => one.reportedAt - other.reportedAt || ((one.reference ?? "") < (other.reference ?? "") ? -1 : 1)
  )
}

/**
 * The refund reports that belong to no operation: they contain no operation id, and no other report with the same
 * reference does.
 */
const withoutOperation = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.filter(
    ({ operationId, reference }) =>
      operationId === null &&
      !entries.some((other) => other.operationId !== null && reference !== null && other.reference === reference)
  )
