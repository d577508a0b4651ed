/**
 * The body of a webhook: Standard Webhooks' `type`, `timestamp` and `data`, with the payment at the time of the event.
 */
import { Schema } from "effect"
import type { PaymentEvent } from "../domain/PaymentEvent.ts"
import { eventTypes } from "../domain/PaymentEvent.ts"
import { resolutions } from "../domain/Review.ts"
import type { ReviewEvent } from "../domain/books/events.ts"
import { DisputeJson } from "./DisputeJson.ts"
import { described, integer, iso, optional, optionalOrNull, textField, Time } from "./fields.ts"
import { PaymentJson, ReviewJson, reviewJson } from "./PaymentJson.ts"
import { RefundJson } from "./RefundJson.ts"

const EventReviewJson = Schema.Struct({
  ...ReviewJson.fields,
  resolution: optionalOrNull(
    Schema.Literals(resolutions),
    "Only with `payment.review_resolved`: how an operator resolved the review. `null`: resolved by a later report of the provider."
  )
})

export const EventJson = Schema.Struct({
  type: described(Schema.Literals(eventTypes), "The type of the event."),
  timestamp: described(Time, "RFC 3339, UTC. When it happened."),
  data: described(
    Schema.Struct({
      id: textField("The event's id, the same in every delivery attempt: ignore an id that you have processed."),
      sequence: integer("The number of the payment's event, from 1 without gaps."),
      payment: PaymentJson.annotateKey({ description: "The payment after the change." }),
      refund: Schema.optionalKey(RefundJson).annotateKey({ description: "Only with `refund.*`." }),
      dispute: optional(
        DisputeJson,
        "Only with `payment.disputed` and `payment.dispute_closed`: the dispute, as the payment shows it."
      ),
      review: optional(
        EventReviewJson,
        "Only with `payment.review_opened` and `payment.review_resolved`: the review, as the payment shows it."
      )
    }),
    "The payment, and the object that changed."
  )
}).annotate({ identifier: "Event" })
export type EventJson = typeof EventJson.Type

/** Encodes an event as the webhook body. It contains the payment's JSON exactly as stored with the event. */
export const eventBody = (event: PaymentEvent): string =>
  `{"type":"${event.type}","timestamp":"${iso(event.createdAt)}","data":{"id":"${event.id}","sequence":${event.sequence},` +
  `"payment":${event.payment}${member("refund", event.refund)}${member("dispute", event.dispute)}` +
  `${member("review", event.review)}}}`

const member = (name: string, json: string | null): string => (json === null ? "" : `,"${name}":${json}`)

/** Encodes the review of an event as JSON, which is stored with the event. */
export const reviewBody = (event: ReviewEvent): string => {
  const review: typeof EventReviewJson.Type =
    event.type === "payment.review_opened"
      ? reviewJson(event.review)
      : { ...reviewJson(event.review), resolution: event.resolution }
  return JSON.stringify(review)
}
