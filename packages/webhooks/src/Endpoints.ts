/**
 * Where a merchant wants to be told. Endpoints belong to an account and a mode, and only events of both reach them.
 *
 * A secret is shown once, when its endpoint is added; in the database it is encrypted.
 */
import { Ids, StoreUnavailable } from "@paymux/core"
import type { EventType, Tenant } from "@paymux/core"
import { Clock, Context, Effect, Layer } from "effect"
import type { Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import * as AddressPolicy from "./AddressPolicy.ts"
import { checkEndpointUrl } from "./EndpointUrl.ts"
import type { EndpointUrlRefused } from "./EndpointUrl.ts"
import * as SecretBox from "./SecretBox.ts"
import { generateSecret, readSecret } from "./Signature.ts"
import type { SigningKey, WebhookSecretInvalid } from "./Signature.ts"

export interface WebhookEndpoint extends Tenant {
  /** `we_…` */
  readonly id: string
  readonly url: string
  /** The types it is told; `null`: all. */
  readonly events: ReadonlyArray<string> | null
  /** ms UTC */
  readonly createdAt: number
  /** ms UTC; from then on it is told nothing. */
  readonly disabledAt: number | null
  readonly disabledReason: DisabledReason | null
}

/** `gone`: it answered 410. */
export type DisabledReason = "gone"

export interface NewWebhookEndpoint extends Tenant {
  readonly url: string
  /** The types it is told. Default: all, also those that later versions bring. */
  readonly events?: readonly [EventType, ...ReadonlyArray<EventType>]
  /** A `whsec_` secret to take over from elsewhere. Default: a new one. */
  readonly secret?: Redacted.Redacted<string>
}

export interface EndpointsOptions {
  /** The server's secret, under which endpoint secrets are encrypted. */
  readonly secret: Redacted.Redacted<string>
  /** Addresses, ranges (CIDR) and host names that are opened although they are not public. */
  readonly allow: ReadonlyArray<string>
}

export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    /** The secret that is returned can never be read again. */
    readonly add: (
      endpoint: NewWebhookEndpoint
    ) => Effect.Effect<
      { readonly endpoint: WebhookEndpoint; readonly secret: Redacted.Redacted<string> },
      EndpointUrlRefused | WebhookSecretInvalid | StoreUnavailable
    >
    /** Oldest first, disabled ones too. */
    readonly list: (tenant: Tenant) => Effect.Effect<ReadonlyArray<WebhookEndpoint>, StoreUnavailable>
    /** Those that are told of events. */
    readonly active: (tenant: Tenant) => Effect.Effect<ReadonlyArray<WebhookEndpoint>, StoreUnavailable>
    /** What was to be delivered to it is canceled. `false`: this tenant has no such endpoint. */
    readonly remove: (tenant: Tenant, id: string) => Effect.Effect<boolean, StoreUnavailable>
    /** What was to be delivered to it is canceled. */
    readonly disable: (id: string, reason: DisabledReason) => Effect.Effect<void, StoreUnavailable>
    /** An active endpoint with its key; `null`: it is removed or disabled. */
    readonly target: (
      id: string
    ) => Effect.Effect<
      { readonly endpoint: WebhookEndpoint; readonly key: SigningKey } | null,
      StoreUnavailable | SecretBox.EndpointSecretUnreadable
    >
  }
>()("@paymux/webhooks/Endpoints") {
  static readonly layer = (
    options: EndpointsOptions
  ): Layer.Layer<WebhookEndpoints, AddressPolicy.AllowListInvalid, SqlClient.SqlClient | Ids> =>
    Layer.effect(WebhookEndpoints, make(options))
}

const make = Effect.fnUntraced(function* (options: EndpointsOptions) {
  const sql = yield* SqlClient.SqlClient
  const ids = yield* Ids
  const policy = yield* AddressPolicy.make(options.allow)
  const box = SecretBox.make(options.secret)

  const rowsOf = ({ account, livemode }: Tenant) => sql<EndpointRow>`
    SELECT * FROM webhook_endpoints WHERE account = ${account} AND livemode = ${livemode} ORDER BY created_at, id`

  const cancelDeliveries = (id: string) => sql`
    UPDATE webhook_deliveries SET status = 'canceled', claimed_by = NULL, claimed_until = NULL
    WHERE endpoint_id = ${id} AND status = 'pending'`

  return WebhookEndpoints.of({
    add: Effect.fnUntraced(function* ({ account, events = null, livemode, secret: given, url }) {
      const secret = given ?? (yield* generateSecret)
      yield* readSecret(secret)
      const endpoint: WebhookEndpoint = {
        id: yield* ids.endpoint,
        account,
        livemode,
        url: yield* checkEndpointUrl(url, livemode, policy),
        events,
        createdAt: yield* Clock.currentTimeMillis,
        disabledAt: null,
        disabledReason: null
      }
      const sealed = yield* box.seal(endpoint.id, secret)
      const filter = events === null ? null : JSON.stringify(events)
      yield* stored(sql`
        INSERT INTO webhook_endpoints (id, account, livemode, url, events, secret, created_at)
        VALUES (${endpoint.id}, ${account}, ${livemode}, ${endpoint.url}, ${filter}, ${sealed}, ${endpoint.createdAt})`)
      return { endpoint, secret }
    }),
    list: (tenant) => stored(Effect.map(rowsOf(tenant), (rows) => rows.map(readEndpoint))),
    active: (tenant) =>
      stored(Effect.map(rowsOf(tenant), (rows) => rows.filter((row) => row.disabled_at === null).map(readEndpoint))),
    remove: ({ account, livemode }, id) =>
      stored(
        sql.withTransaction(
          Effect.gen(function* () {
            const removed = yield* sql`
              DELETE FROM webhook_endpoints
              WHERE id = ${id} AND account = ${account} AND livemode = ${livemode} RETURNING id`
            if (removed.length > 0) yield* cancelDeliveries(id)
            return removed.length > 0
          })
        )
      ),
    disable: (id, reason) =>
      stored(
        sql.withTransaction(
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            yield* sql`
              UPDATE webhook_endpoints SET disabled_at = ${now}, disabled_reason = ${reason}
              WHERE id = ${id} AND disabled_at IS NULL`
            yield* cancelDeliveries(id)
          })
        )
      ),
    target: Effect.fnUntraced(function* (id) {
      const [row] = yield* stored(sql<EndpointRow>`
        SELECT * FROM webhook_endpoints WHERE id = ${id} AND disabled_at IS NULL`)
      if (row === undefined) return null
      const secret = yield* box.open(id, row.secret)
      // Sealed by `add`, which had read it.
      const key = yield* Effect.orDie(readSecret(secret))
      return { endpoint: readEndpoint(row), key }
    })
  })
})

/** The database's own errors are its driver's matter: callers learn that it did not answer, as with payments. */
export const stored = <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>) =>
  Effect.catchTag(effect, "SqlError", (cause) => Effect.fail(new StoreUnavailable({ cause })))

interface EndpointRow {
  readonly id: string
  readonly account: string
  /** 0 or 1 on SQLite. */
  readonly livemode: boolean | number
  readonly url: string
  readonly events: string | null
  readonly secret: string
  /** PostgreSQL answers a bigint as text. */
  readonly created_at: number | string
  readonly disabled_at: number | string | null
  readonly disabled_reason: DisabledReason | null
}

const readEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  account: row.account,
  livemode: Boolean(row.livemode),
  url: row.url,
  // Boundary: this module alone writes the column, from such a list.
  events: row.events === null ? null : (JSON.parse(row.events) as ReadonlyArray<string>),
  createdAt: Number(row.created_at),
  disabledAt: row.disabled_at === null ? null : Number(row.disabled_at),
  disabledReason: row.disabled_reason
})
