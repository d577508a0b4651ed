/**
 * Sends a test event to an endpoint: once, signed like every other, and not kept. A developer sees at once what the
 * receiver answers.
 */
import { Ids } from "@paymux/core"
import type { Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { errorOf, isSuccess } from "./DeliveryResult.ts"
import { excerptOf } from "./Excerpt.ts"
import { postOnce } from "./HttpAttempt.ts"
import { WebhookEndpoints } from "../endpoint/Endpoints.ts"
import type { EndpointSecretUnreadable } from "../endpoint/SecretBox.ts"
import { sign } from "../endpoint/Signature.ts"
import { processUrl } from "../endpoint/WebhookEndpoint.ts"
import { WebhookHttp } from "../WebhookHttp.ts"

export interface TestEventResult {
  /** The receiver answered 2xx. */
  readonly delivered: boolean
  /** ms */
  readonly duration: number
  /** The HTTP status; `null`: no response. */
  readonly status: number | null
  /** A short code, such as `timeout` or `ECONNREFUSED`. */
  readonly error: string | null
  /** The beginning of the response body; see `excerptOf`. */
  readonly answer: string | null
}

/** A disabled endpoint receives nothing. */
export class EndpointDisabled extends Schema.TaggedError<EndpointDisabled>()("EndpointDisabled", {
  id: Schema.String
}) {
  override get message() {
    return `Endpoint ${this.id} is disabled. Enable it first.`
  }
}

/** Test events are limited, so that this server cannot be used to flood an address. */
export class TooManyTestEvents extends Schema.TaggedError<TooManyTestEvents>()("TooManyTestEvents", {}) {
  override get message() {
    return `At most ${perMinute} test events can be sent in a minute. Try again shortly.`
  }
}

export interface TestEventsOptions {
  /** Paymux's version, sent in the `user-agent` header. */
  readonly version: string
  /** Time limit in ms. Default 15,000. */
  readonly timeout?: number
}

export class WebhookTestEvents extends Context.Service<
  WebhookTestEvents,
  {
    /** `null`: this tenant has no such endpoint. */
    readonly send: (
      tenant: Tenant,
      endpointId: string
    ) => Effect.Effect<
      TestEventResult | null,
      EndpointDisabled | TooManyTestEvents | EndpointSecretUnreadable | StoreUnavailable
    >
  }
>()("@paymux/webhooks/TestEvents") {
  static readonly layer = (
    options: TestEventsOptions
  ): Layer.Layer<WebhookTestEvents, never, WebhookEndpoints | WebhookHttp | Ids> =>
    Layer.effect(WebhookTestEvents, make(options))
}

const make = Effect.fnUntraced(function* ({ timeout = 15_000, version }: TestEventsOptions) {
  const endpoints = yield* WebhookEndpoints
  const http = yield* WebhookHttp
  const ids = yield* Ids
  const isAllowed = limiter()

  return WebhookTestEvents.of({
    send: Effect.fnUntraced(function* (tenant, endpointId) {
      const known = yield* endpoints.list(tenant)
      if (!known.some(({ id, url }) => id === endpointId && url !== processUrl)) return null
      const target = yield* endpoints.target(endpointId)
      if (target === null) return yield* new EndpointDisabled({ id: endpointId })
      const startedAt = yield* Clock.currentTimeMillis
      if (!isAllowed(startedAt)) return yield* new TooManyTestEvents()
      const { endpoint, formerKeys, key } = target
      const id = yield* ids.event
      const body = JSON.stringify({ type: "webhook.test", timestamp: iso(startedAt), data: { id } })
      const signature = sign({ id, timestampSeconds: Math.floor(startedAt / 1000), body, key, formerKeys })
      const headers = { "content-type": "application/json", "user-agent": `Paymux/${version}`, ...signature }
      const result = yield* Effect.provideService(
        postOnce({ url: endpoint.url, livemode: endpoint.livemode, headers, body }, timeout),
        WebhookHttp,
        http
      )
      const answered = result._tag === "Answered"
      return {
        delivered: answered && isSuccess(result.status),
        duration: Math.max(0, (yield* Clock.currentTimeMillis) - startedAt),
        status: answered ? result.status : null,
        error: errorOf(result),
        answer: answered ? excerptOf(result.firstBytes) : null
      }
    })
  })
})

/** Counts what was sent in the last minute. */
const limiter = () => {
  let sent: ReadonlyArray<number> = []
  return (now: number): boolean => {
    sent = sent.filter((at) => at > now - 60_000 && at <= now)
    if (sent.length >= perMinute) return false
    sent = [...sent, now]
    return true
  }
}

const perMinute = 20
