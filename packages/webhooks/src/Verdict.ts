/** What one try means for its delivery and its endpoint. Pure: the sender carries it out. */
import type { ClaimedDelivery, Settlement } from "./Delivery.ts"
import { excerptOf } from "./Excerpt.ts"
import { nextDelay, readRetryAfter, withinReason } from "./RetrySchedule.ts"
import type { WebhookAnswer } from "./WebhookHttp.ts"

export type TryResult =
  | ({ readonly _tag: "Answered" } & WebhookAnswer)
  /** No answer came; `error` is a short code. */
  | { readonly _tag: "Failed"; readonly error: string }

export interface Verdict {
  readonly settlement: Settlement
  /** What the try says of the endpoint. `gone`: it answered that it is, for good. */
  readonly endpoint: "succeeded" | "failed" | "gone"
  /** ms UTC until which the endpoint asks for nothing to be sent, whatever it is. */
  readonly pausedUntil: number | null
}

/** `now` (ms UTC) is the end of the try; `jitter` is in [0, 1). */
export const verdict = (delivery: ClaimedDelivery, result: TryResult, now: number, jitter: number): Verdict => {
  const attempts = delivery.attempts + 1
  const ended = {
    attempts,
    deliverAt: now,
    lastAt: now,
    lastStatus: result._tag === "Answered" ? result.status : null,
    lastError: errorOf(result),
    lastAnswer: result._tag === "Answered" ? excerptOf(result.firstBytes) : null
  }
  if (result._tag === "Answered" && isSuccess(result.status)) {
    return { settlement: { ...ended, status: "delivered" }, endpoint: "succeeded", pausedUntil: null }
  }
  if (result._tag === "Answered" && result.status === 410) {
    return { settlement: { ...ended, status: "canceled" }, endpoint: "gone", pausedUntil: null }
  }
  const retryAfter = retryAfterOf(result, now)
  const delay = nextDelay(attempts - delivery.attemptsBefore, jitter, retryAfter)
  const settlement: Settlement =
    delay === null ? { ...ended, status: "dead" } : { ...ended, status: "pending", deliverAt: now + delay }
  return { settlement, endpoint: "failed", pausedUntil: retryAfter === null ? null : now + retryAfter }
}

/** Whether an endpoint has failed for so long that nobody can be waiting for its events. */
export const hasFailedFor = (failingSince: number, limit: number, now: number): boolean => now - failingSince >= limit

/**
 * On how many days a try must have failed besides. Where nothing is sent for days, as while the server is down, the failure
 * before and the one after say little of the time between.
 */
export const failingDays = (limit: number): number => Math.min(4, Math.floor(limit / 86_400_000) + 1)

/** Nothing was sent, by no fault of the receiver: later, without a try being counted. */
export const postponed = (delivery: ClaimedDelivery, error: string, now: number, delay: number): Settlement => ({
  status: "pending",
  attempts: delivery.attempts,
  deliverAt: now + delay,
  lastAt: now,
  lastStatus: null,
  lastError: error,
  lastAnswer: null
})

/** There is nothing left to send, or nobody to send it to. */
export const canceled = (delivery: ClaimedDelivery, error: string, now: number): Settlement => ({
  ...postponed(delivery, error, now, 0),
  status: "canceled"
})

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const errorOf = (result: TryResult): string | null => {
  if (result._tag === "Failed") return result.error
  return result.status >= 300 && result.status < 400 ? "redirect_not_followed" : null
}

const retryAfterOf = (result: TryResult, now: number): number | null =>
  result._tag === "Answered" && (result.status === 429 || result.status === 503)
    ? withinReason(readRetryAfter(result.retryAfter, now))
    : null
