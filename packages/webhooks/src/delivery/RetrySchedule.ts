/** The retry schedule of deliveries, as Standard Webhooks recommends. */

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The delay before each attempt, including the first, ms. After the last attempt the delivery is dead (given up). */
export const retryDelays: ReadonlyArray<number> = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour
]

/** The upper limit for the delay that an endpoint's `Retry-After` requests, ms. */
export const longestRetryAfter = 24 * hour

/**
 * The delay until the next attempt, ms, after `attempts` attempts; `null` if that was the last one.
 *
 * `jitter` is in [0, 1) and adds up to a tenth, so that endpoints that failed together are not retried together. An
 * attempt is never earlier than its step or than the endpoint's `Retry-After`.
 */
export const nextDelay = (attempts: number, jitter: number, retryAfter: number | null): number | null => {
  const step = retryDelays[attempts]
  if (step === undefined) return null
  return Math.round(Math.max(step, withinReason(retryAfter) ?? 0) * (1 + jitter / 10))
}

/** The longest possible delay of a retry, ms. A due time further in the future was set while the clock was ahead. */
export const longestDelay = Math.round(longestRetryAfter * 1.1)

/** The delay that the endpoint's `Retry-After` requests, limited to a day. */
export const withinReason = (retryAfter: number | null): number | null =>
  retryAfter === null ? null : Math.min(retryAfter, longestRetryAfter)

/**
 * The delay until the embedding program's listener is called again, ms, after `attempts` attempts; at most an hour.
 * Retries never end, so that no event is missing once the listener is fixed.
 */
export const nextListenerDelay = (attempts: number): number => processDelays[attempts - 1] ?? hour

const processDelays: ReadonlyArray<number> = [second, 5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute]

/**
 * Parses a `Retry-After` header to a delay in ms. It is a number of seconds or an HTTP date (RFC 9110, section 10.2.3);
 * `null` if it is neither.
 */
export const readRetryAfter = (header: string | null, now: number): number | null => {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * second
  // Accepts only the date format that starts with a weekday, since `Date.parse` accepts almost any text.
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header) ? Date.parse(header) : NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
