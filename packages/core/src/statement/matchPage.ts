/** Compares the movements of a page, one after the other: an earlier one books what a later one is about. Pure. */
import type { OperationId } from "../domain/Ids.ts"
import type { StatementMovement } from "../provider/Statement.ts"
import type { Difference } from "./Difference.ts"
import { matchMovement } from "./matchMovement.ts"
import type { MatchedMovement, MovementResult } from "./matchMovement.ts"
import type { Booking, OurOperations } from "./OurOperations.ts"

/** As it was entered. */
export type KnownMovement = StatementMovement & { readonly result: MovementResult }

export interface MatchedPage {
  /** Movements that no statement had before, each once; and those that were foreign, and are ours by now. */
  readonly fresh: ReadonlyArray<MatchedMovement>
  /** How many were entered before, with the same content. */
  readonly repeated: number
  /** Same movement, other content. */
  readonly changed: ReadonlyArray<Difference>
  /** Entered before, and named by a payout now. */
  readonly paidOut: ReadonlyArray<StatementMovement>
}

/** `known`: what was entered before of the movements of this page, by their ids. */
export const matchPage = (
  movements: ReadonlyArray<StatementMovement>,
  known: ReadonlyMap<string, KnownMovement>,
  ours: OurOperations
): MatchedPage => {
  const seen = new Map(known)
  const bookings = new Map<OperationId, ReadonlyArray<Booking>>(ours.bookings)
  const fresh: Array<MatchedMovement> = []
  const changed: Array<Difference> = []
  const paidOut: Array<StatementMovement> = []
  let repeated = 0
  for (const movement of movements) {
    const before = seen.get(movement.id)
    if (before !== undefined && !isSame(before, movement)) {
      changed.push(changedMovement(before, movement))
      continue
    }
    if (before?.payout === null && movement.payout !== null) paidOut.push(movement)
    // The reference of a payment may be learned after its booking was read.
    const matched =
      before === undefined || before.result === "foreign" ? matchMovement(movement, { ...ours, bookings }) : null
    if (matched === null || (before !== undefined && matched.result === "foreign")) {
      repeated += 1
      continue
    }
    seen.set(movement.id, { ...movement, result: matched.result })
    fresh.push(matched)
    if (matched.operation !== null) book(bookings, matched.operation.id, movement)
  }
  return { fresh, repeated, changed, paidOut }
}

const book = (
  bookings: Map<OperationId, ReadonlyArray<Booking>>,
  operation: OperationId,
  { amount, id, type }: StatementMovement
) =>
  bookings.set(operation, [...(bookings.get(operation) ?? []), { movement: id, type, minorUnits: amount.minorUnits }])

/** The payout is named in a later statement than the movement: its absence contradicts nothing. */
const isSame = (one: StatementMovement, other: StatementMovement): boolean =>
  JSON.stringify(contentOf(one)) === JSON.stringify(contentOf(other)) &&
  (one.payout === null || other.payout === null || one.payout === other.payout)

const contentOf = ({
  amount,
  bookedAt,
  direction,
  fee,
  net,
  operation,
  original,
  reference,
  type
}: StatementMovement) => [
  type,
  operation,
  reference,
  original,
  amount.minorUnits,
  amount.currency,
  direction,
  fee?.minorUnits,
  fee?.currency,
  net?.minorUnits,
  net?.currency,
  bookedAt
]

const changedMovement = (before: StatementMovement, movement: StatementMovement): Difference => ({
  kind: "changed_movement",
  movement,
  operationId: null,
  paymentId: null,
  expected: before.amount,
  found: movement.amount
})
