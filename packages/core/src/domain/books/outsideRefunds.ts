/**
 * Refunds that a provider reports without naming an operation of ours: made in its dashboard, or ours under a reference that
 * is not known yet. Pure.
 */
import type { Attempt } from "../Attempt.ts"
import type { Entry } from "../Entry.ts"
import { isOpen } from "../Operation.ts"
import type { Operation } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"
import { largest, namedOf, sum } from "./amounts.ts"

export interface OutsideRefund {
  /** `null`: it was reported without one. */
  readonly reference: string | null
  readonly minorUnits: number
}

/** Those that no refund of ours explains, in the order in which they were reported first. */
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
  // A report without a reference may be about any of the others, or about several.
  const latest = unnamed.reduce((last, { recordedAt }) => Math.max(last, recordedAt), 0)
  const explained = sum(ours, ({ createdAt, left }) => (createdAt <= latest ? left : 0))
  const rest = largest(unnamed) - sum(named, ({ minorUnits }) => minorUnits) - explained
  return rest > 0 ? [...found, { reference: null, minorUnits: rest }] : found
}

/** A refund of ours, as far as no movement is known to be its own. */
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

/** Proven not sent so far: no movement can be its own. */
export const isUnsent = ({ status, unsettled }: Operation): boolean => status === "planned" && !unsettled

/**
 * By a refund of ours of the same amount, which it then uses up. What was requested after the report explains nothing of it.
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

/** Each reference is one movement, of the largest amount that was reported for it. */
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

/** Reports that name no operation, under a reference that none of the others ties to one. */
const withoutOperation = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.filter(
    ({ operationId, reference }) =>
      operationId === null &&
      !entries.some((other) => other.operationId !== null && reference !== null && other.reference === reference)
  )
