/** When a delivery is tried again. The steps are those that Standard Webhooks recommends. */

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** ms to wait before each try, the first included. After the last the delivery is dead. */
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

/** What an endpoint may ask us to wait, at most, ms. */
const longestRetryAfter = 24 * hour

/**
 * ms until the next try after `attempts` tries; `null` when there is none.
 *
 * `jitter` is in [0, 1) and adds up to a tenth: endpoints that failed together do not come back together. It never
 * makes a try come earlier than its step, nor than the endpoint asked for.
 */
export const nextDelay = (attempts: number, jitter: number, retryAfter: number | null): number | null => {
  const step = retryDelays[attempts]
  if (step === undefined) return null
  return Math.round(Math.max(step, withinReason(retryAfter) ?? 0) * (1 + jitter / 10))
}

/** What an endpoint asked for, a day at most. */
export const withinReason = (retryAfter: number | null): number | null =>
  retryAfter === null ? null : Math.min(retryAfter, longestRetryAfter)

/**
 * ms until the program itself is told again after `attempts` tries, at the latest after an hour. There is no last try:
 * whoever embeds Paymux mends the code, and the event is still there.
 */
export const nextProcessDelay = (attempts: number): number => processDelays[attempts - 1] ?? hour

const processDelays: ReadonlyArray<number> = [second, 5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute]

/** ms that a `Retry-After` header asks for: seconds or an HTTP date (RFC 9110, section 10.2.3); `null` where neither. */
export const readRetryAfter = (header: string | null, now: number): number | null => {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * second
  // Only the form that starts with a day's name: `Date.parse` takes nearly anything else for a date.
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header) ? Date.parse(header) : NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
