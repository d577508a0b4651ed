/** Compares one movement (a booking in a provider's statement) with the operations that it names. Pure. */
import type { Money } from "../domain/Money.ts"
import type { MovementType, StatementMovement } from "../provider/Statement.ts"
import type { Difference, DifferenceKind } from "./Difference.ts"
import { fittingFees } from "./fee.ts"
import { movementSubject } from "./movementSubject.ts"
import { bookingsOf } from "./OurOperations.ts"
import type { OurOperation, OurOperations } from "./OurOperations.ts"
import { besideCharge, enteredOf, isBooked, partDifference } from "./parts.ts"
import type { BookedParts } from "./parts.ts"

/**
 * The result of matching a movement. `foreign`: the movement belongs to another system at the same account, and is
 * never a difference. `account`: the movement is a fee, payout or adjustment without a payment.
 */
export type MovementResult = "matched" | "differs" | "foreign" | "account"

export interface MatchedMovement {
  readonly movement: StatementMovement
  readonly result: MovementResult
  /** The operation that the movement is about. */
  readonly operation: OurOperation | null
  /** The total booked amount of the operation; `null`: it is not booked, or only in part. */
  readonly booked: Money | null
  readonly differences: ReadonlyArray<Difference>
}

export const matchMovement = (movement: StatementMovement, ours: OurOperations): MatchedMovement => {
  const subject = movementSubject(movement, ours)
  const fee = feeDifference(movement)
  switch (subject._tag) {
    case "account":
      return matched(movement, "account", null, fee)
    case "foreign":
      return matched(movement, "foreign", null, [])
    case "lost":
      return matched(movement, "differs", null, [of("missing_here", movement), ...fee])
    case "unknown_refund":
      return matched(movement, "differs", null, [of("unknown_refund", movement, subject.create), ...fee])
    case "ours": {
      const { named, operation } = subject
      // A movement with our id of one payment and the reference of another payment counts as a booking of neither
      // payment.
      if (named !== null)
        return matched(movement, "matched", null, [of("other_reference", movement, operation), ...fee])
      const differences = [...ofOperation(movement, operation, ours), ...fee]
      return { ...matched(movement, "matched", operation, differences), booked: bookedOf(movement, operation, ours) }
    }
  }
}

const matched = (
  movement: StatementMovement,
  result: MovementResult,
  operation: OurOperation | null,
  differences: ReadonlyArray<Difference>
): MatchedMovement => ({
  movement,
  result: result === "matched" && differences.length > 0 ? "differs" : result,
  operation,
  booked: null,
  differences
})

/**
 * The total booked amount after this movement; `null`: a dispute or a failed refund, which books no operation, or a
 * part of the amount.
 */
const bookedOf = (movement: StatementMovement, operation: OurOperation, ours: OurOperations): Money | null => {
  const { amount, type } = movement
  if (!isCharge(type) && type !== "refund") return null
  if (!isPart(movement, ours)) return amount
  const booked = bookedInAll(movement, operation, ours)
  const entered = enteredOf(operation)
  // If our books have the whole amount, and the statement differs only by rounding, the statement contains no new
  // money.
  return operation.status === "succeeded" && isBooked(entered, booked)
    ? { ...amount, minorUnits: Math.max(entered, booked.minorUnits) - besideCharge(operation) }
    : null
}

const isPart = ({ type }: StatementMovement, { rules }: OurOperations): boolean =>
  rules.paymentsInParts && type === "payment"

const of = (kind: DifferenceKind, movement: StatementMovement, operation: OurOperation | null = null): Difference => ({
  kind,
  movement,
  operationId: operation?.id ?? null,
  paymentId: operation?.paymentId ?? null,
  // For an unknown refund the books have no amount, because it was not requested here.
  expected:
    operation === null || kind === "unknown_refund"
      ? null
      : { minorUnits: operation.minorUnits, currency: operation.currency },
  found: movement.amount
})

/** The difference between a movement and its operation. Only the first is returned, since it explains the others. */
const ofOperation = (
  movement: StatementMovement,
  operation: OurOperation,
  ours: OurOperations
): ReadonlyArray<Difference> => {
  const booked = bookedInAll(movement, operation, ours)
  const kind = isPart(movement, ours)
    ? partDifference(movement, operation, booked)
    : differenceOf(movement, operation, ours)
  if (kind === null) return []
  const found = of(kind, movement, operation)
  const isSum = kind === "duplicate_there" || (isPart(movement, ours) && kind !== "other_currency")
  return [isSum ? { ...found, found: { ...movement.amount, minorUnits: booked.minorUnits } } : found]
}

const bookedInAll = (
  { amount, type }: StatementMovement,
  operation: OurOperation,
  ours: OurOperations
): BookedParts => {
  const before = bookingsOf(ours, operation).filter(
    (booking) => isAlike(booking.type, type) && booking.currency === amount.currency
  )
  return {
    movements: before.length + 1,
    minorUnits: before.reduce((sum, { minorUnits }) => sum + minorUnits, amount.minorUnits)
  }
}

const differenceOf = (
  movement: StatementMovement,
  operation: OurOperation,
  ours: OurOperations
): DifferenceKind | null => {
  const { amount, type } = movement
  switch (type) {
    case "dispute":
      return disputesOf(movement, operation).length > 0 ? null : "other_status"
    case "dispute_reversed":
      return disputesOf(movement, operation).some(({ isWon }) => isWon) ? null : "other_status"
    case "refund_failed":
      return operation.status === "declined" ? null : "other_status"
    case "payment":
    case "capture":
    case "refund": {
      if (isBookedAlready(movement, bookingsOf(ours, operation))) return "duplicate_there"
      if (operation.status !== "succeeded") return "other_status"
      if (amount.currency !== operation.currency) return "other_currency"
      const isKnown = [operation, ...operation.entered].some(({ minorUnits }) => minorUnits === amount.minorUnits)
      return isKnown ? null : "other_amount"
    }
    default:
      return null
  }
}

/** The disputes that a booking refers to; all, if it has no reference of its own. */
const disputesOf = ({ reference }: StatementMovement, operation: OurOperation): OurOperation["disputes"] =>
  reference === null || reference === operation.reference
    ? operation.disputes
    : operation.disputes.filter((each) => each.reference === reference)

/**
 * Whether a movement is a duplicate. A refund that failed and was sent again is booked a second time, which is no
 * duplicate.
 */
const isBookedAlready = ({ type }: StatementMovement, bookings: ReturnType<typeof bookingsOf>): boolean => {
  const done = bookings.filter((each) => isAlike(each.type, type))
  const undone = type === "refund" ? bookings.filter((each) => each.type === "refund_failed") : []
  return done.length > undone.length
}

/** Whether two types of bookings are alike: some providers book a capture as a payment. */
const isAlike = (one: MovementType, other: MovementType): boolean => one === other || (isCharge(one) && isCharge(other))

const isCharge = (type: MovementType): boolean => type === "payment" || type === "capture"

/** Compares a fee with the movement's amount and net amount, if all three have the same currency. */
export const feeDifference = (movement: StatementMovement): ReadonlyArray<Difference> => {
  const { amount, fee } = movement
  const fitting = fittingFees(movement)
  const [expected] = fitting
  if (fee === null || fee.currency !== amount.currency) return []
  if (expected === undefined || fitting.includes(fee.minorUnits)) return []
  return [{ ...of("wrong_fee", movement), expected: { minorUnits: expected, currency: fee.currency }, found: fee }]
}
