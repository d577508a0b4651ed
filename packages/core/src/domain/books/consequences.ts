/**
 * The consequences of a review's resolution, which are shown to an operator before the resolution is confirmed. Pure.
 *
 * They are computed from the change that the confirmation would write, by the same transition function, so that the
 * rules exist only once.
 */
import type { PaymentRecord, PaymentStatus } from "../Payment.ts"
import type { Operation, OperationKind, OperationPurpose, OperationStatus } from "../Operation.ts"
import type { EventType } from "../PaymentEvent.ts"
import type { OperationId } from "../Ids.ts"
import type { ReviewReason } from "../Review.ts"
import { received } from "../transition/reportedMoney.ts"
import { acceptedAttempt, overpayment, refundedBy, requestedOf } from "./balance.ts"
import { withEvents } from "./events.ts"
import { dueReversals } from "./reversal.ts"
import type { Resolved } from "./resolve.ts"

interface BeforeAndAfter<A> {
  readonly before: A
  readonly after: A
}

/**
 * The consequences of a resolution. Amounts are in the smallest unit of `currency`, unless they have a currency of
 * their own.
 */
export interface Consequences {
  readonly status: BeforeAndAfter<PaymentStatus>
  /** The events that are sent to the merchant, in this order. */
  readonly events: ReadonlyArray<EventType>
  readonly currency: string
  readonly amount: number
  readonly captured: BeforeAndAfter<number>
  readonly refunded: BeforeAndAfter<number>
  /** The amount captured in excess of the payment and not returned, before and after the resolution. */
  readonly overpaid: BeforeAndAfter<number>
  /** The value of `amount_received` in the events; `null` if it is absent. */
  readonly received: number | null
  /** The amount with which the payment, capture or refund is accepted; `null` if it is the requested amount. */
  readonly acceptance: { readonly amount: number; readonly requested: number } | null
  /** The operations whose status changes. */
  readonly operations: ReadonlyArray<ChangedOperation>
  readonly closed: ReadonlyArray<{ readonly review: string; readonly reason: ReviewReason }>
  /** The reviews that the resolution opens, and those whose reason or amount it changes. */
  readonly opened: ReadonlyArray<{
    readonly review: string
    readonly reason: ReviewReason
    readonly amount: number
    readonly currency: string
  }>
  readonly automatic: ReadonlyArray<AutomaticAction>
}

interface ChangedOperation {
  readonly id: OperationId
  readonly kind: OperationKind
  readonly purpose: OperationPurpose
  readonly provider: string
  readonly amount: number
  readonly status: BeforeAndAfter<OperationStatus>
}

/**
 * An action that the engine starts automatically after the resolution.
 *
 * - `refund`, `release`: the engine returns an excess or an unneeded authorization with the next report from the
 *   provider, if the provider supports it. Until then the review about it is open.
 * - `inquire`: the engine sends an inquiry at `at`.
 */
interface AutomaticAction {
  readonly action: "refund" | "release" | "inquire"
  readonly provider: string
  readonly amount: number
  /** The time of the action, ms UTC; `null` if it starts with the next report. */
  readonly at: number | null
}

export const consequencesOf = (before: PaymentRecord, resolved: Resolved): Consequences => {
  const { events, record: after } = withEvents(before, resolved.change)
  const reviewed = events.flatMap(({ review }) => (review === null ? [] : [review]))
  const { amount, amountReceived, state } = after.payment
  return {
    status: { before: before.payment.state.status, after: state.status },
    events: events.map(({ type }) => type),
    currency: amount.currency,
    amount: amount.minorUnits,
    captured: { before: before.payment.amountCaptured, after: after.payment.amountCaptured },
    refunded: { before: before.payment.amountRefunded, after: after.payment.amountRefunded },
    overpaid: { before: overpayment(before), after: overpayment(after) },
    received: amountReceived,
    acceptance: acceptanceOf(before, resolved),
    operations: changedOperations(before, after),
    closed: reviewed.flatMap(({ review: { id, reason }, type }) =>
      type === "payment.review_resolved" ? [{ review: id, reason }] : []
    ),
    opened: reviewed.flatMap(({ review: { currency, id, minorUnits, reason }, type }) =>
      type === "payment.review_opened" ? [{ review: id, reason, amount: minorUnits, currency }] : []
    ),
    automatic: automaticActions(before, after)
  }
}

/** The amount that an operator states, and the requested amount. */
interface Accepted {
  readonly stated: number
  readonly requested: number
  /** The part of the stated amount that counts towards the requested amount. */
  readonly counted: number
}

/**
 * The amounts of a resolution that accepts money or a refund; `null` for other resolutions. If the operator states no
 * amount, the reported amount is accepted.
 */
const acceptedBy = (before: PaymentRecord, { cause, change }: Resolved): Accepted | null => {
  const after = change.record
  const stated = received(cause.evidence.outcome)
  const operation = operationOf(after, cause.operation)
  const isPaid = before.payment.state.status !== "succeeded" && after.payment.state.status === "succeeded"
  const paid = isPaid ? acceptedAttempt(after) : undefined
  if (paid !== undefined) {
    const requested = requestedOf(after, paid)
    return {
      stated: stated ?? before.payment.amountReceived ?? requested,
      requested,
      counted: after.payment.amountCaptured
    }
  }
  const isDone = operation?.status === "succeeded" && cause.operation.status !== "succeeded"
  if (!isDone || operation.kind !== "refund") return null
  const requested = operation.minorUnits
  const refunded = Math.min(requested, refundedBy(after.entries, operation))
  return { stated: stated ?? requested, requested, counted: refunded }
}

const operationOf = ({ operations }: PaymentRecord, { id }: Operation): Operation | undefined =>
  operations.find((each) => each.id === id)

const acceptanceOf = (before: PaymentRecord, resolved: Resolved): Consequences["acceptance"] => {
  const accepted = acceptedBy(before, resolved)
  return accepted === null || accepted.stated === accepted.requested
    ? null
    : { amount: accepted.stated, requested: accepted.requested }
}

/**
 * Whether the amount stated by the operator is below the amount in the provider's reports, which the books use instead.
 */
export const isBelowReports = (before: PaymentRecord, resolved: Resolved): boolean => {
  const accepted = acceptedBy(before, resolved)
  return accepted !== null && accepted.counted !== Math.min(accepted.stated, accepted.requested)
}

const changedOperations = (before: PaymentRecord, after: PaymentRecord): Consequences["operations"] =>
  after.operations.flatMap((operation) => {
    const former = operationOf(before, operation)
    if (former === undefined || former.status === operation.status) return []
    const { id, kind, minorUnits, provider, purpose, status } = operation
    return [{ id, kind, purpose, provider, amount: minorUnits, status: { before: former.status, after: status } }]
  })

const automaticActions = (before: PaymentRecord, after: PaymentRecord): Consequences["automatic"] => [
  ...dueReversals(after).map(({ attempt, kind, minorUnits }): AutomaticAction => ({
    action: kind === "refund" ? "refund" : "release",
    provider: attempt.provider,
    amount: minorUnits,
    at: null
  })),
  ...after.operations.flatMap((operation): ReadonlyArray<AutomaticAction> => {
    const { minorUnits, nextCheckAt, provider } = operation
    return nextCheckAt === null || nextCheckAt === operationOf(before, operation)?.nextCheckAt
      ? []
      : [{ action: "inquire", provider, amount: minorUnits, at: nextCheckAt }]
  })
]
