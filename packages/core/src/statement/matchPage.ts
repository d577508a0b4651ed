/** Compares the movements of a page, one after the other: an earlier one books what a later one is about. Pure. */
import type { OperationId } from "../domain/Ids.ts"
import type { StatementMovement } from "../provider/Statement.ts"
import type { Difference } from "./Difference.ts"
import { feeDifference, matchMovement } from "./matchMovement.ts"
import type { MatchedMovement, MovementResult } from "./matchMovement.ts"
import type { Booking, OurOperations } from "./OurOperations.ts"

/** As it was entered. */
export type KnownMovement = StatementMovement & { readonly result: MovementResult }

export interface MatchedPage {
  /** Movements that no statement had before, each once; and those that were foreign, and are ours by now. */
  readonly fresh: ReadonlyArray<MatchedMovement>
  /** How many were entered before, with the same content. */
  readonly repeated: number
  /** Same movement, other content; or a fee that is known now, and does not fit. */
  readonly changed: ReadonlyArray<Difference>
  /** Entered before without a payout, fee or net amount that is known now. */
  readonly completed: ReadonlyArray<StatementMovement>
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
  const completed = new Map<string, StatementMovement>()
  let repeated = 0
  for (const movement of movements) {
    const before = seen.get(movement.id)
    if (before !== undefined && !isSame(before, movement)) {
      changed.push(changedMovement(before, movement))
      continue
    }
    const isCompleted = before !== undefined && completes(before, movement)
    if (isCompleted) {
      const whole = completedBy(before, movement)
      seen.set(movement.id, whole)
      completed.set(movement.id, whole)
    }
    // The reference of a payment may be learned after its booking was read.
    const matched =
      before === undefined || before.result === "foreign" ? matchMovement(movement, { ...ours, bookings }) : null
    if (matched === null || (before !== undefined && matched.result === "foreign")) {
      if (isCompleted && before.result !== "foreign") changed.push(...feeDifference(completedBy(before, movement)))
      repeated += 1
      continue
    }
    seen.set(movement.id, { ...(seen.get(movement.id) ?? movement), result: matched.result })
    fresh.push(matched)
    if (matched.operation !== null) book(bookings, matched.operation.id, movement)
  }
  return { fresh, repeated, changed, completed: [...completed.values()] }
}

const book = (
  bookings: Map<OperationId, ReadonlyArray<Booking>>,
  operation: OperationId,
  { amount, id, type }: StatementMovement
) => bookings.set(operation, [...(bookings.get(operation) ?? []), { movement: id, type, ...amount }])

/** What a later statement than that of the movement may add: its absence contradicts nothing. */
const addedLater = ["payout", "fee", "net"] as const

const isSame = (one: StatementMovement, other: StatementMovement): boolean =>
  JSON.stringify(contentOf(one)) === JSON.stringify(contentOf(other)) &&
  addedLater.every((name) => one[name] === null || other[name] === null || isEqual(one[name], other[name]))

const isEqual = (one: StatementMovement[(typeof addedLater)[number]], other: typeof one): boolean =>
  typeof one === "object" && typeof other === "object"
    ? one?.minorUnits === other?.minorUnits && one?.currency === other?.currency
    : one === other

const completes = (before: StatementMovement, movement: StatementMovement): boolean =>
  addedLater.some((name) => before[name] === null && movement[name] !== null)

const completedBy = (before: KnownMovement, { fee, net, payout }: StatementMovement): KnownMovement => ({
  ...before,
  payout: before.payout ?? payout,
  fee: before.fee ?? fee,
  net: before.net ?? net
})

const contentOf = ({ amount, bookedAt, direction, operation, original, reference, type }: StatementMovement) => [
  type,
  operation,
  reference,
  original,
  amount.minorUnits,
  amount.currency,
  direction,
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
