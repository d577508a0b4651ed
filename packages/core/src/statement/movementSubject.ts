/** Finds the operation of ours that a movement is about. Pure. */
import { isMadeElsewhere } from "../domain/Cell.ts"
import { isOperationId } from "../domain/Ids.ts"
import type { StatementMovement } from "../provider/Statement.ts"
import { bookingsOf } from "./OurOperations.ts"
import type { OurOperation, OurOperations } from "./OurOperations.ts"

/**
 * - `ours`: about this operation. `named`: the operation of its reference, if that belongs to another payment.
 * - `unknown_refund`: a refund of our payment that no operation has requested.
 * - `lost`: about an operation of ours whose row is missing.
 * - `foreign`: without an id or reference of ours, or about an operation of another installation.
 * - `account`: about no payment.
 */
export type MovementSubject =
  | { readonly _tag: "ours"; readonly operation: OurOperation; readonly named: OurOperation | null }
  | { readonly _tag: "unknown_refund"; readonly create: OurOperation }
  | { readonly _tag: "lost" }
  | { readonly _tag: "foreign" }
  | { readonly _tag: "account" }

export const movementSubject = (movement: StatementMovement, ours: OurOperations): MovementSubject => {
  switch (movement.type) {
    case "fee":
    case "payout":
    case "adjustment":
      return { _tag: "account" }
    case "payment":
    case "capture":
    case "dispute":
    case "dispute_reversed":
      return chargeSubject(movement, ours)
    case "refund":
    case "refund_failed":
      return refundSubject(movement, ours)
  }
}

/** Whether the movement has an id of ours without a row. Ids of another system at the same account, or of another cell, are not ours. */
const isLost = ({ operation }: StatementMovement, ours: OurOperations): boolean =>
  operation !== null &&
  isOperationId(operation) &&
  !ours.byId.has(operation) &&
  !isMadeElsewhere(operation, ours.rules.ownIds)

const underReference = (reference: string | null, ours: OurOperations): ReadonlyArray<OurOperation> =>
  reference === null ? [] : (ours.byReference.get(reference) ?? [])

/** The subject of a charge. The echoed id takes precedence, since some providers share references between operations. */
const chargeSubject = (movement: StatementMovement, ours: OurOperations): MovementSubject => {
  if (isLost(movement, ours)) return { _tag: "lost" }
  const echoed = movement.operation === null ? undefined : ours.byId.get(movement.operation)
  const named = underReference(movement.reference, ours)
  const referenced = [...named, ...underReference(movement.original, ours)]
  const found = echoed ?? referenced.find(({ kind }) => kind === "create") ?? referenced[0]
  if (found === undefined) return { _tag: "foreign" }
  const operation = takenBy(movement, chargeOf(found, ours), ours)
  return { _tag: "ours", operation, named: ofAnother(named.length > 0 ? named : referenced, found) }
}

/** The operation of another payment with the reference, unless the payment itself has an operation with it. */
const ofAnother = (named: ReadonlyArray<OurOperation>, { paymentId }: OurOperation): OurOperation | null =>
  named.some((each) => each.paymentId === paymentId) ? null : (named[0] ?? null)

/** The operations of the same attempt that take money: the create, and the captures of its authorization. */
const chargeOf = (found: OurOperation, ours: OurOperations): ReadonlyArray<OurOperation> => {
  const attempt = (ours.byPayment.get(found.paymentId) ?? []).filter(
    ({ attemptSeq }) => attemptSeq === found.attemptSeq
  )
  const create = attempt.find(({ kind }) => kind === "create")
  const captures = attempt.filter(({ kind }) => kind === "capture")
  if (found.kind === "capture") return [found, ...captures.filter((each) => each !== found)]
  if (create === undefined) return [found]
  return create.captureMethod === "manual" && captures.length > 0 ? captures : [create]
}

/** Chooses the operation that fits a movement best and is not booked yet, from several with the same id or reference. */
const takenBy = (
  { amount, operation: echo, type }: StatementMovement,
  candidates: ReadonlyArray<OurOperation>,
  ours: OurOperations
): OurOperation => {
  const [first, ...others] = candidates
  if (first === undefined) throw new Error("A movement has no candidate")
  if (others.length === 0) return first
  const fit = (each: OurOperation): number =>
    (each.id === echo ? 8 : 0) +
    (bookingsOf(ours, each).every((booking) => booking.type !== type) ? 4 : 0) +
    (each.status === "succeeded" ? 2 : 0) +
    (each.minorUnits === amount.minorUnits ? 1 : 0)
  return candidates.reduce((best, each) => (fit(each) > fit(best) ? each : best), first)
}

const refundSubject = (movement: StatementMovement, ours: OurOperations): MovementSubject => {
  if (isLost(movement, ours)) return { _tag: "lost" }
  const echoed = movement.operation === null ? undefined : ours.byId.get(movement.operation)
  const named = underReference(movement.reference, ours)
  const original = underReference(movement.original, ours)
  const found = echoed ?? named[0] ?? original[0]
  if (found === undefined) return { _tag: "foreign" }
  const attempt = (ours.byPayment.get(found.paymentId) ?? []).filter(
    ({ attemptSeq }) => attemptSeq === found.attemptSeq
  )
  const create = attempt.find(({ kind }) => kind === "create") ?? found
  const candidates = refundCandidates(movement, echoed, named, attempt, ours)
  if (candidates.length === 0) return { _tag: "unknown_refund", create }
  return { _tag: "ours", operation: takenBy(movement, candidates, ours), named: ofAnother(named, found) }
}

/**
 * The refunds that a movement may be about: the refund that the provider names, otherwise refunds without a known reference,
 * since the reply was lost. If the provider uses the payment's reference for its refunds, those that are not booked yet.
 */
const refundCandidates = (
  movement: StatementMovement,
  echoed: OurOperation | undefined,
  named: ReadonlyArray<OurOperation>,
  attempt: ReadonlyArray<OurOperation>,
  ours: OurOperations
): ReadonlyArray<OurOperation> => {
  const refunds = attempt.filter(({ kind }) => kind === "refund")
  if (echoed?.kind === "refund") return [echoed]
  const underName = named.filter(({ kind }) => kind === "refund")
  if (underName.length > 0) return underName
  const isBooked = (each: OurOperation) => bookingsOf(ours, each).some(({ type }) => type === movement.type)
  const isShared = movement.reference === null || named.length > 0
  // A refund of a further charge does not explain a refund of another charge.
  const further = refunds.some(({ charge }) => charge !== null && charge === movement.original)
    ? movement.original
    : null
  return refunds.filter(
    (each) =>
      !isBooked(each) &&
      (movement.original === null || each.charge === further) &&
      !withoutMoney.has(each.status) &&
      each.minorUnits === movement.amount.minorUnits &&
      (isShared || each.reference === null)
  )
}

/** Operations that ended without money match only by their own reference, since the same amount may have been requested again. */
const withoutMoney: ReadonlySet<OurOperation["status"]> = new Set(["declined", "not_executed", "canceled", "expired"])
