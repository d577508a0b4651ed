/** What one try means for its delivery and its endpoint. Pure: the sender carries it out. */
import type { ClaimedDelivery, Settlement } from "./Deliveries.ts"
import { nextDelay, readRetryAfter } from "./RetrySchedule.ts"
import type { WebhookAnswer } from "./WebhookHttp.ts"

export type TryResult =
  | ({ readonly _tag: "Answered" } & WebhookAnswer)
  /** No answer came; `error` is a short code. */
  | { readonly _tag: "Failed"; readonly error: string }

export interface Verdict {
  readonly settlement: Settlement
  /** The endpoint answered that it is gone for good. */
  readonly disable: boolean
}

/** `now` (ms UTC) is the end of the try; `jitter` is in [0, 1). */
export const verdict = (delivery: ClaimedDelivery, result: TryResult, now: number, jitter: number): Verdict => {
  const attempts = delivery.attempts + 1
  const ended = {
    attempts,
    deliverAt: now,
    lastAt: now,
    lastStatus: result._tag === "Answered" ? result.status : null,
    lastError: errorOf(result)
  }
  if (result._tag === "Answered" && isSuccess(result.status)) {
    return { settlement: { ...ended, status: "delivered" }, disable: false }
  }
  if (result._tag === "Answered" && result.status === 410) {
    return { settlement: { ...ended, status: "canceled" }, disable: true }
  }
  const delay = nextDelay(attempts, jitter, retryAfterOf(result, now))
  const settlement: Settlement =
    delay === null ? { ...ended, status: "dead" } : { ...ended, status: "pending", deliverAt: now + delay }
  return { settlement, disable: false }
}

/** Nothing was sent, by no fault of the receiver: later, without a try being counted. */
export const postponed = (delivery: ClaimedDelivery, error: string, now: number, delay: number): Settlement => ({
  status: "pending",
  attempts: delivery.attempts,
  deliverAt: now + delay,
  lastAt: now,
  lastStatus: null,
  lastError: error
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
    ? readRetryAfter(result.retryAfter, now)
    : null
