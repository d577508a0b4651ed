/** Finds the operation of ours that a movement (a booking in a provider's statement) is about. Pure. */
import { isMadeElsewhere } from "../domain/Cell.ts"
import { isOperationId } from "../domain/Ids.ts"
import type { StatementMovement } from "../provider/Statement.ts"
import { attemptOf, bookingsOf, isCreate } from "./OurOperations.ts"
import type { OurOperation, OurOperations } from "./OurOperations.ts"

/**
 * The operation that a movement is about.
 *
 * - `ours`: about `operation`, which is ours. `named`: the operation that has the movement's reference, if it belongs
 *   to another payment; otherwise `null`.
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
  const { operation, original, reference, type } = movement
  if (type === "fee" || type === "payout" || type === "adjustment") return { _tag: "account" }
  const echoed = operation === null ? undefined : ours.byId.get(operation)
  if (operation !== null && echoed === undefined && isOwnId(operation, ours)) return { _tag: "lost" }
  const named = ours.byReference.get(reference) ?? []
  const referenced = [...named, ...(ours.byReference.get(original) ?? [])]
  const isRefund = type === "refund" || type === "refund_failed"
  // If the provider returned our id, the id takes precedence over the reference: some providers use one reference for
  // several operations.
  const found = echoed ?? (isRefund ? undefined : referenced.find(isCreate)) ?? referenced[0]
  if (found === undefined) return { _tag: "foreign" }
  if (!isRefund) {
    const charge = takenBy(movement, chargeOf(found, ours), ours)
    return { _tag: "ours", operation: charge, named: ofAnother(named.length > 0 ? named : referenced, found) }
  }
  const attempt = attemptOf(found, ours)
  const candidates = refundCandidates(movement, echoed, named, attempt, ours)
  return candidates.length === 0
    ? { _tag: "unknown_refund", create: attempt.find(isCreate) ?? found }
    : { _tag: "ours", operation: takenBy(movement, candidates, ours), named: ofAnother(named, found) }
}

/** Whether an id is one of ours. Ids of another system at the same account, or of another cell, are not. */
const isOwnId = (id: string, { rules }: OurOperations): boolean =>
  isOperationId(id) && !isMadeElsewhere(id, rules.ownIds)

/**
 * The operation of another payment that has the movement's reference; `null` if the payment itself has an operation
 * with that reference.
 */
const ofAnother = (named: ReadonlyArray<OurOperation>, { paymentId }: OurOperation): OurOperation | null =>
  named.some((each) => each.paymentId === paymentId) ? null : (named[0] ?? null)

/** The operations of the same attempt that charge money: the create, or the captures of its authorization. */
const chargeOf = (found: OurOperation, ours: OurOperations): ReadonlyArray<OurOperation> => {
  const attempt = attemptOf(found, ours)
  const create = attempt.find(isCreate)
  const captures = attempt.filter(({ kind }) => kind === "capture")
  if (found.kind === "capture") return [found, ...captures.filter((each) => each !== found)]
  if (create === undefined) return [found]
  return create.captureMethod === "manual" && captures.length > 0 ? captures : [create]
}

/**
 * Chooses the operation that fits a movement best and is not booked yet, from several with the same id or reference.
 */
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

/**
 * The refunds that a movement may be about: the refund whose id or reference the movement has; otherwise the refunds
 * whose reference is unknown because the response was lost. If the provider uses the payment's reference for refunds,
 * all refunds that are not booked yet.
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
  // A create may have additional charges, for example if a page was paid twice. A movement that refunds one charge must
  // not match a refund of another.
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

/**
 * Operations that ended without moving money. They match only by their own reference, since the same amount may have
 * been requested again.
 */
const withoutMoney: ReadonlySet<OurOperation["status"]> = new Set(["declined", "not_executed", "canceled", "expired"])
