/** Finds the events that a later state of a payment has announced and an earlier state has not. Pure. */
import { isClosedWithoutMoney } from "../../domain/Attempt.ts"
import type { OperationId } from "../../domain/Ids.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import type { EventType } from "../../domain/PaymentEvent.ts"
import { isRefund } from "../../domain/Refund.ts"

export interface MissedEvent {
  readonly event: EventType
  readonly refund: OperationId | null
}

/**
 * Returns the events that `known` has announced and `stored` has not, for states that still apply. Events about
 * disputes and reviews are derived in `books/events.ts`.
 */
export const missedEvents = (stored: PaymentRecord, known: PaymentRecord): ReadonlyArray<MissedEvent> => {
  const { pendingAnnounced, state } = known.payment
  const before = stored.payment
  const of = (event: EventType): MissedEvent => ({ event, refund: null })
  return [
    ...(pendingAnnounced && !before.pendingAnnounced ? [of("payment.pending")] : []),
    ...(state.status === "pending" || state.status === before.state.status
      ? []
      : [of(`payment.${state.status}` as const)]),
    ...known.operations.flatMap((operation) => {
      const former = stored.operations.find(({ id }) => id === operation.id)?.status
      const event = former === operation.status ? null : operationEvent(operation, former)
      return event === null ? [] : [{ event, refund: isRefund(operation) ? operation.id : null }]
    })
  ]
}

const operationEvent = (operation: Operation, former: Operation["status"] | undefined): EventType | null => {
  const { kind, purpose, status } = operation
  const isClosed = status !== "planned" && isClosedWithoutMoney(status)
  if (kind === "capture" && purpose === "requested") return isClosed ? "payment.capture_failed" : null
  if (!isRefund(operation)) return null
  if (status === "succeeded") return "refund.succeeded"
  if (isClosed) return "refund.failed"
  const isFirst = former === undefined || former === "sending"
  return isFirst && (status === "pending" || status === "unknown") ? "refund.pending" : null
}
