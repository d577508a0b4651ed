/** Problems in the OpenAPI document: one schema, and an example for each code. */
import { problem, problemJson, statusOf } from "../problems/Problem.ts"
import type { ProblemCode } from "../problems/Problem.ts"

/** A JSON object in the OpenAPI document. */
export type Json = { readonly [key: string]: unknown }

/** The problem codes of every endpoint that requires an API key. */
export const commonProblems: ReadonlyArray<ProblemCode> = [
  "invalid_request",
  "unauthorized",
  "misdirected_request",
  "rate_limited",
  "internal",
  "service_unavailable"
]

/**
 * The problem codes of every endpoint without an API key. The edge returns these problems before the endpoint's handler
 * runs.
 */
export const openProblems: ReadonlyArray<ProblemCode> = ["headers_too_large"]

/** The additional problem codes of every endpoint that reads a JSON body. */
export const bodyProblems: ReadonlyArray<ProblemCode> = ["invalid_json", "payload_too_large", "unsupported_media_type"]

/** The additional problem codes of every endpoint that accepts an idempotency key. */
export const keyProblems: ReadonlyArray<ProblemCode> = [
  "idempotency_key_invalid",
  "idempotency_in_flight",
  "idempotency_key_reused"
]

/** The additional problem codes of captures, cancellations and refunds. */
export const operationProblems: ReadonlyArray<ProblemCode> = [
  ...keyProblems,
  "raw_card_data_not_accepted",
  "not_found",
  "operation_in_flight",
  "operation_not_supported",
  "no_provider_available",
  "restoring",
  "overloaded"
]

export const requestIdHeader: Json = {
  description: "Identifies the request in the server's logs.",
  schema: { type: "string" }
}

/** The responses of an operation: one for each status, with an example for each of its codes. */
export const problemResponses = (codes: ReadonlyArray<ProblemCode>): Json => {
  const statuses = Map.groupBy(codes, statusOf)
  return Object.fromEntries([...statuses].map(([status, codes]) => [String(status), problemResponse(status, codes)]))
}

const problemResponse = (status: number, codes: ReadonlyArray<ProblemCode>): Json => ({
  description: codes.join(", "),
  headers: {
    "Request-Id": requestIdHeader,
    ...(status === 401 && { "WWW-Authenticate": { schema: { type: "string", const: "Bearer" } } }),
    ...(status === 405 && { Allow: { schema: { type: "string" } } }),
    ...([409, 429, 503].includes(status) && {
      "Retry-After": { description: "Seconds.", schema: { type: "integer", minimum: 1 } }
    })
  },
  content: {
    "application/problem+json": {
      schema: { $ref: "#/components/schemas/Problem" },
      examples: Object.fromEntries(
        codes.map((code) => [code, { value: problemJson(problem(code, { requestId: "req_0190f3c2" })) }])
      )
    }
  }
})

/** The schemas of the members that problems of one API have in addition to the common members. */
export interface ProblemExtensions {
  /** The schemas of additional top-level members, by the name of the member. */
  readonly members: Json
  /** The schemas of additional members in each element of `errors`, by the name of the member. */
  readonly errorMembers: Json
}

const text = (description: string): Json => ({ type: "string", description })
const integer = (description: string): Json => ({ type: "integer", description })

/** The OpenAPI schema of all problems. */
export const problemSchema = (
  codes: ReadonlyArray<ProblemCode>,
  { errorMembers, members }: Partial<ProblemExtensions> = {}
): Json => ({
  type: "object",
  description: "RFC 9457. Programs read `code`; `detail` is for people.",
  required: ["type", "title", "status", "detail", "code", "errors", "request_id"],
  properties: {
    type: { type: "string", format: "uri-reference", description: "A page of this server that explains the code." },
    title: text("The same for every problem with this code."),
    status: integer("The status of the response."),
    detail: text(
      "An explanation of the problem with this request, for people. It never contains a value of the request, except the name of a cell."
    ),
    code: { type: "string", enum: codes, description: "The stable identifier of the problem, for programs." },
    errors: {
      type: "array",
      description: "Every fault of the request, if there are several or one has a position.",
      items: {
        type: "object",
        required: ["pointer", "message"],
        properties: {
          pointer: text("JSON pointer into the body, or the name of a parameter."),
          message: text("An explanation of the fault at this position, for people."),
          ...errorMembers
        }
      }
    },
    request_id: text("Identifies the request in the server's logs; also the `Request-Id` header."),
    trace_id: text("The id of the request's trace, if the server records traces."),
    payment_id: text("Only for `idempotency_key_reused`: the payment created by the first request with this key."),
    refundable: {
      type: "object",
      description:
        "Only for `refund_exceeds_available`, in minor units: the refundable rest of the charge, and how it is computed.",
      required: ["captured", "refunded", "pending", "refunded_elsewhere", "disputed", "available"],
      properties: {
        captured: integer("The captured amount of the charge."),
        refunded: integer("By refunds of this installation."),
        pending: integer("By refunds of this installation that are in progress."),
        refunded_elsewhere: integer("Outside of this installation, such as in the provider's dashboard."),
        disputed: integer("By disputes that are open or lost."),
        available: integer("The most that can be refunded.")
      }
    },
    resume_after: {
      type: ["string", "null"],
      description:
        "Only for `event_not_stored`: the value of `after` with which nothing that is still stored is missed. `null`: leave `after` out, to begin with the oldest event."
    },
    ...members
  }
})
