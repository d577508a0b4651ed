/**
 * Everything a call can fail with: one tree of classes, with `code` to decide by.
 *
 * ```
 * PaymuxError
 * ├── PaymuxApiError                the server answered with a problem
 * │   ├── PaymuxAuthenticationError 401
 * │   ├── PaymuxNotFoundError       404
 * │   ├── PaymuxConflictError       409
 * │   ├── PaymuxRateLimitError      429
 * │   ├── PaymuxInvalidRequestError any other 4xx
 * │   └── PaymuxServerError         5xx
 * ├── PaymuxConnectionError         no answer: whether it was done is not known
 * │   └── PaymuxTimeoutError        no answer in time
 * ├── PaymuxAbortError              your signal ended the call
 * ├── PaymuxWebhookError            a webhook is not authentic, or stale
 * └── PaymuxUsageError              an option or argument is wrong: nothing was sent
 * ```
 *
 * No message and no field holds the API key or a secret.
 */
import type { Problem } from "./wire.ts"

/** The codes of the server's problems, those of this package, and any that a newer server has. */
export type ErrorCode =
  | Problem["code"]
  | "unexpected_answer"
  | "connection_failed"
  | "timeout"
  | "aborted"
  | "webhook_headers_invalid"
  | "webhook_secret_invalid"
  | "webhook_body_invalid"
  | "invalid_argument"
  // Keeps the names above in an editor's list, and lets others through.
  | (string & {})

/** One fault of a request: a JSON pointer into its body, or the name of a parameter, and what is wrong. */
export interface Issue {
  readonly pointer: string
  readonly message: string
}

export interface ErrorFields {
  readonly code: ErrorCode
  readonly message: string
  readonly status?: number | null
  readonly requestId?: string | null
  readonly errors?: ReadonlyArray<Issue>
  readonly retryAfter?: number | null
  readonly idempotencyKey?: string | null
  readonly paymentId?: string | null
  readonly resumeAfter?: string | null
  readonly cause?: unknown
}

export class PaymuxError extends Error {
  override readonly name: string = "PaymuxError"
  readonly code: ErrorCode
  /** Of the answer; `null` where there was none. */
  readonly status: number | null
  /** Finds the request in the server's logs. */
  readonly requestId: string | null
  /** What is wrong with the request, field by field. */
  readonly errors: ReadonlyArray<Issue>
  /** ms, where the server said when to ask again. */
  readonly retryAfter: number | null
  /** Of the POST that failed, also where it was made here: the same call with it is not done twice. */
  readonly idempotencyKey: string | null
  /** Of `idempotency_key_reused`: the payment of the first request under the key. `null` for other errors. */
  readonly paymentId: string | null
  /** Of `event_not_stored`: the `after` with which to continue; `null`: without one. `null` for other errors. */
  readonly resumeAfter: string | null

  constructor(fields: ErrorFields) {
    super(fields.message, fields.cause === undefined ? {} : { cause: fields.cause })
    this.code = fields.code
    this.status = fields.status ?? null
    this.requestId = fields.requestId ?? null
    this.errors = fields.errors ?? []
    this.retryAfter = fields.retryAfter ?? null
    this.idempotencyKey = fields.idempotencyKey ?? null
    this.paymentId = fields.paymentId ?? null
    this.resumeAfter = fields.resumeAfter ?? null
  }
}

export class PaymuxApiError extends PaymuxError {
  override readonly name: string = "PaymuxApiError"
}

export class PaymuxAuthenticationError extends PaymuxApiError {
  override readonly name = "PaymuxAuthenticationError"
}

export class PaymuxNotFoundError extends PaymuxApiError {
  override readonly name = "PaymuxNotFoundError"
}

export class PaymuxConflictError extends PaymuxApiError {
  override readonly name = "PaymuxConflictError"
}

export class PaymuxRateLimitError extends PaymuxApiError {
  override readonly name = "PaymuxRateLimitError"
}

export class PaymuxInvalidRequestError extends PaymuxApiError {
  override readonly name = "PaymuxInvalidRequestError"
}

export class PaymuxServerError extends PaymuxApiError {
  override readonly name = "PaymuxServerError"
}

export class PaymuxConnectionError extends PaymuxError {
  override readonly name: string = "PaymuxConnectionError"
}

export class PaymuxTimeoutError extends PaymuxConnectionError {
  override readonly name = "PaymuxTimeoutError"
}

/** Its `cause` is the signal's reason. */
export class PaymuxAbortError extends PaymuxError {
  override readonly name = "PaymuxAbortError"
}

export class PaymuxWebhookError extends PaymuxError {
  override readonly name = "PaymuxWebhookError"
}

export class PaymuxUsageError extends PaymuxError {
  override readonly name = "PaymuxUsageError"

  constructor(message: string) {
    super({ code: "invalid_argument", message })
  }
}
