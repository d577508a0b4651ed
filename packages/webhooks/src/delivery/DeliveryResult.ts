/** Computes the new state of a delivery and its endpoint from the result of an attempt. Pure; the sender applies it. */
import type { ClaimedDelivery, Settlement } from "./Delivery.ts"
import { excerptOf } from "./Excerpt.ts"
import { nextDelay, readRetryAfter, withinReason } from "./RetrySchedule.ts"
import type { WebhookAnswer } from "../WebhookHttp.ts"

export type AttemptResult =
  | ({ readonly _tag: "Answered" } & WebhookAnswer)
  /** No response was received; `error` is an error code. */
  | { readonly _tag: "Failed"; readonly error: string }

export interface DeliveryResult {
  readonly settlement: Settlement
  /** The result for the endpoint's health. `gone`: the endpoint answered 410. */
  readonly endpoint: "succeeded" | "failed" | "gone"
  /** The time before which the endpoint asked for no requests, ms UTC. */
  readonly pausedUntil: number | null
}

/** The start and end of an attempt, ms UTC. */
export interface AttemptTimes {
  readonly startedAt: number
  readonly endedAt: number
}

/** Computes the new state after an attempt. `jitter` is a random number in [0, 1). */
export const deliveryResult = (
  delivery: ClaimedDelivery,
  result: AttemptResult,
  { endedAt: now, startedAt }: AttemptTimes,
  jitter: number
): DeliveryResult => {
  const attempts = delivery.attempts + 1
  const ended = {
    attempts,
    deliverAt: now,
    lastAt: now,
    // The duration is at least 0, since the clock may be set back during the attempt.
    duration: Math.max(0, now - startedAt),
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

/** Whether an endpoint has failed for at least `limit` ms, so that it should be disabled. */
export const hasFailedFor = (failingSince: number, limit: number, now: number): boolean => now - failingSince >= limit

/**
 * The number of days with failed attempts that are also needed to disable an endpoint. If no event is sent for days,
 * for example while the server is down, failures before and after do not show that the endpoint failed all the time.
 */
export const failingDays = (limit: number): number => Math.min(4, Math.floor(limit / 86_400_000) + 1)

/** The state of a delivery that Paymux itself could not send: it is retried later, and no attempt is counted. */
export const postponed = (delivery: ClaimedDelivery, error: string, now: number, delay: number): Settlement => ({
  status: "pending",
  attempts: delivery.attempts,
  deliverAt: now + delay,
  lastAt: now,
  duration: null,
  lastStatus: null,
  lastError: error,
  lastAnswer: null
})

/** The state of a delivery whose event or endpoint no longer exists. */
export const canceled = (delivery: ClaimedDelivery, error: string, now: number): Settlement => ({
  ...postponed(delivery, error, now, 0),
  status: "canceled"
})

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

export const errorOf = (result: AttemptResult): string | null => {
  if (result._tag === "Failed") return result.error
  return result.status >= 300 && result.status < 400 ? "redirect_not_followed" : null
}

const retryAfterOf = (result: AttemptResult, now: number): number | null =>
  result._tag === "Answered" && (result.status === 429 || result.status === 503)
    ? withinReason(readRetryAfter(result.retryAfter, now))
    : null
