/** The body of a webhook: Standard Webhooks' `type`, `timestamp` and `data`, with the payment as it was then. */
import { Schema } from "effect"
import type { PaymentEvent } from "../domain/PaymentEvent.ts"
import { eventTypes } from "../domain/PaymentEvent.ts"
import { iso, PaymentJson } from "./PaymentJson.ts"
import { RefundJson } from "./RefundJson.ts"

export const EventJson = Schema.Struct({
  type: Schema.Literals(eventTypes),
  timestamp: Schema.String,
  data: Schema.Struct({
    id: Schema.String,
    sequence: Schema.Int,
    payment: PaymentJson,
    refund: Schema.optionalKey(RefundJson).annotate({ description: "With the `refund.*` events." })
  })
}).annotate({ identifier: "Event" })
export type EventJson = typeof EventJson.Type

/** The bytes to send: the payment's JSON stands in them exactly as the event row keeps it. */
export const eventBody = (event: PaymentEvent): string =>
  `{"type":"${event.type}","timestamp":"${iso(event.createdAt)}","data":{"id":"${event.id}","sequence":${event.sequence},` +
  `"payment":${event.payment}${event.refund === null ? "" : `,"refund":${event.refund}`}}}`
