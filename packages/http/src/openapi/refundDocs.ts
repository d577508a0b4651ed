/** What the OpenAPI document says of refunds beyond their schemas. */
import { idempotencyKey, replayedHeader } from "./documented.ts"
import type { Additions } from "./documented.ts"
import { refund } from "./exampleJson.ts"
import { bodyProblems, commonProblems, operationProblems } from "./problemDocs.ts"

export const refundDocs = {
  "refunds.create": {
    summary: "Refund a payment",
    description:
      "Refunds the remaining amount, or a part of it. Two equal requests are two refunds unless they have the same idempotency key. Returns 201 whatever the outcome: read `status` and `failure`.",
    parameters: [idempotencyKey],
    headers: {
      Location: { description: "The address of the refund.", schema: { type: "string", format: "uri-reference" } },
      "Idempotent-Replayed": replayedHeader
    },
    example: refund,
    requestExamples: {
      all: { value: {} },
      part: { value: { amount: 500, reason: "one of two items came back" } }
    },
    problems: [...commonProblems, ...bodyProblems, ...operationProblems, "refund_exceeds_available"]
  },
  "refunds.list": {
    summary: "List the refunds of a payment",
    description: "Returns all refunds of the payment, newest first. It has no parameters.",
    example: { object: "list", data: [refund], has_more: false, next_cursor: null },
    problems: [...commonProblems, "not_found"]
  },
  "refunds.get": {
    summary: "Get a refund",
    description: "Returns 404 for a refund of another account.",
    example: refund,
    problems: [...commonProblems, "not_found"]
  }
} satisfies { readonly [operationId: string]: Additions }
