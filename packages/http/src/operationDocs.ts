/** What the OpenAPI document says of each operation beyond its schemas: headers, query, problems, examples. */
import { paymentStatuses, rails } from "@paymux/core"
import type { PaymentJson } from "@paymux/core"
import { OpenApi } from "effect/http-api"
import type { ProblemCode } from "./Problem.ts"
import { bodyProblems, commonProblems, problemResponses, requestIdHeader } from "./problemDocs.ts"
import type { Json } from "./problemDocs.ts"

const inQuery = (name: string, schema: Json, description: string): Json => ({
  name,
  in: "query",
  required: false,
  description,
  schema
})

const repeated = (name: string, items: Json): Json =>
  inQuery(name, { type: "array", items }, "Repeated values mean any of them.")

/** The query of `GET /v1/payments`. */
export const listParameters: ReadonlyArray<Json> = [
  inQuery("limit", { type: "integer", minimum: 1, maximum: 100, default: 20 }, "How many payments a page has at most."),
  inQuery("starting_after", { type: "string" }, "A `next_cursor`: what comes after it. Newest first."),
  inQuery("ending_before", { type: "string" }, "A cursor: what comes before it. Not beside `starting_after`."),
  repeated("status", { type: "string", enum: paymentStatuses }),
  repeated("payment_method", { type: "string", enum: rails }),
  repeated("currency", { type: "string", pattern: "^[A-Z]{3}$" }),
  repeated("provider", { type: "string" }),
  repeated("customer_email", { type: "string" }),
  inQuery("created_after", { type: "string", format: "date-time" }, "Exclusive. RFC 3339 with a zone."),
  inQuery("created_before", { type: "string", format: "date-time" }, "Exclusive. RFC 3339 with a zone."),
  {
    ...inQuery("metadata", { type: "object", additionalProperties: { type: "string" } }, "As `metadata[order_id]=42`."),
    style: "deepObject",
    explode: true
  }
]

const idempotencyKey: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key and body answer the same payment and the same bytes. Scope: account, mode and endpoint.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]{1,255}$" }
}

/** What an answer that is no problem carries, beside its schema. */
const withHeaders = (responses: { readonly [status: string]: Json }, headers: Json, example: unknown): Json =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      {
        ...response,
        headers: { "Request-Id": requestIdHeader, ...headers },
        ...(example !== undefined && { content: withExample(response["content"], example) })
      }
    ])
  )

const withExample = (content: unknown, example: unknown): Json =>
  Object.fromEntries(Object.entries(content ?? {}).map(([type, media]) => [type, { ...media, example }]))

interface Additions {
  readonly summary: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<Json>
  readonly requestExamples?: Json
  readonly headers?: Json
  readonly example?: unknown
  readonly problems: ReadonlyArray<ProblemCode>
}

const documented = (additions: Additions) => {
  const { description, example, headers = {}, parameters = [], problems, requestExamples, summary } = additions
  return OpenApi.annotations({
    summary,
    ...(description !== undefined && { description }),
    transform: (operation) => ({
      ...operation,
      parameters: [...operation["parameters"], ...parameters],
      ...(requestExamples !== undefined && { requestBody: withExamples(operation["requestBody"], requestExamples) }),
      responses: {
        ...withHeaders(operation["responses"], headers, example),
        ...problemResponses(problems)
      }
    })
  })
}

const withExamples = (body: { readonly content: { readonly [type: string]: Json } }, examples: Json) => ({
  ...body,
  content: Object.fromEntries(Object.entries(body.content).map(([type, media]) => [type, { ...media, examples }]))
})

const customer = { email: "asha@example.com", phone: "+919999999999" }

const payment = {
  id: "pay_01jd8w6x2vh6k9v0q3f7m5t1ac",
  object: "payment",
  livemode: false,
  status: "pending",
  pending_reason: "awaiting_customer",
  amount: 10000,
  amount_captured: 0,
  amount_refunded: 0,
  currency: "INR",
  payment_method: "upi",
  payment_method_details: { upi: { flow: "intent" } },
  capture_method: "automatic",
  description: null,
  customer: { ...customer, name: null },
  metadata: { order_id: "42" },
  return_url: null,
  next_action: {
    type: "upi_intent",
    uri: "upi://pay?pa=shop@bank&am=100.00&cu=INR",
    expires_at: "2026-01-31T12:15:00.000Z"
  },
  failure: null,
  review: null,
  provider: "sandbox_upi_a",
  routing: { rule: "default", ruleset: `sha256:${"0".repeat(64)}`, reason: "priority" },
  attempts: [
    {
      seq: 1,
      provider: "sandbox_upi_a",
      status: "pending",
      reason: "priority",
      code: null,
      vendor_code: null,
      started_at: "2026-01-31T12:00:00.000Z",
      ended_at: null
    }
  ],
  version: 2,
  created_at: "2026-01-31T12:00:00.000Z",
  updated_at: "2026-01-31T12:00:00.120Z"
} satisfies PaymentJson

export const createPaymentDocs = documented({
  summary: "Create a payment",
  description: "Answers 201 whatever the outcome: the payment exists. Look at `status`, `next_action` and `failure`.",
  parameters: [idempotencyKey],
  headers: {
    Location: { description: "The address of the payment.", schema: { type: "string", format: "uri-reference" } },
    "Idempotent-Replayed": {
      description: "An earlier request with the same key made this payment.",
      schema: { type: "string", const: "true" }
    }
  },
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
    ...commonProblems,
    ...bodyProblems,
    "raw_card_data_not_accepted",
    "idempotency_key_invalid",
    "idempotency_in_flight",
    "idempotency_key_reused",
    "no_route",
    "no_provider_available"
  ]
})

export const listPaymentsDocs = documented({
  summary: "List payments",
  description: "Newest first. An unknown parameter is refused.",
  parameters: listParameters,
  example: { object: "list", data: [payment], has_more: false, next_cursor: null },
  problems: commonProblems
})

export const getPaymentDocs = documented({
  summary: "Get a payment",
  description: "Another account's payment is as absent as a missing one.",
  example: payment,
  problems: [...commonProblems, "not_found"]
})

export const readyzDocs = documented({
  summary: "Whether the database answers, too",
  problems: ["service_unavailable"]
})
