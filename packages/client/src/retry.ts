/** When a call is made again: a pure decision. Every POST has its key, so that what is sent twice is done once. */
import { PaymuxApiError, PaymuxConnectionError } from "./PaymuxError.ts"
import type { PaymuxError } from "./PaymuxError.ts"

const FIRST_WAIT = 500
const LONGEST_BACKOFF = 8000

/** A longer wait is left to the caller: the error has the time. */
const LONGEST_WAIT = 20_000

/**
 * ms to wait before the next try; `null`: it is not retried.
 *
 * `retry`: 0 before the first one. `chance`: from 0 to below 1; it keeps callers apart who failed at the same time.
 */
export const retryWait = (error: PaymuxError, retry: number, maxRetries: number, chance: number): number | null => {
  if (retry >= maxRetries || !isRetryable(error)) return null
  const backoff = Math.min(LONGEST_BACKOFF, FIRST_WAIT * 2 ** retry)
  const jittered = backoff * (0.5 + chance / 2)
  if (error.retryAfter === null) return jittered
  return error.retryAfter > LONGEST_WAIT ? null : Math.max(jittered, error.retryAfter + (FIRST_WAIT * chance) / 2)
}

/** It may go well the next time. */
export const isRetryable = (error: PaymuxError): boolean => {
  if (error instanceof PaymuxConnectionError) return true
  if (!(error instanceof PaymuxApiError) || error.status === null) return false
  // What stands between has replaced the answer of a request that may have been executed.
  if (error.status >= 200 && error.status <= 299) return true
  return error.status >= 500 || error.status === 429 || error.status === 408 || error.code === "idempotency_in_flight"
}
