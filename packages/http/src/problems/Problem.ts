/**
 * Error responses as problems of RFC 9457. A closed table defines all problem codes, each with its status, title and
 * page.
 *
 * `type` is a stable path. Programs decide by `code`; `detail` is for people. A `detail` and the `message` of an error
 * describe the fault and never repeat a value of the request, except the name of a cell. Texts that look like secrets
 * are redacted in any case.
 *
 * @example
 * ```ts
 * const notFound = problem("not_found", { requestId: "req_1" })
 * toAnswer(notFound).status // => 404
 * ```
 */
import { redactText } from "@paymux/core/telemetry"
import { orderNumberHint } from "@paymux/core/wire"
import type { Answer } from "./Answer.ts"

const kind = (status: number, title: string, detail: string) => ({ status, title, detail }) as const

const kinds = {
  invalid_request: kind(400, "The request is not valid", "The request does not have the form that is documented."),
  invalid_json: kind(400, "The body is not valid JSON", "The body must be one strict JSON object in UTF-8."),
  raw_card_data_not_accepted: kind(
    400,
    "Raw card data is not accepted",
    `A card number or security code was sent. It was not kept. Send a token instead. ${orderNumberHint}`
  ),
  idempotency_key_invalid: kind(
    400,
    "The idempotency key is not valid",
    "Idempotency-Key must stand once and have 1 to 255 visible ASCII characters."
  ),
  webhook_stale: kind(
    400,
    "The webhook is stale",
    "The webhook was signed too long ago, or in the future, by this server's clock."
  ),
  unauthorized: kind(401, "An API key is required", "Send a valid API key: Authorization: Bearer <API key>."),
  webhook_signature_invalid: kind(
    401,
    "The webhook is not authentic",
    "The signature of the webhook is missing, or was not made with the secret that is configured."
  ),
  sign_in_required: kind(401, "Sign in", "Sign in to the dashboard. An API key is not accepted here."),
  sign_in_failed: kind(401, "The sign-in failed", "What was entered is not right. Nothing was changed."),
  forbidden: kind(403, "Your role does not allow this", "Your role in this account and mode does not allow this."),
  origin_not_allowed: kind(
    403,
    "The origin is not allowed",
    "The request did not come from a page of this server, or was sent to another host name."
  ),
  reauthentication_required: kind(
    403,
    "Confirm who you are",
    "This action requires that you have signed in within the last 10 minutes: sign in again."
  ),
  not_found: kind(404, "Not found", "There is nothing at this address."),
  method_not_allowed: kind(405, "Method not allowed", "This address does not answer this method."),
  request_timeout: kind(408, "The request took too long", "The request was not received whole in time."),
  conflict: kind(409, "The present state does not allow this", "The present state of the object does not allow this."),
  version_conflict: kind(
    409,
    "The object was changed",
    "The object was changed after you read it. `current` is what it is now."
  ),
  idempotency_in_flight: kind(
    409,
    "The first request is still running",
    "The first request with this idempotency key is still running: ask again later."
  ),
  order_taken: kind(
    409,
    "The order has another payment",
    "Another payment of this order is open or paid; nothing was done. `payment_id` is that payment."
  ),
  operation_in_flight: kind(
    409,
    "Another operation is running",
    "Another operation of this payment is not decided yet: ask again later."
  ),
  operation_not_supported: kind(
    409,
    "The operation is not supported",
    "The provider of this payment cannot do this, or not in its present state."
  ),
  refund_exceeds_available: kind(
    409,
    "The refund exceeds what is available",
    "Disputes, or refunds that were made outside of Paymux, leave less of the charge than the refund asks for."
  ),
  event_not_stored: kind(
    410,
    "The event is not stored any more",
    "The event that `after` names is not stored any more. Continue with `resume_after`, or without `after` if that is null."
  ),
  payload_too_large: kind(413, "The body is too large", "The body is larger than this address accepts."),
  unsupported_media_type: kind(
    415,
    "Unsupported media type",
    "Send Content-Type: application/json and no Content-Encoding."
  ),
  misdirected_request: kind(421, "The request is for another cell", "The request is for another cell than this one."),
  idempotency_key_reused: kind(
    422,
    "The idempotency key was used before",
    "This idempotency key was used with another request."
  ),
  no_route: kind(422, "No provider can take this payment", "No configured provider can take this payment."),
  card_not_retried: kind(422, "The card is not tried again", "This card was declined too often. Ask for another one."),
  precondition_required: kind(
    428,
    "If-Match is required",
    "Send If-Match with the ETag of the version that you read, so that no other change is overwritten."
  ),
  rate_limited: kind(429, "Too many requests", "Too many requests: ask again later."),
  headers_too_large: kind(431, "The headers are too large", "The headers of the request are too large."),
  internal: kind(500, "Internal error", "Something went wrong here. The request_id finds it in the logs."),
  no_provider_available: kind(
    503,
    "No provider is available",
    "Every provider for this payment is unavailable at the moment; nothing was charged."
  ),
  restoring: kind(
    503,
    "The database was restored",
    "Whether this request was carried out before the restore is not known yet; nothing was done. Repeat it later with the same idempotency key."
  ),
  overloaded: kind(
    503,
    "Too much at once",
    "More payments are being made than this server can take: nothing was done, ask again later."
  ),
  service_unavailable: kind(503, "Service unavailable", "The service cannot answer at the moment: ask again later.")
}

export type ProblemCode = keyof typeof kinds

/** All problem codes, ordered by status. */
// The cast is safe: `Object.keys` returns `string[]`, but the table has no other keys.
export const problemCodes = Object.keys(kinds) as ReadonlyArray<ProblemCode>

/** The problem codes that only the control API of the dashboard uses. */
const dashboardCodes: ReadonlySet<ProblemCode> = new Set([
  "sign_in_required",
  "sign_in_failed",
  "forbidden",
  "origin_not_allowed",
  "reauthentication_required",
  "conflict",
  "version_conflict",
  "precondition_required"
])

/** The problem codes of `/v1`. */
export const apiProblemCodes: ReadonlyArray<ProblemCode> = problemCodes.filter((code) => !dashboardCodes.has(code))

/** One fault of the request, at a JSON pointer (RFC 6901) into its body or at a parameter. */
export interface ProblemIssue {
  readonly pointer: string
  readonly message: string
  /** The line of the fault in a text of several lines, from 1. */
  readonly line?: number
  /** The column of the fault, from 1, in UTF-16 units. */
  readonly column?: number
}

/**
 * The refundable amount of a charge (`available`) and the amounts from which it is computed, in minor units of the
 * payment's currency.
 */
interface RefundableAmounts {
  readonly captured: number
  readonly refunded: number
  readonly pending: number
  readonly refunded_elsewhere: number
  readonly disputed: number
  readonly available: number
}

export interface ProblemOptions {
  readonly requestId: string
  /** The explanation of this problem. Default: the detail of the code. */
  readonly detail?: string
  readonly errors?: ReadonlyArray<ProblemIssue>
  /** The wait before a retry, rounded up to whole seconds. */
  readonly retryAfterSeconds?: number
  /** The methods that the requested path supports, for the header `Allow`. */
  readonly allow?: ReadonlyArray<string>
  /** The base path of the server, which is the prefix of the URL of the problem's page. Default: empty. */
  readonly basePath?: string
  /** The id of the request's trace, 32 hexadecimal digits; `null`: tracing is off. */
  readonly traceId?: string | null
  /**
   * The current version of the object, for a client that tried to change an older version. A JSON value that this
   * server built, without secrets.
   */
  readonly current?: unknown
  /**
   * The id of the payment that already exists: the payment of the first request with the same idempotency key, or of
   * the same order.
   */
  readonly paymentId?: string
  /** The refundable amount of the charge, and the amounts from which it is computed. */
  readonly refundable?: RefundableAmounts
  /**
   * The id of the event after which the client can continue to read events. `null`: the client has to start from the
   * oldest event.
   */
  readonly resumeAfter?: string | null
}

export interface Problem extends Omit<ProblemOptions, "retryAfterSeconds"> {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors: ReadonlyArray<ProblemIssue>
  /**
   * The wait for `Retry-After` in seconds: at least 1 with 429, 503, `idempotency_in_flight` and `operation_in_flight`.
   */
  readonly retryAfterSeconds: number | null
}

/** A problem with the defaults of its code. */
export const problem = (
  code: ProblemCode,
  { detail, errors = [], retryAfterSeconds, ...options }: ProblemOptions
): Problem => ({
  ...options,
  code,
  detail: detail === undefined ? kinds[code].detail : redactText(detail),
  errors: errors.map(({ message, pointer, ...place }) => ({
    ...place,
    pointer: redactText(pointer),
    message: redactText(message)
  })),
  retryAfterSeconds:
    retryAfterSeconds === undefined ? defaultRetryAfter(code) : Math.max(1, Math.ceil(retryAfterSeconds))
})

export const statusOf = (code: ProblemCode): number => kinds[code].status

const defaultRetryAfter = (code: ProblemCode): number | null => {
  const status = statusOf(code)
  return status === 429 || status === 503 || code.endsWith("_in_flight") ? 1 : null
}

/** The body of `application/problem+json`. */
export const problemJson = ({ code, current, paymentId, refundable, resumeAfter, traceId, ...problem }: Problem) => ({
  type: `${problem.basePath ?? ""}/docs/problems/${code}`,
  title: kinds[code].title,
  status: statusOf(code),
  detail: problem.detail,
  code,
  errors: problem.errors,
  request_id: problem.requestId,
  ...(typeof traceId === "string" && { trace_id: traceId }),
  ...(paymentId !== undefined && { payment_id: paymentId }),
  ...(refundable !== undefined && { refundable }),
  ...(resumeAfter !== undefined && { resume_after: resumeAfter }),
  ...(current !== undefined && { current })
})

/** Converts a problem to the response for a well-formed HTTP request. */
export const toAnswer = (problem: Problem): Answer => ({
  status: statusOf(problem.code),
  headers: { "content-type": "application/problem+json", ...headersOf(problem) },
  body: JSON.stringify(problemJson(problem))
})

/**
 * Converts a problem to the bytes of an HTTP/1.1 response, for a request that the HTTP parser rejected. The response
 * closes the connection.
 */
export const toRawHttp = (problem: Problem): Uint8Array => {
  const { body, headers, status } = toAnswer(problem)
  const length = { "content-length": Buffer.byteLength(body), connection: "close" }
  const head = Object.entries({ ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`)
  return new TextEncoder().encode(`HTTP/1.1 ${status} ${kinds[problem.code].title}\r\n${head.join("")}\r\n${body}`)
}

const headersOf = ({ allow = [], code, retryAfterSeconds }: Problem): Answer["headers"] => ({
  "cache-control": "no-store",
  ...(code === "unauthorized" && { "www-authenticate": "Bearer" }),
  ...(retryAfterSeconds !== null && { "retry-after": String(retryAfterSeconds) }),
  // A 405 response always has `Allow`, possibly empty (RFC 9110 § 15.5.6).
  ...(code === "method_not_allowed" && { allow: allow.join(", ") })
})
