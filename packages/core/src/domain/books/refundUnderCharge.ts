/**
 * Finds the refund operation that a refund report is about, if the report contains only the charge's reference. Pure.
 *
 * The report settles the refund immediately: as long as the refund's reference is unknown, the only open refund of that
 * amount explains the reported movement. A movement with another reference is then a second refund.
 */
import { clockTolerance } from "../clockTolerance.ts"
import type { Entry } from "../Entry.ts"
import { isOpen } from "../Operation.ts"
import type { Operation } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"
import { isUnsent } from "./outsideRefunds.ts"
import type { Evidence } from "../Evidence.ts"

/** Finds the refund of ours that the report is about; `undefined` if no refund fits, or several fit. */
export const refundUnderCharge = (
  record: PaymentRecord,
  create: Operation,
  evidence: Evidence
): Operation | undefined => {
  if (evidence.source === "operator") return undefined
  const { operations, payment } = record
  const { outcome } = evidence
  const charge = otherCharge(record, create, evidence)
  const name = movementName(record, create, evidence)
  const refunds = record.entries.filter(
    ({ attemptSeq, basis, kind }) => attemptSeq === create.attemptSeq && kind === "refunded" && basis === "movement"
  )
  const amount = outcome._tag === "RefundSucceeded" ? outcome.amount : undefined
  const isKnown = ({ minorUnits, operationId, reference }: Entry) =>
    operationId !== null && reference === name && (name !== null || minorUnits === amount?.minorUnits)
  const known = refunds.find(isKnown)
  if (known !== undefined) return operations.find(({ id }) => id === known.operationId)
  if (amount === undefined || amount.currency !== payment.amount.currency || isStated(record, create)) return undefined
  const fitting = operations.filter(
    (each) =>
      each.attemptSeq === create.attemptSeq &&
      each.kind === "refund" &&
      each.charge === charge &&
      each.minorUnits === amount.minorUnits &&
      isUnnamed(each, name, refunds) &&
      !wasThereBefore(each, name, refunds, evidence)
  )
  // A failed refund counts as fitting, since it may have been executed nevertheless. It is never returned: only an open
  // or a succeeded refund is.
  return fitting.length === 1 && fitting.every((each) => isOpen(each) || each.status === "succeeded")
    ? fitting[0]
    : undefined
}

/** Whether an operator refunded a part of the attempt's money: the report may be about that refund. */
const isStated = ({ entries }: PaymentRecord, { attemptSeq }: Operation): boolean =>
  entries.some((entry) => entry.attemptSeq === attemptSeq && entry.kind === "refunded" && entry.basis === "total")

/** The reference of the reported movement; `null` if the report has only the reference of the charge. */
export const movementName = (
  { entries }: PaymentRecord,
  create: Operation | undefined,
  { outcome: { reference } }: Evidence
): string | null => {
  const isCharge = entries.some((entry) => entry.basis === "total" && entry.reference === reference)
  return reference === undefined || isCharge || reference === create?.reference ? null : reference
}

/**
 * The reference of the reported charge if it is a further charge of the attempt; `null` if it is the attempt's own
 * charge, as in the field `charge` of `Operation`.
 */
const otherCharge = ({ entries }: PaymentRecord, create: Operation, { about }: Evidence): string | null => {
  if (!("providerReference" in about) || about.providerReference === create.reference) return null
  const { providerReference } = about
  const isCharge = entries.some(
    ({ basis, kind, reference }) => kind === "captured" && basis === "total" && reference === providerReference
  )
  return isCharge ? providerReference : null
}

/** Whether the refund may have been executed, and no reported movement belongs to it yet. */
const isUnnamed = (operation: Operation, name: string | null, refunds: ReadonlyArray<Entry>): boolean =>
  !isUnsent(operation) &&
  (operation.reference === null || name === null || operation.reference === name) &&
  !refunds.some(({ operationId, reference }) => operationId === operation.id && reference !== null)

/**
 * Whether the movement was reported, or happened, before the refund operation was requested. If so, the movement cannot
 * belong to that operation.
 */
const wasThereBefore = (
  { createdAt }: Operation,
  name: string | null,
  refunds: ReadonlyArray<Entry>,
  { occurredAt }: Evidence
): boolean =>
  (occurredAt !== null && occurredAt < createdAt - clockTolerance) ||
  refunds.some(
    ({ operationId, recordedAt, reference }) => operationId === null && reference === name && recordedAt < createdAt
  )
