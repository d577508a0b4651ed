import { assert, describe, it } from "@effect/vitest"
import { HttpServerResponse } from "effect/http"
import { NoProviderAvailable, paymentError } from "@paymux/core/wire"
import { apiProblem } from "../../src/auth/RouteError.ts"
import { problem, problemCodes, problemJson, statusOf, toAnswer, toRawHttp } from "../../src/problems/Problem.ts"
import type { ProblemCode } from "../../src/problems/Problem.ts"
import { toResponse } from "../../src/problems/Answer.ts"
import { readFileSync } from "node:fs"

const statuses: { readonly [code in ProblemCode]: number } = {
  invalid_request: 400,
  invalid_json: 400,
  raw_card_data_not_accepted: 400,
  idempotency_key_invalid: 400,
  webhook_stale: 400,
  unauthorized: 401,
  webhook_signature_invalid: 401,
  sign_in_required: 401,
  sign_in_failed: 401,
  forbidden: 403,
  origin_not_allowed: 403,
  reauthentication_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  version_conflict: 409,
  idempotency_in_flight: 409,
  order_taken: 409,
  operation_in_flight: 409,
  operation_not_supported: 409,
  refund_exceeds_available: 409,
  event_not_stored: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  idempotency_key_reused: 422,
  no_route: 422,
  card_not_retried: 422,
  precondition_required: 428,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  no_provider_available: 503,
  restoring: 503,
  overloaded: 503,
  service_unavailable: 503
}

const requestId = "req_1"

const answer = async (code: ProblemCode, options = {}) => {
  const response = HttpServerResponse.toWeb(toResponse(toAnswer(problem(code, { requestId, ...options }))))
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe("Problem", () => {
  it.each(problemCodes)("%s is a problem+json with its own status, which is not cached", async (code) => {
    const { body, headers, status } = await answer(code)
    assert.strictEqual(status, statuses[code])
    assert.strictEqual(headers.get("content-type"), "application/problem+json")
    assert.strictEqual(headers.get("cache-control"), "no-store")
    assert.deepInclude(body, { type: `/docs/problems/${code}`, code, status, errors: [], request_id: requestId })
  })

  it("no code is missing from the table", () => {
    assert.sameMembers([...problemCodes], Object.keys(statuses))
  })

  it("the reference has a row for each code, in the order of their status", () => {
    const page = readFileSync(new URL("../../../../docs/reference/errors.md", import.meta.url), "utf8")
    const rows = [...page.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [code, Number(status)])
    assert.deepStrictEqual(Object.fromEntries(rows), statuses)
    assert.strictEqual(rows.length, problemCodes.length)
    const order = rows.map(([, status]) => Number(status))
    assert.deepStrictEqual(
      order,
      order.toSorted((a, b) => a - b)
    )
  })

  it("detail and errors of the occurrence are included", () => {
    const errors = [{ pointer: "/amount", message: "is required" }]
    const invalid = problem("invalid_request", { requestId, detail: "Look below.", errors })
    assert.deepStrictEqual(problemJson(invalid), {
      type: "/docs/problems/invalid_request",
      title: "The request is not valid",
      status: 400,
      detail: "Look below.",
      code: "invalid_request",
      errors,
      request_id: requestId
    })
  })

  it("401 asks for a bearer key, and no other does", async () => {
    for (const code of problemCodes) {
      const { headers } = await answer(code)
      assert.strictEqual(headers.get("www-authenticate"), code === "unauthorized" ? "Bearer" : null)
    }
  })

  it("429, 503 and what is in flight say when to come back, in whole seconds", async () => {
    for (const code of problemCodes) {
      const comesBack =
        [429, 503].includes(statusOf(code)) || code === "idempotency_in_flight" || code === "operation_in_flight"
      assert.strictEqual((await answer(code)).headers.get("retry-after"), comesBack ? "1" : null, code)
    }
    for (const [seconds, header] of [
      [0, "1"],
      [0.2, "1"],
      [2.1, "3"],
      [30, "30"]
    ] as const) {
      const { headers } = await answer("service_unavailable", { retryAfterSeconds: seconds })
      assert.strictEqual(headers.get("retry-after"), header)
    }
  })

  it("what looks like a secret or a payer is left out, whatever wrote it", () => {
    const reported = problemJson(
      problem("invalid_request", {
        requestId,
        detail: "It holds 4111 1111 1111 1111.",
        errors: [{ pointer: "/metadata/pmx_live_0123456789abcdefghij", message: "is asha@example.com" }]
      })
    )
    assert.strictEqual(reported.detail, "It holds [redacted].")
    assert.deepStrictEqual(reported.errors, [{ pointer: "/metadata/pmx_live_[redacted]", message: "is [redacted]" }])
  })

  it("has the request's trace where there is one, and no such member elsewhere", () => {
    const traceId = "0af7651916cd43dd8448eb211c80319c"
    assert.strictEqual(problemJson(problem("internal", { requestId, traceId })).trace_id, traceId)
    assert.notProperty(problemJson(problem("internal", { requestId, traceId: null })), "trace_id")
  })

  it("405 names the methods", async () => {
    const { headers } = await answer("method_not_allowed", { allow: ["GET", "POST"] })
    assert.strictEqual(headers.get("allow"), "GET, POST")
    assert.strictEqual((await answer("not_found", { allow: ["GET"] })).headers.get("allow"), null)
  })

  it.each(problemCodes)(
    "as raw bytes %s is the same answer, with its length, and ends the connection",
    async (code) => {
      const given = problem(code, { requestId, detail: "₹ 100 — non-ASCII" })
      const [head = "", body = ""] = new TextDecoder().decode(toRawHttp(given)).split("\r\n\r\n")
      const [statusLine = "", ...lines] = head.split("\r\n")
      const headers = new Headers(
        lines.map((line): [string, string] => [line.split(": ")[0] ?? "", line.split(": ")[1] ?? ""])
      )
      assert.match(statusLine, new RegExp(`^HTTP/1\\.1 ${statusOf(code)} [ -~]+$`))
      assert.strictEqual(headers.get("connection"), "close")
      assert.strictEqual(headers.get("content-length"), String(new TextEncoder().encode(body).length))
      headers.delete("connection")
      headers.delete("content-length")
      const structured = HttpServerResponse.toWeb(toResponse(toAnswer(given)))
      structured.headers.delete("content-length")
      assert.deepStrictEqual([...headers], [...structured.headers])
      assert.deepStrictEqual(JSON.parse(body), await structured.json())
    }
  )
})

describe("a refund, capture or cancel whose provider is unavailable", () => {
  it.each([
    ["refund", "nothing was refunded"],
    ["capture", "nothing was captured"],
    ["cancel", "nothing was canceled"]
  ] as const)("says of a %s that %s, and when to send it again", (kind, said) => {
    const { code, detail, retryAfterSeconds } = apiProblem(
      paymentError(new NoProviderAvailable({ retryAfterMs: 2000, kind }))
    )
    assert.deepStrictEqual([code, retryAfterSeconds], ["no_provider_available", 2])
    assert.include(detail, said)
  })
})
