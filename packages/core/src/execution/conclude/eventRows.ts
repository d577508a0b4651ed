/** The rows of the events that a change writes. */
import type { Changed } from "../../domain/transition/change.ts"
import type { Ids } from "../../domain/Ids.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import type { PaymentEvent } from "../../domain/PaymentEvent.ts"
import { withEvents } from "../../domain/books/reviewEvents.ts"
import type { ChangeEvent } from "../../domain/books/reviewEvents.ts"
import { reviewBody } from "../../wire/EventJson.ts"
import type { HostedUrl } from "../../wire/HostedPage.ts"
import { disputeJson } from "../../wire/DisputeJson.ts"
import { paymentBody } from "../../wire/PaymentJson.ts"
import { refundBody } from "../../wire/RefundJson.ts"

export interface EventServices {
  readonly ids: Ids["Service"]
  readonly hostedUrl: HostedUrl
}

/** `record`: the change's, with its events counted. `body`: the public JSON of the payment, where an event needed it. */
export const eventRows = ({ hostedUrl, ids }: EventServices, before: PaymentRecord, change: Changed): EventRows => {
  const { events, record } = withEvents(before, change)
  if (events.length === 0) return { record, events: [], body: null }
  const body = paymentBody(record, hostedUrl)
  return { record, events: events.map((event) => rowOf(ids.event(), event, record, body)), body }
}

interface EventRows {
  readonly record: PaymentRecord
  readonly events: ReadonlyArray<PaymentEvent>
  readonly body: string | null
}

const rowOf = (
  id: PaymentEvent["id"],
  { dispute, refund, review, sequence, type }: ChangeEvent,
  record: PaymentRecord,
  payment: string
): PaymentEvent => {
  const { account, id: paymentId, livemode, updatedAt } = record.payment
  const refunded = record.operations.find((operation) => operation.id === refund)
  return {
    id,
    account,
    livemode,
    paymentId,
    sequence,
    type,
    payment,
    refund: refunded === undefined ? null : refundBody(record, refunded),
    review: review === null ? null : reviewBody(review),
    dispute: dispute === null ? null : JSON.stringify(disputeJson(dispute)),
    createdAt: updatedAt
  }
}
