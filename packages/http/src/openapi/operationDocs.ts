/** The documentation of all operations except those of events. */
import { rails } from "@paymux/core"
import { failureCodes, paymentStatuses } from "@paymux/core/store"
import { inQuery } from "./documented.ts"
import type { Additions } from "./documented.ts"
import { canceledPayment, capturedPayment, customer, payment, refund } from "./exampleJson.ts"
import { keyProblems, operationProblems } from "./problemDocs.ts"
import type { Json } from "./problemDocs.ts"

const repeated = (name: string, items: Json): Json =>
  inQuery(name, { type: "array", items }, "Repeat the parameter to match any of several values.")

const text = { type: "string" }
const minorUnits = { type: "integer", minimum: 0 }

const address = (description: string): Json => ({ description, schema: { ...text, format: "uri-reference" } })

/** The query parameters of `GET /v1/payments`. */
const listParameters: ReadonlyArray<Json> = [
  inQuery(
    "limit",
    { type: "integer", minimum: 1, maximum: 100, default: 20 },
    "The maximum number of payments per page."
  ),
  inQuery("starting_after", text, "A `next_cursor`: returns the payments after it, newest first."),
  inQuery("ending_before", text, "A cursor: returns the payments before it. Cannot be combined with `starting_after`."),
  repeated("status", { type: "string", enum: paymentStatuses }),
  repeated("payment_method", { type: "string", enum: rails }),
  repeated("currency", { type: "string", pattern: "^[A-Z]{3}$" }),
  repeated("provider", text),
  inQuery(
    "customer_email",
    { type: "array", items: text },
    "In any spelling: case and the form of Unicode do not matter. Repeat the parameter to match any of several values."
  ),
  inQuery(
    "provider_reference",
    { type: "array", items: text },
    "A provider's reference of an attempt, capture, cancel or refund, such as `pi_…`. Repeat the parameter to match any of several values."
  ),
  repeated("failure_code", { type: "string", enum: failureCodes }),
  repeated("card_fingerprint", text),
  repeated("order", text),
  inQuery("amount_min", minorUnits, "Inclusive, in minor units. Needs exactly one `currency`."),
  inQuery("amount_max", minorUnits, "Inclusive, in minor units. Needs exactly one `currency`."),
  inQuery("created_after", { type: "string", format: "date-time" }, "Exclusive. RFC 3339 with a zone."),
  inQuery("created_before", { type: "string", format: "date-time" }, "Exclusive. RFC 3339 with a zone."),
  {
    ...inQuery(
      "metadata",
      { type: "object", additionalProperties: text },
      "For example `metadata[order_id]=42`. Fast for the keys that the server indexes (`indexedMetadata`), by default `order_id`."
    ),
    style: "deepObject",
    explode: true
  }
]

export const operationDocs = {
  "payments.create": {
    summary: "Create a payment",
    description:
      "Returns 201 whatever the outcome, because the payment exists. Read `status`, `next_action` and `failure`.",
    headers: { Location: address("The address of the payment.") },
    example: payment,
    requestExamples: {
      upi: { value: { amount: 10000, currency: "INR", payment_method: "upi", customer } },
      card: {
        value: {
          amount: 2599,
          currency: "EUR",
          payment_method: "card",
          customer,
          payment_method_details: { card: { token: "tok_success" } },
          metadata: { order_id: "42" }
        }
      },
      stablecoin: {
        value: {
          amount: 5000,
          currency: "USD",
          payment_method: "stablecoin",
          customer,
          payment_method_details: { stablecoin: { asset: "USDC", network: "base" } }
        }
      }
    },
    problems: [
      ...keyProblems,
      "raw_card_data_not_accepted",
      "no_route",
      "card_not_retried",
      "no_provider_available",
      "restoring",
      "overloaded"
    ]
  },
  "payments.list": {
    summary: "List payments",
    description:
      "Newest first. Unknown parameters are rejected. A single filter is fast for any number of payments, and so is `status` with a time range. A query that takes longer than two seconds returns 503: add filters.",
    parameters: listParameters,
    example: { object: "list", data: [payment], has_more: false, next_cursor: null }
  },
  "payments.get": {
    summary: "Get a payment",
    description: "Returns 404 for a payment of another account.",
    example: payment,
    problems: ["not_found"]
  },
  "payments.capture": {
    summary: "Capture a payment",
    description:
      "Captures an authorized payment, in full or in part. A partial capture releases the rest; a second capture is not possible.",
    example: capturedPayment,
    requestExamples: { all: { value: {} }, part: { value: { amount: 2000 } } },
    problems: operationProblems
  },
  "payments.cancel": {
    summary: "Cancel a payment",
    description:
      "Releases an authorization, or closes a payment that the payer has not completed. Send no body or an empty object. Refund a payment that has succeeded.",
    example: canceledPayment,
    problems: operationProblems
  },
  "system.openapi": { summary: "This document" },
  "system.healthz": { summary: "Liveness check" },
  "system.readyz": {
    summary: "Readiness check, including the database",
    problems: ["service_unavailable"]
  },
  "docs.reference": {
    summary: "The API reference",
    description: "This document in Swagger UI, with all files from this server. You can send requests with a test key."
  },
  "docs.problems": { summary: "All problems" },
  "docs.problem": {
    summary: "What a problem means",
    description: "The page that a problem's `type` links to: what the problem means and what to do.",
    problems: ["not_found"]
  },
  "refunds.create": {
    summary: "Refund a payment",
    description:
      "Refunds the remaining amount, or a part of it. Two equal requests are two refunds unless they have the same idempotency key. Returns 201 whatever the outcome: read `status` and `failure`.",
    headers: { Location: address("The address of the refund.") },
    example: refund,
    requestExamples: {
      all: { value: {} },
      part: { value: { amount: 500, reason: "one of two items came back" } }
    },
    problems: [...operationProblems, "refund_exceeds_available"]
  },
  "refunds.list": {
    summary: "List the refunds of a payment",
    description: "Returns all refunds of the payment, newest first. It has no parameters.",
    example: { object: "list", data: [refund], has_more: false, next_cursor: null },
    problems: ["not_found"]
  },
  "refunds.get": {
    summary: "Get a refund",
    description: "Returns 404 for a refund of another account.",
    example: refund,
    problems: ["not_found"]
  }
} satisfies { readonly [operationId: string]: Additions }
