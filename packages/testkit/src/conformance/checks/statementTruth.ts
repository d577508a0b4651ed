/** Compares the movements of a statement with what the vendor has booked. Pure. */
import type { MovementType, StatementMovement } from "@paymux/core/statement"
import { isGain, type LedgerBooking, type LedgerBookingType } from "../../fake/bookings.ts"
import type { StatementContent } from "../../fake/Vendor.ts"
import { timeText } from "./statementPages.ts"
import type { OurPayment } from "./statementVendor.ts"

export interface Truth {
  readonly bookings: ReadonlyArray<LedgerBooking>
  readonly ours: ReadonlyMap<string, OurPayment>
  readonly content: StatementContent
}

/** The first thing that is wrong; `null`: each booking is there once, and nothing else. */
export const statementFault = (
  movements: ReadonlyArray<StatementMovement>,
  truth: Truth
): { readonly expected: string; readonly seen: string } | null => {
  const left = new Set(movements)
  const byAmount = Map.groupBy(movements, ({ amount }) => amount.minorUnits)
  for (const booking of truth.bookings) {
    const candidates = byAmount.get(booking.amount.minorUnits) ?? []
    const found = candidates.find((each) => left.has(each) && faultsOf(each, booking, truth).length === 0)
    if (found === undefined) {
      return { expected: describeBooking(booking, truth), seen: nearest([...left], booking, truth) }
    }
    left.delete(found)
  }
  const [other] = left
  return other === undefined
    ? null
    : { expected: "nothing that the vendor has not booked", seen: JSON.stringify(other) }
}

/** What differs, by the names of members. */
const faultsOf = (movement: StatementMovement, booking: LedgerBooking, truth: Truth): ReadonlyArray<string> => {
  const { amount, bookedAt, direction, fee, net, type } = movement
  const { currency } = booking.amount
  const isSame = (money: StatementMovement["fee"], minorUnits: number) =>
    money?.currency === currency && money.minorUnits === minorUnits
  const { hasFees } = truth.content
  const kept = hasFees ? booking.fee : 0
  const moved = hasFees ? Math.abs(booking.net) : booking.amount.minorUnits
  return [
    ...(typesOf(booking).includes(type) ? [] : ["type"]),
    ...(isSame(amount, booking.amount.minorUnits) ? [] : ["amount"]),
    ...(booking.type === "fee" || booking.type === "payout" || direction === directionOf(booking) ? [] : ["direction"]),
    ...(isSame(fee, kept) || (fee === null && kept === 0) ? [] : ["fee"]),
    ...(isSame(net, moved) || (net === null && !hasFees) ? [] : ["net"]),
    // Some vendors write whole seconds.
    ...(Math.abs(bookedAt - booking.bookedAt) < 1_000 ? [] : ["bookedAt"]),
    ...namesFault(movement, booking, truth)
  ]
}

const typesOf = ({ payment, type }: LedgerBooking): ReadonlyArray<MovementType> => {
  if (type !== "charge") return [type]
  return payment?.capture === "automatic" ? ["payment"] : ["payment", "capture"]
}

const directionOf = ({ type }: LedgerBooking) => (isGain(type) ? "in" : "out")

const namesFault = (movement: StatementMovement, booking: LedgerBooking, truth: Truth): ReadonlyArray<string> => {
  const { operation, original, reference } = movement
  const ours = booking.payment === null ? undefined : truth.ours.get(booking.payment.id)
  if (ours === undefined) {
    const isForeign =
      (operation === null || !operation.startsWith("op_")) && !isKnown(reference, truth) && !isKnown(original, truth)
    return isForeign ? [] : ["operation, reference or original"]
  }
  const isOriginal = original !== null && ours.references.has(original)
  switch (booking.type) {
    case "charge": {
      const isNamed = names(movement, ours.operations, ours.references, truth.content.echoes.includes("charge"))
      return isNamed && (original === null || isOriginal) ? [] : ["operation, reference or original"]
    }
    case "refund":
    case "refund_failed": {
      const refund = booking.refund === null ? undefined : ours.refunds.get(booking.refund.id)
      if (refund === undefined) return operation === null && isOriginal ? [] : ["original"]
      const operations = new Set([refund.operation])
      const isNamed = names(movement, operations, refund.references, truth.content.echoes.includes("refund"))
      return isNamed && (original === null || isOriginal) ? [] : ["operation, reference or original"]
    }
    default:
      return isOriginal || (reference !== null && ours.references.has(reference)) ? [] : ["original"]
  }
}

/** The id if the vendor returns it, and no reference that the engine does not know. */
const names = (
  { operation, original, reference }: StatementMovement,
  operations: ReadonlySet<string>,
  references: ReadonlySet<string>,
  isEchoed: boolean
): boolean => {
  const isOurs = operation !== null && operations.has(operation)
  const isOther = (operation !== null && !isOurs) || (isEchoed && !isOurs)
  const isReference = reference !== null && references.has(reference)
  return !isOther && (reference === null ? isOurs || original !== null : isReference)
}

const isKnown = (reference: string | null, { ours }: Truth): boolean =>
  reference !== null &&
  [...ours.values()].some(
    ({ references, refunds }) =>
      references.has(reference) || [...refunds.values()].some((refund) => refund.references.has(reference))
  )

/** The movement that was meant: the one with the fewest faults. */
const nearest = (movements: ReadonlyArray<StatementMovement>, booking: LedgerBooking, truth: Truth): string => {
  let best: { readonly movement: StatementMovement; readonly faults: ReadonlyArray<string> } | null = null
  for (const movement of movements) {
    const faults = faultsOf(movement, booking, truth)
    if (best === null || faults.length < best.faults.length) best = { movement, faults }
  }
  if (best === null || best.faults.length > 3) return "no such movement"
  return `no such movement; the nearest has another ${best.faults.join(", ")}: ${JSON.stringify(best.movement)}`
}

const describeBooking = (booking: LedgerBooking, { content, ours }: Truth): string => {
  const { amount, bookedAt, fee, net, payment, type } = booking
  const fees = content.hasFees ? `, fee ${fee}, net ${Math.abs(net)}` : ""
  const known = payment === null ? undefined : ours.get(payment.id)
  const owner = known === undefined ? "without a name of ours" : `of ${[...known.operations].join(" or ")}`
  return `${word[type]} of ${amount.currency} ${amount.minorUnits}${fees}, booked at ${timeText(bookedAt)}, ${owner}`
}

const word: { readonly [type in LedgerBookingType]: string } = {
  charge: "a payment (or capture)",
  refund: "a refund",
  refund_failed: "a refund_failed",
  dispute: "a dispute",
  dispute_reversed: "a dispute_reversed",
  fee: "a fee",
  payout: "a payout"
}
