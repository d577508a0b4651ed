/** An answer that is no success, as an error. What is not a problem of the API, as a proxy's page, is one all the same. */
import {
  PaymuxApiError,
  PaymuxAuthenticationError,
  PaymuxConflictError,
  PaymuxInvalidRequestError,
  PaymuxNotFoundError,
  PaymuxRateLimitError,
  PaymuxServerError
} from "./PaymuxError.ts"
import type { ErrorFields, Issue } from "./PaymuxError.ts"

export interface Answer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly text: string
}

/** `now`: ms UTC, for a `Retry-After` that is a date. */
export const apiError = (answer: Answer, idempotencyKey: string | null, now: number): PaymuxApiError => {
  const { headers, status, text } = answer
  const problem = objectIn(text)
  const { code, detail } = problem
  const requestId = textOr(problem["request_id"], headers.get("request-id"))
  const known = typeof code === "string"
  const sentence = known ? (textOr(detail, null) ?? "The request failed.") : unexpected(status)
  return new (classOf(status))({
    code: known ? code : "unexpected_answer",
    message: `${sentence} (${[String(status), ...(known ? [code] : []), ...(requestId === null ? [] : [requestId])].join(", ")})`,
    status,
    requestId,
    errors: issuesIn(problem["errors"]),
    retryAfter: retryAfterMs(headers.get("retry-after"), now),
    idempotencyKey,
    paymentId: textOr(problem["payment_id"], null),
    resumeAfter: textOr(problem["resume_after"], null)
  })
}

const unexpected = (status: number): string =>
  status >= 300 && status < 400
    ? "The server redirects, and the key is not sent elsewhere: see baseUrl."
    : "The answer is not one of the Paymux API: see baseUrl, and what stands between."

const classOf = (status: number): new (fields: ErrorFields) => PaymuxApiError => {
  if (status === 401) return PaymuxAuthenticationError
  if (status === 404) return PaymuxNotFoundError
  if (status === 409) return PaymuxConflictError
  if (status === 429) return PaymuxRateLimitError
  if (status >= 500) return PaymuxServerError
  return status >= 400 ? PaymuxInvalidRequestError : PaymuxApiError
}

/** ms: some 31 years. */
const LONGEST_RETRY_AFTER = 999_999_999_000

/** RFC 9110 § 10.2.3: seconds, or a date. */
const retryAfterMs = (value: string | null, now: number): number | null => {
  if (value === null) return null
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, LONGEST_RETRY_AFTER)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), LONGEST_RETRY_AFTER)
}

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const objectIn = (text: string): Json => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const textOr = (value: unknown, other: string | null): string | null => (typeof value === "string" ? value : other)

const issuesIn = (value: unknown): ReadonlyArray<Issue> =>
  Array.isArray(value)
    ? value
        .filter(isObject)
        .map(({ message, pointer }) => ({ pointer: textOr(pointer, null) ?? "", message: textOr(message, null) ?? "" }))
    : []
