/**
 * Payments that are booked in several movements, such as the transfers to one address. Pure.
 *
 * Each movement is rounded down to a minor unit, and what is less than one is in none. That may only explain why the books
 * have more than the statement: no money is in the statement that was not booked.
 */
import { isInFlight } from "../domain/Attempt.ts"
import type { StatementMovement } from "../provider/Statement.ts"
import type { DifferenceKind } from "./Difference.ts"
import type { OurOperation } from "./OurOperations.ts"

/** What was booked of an operation so far. */
export interface BookedParts {
  readonly minorUnits: number
  readonly movements: number
}

/** Whether all that the books have is booked. */
export const isBooked = (entered: number, { minorUnits, movements }: BookedParts): boolean =>
  entered - minorUnits <= movements

/** What the books have of the payment: more than was requested may have come. Reports without a reference are of its own charge. */
export const enteredOf = ({
  entered,
  minorUnits,
  reference
}: Pick<OurOperation, "entered" | "minorUnits" | "reference">): number => {
  if (entered.length === 0) return minorUnits
  const charges = Map.groupBy(entered, (each) => each.reference ?? reference)
  return [...charges.values()].reduce((sum, own) => sum + Math.max(...own.map((each) => each.minorUnits)), 0)
}

/** What the books have under other references than the charge's own: a report about the charge does not include it. */
export const besideCharge = ({ entered, reference }: Pick<OurOperation, "entered" | "reference">): number => {
  const others = entered.filter((each) => each.reference !== null && each.reference !== reference)
  return others.length === 0 ? 0 : enteredOf({ entered: others, minorUnits: 0, reference: null })
}

/** A part alone differs from nothing: what is still missing at the end of the time that was read is looked for there. */
export const partDifference = (
  { amount }: StatementMovement,
  operation: OurOperation,
  booked: BookedParts
): DifferenceKind | null => {
  if (amount.currency !== operation.currency) return "other_currency"
  if (operation.status === "succeeded") return booked.minorUnits > enteredOf(operation) ? "other_amount" : null
  // Too little is no payment yet, unless the payment has ended.
  const isOpen = operation.status === "planned" || isInFlight(operation.status)
  return isOpen && booked.minorUnits < operation.minorUnits ? null : "other_status"
}
