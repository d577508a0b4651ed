/** Replies of a vendor that leave it open what became of a request. */
import type { FaultyReply } from "@paymux/testkit"

export type Fault = readonly [name: string, reply: FaultyReply]

export const quick: readonly [Fault, ...ReadonlyArray<Fault>] = [
  ["a reset", "reset"],
  ["a reset in the answer", "reset_in_body"],
  ["half an answer", "half_body"],
  ["what is no HTTP", "not_http"],
  ["500", { status: 500, json: { error: { type: "api_error" } } }],
  ["502", { status: 502, text: "bad gateway" }],
  ["503", { status: 503 }],
  ["504", { status: 504, text: "upstream request timeout" }],
  ["429", { status: 429, headers: { "retry-after": "1" } }],
  ["409", { status: 409, json: { error: { type: "invalid_request_error", code: "idempotency_key_in_use" } } }],
  ["200 with nothing", { status: 200 }],
  ["200 with an unknown body", { status: 200, json: { hello: "world" } }],
  ["a redirect", { status: 302, headers: { location: "https://elsewhere.example/" } }]
]
