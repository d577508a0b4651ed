/**
 * Manages webhook endpoints. Each endpoint belongs to one account and mode, and receives only their events.
 *
 * A secret is shown once, when the endpoint is added or the secret is rotated. The database stores it encrypted.
 */
import { Ids } from "@paymux/core"
import type { Tenant } from "@paymux/core"
import type { ServerSecrets } from "@paymux/core/wire"
import { eventTypes } from "@paymux/core/store"
import type { EventType, StoreUnavailable } from "@paymux/core/store"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as AddressPolicy from "./AddressPolicy.ts"
import { checkEndpointUrl } from "./EndpointUrl.ts"
import type { EndpointUrlRefused } from "./EndpointUrl.ts"
import { rotate } from "./FormerSecrets.ts"
import type { Rotated, Rotation, RotationRefused } from "./FormerSecrets.ts"
import * as SecretBox from "./SecretBox.ts"
import { generateSecret, readSecret } from "./Signature.ts"
import type { SigningKey, WebhookSecretInvalid } from "./Signature.ts"
import { isOneOf } from "../jsonSets.ts"
import { mapSqlError } from "../mapSqlError.ts"
import { lockInOrder } from "../rowLocks.ts"
import { processUrl, readEndpoint } from "./WebhookEndpoint.ts"
import type { DisabledReason, EndpointRow, WebhookEndpoint } from "./WebhookEndpoint.ts"

export interface NewWebhookEndpoint extends Tenant {
  readonly url: string
  /** The event types to receive. Default: all types, including those of later versions. */
  readonly events?: readonly [EventType, ...ReadonlyArray<EventType>]
  /** An existing `whsec_` secret to import. Default: a new secret is generated. */
  readonly secret?: Redacted.Redacted<string>
}

/** The fields of an endpoint to change; absent fields are kept. `events: null` selects all types. */
export interface EndpointChanges {
  readonly url?: string
  readonly events?: readonly [EventType, ...ReadonlyArray<EventType>] | null
}

/** The error for a list of event types that is empty or contains an unknown type. */
export class EndpointEventsInvalid extends Schema.TaggedError<EndpointEventsInvalid>()("EndpointEventsInvalid", {}) {
  override get message() {
    return `Name at least one event, or leave the filter out for all of them: ${eventTypes.join(", ")}`
  }
}

/**
 * The error if an account and mode has too many endpoints. The number is limited, since each event is sent to all of
 * them.
 */
export class TooManyEndpoints extends Schema.TaggedError<TooManyEndpoints>()("TooManyEndpoints", {}) {
  override get message() {
    return `The account has ${mostEndpoints} webhook endpoints in this mode, the most there can be. Remove one first.`
  }
}

/** The maximum number of endpoints of one account and mode. */
const mostEndpoints = 50

/** An enabled endpoint with its signing keys. */
export interface EndpointTarget {
  readonly endpoint: WebhookEndpoint
  readonly key: SigningKey
  /** Former keys, which also sign until a secret rotation ends. */
  readonly formerKeys: ReadonlyArray<SigningKey>
}

export interface EndpointsOptions {
  /** The secrets of the server, with which endpoint secrets are encrypted. */
  readonly secrets: ServerSecrets
  /** The non-public addresses, CIDR ranges and host names that endpoints may have. */
  readonly allow: ReadonlyArray<string>
}

export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    /** Adds an endpoint and returns its secret, which cannot be read again. */
    readonly add: (
      endpoint: NewWebhookEndpoint
    ) => Effect.Effect<
      { readonly endpoint: WebhookEndpoint; readonly secret: Redacted.Redacted<string> },
      EndpointUrlRefused | EndpointEventsInvalid | TooManyEndpoints | WebhookSecretInvalid | StoreUnavailable
    >
    /**
     * Changes an endpoint. The change applies to all events that are sent afterwards, also to retries. `null` if this
     * tenant has no such endpoint.
     */
    readonly update: (
      tenant: Tenant,
      id: string,
      changes: EndpointChanges
    ) => Effect.Effect<WebhookEndpoint | null, EndpointUrlRefused | EndpointEventsInvalid | StoreUnavailable>
    /**
     * Adds the endpoint that represents the embedding program; it is the same one at every start. It receives events
     * from then on. `added` is false if it already existed.
     */
    readonly addProcess: (
      tenant: Tenant
    ) => Effect.Effect<{ readonly id: string; readonly added: boolean }, StoreUnavailable>
    /** Lists the endpoints, oldest first, including disabled ones. */
    readonly list: (tenant: Tenant) => Effect.Effect<ReadonlyArray<WebhookEndpoint>, StoreUnavailable>
    /** Removes an endpoint and cancels its pending deliveries. `false` if this tenant has no such endpoint. */
    readonly remove: (tenant: Tenant, id: string) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Rotates the secret of an endpoint: creates a new one, and the former one also signs for a time. `null` if this
     * tenant has no such endpoint.
     */
    readonly rotate: (
      tenant: Tenant,
      id: string,
      rotation?: Rotation
    ) => Effect.Effect<
      Rotated | null,
      RotationRefused | WebhookSecretInvalid | SecretBox.EndpointSecretUnreadable | StoreUnavailable
    >
    /**
     * Disables an endpoint and cancels its pending deliveries. Has no effect if it is disabled already. `false` if this
     * tenant has no such endpoint.
     */
    readonly disable: (tenant: Tenant, id: string) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Disables an endpoint that answered 410, and cancels its pending deliveries. `false` if it was already disabled or
     * removed.
     */
    readonly disableGone: (tenant: Tenant, id: string) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Disables an endpoint if every attempt since `failingSince` (ms UTC) has failed, on at least `days` days. `false`
     * if an attempt has succeeded since, or there were too few attempts.
     */
    readonly disableFailing: (
      tenant: Tenant,
      id: string,
      failingSince: number,
      days: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Enables an endpoint, so that it receives new events. `false` if this tenant has no such endpoint. */
    readonly enable: (tenant: Tenant, id: string) => Effect.Effect<boolean, StoreUnavailable>
    /** Returns the enabled endpoints with the given ids. Removed and disabled ones are left out. */
    readonly targets: (
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, EndpointTarget | SecretBox.EndpointSecretUnreadable>, StoreUnavailable>
    /** Returns the endpoint with its keys; `null` if it is removed or disabled. */
    readonly target: (
      id: string
    ) => Effect.Effect<EndpointTarget | null, StoreUnavailable | SecretBox.EndpointSecretUnreadable>
    /** Records a successful attempt, so that the endpoint no longer counts as failing. */
    readonly succeeded: (id: string) => Effect.Effect<void, StoreUnavailable>
    /**
     * Records a failed attempt at `now`. A failing day is counted if the last one was counted at least 24 hours ago. No
     * request is sent to the endpoint before `pausedUntil` (ms UTC).
     */
    readonly failed: (id: string, now: number, pausedUntil: number | null) => Effect.Effect<void, StoreUnavailable>
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
  const box = SecretBox.make(options.secrets)
  const here = Effect.provideService(SqlClient.SqlClient, sql)
  const of = ({ account, livemode }: Tenant, id: string) =>
    sql`id = ${id} AND account = ${account} AND livemode = ${livemode}`

  const cancelDeliveries = (id: string, now: number) => sql`
    UPDATE webhook_deliveries SET status = 'canceled', deliver_at = ${now}, claimed_by = NULL, claimed_until = NULL
    WHERE id IN (SELECT id FROM webhook_deliveries WHERE endpoint_id = ${id} AND status = 'pending' ${lockInOrder(sql)})
      AND status = 'pending'`

  const disableWhere = (condition: ReturnType<typeof of>, id: string, reason: DisabledReason) =>
    mapSqlError(
      sql.withTransaction(
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const disabled = yield* sql`
            UPDATE webhook_endpoints SET disabled_at = ${now}, disabled_reason = ${reason}
            WHERE disabled_at IS NULL AND ${condition} RETURNING id`
          if (disabled.length > 0) yield* cancelDeliveries(id, now)
          return disabled.length > 0
        })
      )
    )

  const pause = (id: string, until: number) =>
    mapSqlError(sql`UPDATE webhook_endpoints SET paused_until = ${until} WHERE id = ${id}`).pipe(Effect.asVoid)

  // Decrypts a secret. It was validated by `add` or `rotate` before it was encrypted.
  const open = (id: string, sealed: string) =>
    Effect.flatMap(box.open(id, sealed), (secret) => Effect.orDie(readSecret(secret)))

  const targetOf = Effect.fnUntraced(function* (
    id: string,
    [row, ...others]: readonly [TargetRow, ...Array<TargetRow>]
  ) {
    const key = yield* open(id, row.secret)
    const former = [row, ...others].flatMap((each) => (each.former === null ? [] : [each.former]))
    const formerKeys = yield* Effect.forEach(former, (sealed) => open(id, sealed))
    return { endpoint: readEndpoint(row), key, formerKeys }
  })

  const targets = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const now = yield* Clock.currentTimeMillis
    const rows = yield* mapSqlError(sql<TargetRow>`
      SELECT webhook_endpoints.*, former.secret AS former FROM webhook_endpoints
      LEFT JOIN webhook_former_secrets AS former ON former.endpoint_id = webhook_endpoints.id AND expires_at > ${now}
      WHERE ${isOneOf(sql, "id", ids)} AND disabled_at IS NULL ORDER BY expires_at DESC`)
    const found = new Map<string, EndpointTarget | SecretBox.EndpointSecretUnreadable>()
    for (const [id, own] of Map.groupBy(rows, (row) => row.id)) {
      const [first, ...others] = own
      if (first !== undefined) found.set(id, yield* Effect.catch(targetOf(id, [first, ...others]), Effect.succeed))
    }
    return found
  })

  return WebhookEndpoints.of({
    add: Effect.fnUntraced(function* ({ account, events = null, livemode, secret: given, url }) {
      const filter = yield* filterOf(events)
      const secret = given ?? (yield* generateSecret)
      yield* readSecret(secret)
      const endpoint: WebhookEndpoint = {
        id: ids.endpoint(),
        account,
        livemode,
        url: yield* checkEndpointUrl(url, livemode, policy),
        events: filter,
        createdAt: yield* Clock.currentTimeMillis,
        failingSince: null,
        disabledAt: null,
        disabledReason: null
      }
      const sealed = yield* box.seal(endpoint.id, secret)
      yield* mapSqlError(sql.withTransaction(insert(sql, endpoint, sealed)))
      return { endpoint, secret }
    }),
    update: Effect.fnUntraced(function* (tenant, id, { events, url }) {
      const filter = events === undefined ? undefined : yield* filterOf(events)
      const checked = url === undefined ? undefined : yield* checkEndpointUrl(url, tenant.livemode, policy)
      const [row] = yield* mapSqlError(sql<EndpointRow>`
        UPDATE webhook_endpoints SET
          url = ${checked === undefined ? sql.literal("url") : sql`${checked}`},
          events = ${filter === undefined ? sql.literal("events") : sql`${columnOf(filter)}`}
        WHERE ${of(tenant, id)} AND url <> ${processUrl} RETURNING *`)
      return row === undefined ? null : readEndpoint(row)
    }),
    addProcess: Effect.fnUntraced(function* ({ account, livemode }) {
      const id = `process_${account}_${livemode ? "live" : "test"}`
      const there = yield* mapSqlError(sql`SELECT id FROM webhook_endpoints WHERE id = ${id}`)
      if (there.length > 0) return { id, added: false }
      const now = yield* Clock.currentTimeMillis
      const added = yield* mapSqlError(sql`
        INSERT INTO webhook_endpoints (id, account, livemode, url, secret, created_at)
        VALUES (${id}, ${account}, ${livemode}, ${processUrl}, '', ${now}) ON CONFLICT (id) DO NOTHING RETURNING id`)
      return { id, added: added.length > 0 }
    }),
    list: ({ account, livemode }) =>
      mapSqlError(sql<EndpointRow>`
        SELECT * FROM webhook_endpoints WHERE account = ${account} AND livemode = ${livemode}
        ORDER BY created_at, id`).pipe(Effect.map((rows) => rows.map(readEndpoint))),
    remove: (tenant, id) =>
      mapSqlError(
        sql.withTransaction(
          Effect.gen(function* () {
            const removed = yield* sql`DELETE FROM webhook_endpoints WHERE ${of(tenant, id)} RETURNING id`
            if (removed.length === 0) return false
            yield* sql`DELETE FROM webhook_former_secrets WHERE endpoint_id = ${id}`
            yield* cancelDeliveries(id, yield* Clock.currentTimeMillis)
            return true
          })
        )
      ),
    rotate: (tenant, id, rotation = {}) => mapSqlError(here(rotate(box, tenant, id, rotation))),
    disable: Effect.fnUntraced(function* (tenant, id) {
      const there = yield* mapSqlError(
        sql`SELECT id FROM webhook_endpoints WHERE ${of(tenant, id)} AND url <> ${processUrl}`
      )
      if (there.length > 0) yield* disableWhere(of(tenant, id), id, "operator")
      return there.length > 0
    }),
    disableGone: (tenant, id) => disableWhere(of(tenant, id), id, "gone"),
    disableFailing: (tenant, id, failingSince, days) =>
      disableWhere(
        sql`${of(tenant, id)} AND failing_since = ${failingSince} AND failing_days >= ${days}`,
        id,
        "failing"
      ),
    enable: (tenant, id) =>
      mapSqlError(sql`
        UPDATE webhook_endpoints
        SET disabled_at = NULL, disabled_reason = NULL, failing_since = NULL, paused_until = NULL
        WHERE ${of(tenant, id)} RETURNING id`).pipe(Effect.map((rows) => rows.length > 0)),
    targets,
    target: Effect.fnUntraced(function* (id) {
      const target = (yield* targets([id])).get(id)
      if (target instanceof SecretBox.EndpointSecretUnreadable) return yield* target
      return target ?? null
    }),
    succeeded: (id) =>
      mapSqlError(sql`
        UPDATE webhook_endpoints SET failing_since = NULL, paused_until = NULL WHERE id = ${id}`).pipe(Effect.asVoid),
    failed: (id, now, pausedUntil) =>
      mapSqlError(sql`
        UPDATE webhook_endpoints SET failing_since = COALESCE(failing_since, ${now}),
          failing_days = CASE WHEN failing_since IS NULL THEN 1 ELSE failing_days + 1 END, failing_day_at = ${now}
        WHERE id = ${id} AND (failing_since IS NULL OR COALESCE(failing_day_at, 0) <= ${now - day})`).pipe(
        Effect.andThen(pausedUntil === null ? Effect.void : pause(id, pausedUntil))
      )
  })
})

interface TargetRow extends EndpointRow {
  /** A former secret that still signs. The query returns a row of the endpoint for each. */
  readonly former: string | null
}

/**
 * Inserts an endpoint in a transaction. It waits for concurrent inserts to the same account and mode, so that the limit
 * on endpoints is not exceeded.
 */
const insert = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, endpoint: WebhookEndpoint, sealed: string) {
  const { account, createdAt, events, id, livemode, url } = endpoint
  const own = sql`account = ${account} AND livemode = ${livemode} AND url <> ${processUrl}`
  yield* sql.onDialectOrElse({
    pg: () => sql`SELECT pg_advisory_xact_lock(hashtextextended(${`webhook_endpoints ${account} ${livemode}`}, 0))`,
    // SQLite needs no lock, since a transaction is the only writer from its beginning.
    orElse: () => Effect.void
  })
  const [others] = yield* sql<{ count: number | string }>`SELECT count(*) AS count FROM webhook_endpoints WHERE ${own}`
  if (Number(others?.count) >= mostEndpoints) return yield* new TooManyEndpoints()
  yield* sql`INSERT INTO webhook_endpoints (id, account, livemode, url, events, secret, created_at)
    VALUES (${id}, ${account}, ${livemode}, ${url}, ${columnOf(events)}, ${sealed}, ${createdAt})`
})

const filterOf = (events: ReadonlyArray<EventType> | null) => {
  if (events === null) return Effect.succeed(null)
  return isFilter(events) ? Effect.succeed([...new Set(events)]) : new EndpointEventsInvalid()
}

const columnOf = (filter: ReadonlyArray<string> | null) => (filter === null ? null : JSON.stringify(filter))

/** Whether a list of event types is valid. Callers without type checking may pass any value. */
const isFilter = (events: ReadonlyArray<string>): boolean => {
  const known: ReadonlySet<string> = new Set(eventTypes)
  return Array.isArray(events) && events.length > 0 && events.every((event) => known.has(event))
}

const day = 86_400_000
