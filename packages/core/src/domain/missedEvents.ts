/** What a later state of a payment has announced, and an earlier one has not. Pure. */
import { isClosedWithoutMoney } from "./Attempt.ts"
import type { OperationId } from "./Ids.ts"
import type { Operation } from "./Operation.ts"
import type { PaymentRecord } from "./Payment.ts"
import type { EventType } from "./PaymentEvent.ts"
import { isRefund } from "./Refund.ts"

export interface MissedEvent {
  readonly event: EventType
  readonly refund: OperationId | null
}

/** Each of a state that is still shown; `stored`: `null` if the whole payment is lost. Those of reviews are derived elsewhere. */
export const missedEvents = (stored: PaymentRecord | null, known: PaymentRecord): ReadonlyArray<MissedEvent> => {
  const { disputedAt, pendingAnnounced, state } = known.payment
  const before = stored?.payment
  const of = (event: EventType): MissedEvent => ({ event, refund: null })
  return [
    ...(pendingAnnounced && before?.pendingAnnounced !== true ? [of("payment.pending")] : []),
    ...(state.status === "pending" || state.status === before?.state.status
      ? []
      : [of(`payment.${state.status}` as const)]),
    ...known.operations.filter(isRefund).flatMap((refund) => {
      const former = stored?.operations.find(({ id }) => id === refund.id)
      const event = former?.status === refund.status ? null : refundEvent(refund)
      return event === null ? [] : [{ event, refund: refund.id }]
    }),
    ...(disputedAt !== null && (before?.disputedAt ?? null) === null ? [of("payment.disputed")] : [])
  ]
}

const refundEvent = ({ status }: Operation): EventType | null => {
  if (status === "succeeded") return "refund.succeeded"
  if (status === "pending" || status === "unknown") return "refund.pending"
  return status !== "planned" && isClosedWithoutMoney(status) ? "refund.failed" : null
}
