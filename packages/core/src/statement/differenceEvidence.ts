/**
 * Converts a difference to evidence about its operation, for the inbox, through which all reports are applied. `null`:
 * the difference concerns no payment, and is only listed. Pure.
 */
import type { OperationId } from "../domain/Ids.ts"
import type { Money } from "../domain/Money.ts"
import type { Evidence } from "../domain/Evidence.ts"
import * as Outcome from "../domain/Outcome.ts"
import type { StatementMovement } from "../provider/Statement.ts"
import type { Difference } from "./Difference.ts"
import { attemptOf, isCreate } from "./OurOperations.ts"
import type { OurOperation, OurOperations } from "./OurOperations.ts"
import { besideCharge } from "./parts.ts"

export const differenceEvidence = (difference: Difference, ours: OurOperations): Evidence | null => {
  const { kind, movement, operationId } = difference
  const subject = subjectOf(difference, ours)
  if (subject === null) return null
  if (movement === null) return evidenceOf(null, subject, withoutMovement(difference))
  const operation = operationId === null ? undefined : ours.byId.get(operationId)
  switch (kind) {
    case "missing_here":
    case "other_status":
    case "other_amount":
    case "other_currency":
    case "other_reference":
    case "unknown_refund":
      return foundEvidence(movement, subject, foundAmount(difference, movement, operation))
    case "duplicate_there":
      return operation === undefined ? null : duplicate(difference, movement, operation, ours)
    default:
      return null
  }
}

const evidenceOf = (
  movement: StatementMovement | null,
  operation: OperationId,
  outcome: Outcome.Outcome
): Evidence => ({
  source: "statement",
  about: { operation },
  outcome,
  eventId: `statement ${movement === null ? `without ${operation}` : movement.id}`,
  occurredAt: movement?.bookedAt ?? null
})

/**
 * The outcome of a difference without a movement: a success with the booked amount if parts were booked before the
 * payment ended, otherwise `NotBooked`.
 */
const withoutMovement = ({ found, kind }: Difference): Outcome.Outcome =>
  kind === "other_status" && found !== null
    ? // Boundary: it is the currency of the payment.
      Outcome.succeeded({ amount: { ...found, currency: found.currency as Money["currency"] } })
    : Outcome.notBooked()

/**
 * The booked amount of an operation. If the payment is booked in parts, it is the sum of the parts, minus the amounts
 * that our books have for additional charges.
 */
const foundAmount = (
  { found }: Difference,
  { amount }: StatementMovement,
  operation: OurOperation | undefined
): Money => {
  const minorUnits = found?.minorUnits ?? amount.minorUnits
  const isSum = operation !== undefined && minorUnits > amount.minorUnits
  return { ...amount, minorUnits: isSum ? minorUnits - besideCharge(operation) : minorUnits }
}

/** Makes the evidence for a movement that an earlier statement did not contain. `booked`: the total booked amount. */
export const foundEvidence = (movement: StatementMovement, operation: OperationId, booked: Money): Evidence =>
  evidenceOf(movement, operation, outcomeOf(movement, booked))

/** The operation that the evidence is about; if its row is missing, the id that the provider returned. */
const subjectOf = ({ kind, movement, operationId }: Difference, ours: OurOperations): OperationId | null => {
  if (kind === "wrong_fee" || kind === "changed_movement") return null
  // Type boundary: the provider returned an id in our form.
  if (kind === "missing_here") return (movement?.operation ?? null) as OperationId | null
  return operationId === null || ours.byId.has(operationId) || movement === null ? operationId : null
}

const outcomeOf = (
  { reference, type }: Pick<StatementMovement, "reference" | "type">,
  amount: Money
): Outcome.Outcome => {
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
 * Makes the evidence for a second booking of an operation. A booking with its own reference is another charge or
 * refund. A booking without one increases the total of the charge, so that a capture's second booking does not count as
 * a repetition of its first.
 */
const duplicate = (
  { found }: Difference,
  movement: StatementMovement,
  operation: OurOperation,
  ours: OurOperations
): Evidence => {
  const { amount, reference } = movement
  const attempt = attemptOf(operation, ours)
  const create = attempt.find(isCreate) ?? operation
  const isRefund = operation.kind === "refund"
  const subject = isRefund ? operation : create
  const isOther = reference !== null && reference !== operation.reference && reference !== create.reference
  if (isOther) return foundEvidence(movement, subject.id, amount)
  const others =
    operation.kind === "capture" ? attempt.filter((each) => isCaptured(each) && each.id !== operation.id) : []
  const minorUnits = others.reduce((sum, other) => sum + other.minorUnits, found?.minorUnits ?? amount.minorUnits)
  const whole = outcomeOf(
    { reference: subject.reference, type: isRefund ? "refund" : "payment" },
    { ...amount, minorUnits }
  )
  return evidenceOf(movement, subject.id, whole)
}

const isCaptured = ({ kind, status }: OurOperation): boolean => kind === "capture" && status === "succeeded"
