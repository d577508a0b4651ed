/**
 * Payments that are booked in several movements, such as the transfers to one address. Pure.
 *
 * Each movement is rounded down to minor units, so fractions are lost in each. Rounding can explain only that the books
 * have more than the statement, never the reverse.
 */
import { isInFlight } from "../domain/Attempt.ts"
import type { StatementMovement } from "../provider/Statement.ts"
import type { DifferenceKind } from "./Difference.ts"
import type { OurOperation } from "./OurOperations.ts"

/** The part of an operation that is booked up to now: the sum and the number of its movements. */
export interface BookedParts {
  readonly minorUnits: number
  readonly movements: number
}

/** Whether the whole amount in the books is booked, up to rounding. */
export const isBooked = (entered: number, { minorUnits, movements }: BookedParts): boolean =>
  entered - minorUnits <= movements

/**
 * The amount that was recorded for an operation; it may be above the requested amount. Reports without a reference
 * belong to the charge of the operation itself.
 */
export const enteredOf = ({
  entered,
  minorUnits,
  reference
}: Pick<OurOperation, "entered" | "minorUnits" | "reference">): number => {
  if (entered.length === 0) return minorUnits
  const charges = Map.groupBy(entered, (each) => each.reference ?? reference)
  return [...charges.values()].reduce((sum, own) => sum + Math.max(...own.map((each) => each.minorUnits)), 0)
}

/**
 * The amount that our books have for additional charges, with other references than the operation's own charge. A
 * report about that charge does not include it.
 */
export const besideCharge = ({ entered, reference }: Pick<OurOperation, "entered" | "reference">): number => {
  const others = entered.filter((each) => each.reference !== null && each.reference !== reference)
  return others.length === 0 ? 0 : enteredOf({ entered: others, minorUnits: 0, reference: null })
}

/**
 * The difference between our books and a payment that is booked in several movements. Too small a sum is not a
 * difference yet: it is checked at the end of the statement's period.
 */
export const partDifference = (
  { amount }: StatementMovement,
  operation: OurOperation,
  booked: BookedParts
): DifferenceKind | null => {
  if (amount.currency !== operation.currency) return "other_currency"
  if (operation.status === "succeeded") return booked.minorUnits > enteredOf(operation) ? "other_amount" : null
  // A partial amount is not a difference while the payment is open.
  const isOpen = operation.status === "planned" || isInFlight(operation.status)
  return isOpen && booked.minorUnits < operation.minorUnits ? null : "other_status"
}
