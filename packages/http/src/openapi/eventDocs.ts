/** The documentation of events and of their webhook. */
import { eventTypes } from "@paymux/core/store"
import { inQuery } from "./documented.ts"
import type { Additions } from "./documented.ts"
import { event } from "./exampleJson.ts"
import type { Json } from "./problemDocs.ts"

export const eventDocs = {
  "events.list": {
    summary: "List events",
    description:
      "The events that webhooks deliver, in one sequence that only grows at its end: a reader that continues with `next_cursor` misses none, and each event has the id under which a webhook delivers it. Events of one payment are in the order of `data.sequence`. Without `after`, the oldest events. Unknown parameters are rejected. 410: the event of `after` is not stored any more; `resume_after` says from where to continue.",
    parameters: [
      inQuery("after", { type: "string" }, "A `next_cursor`, or the id of an event: returns the events after it."),
      inQuery(
        "types",
        { type: "array", items: { type: "string", enum: eventTypes } },
        "Repeat the parameter to match any of several types."
      ),
      inQuery("payment", { type: "string" }, "Only events of this payment: `pay_…`."),
      inQuery(
        "limit",
        { type: "integer", minimum: 1, maximum: 100, default: 20 },
        "The maximum number of events per page."
      )
    ],
    example: {
      object: "list",
      data: [event],
      has_more: false,
      next_cursor: "wWJ0b3VyQ3Vyc29ySXNPcGFxdWVldnRfMDFrM3pxNnY5bjhtNGM3eDJ0NXcwYjFkM2Y"
    },
    problems: ["event_not_stored"]
  },
  "events.get": {
    summary: "Get an event",
    description: "Returns 404 for an event of another account.",
    example: event,
    problems: ["not_found"]
  }
} satisfies { readonly [operationId: string]: Additions }

const signed = (name: string, description: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

/** An event as it is delivered to endpoints. */
export const webhookDocs: Json = {
  operationId: "webhooks.event",
  tags: ["Webhooks"],
  summary: "An event of a payment",
  description:
    "Delivered to every endpoint at least once, always with the same id. `refund.*` events also contain the refund, and `payment.review_*` events the review. Signed according to Standard Webhooks: verify the signature over the raw body.",
  security: [],
  parameters: [
    signed("webhook-id", "The event's id: the same on every try."),
    signed("webhook-timestamp", "Seconds since 1970, of this try."),
    signed("webhook-signature", "One signature for each secret: `v1,` and base64, with a space between them.")
  ],
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Event" },
        example: event
      }
    }
  },
  responses: {
    "2XX": { description: "The event was received." },
    "410": {
      description:
        "The endpoint no longer exists; Paymux disables it. After any other status the event is delivered again."
    }
  }
}
