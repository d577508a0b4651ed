/** Makes one delivery attempt over HTTP. Its result is stored later, together with others. */
import type { EventId } from "@paymux/core/store"
import { Clock, Effect, Random } from "effect"
import type { ClaimedDelivery } from "./Delivery.ts"
import { deliveryResult } from "./DeliveryResult.ts"
import type { AttemptResult } from "./DeliveryResult.ts"
import type { EndedAttempt } from "./DeliveryResults.ts"
import type { EndpointTarget } from "../endpoint/Endpoints.ts"
import { sign } from "../endpoint/Signature.ts"
import type { WebhookHttp, WebhookRequest } from "../WebhookHttp.ts"

export interface HttpAttemptOptions {
  readonly userAgent: string
  /** The time limit of an attempt, ms. */
  readonly timeout: number
  readonly http: WebhookHttp["Service"]
}

/** The body of an event, serialized once for all its deliveries. */
export interface EventBody {
  readonly id: EventId
  readonly body: string
}

export const makeHttpAttempt = ({ http, timeout, userAgent }: HttpAttemptOptions) =>
  Effect.fnUntraced(function* (delivery: ClaimedDelivery, { body, id }: EventBody, target: EndpointTarget) {
    const { endpoint, formerKeys, key } = target
    const startedAt = yield* Clock.currentTimeMillis
    const signature = sign({ id, timestampSeconds: Math.floor(startedAt / 1000), body, key, formerKeys })
    const headers = { "content-type": "application/json", "user-agent": userAgent, ...signature }
    const result = yield* postOnce(http, { url: endpoint.url, livemode: endpoint.livemode, headers, body }, timeout)
    const now = yield* Clock.currentTimeMillis
    const {
      endpoint: how,
      pausedUntil,
      settlement
    } = deliveryResult(delivery, result, { startedAt, endedAt: now }, yield* Random.next)
    return { delivery, settlement, result: { endpoint, how, at: now, pausedUntil } } satisfies EndedAttempt
  })

/** Posts an event once. It never fails: no response within `timeout` ms is a result too. */
export const postOnce = (
  http: WebhookHttp["Service"],
  request: WebhookRequest,
  timeout: number
): Effect.Effect<AttemptResult> =>
  http.post(request).pipe(
    Effect.map((answer): AttemptResult => ({ _tag: "Answered", ...answer })),
    Effect.catchTag("WebhookHttpError", ({ code }) => Effect.succeed<AttemptResult>({ _tag: "Failed", error: code })),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.succeed<AttemptResult>({ _tag: "Failed", error: "timeout" })
    })
  )
