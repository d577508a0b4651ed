/**
 * Compares the movements (bookings) of a page of a provider's statement with our operations, in order: an earlier
 * movement may book the operation of a later one. Pure.
 */
import type { OperationId } from "../domain/Ids.ts"
import type { StatementMovement } from "../provider/Statement.ts"
import type { Difference } from "./Difference.ts"
import { feeDifference, matchMovement } from "./matchMovement.ts"
import type { MatchedMovement, MovementResult } from "./matchMovement.ts"
import type { Booking, OurOperations } from "./OurOperations.ts"

/** A stored movement. */
export type KnownMovement = StatementMovement & { readonly result: MovementResult }

export interface MatchedPage {
  /** The matched new movements, each once, and stored foreign movements that match ours now. */
  readonly fresh: ReadonlyArray<MatchedMovement>
  /** The number of movements that were already stored with the same content. */
  readonly repeated: number
  /** The movements with another content than before, or with a newly known fee that does not fit. */
  readonly changed: ReadonlyArray<Difference>
  /** The movements that were stored without a payout, fee or net amount that is now known. */
  readonly completed: ReadonlyArray<StatementMovement>
}

/** Matches the movements of a page. `known`: the stored movements of this page, by id. */
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
    const whole = before !== undefined && completes(before, movement) ? completedBy(before, movement) : null
    if (whole !== null) {
      seen.set(movement.id, whole)
      completed.set(movement.id, whole)
    }
    // Stored foreign movements are matched again: our reference may have become known later.
    const matched =
      before === undefined || before.result === "foreign" ? matchMovement(movement, { ...ours, bookings }) : null
    if (matched === null || (before !== undefined && matched.result === "foreign")) {
      if (whole !== null && whole.result !== "foreign") changed.push(...feeDifference(whole))
      repeated += 1
      continue
    }
    seen.set(movement.id, { ...(whole ?? before ?? movement), result: matched.result })
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

/** The fields that a later statement may add. A statement without them does not contradict a later one. */
const addedLater = ["payout", "fee", "net"] as const

/** The fields of a movement that are the same in every statement. */
const constant = ["type", "operation", "reference", "original", "direction", "bookedAt"] as const

const isSame = (one: StatementMovement, other: StatementMovement): boolean =>
  constant.every((name) => one[name] === other[name]) &&
  isEqual(one.amount, other.amount) &&
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

const changedMovement = (before: StatementMovement, movement: StatementMovement): Difference => ({
  kind: "changed_movement",
  movement,
  operationId: null,
  paymentId: null,
  expected: before.amount,
  found: movement.amount
})
