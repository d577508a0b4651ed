/** Payments that are booked in several movements, such as the transfers to one address. Pure. */
import { isInFlight } from "../domain/Attempt.ts"
import type { StatementMovement } from "../provider/Statement.ts"
import type { DifferenceKind } from "./Difference.ts"
import type { OurOperation } from "./OurOperations.ts"

/** What was booked of an operation so far. */
export interface BookedParts {
  readonly minorUnits: number
  readonly movements: number
}

/** Each movement was rounded down to a minor unit, so that the sum may lack less than one for each. */
export const isWhole = (expected: number, { minorUnits, movements }: BookedParts): boolean =>
  expected - minorUnits < Math.max(1, movements)

/** The sum without what rounding took away. */
export const wholeOf = (expected: number, booked: BookedParts): number =>
  isWhole(expected, booked) ? Math.max(expected, booked.minorUnits) : booked.minorUnits

/** More than was requested may have come, and is in the books then. */
export const expectedOf = ({ entered, minorUnits }: Pick<OurOperation, "entered" | "minorUnits">): number => {
  if (entered.length === 0) return minorUnits
  const charges = Map.groupBy(entered, ({ reference }) => reference)
  return [...charges.values()].reduce((sum, own) => sum + Math.max(...own.map((each) => each.minorUnits)), 0)
}

/** A part alone differs from nothing: what is still missing at the end of the time that was read is looked for there. */
export const partDifference = (
  { amount }: StatementMovement,
  operation: OurOperation,
  booked: BookedParts
): DifferenceKind | null => {
  if (amount.currency !== operation.currency) return "other_currency"
  if (operation.status === "succeeded") return booked.minorUnits > expectedOf(operation) ? "other_amount" : null
  // Too little is no payment yet, unless the payment has ended.
  const isOpen = operation.status === "planned" || isInFlight(operation.status)
  return isOpen && !isWhole(operation.minorUnits, booked) ? null : "other_status"
}
