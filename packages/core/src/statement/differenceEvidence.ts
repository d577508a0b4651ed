/**
 * Converts a difference to evidence about its operation, for the inbox, through which all reports are applied. `null`: the
 * difference concerns no payment, and is only listed. Pure.
 */
import type { OperationId } from "../domain/Ids.ts"
import type { Money } from "../domain/Money.ts"
import type { Evidence } from "../domain/Evidence.ts"
import * as Outcome from "../domain/Outcome.ts"
import type { StatementMovement } from "../provider/Statement.ts"
import type { Difference } from "./Difference.ts"
import type { OurOperation, OurOperations } from "./OurOperations.ts"
import { besideCharge } from "./parts.ts"

export const differenceEvidence = (difference: Difference, ours: OurOperations): Evidence | null => {
  const { kind, movement, operationId } = difference
  const subject = subjectOf(difference, ours)
  if (subject === null) return null
  const about = (operation: OperationId, outcome: Outcome.Outcome): Evidence => ({
    source: "statement",
    about: { operation },
    outcome,
    eventId: `statement ${movement === null ? `without ${operation}` : movement.id}`,
    occurredAt: movement?.bookedAt ?? null
  })
  if (movement === null) return about(subject, withoutMovement(difference))
  const operation = operationId === null ? undefined : ours.byId.get(operationId)
  switch (kind) {
    case "missing_here":
    case "other_status":
    case "other_amount":
    case "other_currency":
    case "other_reference":
    case "unknown_refund":
      return about(subject, outcomeOf(movement, foundAmount(difference, movement, operation)))
    case "duplicate_there":
      return operation === undefined ? null : duplicate(difference, movement, operation, ours, about)
    default:
      return null
  }
}

/** The outcome of a difference without a movement: parts that were booked before the payment ended are money; otherwise not booked. */
const withoutMovement = ({ found, kind }: Difference): Outcome.Outcome =>
  kind === "other_status" && found !== null
    ? // Boundary: it is the currency of the payment.
      Outcome.succeeded({ amount: { ...found, currency: found.currency as Money["currency"] } })
    : Outcome.notBooked()

/** The booked amount of an operation. With parts, it is their sum without other charges in the books. */
const foundAmount = (
  { found }: Difference,
  { amount }: StatementMovement,
  operation: OurOperation | undefined
): Money => {
  const minorUnits = found?.minorUnits ?? amount.minorUnits
  const isSum = operation !== undefined && minorUnits > amount.minorUnits
  return { ...amount, minorUnits: isSum ? minorUnits - besideCharge(operation) : minorUnits }
}

/** The evidence of a movement that was missing in an earlier statement. `booked`: the total booked amount. */
export const foundEvidence = (movement: StatementMovement, operation: OperationId, booked: Money): Evidence => ({
  source: "statement",
  about: { operation },
  outcome: outcomeOf(movement, booked),
  eventId: `statement ${movement.id}`,
  occurredAt: movement.bookedAt
})

/** The operation of the evidence; for a lost one, the id that the provider returned. */
const subjectOf = ({ kind, movement, operationId }: Difference, ours: OurOperations): OperationId | null => {
  if (kind === "wrong_fee" || kind === "changed_movement") return null
  // Boundary: `missing_here` is an id in our form.
  if (kind === "missing_here") return (movement?.operation ?? null) as OperationId | null
  return operationId === null || ours.byId.has(operationId) || movement === null ? operationId : null
}

const outcomeOf = ({ reference, type }: StatementMovement, amount: Money): Outcome.Outcome => {
  const named = reference === null ? {} : { reference }
  switch (type) {
    case "refund":
      return Outcome.refundSucceeded({ amount, ...named })
    case "refund_failed":
      return Outcome.refundFailed(named)
    case "dispute":
      return Outcome.disputed({ amount, ...named })
    case "dispute_reversed":
      return Outcome.disputed({ status: "won", amount, ...named })
    default:
      return Outcome.succeeded({ amount, ...named })
  }
}

/**
 * The evidence of a second booking. With a reference of its own, it is another charge or refund. Otherwise it increases the total
 * of the whole charge, so that the second booking of a capture does not count as a repetition of the first.
 */
const duplicate = (
  { found }: Difference,
  movement: StatementMovement,
  operation: OurOperation,
  ours: OurOperations,
  about: (operation: OperationId, outcome: Outcome.Outcome) => Evidence
): Evidence => {
  const { amount, reference } = movement
  const create = createOf(operation, ours)
  const isOther = reference !== null && reference !== operation.reference && reference !== create.reference
  if (isOther) return about(operation.kind === "refund" ? operation.id : create.id, outcomeOf(movement, amount))
  const others = operation.kind === "capture" ? otherCaptures(operation, ours) : []
  const total = others.reduce((sum, { minorUnits }) => sum + minorUnits, found?.minorUnits ?? amount.minorUnits)
  const subject = operation.kind === "refund" ? operation : create
  const name = subject.reference === null ? {} : { reference: subject.reference }
  const whole = { amount: { ...amount, minorUnits: total }, ...name }
  return about(subject.id, operation.kind === "refund" ? Outcome.refundSucceeded(whole) : Outcome.succeeded(whole))
}

const createOf = (operation: OurOperation, { byPayment }: OurOperations): OurOperation =>
  byPayment
    .get(operation.paymentId)
    ?.find(({ attemptSeq, kind }) => kind === "create" && attemptSeq === operation.attemptSeq) ?? operation

const otherCaptures = (
  { attemptSeq, id, paymentId }: OurOperation,
  { byPayment }: OurOperations
): ReadonlyArray<OurOperation> =>
  (byPayment.get(paymentId) ?? []).filter(
    (each) => each.kind === "capture" && each.attemptSeq === attemptSeq && each.status === "succeeded" && each.id !== id
  )
