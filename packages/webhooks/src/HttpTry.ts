/** One try of a delivery over HTTP, from reading what it is about to writing down how it ended. */
import { PaymentStore } from "@paymux/core/store"
import type { StoreUnavailable } from "@paymux/core/store"
import { eventBody } from "@paymux/core/wire"
import { Clock, Effect, Random } from "effect"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { ClaimedDelivery } from "./Delivery.ts"
import { WebhookEndpoints } from "./Endpoints.ts"
import { sign } from "./Signature.ts"
import { canceled, failingDays, hasFailedFor, postponed, verdict } from "./Verdict.ts"
import type { TryResult, Verdict } from "./Verdict.ts"
import type { DisabledReason, WebhookEndpoint } from "./WebhookEndpoint.ts"
import { WebhookHttp } from "./WebhookHttp.ts"
import type { WebhookRequest } from "./WebhookHttp.ts"

export interface HttpTryOptions {
  readonly userAgent: string
  /** ms for the try as a whole. */
  readonly timeout: number
  /** ms for which every try must have failed before the endpoint is disabled, on four days at least (or so many as it has). */
  readonly disableAfter: number
}

export const makeHttpTry = ({ disableAfter, timeout, userAgent }: HttpTryOptions) =>
  Effect.fnUntraced(function* (delivery: ClaimedDelivery) {
    const store = yield* PaymentStore
    const endpoints = yield* WebhookEndpoints
    const deliveries = yield* WebhookDeliveries
    const startedAt = yield* Clock.currentTimeMillis
    const event = yield* store.findEvent(delivery.eventId)
    if (event === null) return yield* deliveries.settle(delivery, canceled(delivery, "event_missing", startedAt))
    const target = yield* endpoints.target(delivery.endpointId).pipe(
      // Ours to mend: the receiver loses no try over it.
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
    const ended = verdict(delivery, result, now, yield* Random.next)
    const settled = yield* deliveries.settle(delivery, ended.settlement)
    if (settled) yield* afterwards(endpoint, ended, now, disableAfter)
    return settled
  })

const postOnce = Effect.fnUntraced(function* (request: WebhookRequest, timeout: number) {
  const http = yield* WebhookHttp
  return yield* http.post(request).pipe(
    Effect.map((answer): TryResult => ({ _tag: "Answered", ...answer })),
    Effect.catchTag("WebhookHttpError", ({ code }) => Effect.succeed<TryResult>({ _tag: "Failed", error: code })),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.succeed<TryResult>({ _tag: "Failed", error: "timeout" })
    })
  )
})

/** What the try means for the endpoint. `endpoint` is as it was when the try began. */
const afterwards = Effect.fnUntraced(function* (
  endpoint: WebhookEndpoint,
  { endpoint: how, pausedUntil }: Verdict,
  now: number,
  disableAfter: number
) {
  const endpoints = yield* WebhookEndpoints
  switch (how) {
    case "succeeded":
      return endpoint.failingSince === null ? undefined : yield* endpoints.succeeded(endpoint.id)
    case "gone":
      return yield* disable(endpoint, "gone", endpoints.disable(endpoint.id, "gone"))
    case "failed":
      yield* endpoints.failed(endpoint.id, now, pausedUntil)
      if (endpoint.failingSince === null || !hasFailedFor(endpoint.failingSince, disableAfter, now)) return
      // Another try may have succeeded while this one was under way.
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
      `disabled: ${words[reason]}. Once it is mended: paymux webhooks enable ${endpoint.id}, then resend --since.`
  )
})

const words: { readonly [reason in DisabledReason]: string } = {
  gone: "it answered 410",
  failing: "every try has failed for days"
}

const postponement = 60_000
