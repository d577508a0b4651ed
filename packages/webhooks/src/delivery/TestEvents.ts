/**
 * Sends a test event to an endpoint once, signed like any other event but not stored. The developer gets the receiver's
 * response.
 */
import { Ids } from "@paymux/core"
import type { Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { errorOf, isSuccess } from "./DeliveryResult.ts"
import { excerptOf } from "./Excerpt.ts"
import { postOnce } from "./HttpAttempt.ts"
import { WebhookEndpoints } from "../endpoint/Endpoints.ts"
import type { EndpointSecretUnreadable } from "../endpoint/SecretBox.ts"
import { sign } from "../endpoint/Signature.ts"
import { processUrl } from "../endpoint/WebhookEndpoint.ts"
import { mapSqlError } from "../mapSqlError.ts"
import { WebhookHttp } from "../WebhookHttp.ts"

export interface TestEventResult {
  /** Whether the receiver answered with a 2xx status. */
  readonly delivered: boolean
  /** The duration of the request, ms. */
  readonly duration: number
  /** The HTTP status of the response; `null` without a response. */
  readonly status: number | null
  /** The error code, such as `timeout` or `ECONNREFUSED`. */
  readonly error: string | null
  /** An excerpt of the receiver's response body, see `excerptOf`. */
  readonly answer: string | null
}

/**
 * The number of test events that can be sent in a burst. Within any minute, at most twice as many are sent: a burst,
 * and one more in each `interval`.
 */
const burst = 10

/** The interval at which one further test event is allowed, ms. */
const interval = 60_000 / burst

/** The maximum difference between the clocks of processes, ms. */
const clockTolerance = 60_000

/** The error for a disabled endpoint, which receives no events. */
export class EndpointDisabled extends Schema.TaggedError<EndpointDisabled>()("EndpointDisabled", {
  id: Schema.String
}) {
  override get message() {
    return `Endpoint ${this.id} is disabled. Enable it first.`
  }
}

/**
 * The error if the limit on test events is reached. It applies per account and mode, over all processes, so that test
 * events cannot be used to flood an address.
 */
export class TooManyTestEvents extends Schema.TaggedError<TooManyTestEvents>()("TooManyTestEvents", {}) {
  override get message() {
    return `At most ${burst} test events can be sent at once, and one more every ${interval / 1000} seconds. Try again shortly.`
  }
}

export interface TestEventsOptions {
  /** The version of Paymux, for the `user-agent` header. */
  readonly version: string
  /** The time limit of the request, ms. Default: 15,000. */
  readonly timeout?: number
}

export class WebhookTestEvents extends Context.Service<
  WebhookTestEvents,
  {
    /** Sends a test event; `null` if this tenant has no such endpoint. */
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
  ): Layer.Layer<WebhookTestEvents, never, WebhookEndpoints | WebhookHttp | Ids | SqlClient.SqlClient> =>
    Layer.effect(WebhookTestEvents, make(options))
}

const make = Effect.fnUntraced(function* ({ timeout = 15_000, version }: TestEventsOptions) {
  const endpoints = yield* WebhookEndpoints
  const http = yield* WebhookHttp
  const ids = yield* Ids
  const sql = yield* SqlClient.SqlClient

  return WebhookTestEvents.of({
    send: Effect.fnUntraced(function* (tenant, endpointId) {
      const known = yield* endpoints.list(tenant)
      if (!known.some(({ id, url }) => id === endpointId && url !== processUrl)) return null
      const target = yield* endpoints.target(endpointId)
      if (target === null) return yield* new EndpointDisabled({ id: endpointId })
      yield* Effect.provideService(count(tenant), SqlClient.SqlClient, sql)
      const startedAt = yield* Clock.currentTimeMillis
      const { endpoint, formerKeys, key } = target
      const id = ids.event()
      const body = JSON.stringify({ type: "webhook.test", timestamp: iso(startedAt), data: { id } })
      const signature = sign({ id, timestampSeconds: Math.floor(startedAt / 1000), body, key, formerKeys })
      const headers = { "content-type": "application/json", "user-agent": `Paymux/${version}`, ...signature }
      const result = yield* postOnce(http, { url: endpoint.url, livemode: endpoint.livemode, headers, body }, timeout)
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

/**
 * Counts a test event of this tenant, over all processes, before it is sent. It implements the generic cell rate
 * algorithm: each event advances `free_at` by `interval`, to at most `burst` intervals from now. A slightly later
 * `free_at` was written by a process whose clock is ahead: the limit is reached. If it is much later, the clock was set
 * back since: the event is allowed, and the limit is reached after it.
 */
const count = Effect.fnUntraced(function* ({ account, livemode }: Tenant) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const full = now + burst * interval
  const beyond = full + clockTolerance
  // One statement, so that concurrent test events are all counted. If the limit is reached, it writes nothing.
  const counted = yield* mapSqlError(sql`
    INSERT INTO webhook_test_events AS t (account, livemode, sent, started_at, free_at)
    VALUES (${account}, ${livemode}, 0, 0, ${now + interval})
    ON CONFLICT (account, livemode) DO UPDATE SET free_at = CASE
      WHEN t.free_at > ${beyond} THEN ${full}
      WHEN t.free_at < ${now} THEN ${now + interval}
      ELSE t.free_at + ${interval} END
    WHERE t.free_at <= ${full - interval} OR t.free_at > ${beyond}
    RETURNING account`)
  if (counted.length === 0) return yield* new TooManyTestEvents()
})
