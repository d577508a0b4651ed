/**
 * Which refund of ours a report is about that names its charge alone. Pure.
 *
 * It settles the refund at once: until its own reference is known, the one open refund of that amount is what explains the
 * movement. A movement under another reference is then a second one.
 */
import { clockTolerance } from "../clockTolerance.ts"
import type { Entry } from "../Entry.ts"
import { isOpen } from "../Operation.ts"
import type { Operation } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"
import { isUnsent } from "./outsideRefunds.ts"
import type { Evidence } from "../Evidence.ts"

/** `undefined`: none, or more than one may be. */
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
  // One that was called failed may have been executed, too.
  return fitting.length === 1 && fitting.every((each) => isOpen(each) || each.status === "succeeded")
    ? fitting[0]
    : undefined
}

/** An operator refunded a part of the attempt: the report may be about that. */
const isStated = ({ entries }: PaymentRecord, { attemptSeq }: Operation): boolean =>
  entries.some((entry) => entry.attemptSeq === attemptSeq && entry.kind === "refunded" && entry.basis === "total")

/** The movement's own name, which is not that of its charge. */
export const movementName = (
  { entries }: PaymentRecord,
  create: Operation | undefined,
  { outcome: { reference } }: Evidence
): string | null => {
  const isCharge = entries.some((entry) => entry.basis === "total" && entry.reference === reference)
  return reference === undefined || isCharge || reference === create?.reference ? null : reference
}

/** As in `Operation`: of a charge that is not the attempt's own. */
const otherCharge = ({ entries }: PaymentRecord, create: Operation, { about }: Evidence): string | null => {
  if (!("providerReference" in about) || about.providerReference === create.reference) return null
  const { providerReference } = about
  const isCharge = entries.some(
    ({ basis, kind, reference }) => kind === "captured" && basis === "total" && reference === providerReference
  )
  return isCharge ? providerReference : null
}

/** It may have been executed, and no movement is known to be its own. */
const isUnnamed = (operation: Operation, name: string | null, refunds: ReadonlyArray<Entry>): boolean =>
  !isUnsent(operation) &&
  (operation.reference === null || name === null || operation.reference === name) &&
  !refunds.some(({ operationId, reference }) => operationId === operation.id && reference !== null)

/** The movement was reported, or happened, before the refund was requested. */
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
