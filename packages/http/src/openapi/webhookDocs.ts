/** What the OpenAPI document says of the events that endpoints are sent. */
import { event } from "./exampleJson.ts"
import type { Json } from "./problemDocs.ts"

const signed = (name: string, description: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

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
