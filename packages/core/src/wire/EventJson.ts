/** The body of a webhook: Standard Webhooks' `type`, `timestamp` and `data`, with the payment as it was then. */
import { Schema } from "effect"
import type { PaymentEvent } from "../domain/PaymentEvent.ts"
import { eventTypes } from "../domain/PaymentEvent.ts"
import { resolutions } from "../domain/Review.ts"
import type { ReviewEvent } from "../domain/reviewEvents.ts"
import { iso, PaymentJson, ReviewJson, reviewJson } from "./PaymentJson.ts"
import { RefundJson } from "./RefundJson.ts"

const EventReviewJson = Schema.Struct({
  ...ReviewJson.fields,
  resolution: Schema.optionalKey(Schema.NullOr(Schema.Literals(resolutions)))
})

export const EventJson = Schema.Struct({
  type: Schema.Literals(eventTypes),
  timestamp: Schema.String,
  data: Schema.Struct({
    id: Schema.String,
    sequence: Schema.Int,
    payment: PaymentJson,
    refund: Schema.optionalKey(RefundJson).annotate({ description: "With the `refund.*` events." }),
    review: Schema.optionalKey(EventReviewJson)
  })
}).annotate({ identifier: "Event" })
export type EventJson = typeof EventJson.Type

/** The bytes to send: the payment's JSON stands in them exactly as the event row keeps it. */
export const eventBody = (event: PaymentEvent): string =>
  `{"type":"${event.type}","timestamp":"${iso(event.createdAt)}","data":{"id":"${event.id}","sequence":${event.sequence},` +
  `"payment":${event.payment}${member("refund", event.refund)}${member("review", event.review)}}}`

const member = (name: string, json: string | null): string => (json === null ? "" : `,"${name}":${json}`)

/** The bytes of the review that an event row keeps. */
export const reviewBody = (event: ReviewEvent): string => {
  const review: typeof EventReviewJson.Type =
    event.type === "payment.review_opened"
      ? reviewJson(event.review)
      : { ...reviewJson(event.review), resolution: event.resolution }
  return JSON.stringify(review)
}
