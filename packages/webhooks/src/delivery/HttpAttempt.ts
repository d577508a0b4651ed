/** One delivery attempt over HTTP, from loading the event to storing the result. */
import { PaymentStore } from "@paymux/core/store"
import type { StoreUnavailable } from "@paymux/core/store"
import { eventBody } from "@paymux/core/wire"
import { Clock, Effect, Random } from "effect"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { ClaimedDelivery } from "./Delivery.ts"
import { WebhookEndpoints } from "../endpoint/Endpoints.ts"
import { sign } from "../endpoint/Signature.ts"
import { canceled, failingDays, hasFailedFor, postponed, deliveryResult } from "./DeliveryResult.ts"
import type { AttemptResult, DeliveryResult } from "./DeliveryResult.ts"
import type { DisabledReason, WebhookEndpoint } from "../endpoint/WebhookEndpoint.ts"
import { WebhookHttp } from "../WebhookHttp.ts"
import type { WebhookRequest } from "../WebhookHttp.ts"

export interface HttpAttemptOptions {
  readonly userAgent: string
  /** Time limit of the attempt in ms. */
  readonly timeout: number
  /** ms for which every attempt must have failed before the endpoint is disabled; see also `failingDays`. */
  readonly disableAfter: number
}

export const makeHttpAttempt = ({ disableAfter, timeout, userAgent }: HttpAttemptOptions) =>
  Effect.fnUntraced(function* (delivery: ClaimedDelivery) {
    const store = yield* PaymentStore
    const endpoints = yield* WebhookEndpoints
    const deliveries = yield* WebhookDeliveries
    const startedAt = yield* Clock.currentTimeMillis
    const event = yield* store.findEvent(delivery.eventId)
    if (event === null) return yield* deliveries.settle(delivery, canceled(delivery, "event_missing", startedAt))
    const target = yield* endpoints.target(delivery.endpointId).pipe(
      // A fault on our side does not use up one of the receiver's attempts.
      Effect.tapError(() => deliveries.settle(delivery, postponed(delivery, "not_sendable", startedAt, postponement)))
    )
    if (target === null) return yield* deliveries.settle(delivery, canceled(delivery, "endpoint_inactive", startedAt))
    const { endpoint, formerKeys, key } = target
    const body = eventBody(event)
    const timestampSeconds = Math.floor(startedAt / 1000)
    const signature = sign({ id: event.id, timestampSeconds, body, key, formerKeys })
    const headers = { "content-type": "application/json", "user-agent": userAgent, ...signature }
    const result = yield* postOnce({ url: endpoint.url, livemode: endpoint.livemode, headers, body }, timeout)
    const now = yield* Clock.currentTimeMillis
    const ended = deliveryResult(delivery, result, { startedAt, endedAt: now }, yield* Random.next)
    const settled = yield* deliveries.settle(delivery, ended.settlement)
    if (settled) yield* updateEndpoint(endpoint, ended, now, disableAfter)
    return settled
  })

/** Never fails: no response within `timeout` ms is a result too. */
export const postOnce = Effect.fnUntraced(function* (request: WebhookRequest, timeout: number) {
  const http = yield* WebhookHttp
  return yield* http.post(request).pipe(
    Effect.map((answer): AttemptResult => ({ _tag: "Answered", ...answer })),
    Effect.catchTag("WebhookHttpError", ({ code }) => Effect.succeed<AttemptResult>({ _tag: "Failed", error: code })),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.succeed<AttemptResult>({ _tag: "Failed", error: "timeout" })
    })
  )
})

/** Applies the result to the endpoint. `endpoint` is its state when the attempt started. */
const updateEndpoint = Effect.fnUntraced(function* (
  endpoint: WebhookEndpoint,
  { endpoint: how, pausedUntil }: DeliveryResult,
  now: number,
  disableAfter: number
) {
  const endpoints = yield* WebhookEndpoints
  switch (how) {
    case "succeeded":
      return endpoint.failingSince === null ? undefined : yield* endpoints.succeeded(endpoint.id)
    case "gone":
      return yield* disable(endpoint, "gone", endpoints.disableGone(endpoint.id))
    case "failed":
      yield* endpoints.failed(endpoint.id, now, pausedUntil)
      if (endpoint.failingSince === null || !hasFailedFor(endpoint.failingSince, disableAfter, now)) return
      // Another attempt may have succeeded meanwhile.
      return yield* disable(
        endpoint,
        "failing",
        endpoints.disableFailing(endpoint.id, endpoint.failingSince, failingDays(disableAfter))
      )
    default:
      return how satisfies never
  }
})

const disable = Effect.fnUntraced(function* (
  endpoint: WebhookEndpoint,
  reason: DisabledReason,
  disabling: Effect.Effect<boolean, StoreUnavailable>
) {
  if (!(yield* disabling)) return
  yield* Effect.logError(
    `Webhooks: endpoint ${endpoint.id} of account ${endpoint.account} (${endpoint.livemode ? "live" : "test"} mode) is ` +
      `disabled: ${words[reason]}. After fixing the receiver, run: paymux webhooks enable ${endpoint.id}, then resend --since.`
  )
})

const words: { readonly [reason in DisabledReason]: string } = {
  gone: "it answered 410",
  failing: "every attempt has failed for days",
  operator: "an operator disabled it"
}

const postponement = 60_000
