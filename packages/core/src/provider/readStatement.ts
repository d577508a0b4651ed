/** Validates pages of statements: an adapter may be JavaScript, or may return data of its vendor unchecked. */
import { Data, Predicate } from "effect"
import type { MovementDirection, MovementType, SignedMoney, StatementMovement, StatementPage } from "./Statement.ts"
import { isTime } from "./isTime.ts"
import { isMoney, isSignedMoney } from "./validity.ts"

/** The statement violates the contract. The page is not used; earlier pages keep their effect. */
export class StatementInvalid extends Data.TaggedError("StatementInvalid")<{
  /**
   * The location of the problem: `page`, or the position of the movement in its page, with its id if that is readable.
   */
  readonly place: string
  /** The problem, as the end of a sentence. */
  readonly problem: string
}> {
  override get message(): string {
    return `The statement cannot be read: ${this.place} ${this.problem}.`
  }
}

const MAX_PAGE = 1000

/** Returns the page with only the contract's members, or its problem. */
export const readStatementPage = (value: unknown): StatementPage | StatementInvalid => {
  if (!Predicate.isObject(value) || !Array.isArray(value["movements"])) {
    return new StatementInvalid({ place: "page", problem: "has no list of movements" })
  }
  const { movements, next } = value
  if (!isName(next, 10_000)) return new StatementInvalid({ place: "page", problem: "has no valid next cursor" })
  if (movements.length > MAX_PAGE) {
    return new StatementInvalid({
      place: "page",
      problem: `has ${movements.length} movements; ${MAX_PAGE} is the most`
    })
  }
  const read: Array<StatementMovement> = []
  for (const [place, each] of movements.entries()) {
    const movement = readMovement(each)
    if (typeof movement === "string") return new StatementInvalid({ place: placeOf(each, place), problem: movement })
    read.push(movement)
  }
  return { movements: read, next: next ?? null }
}

const placeOf = (movement: unknown, place: number): string => {
  const id = Predicate.isObject(movement) ? movement["id"] : null
  return typeof id === "string" && isName(id, 200) ? `movement ${place + 1} (${id})` : `movement ${place + 1}`
}

/** Returns the movement with only the contract's members, or its problem. */
export const readMovement = (value: unknown): StatementMovement | string => {
  if (!Predicate.isObject(value)) return "is not an object"
  const { amount, bookedAt, direction, fee, id, net, operation, original, payout, reference, type } = value
  if (typeof id !== "string" || id === "" || !isName(id, 200)) return "has no id of 1 to 200 characters"
  if (!isType(type)) return `has no known type; the types are ${movementTypes.join(", ")}`
  if (!isDirection(direction)) return 'has no direction "in" or "out"'
  if ((directions[type] ?? direction) !== direction) return `is a ${type} with the direction "${direction}"`
  if (!isMoney(amount) || amount.minorUnits === 0) return "has no amount above zero in a known currency"
  if (!Predicate.isNullish(fee) && !isSignedMoney(fee)) return "has a fee that is no amount in a known currency"
  if (!Predicate.isNullish(net) && !isMoney(net)) return "has a net amount that is no amount in a known currency"
  if (!isTime(bookedAt) || bookedAt === null) return "has no valid time of booking"
  for (const [name, text] of Object.entries({ operation, reference, original, payout })) {
    if (!isName(text, 500))
      return `has an invalid ${name}; it is text of at most 500 characters without control characters, or null`
  }
  return {
    id,
    type,
    operation: nameOf(operation),
    reference: nameOf(reference),
    original: nameOf(original),
    amount: moneyOf(amount),
    direction,
    fee: isSignedMoney(fee) ? moneyOf(fee) : null,
    net: isMoney(net) ? moneyOf(net) : null,
    payout: nameOf(payout),
    bookedAt
  }
}

/** The only direction that a type of booking can have; `null`: both are possible. */
const directions: { readonly [type in MovementType]: MovementDirection | null } = {
  payment: "in",
  capture: "in",
  refund: "out",
  refund_failed: "in",
  dispute: "out",
  dispute_reversed: "in",
  fee: null,
  payout: null,
  adjustment: null
}

// Boundary: the keys of the literal above are the types.
export const movementTypes = Object.keys(directions) as ReadonlyArray<MovementType>

const isType = (value: unknown): value is MovementType => movementTypes.some((type) => type === value)

const isDirection = (value: unknown): value is MovementDirection => value === "in" || value === "out"

/** Whether a value is text that every database, log and terminal accepts unchanged. */
const isName = (value: unknown, longest: number): value is string | null | undefined =>
  Predicate.isNullish(value) ||
  (typeof value === "string" && value.length <= longest && value.isWellFormed() && !control.test(value))

const control = /\p{Cc}/u

const nameOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

const moneyOf = ({ currency, minorUnits }: SignedMoney): SignedMoney => ({ minorUnits, currency })
