/**
 * API keys, endpoints and deliveries with an audit entry for each write. Entry and change are one transaction: neither
 * exists without the other. The library, the commands and the control API all use these services, so that none of them
 * can leave out the entry.
 */
import type { Tenant } from "@paymux/core"
import { StoreUnavailable } from "@paymux/core/store"
import { ApiKeys, ApiKeysUnavailable } from "@paymux/http"
import type { ApiKeyRecord } from "@paymux/http"
import { WebhookDeliveryLog, WebhookEndpoints } from "@paymux/webhooks"
import type { WebhookEndpoint } from "@paymux/webhooks"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isSqlError } from "effect/sql/SqlError"
import type { SqlError } from "effect/sql/SqlError"
import { CurrentActor, theProgram } from "./Actor.ts"
import { AuditLog } from "./AuditLog.ts"
import type { AuditAction, AuditFields, NewAuditEntry } from "./AuditLog.ts"

export const auditedApiKeys: Layer.Layer<ApiKeys, never, ApiKeys | AuditLog | SqlClient.SqlClient> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const { withEntry } = yield* transaction
    const audited = recording(withEntry, (cause) => new ApiKeysUnavailable({ cause }))

    return ApiKeys.of({
      ...keys,
      create: (request) =>
        audited(keys.create(request), ({ record }) => entryOf("api_key.create", record, null, keyFields(record))),
      rotate: (keyId, rotation) =>
        audited(keys.rotate(keyId, rotation), ({ formerExpiresAt, record }) => ({
          ...entryOf(
            "api_key.rotate",
            record,
            { key: keyId, expiresAt: null },
            { ...keyFields(record), formerExpiresAt }
          ),
          target: keyId
        })),
      revoke: (keyId, of) =>
        audited(keys.revoke(keyId, of), (record) =>
          entryOf("api_key.revoke", record, null, { ...keyFields(record), revokedAt: record.revokedAt })
        )
    })
  })
)

const keyFields = ({ display, keyId, name }: ApiKeyRecord): AuditFields => ({ key: keyId, display, name })

const entryOf = (
  action: AuditAction,
  { account, keyId, livemode }: ApiKeyRecord,
  before: AuditFields | null,
  after: AuditFields
): NewAuditEntry => ({ tenant: { account, livemode }, action, target: keyId, outcome: "done", before, after })

export const auditedEndpoints: Layer.Layer<WebhookEndpoints, never, WebhookEndpoints | AuditLog | SqlClient.SqlClient> =
  Layer.effect(
    WebhookEndpoints,
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const { withEntry } = yield* transaction
      const audited = recording(withEntry, (cause) => new StoreUnavailable({ cause }))

      const find = (tenant: Tenant, id: string) =>
        Effect.map(endpoints.list(tenant), (all) => all.find((endpoint) => endpoint.id === id) ?? null)

      /** Nothing is recorded of an endpoint that this tenant does not have. */
      const change = <A, E>(
        action: AuditAction,
        tenant: Tenant,
        id: string,
        write: Effect.Effect<A, E>,
        happened: (result: A) => boolean
      ) =>
        audited(
          Effect.gen(function* () {
            const before = yield* find(tenant, id)
            const result = yield* write
            return { before, result, after: yield* find(tenant, id) }
          }),
          ({ after, before, result }) =>
            happened(result)
              ? {
                  tenant,
                  action,
                  target: id,
                  outcome: "done",
                  before: endpointFields(before),
                  after: endpointFields(after)
                }
              : null
        ).pipe(Effect.map(({ result }) => result))

      return WebhookEndpoints.of({
        ...endpoints,
        add: (endpoint) =>
          audited(endpoints.add(endpoint), ({ endpoint: added }) => ({
            tenant: { account: added.account, livemode: added.livemode },
            action: "webhook_endpoint.create",
            target: added.id,
            outcome: "done",
            before: null,
            after: endpointFields(added)
          })),
        update: (tenant, id, changes) =>
          change(
            "webhook_endpoint.update",
            tenant,
            id,
            endpoints.update(tenant, id, changes),
            (found) => found !== null
          ),
        rotate: (tenant, id, rotation) =>
          change(
            "webhook_endpoint.rotate_secret",
            tenant,
            id,
            endpoints.rotate(tenant, id, rotation),
            (found) => found !== null
          ),
        remove: (tenant, id) => change("webhook_endpoint.delete", tenant, id, endpoints.remove(tenant, id), Boolean),
        disable: (tenant, id) => change("webhook_endpoint.disable", tenant, id, endpoints.disable(tenant, id), Boolean),
        disableGone: (tenant, id) =>
          bySender(change("webhook_endpoint.disable", tenant, id, endpoints.disableGone(tenant, id), Boolean)),
        disableFailing: (tenant, id, failingSince, days) =>
          bySender(
            change(
              "webhook_endpoint.disable",
              tenant,
              id,
              endpoints.disableFailing(tenant, id, failingSince, days),
              Boolean
            )
          ),
        enable: (tenant, id) => change("webhook_endpoint.enable", tenant, id, endpoints.enable(tenant, id), Boolean)
      })
    })
  )

/** Deliveries disable an endpoint that failed for days, or answered 410: no person does. */
const bySender = Effect.provideService(CurrentActor, { ...theProgram, id: "webhook deliveries" })

const endpointFields = (endpoint: WebhookEndpoint | null): AuditFields | null =>
  endpoint === null
    ? null
    : { url: endpoint.url, events: endpoint.events, disabledAt: endpoint.disabledAt, reason: endpoint.disabledReason }

export const auditedDeliveries: Layer.Layer<
  WebhookDeliveryLog,
  never,
  WebhookDeliveryLog | AuditLog | SqlClient.SqlClient
> = Layer.effect(
  WebhookDeliveryLog,
  Effect.gen(function* () {
    const log = yield* WebhookDeliveryLog
    const { append, withEntry } = yield* transaction
    const audited = recording(withEntry, (cause) => new StoreUnavailable({ cause }))

    return WebhookDeliveryLog.of({
      ...log,
      resend: (tenant, eventId, endpointId) =>
        audited(log.resend(tenant, eventId, endpointId), (results) =>
          results.some(({ outcome }) => outcome === "resent")
            ? {
                tenant,
                action: "webhook_delivery.resend",
                target: eventId,
                outcome: "done",
                before: null,
                after: {
                  endpoints: results.filter(({ outcome }) => outcome === "resent").map((each) => each.endpointId)
                }
              }
            : null
        ),
      // In batches, each a transaction of its own, so that payments do not wait: the entry comes first.
      resendSince: (tenant, since, endpointId) =>
        append({
          tenant,
          action: "webhook_delivery.resend",
          target: endpointId,
          outcome: "requested",
          before: null,
          after: { since, endpoint: endpointId }
        }).pipe(
          Effect.catchTag("SqlError", (cause) => Effect.fail(new StoreUnavailable({ cause }))),
          Effect.andThen(log.resendSince(tenant, since, endpointId))
        )
    })
  })
)

const transaction = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { append } = yield* AuditLog
  /** `null`: nothing was changed, and nothing is recorded. */
  const withEntry = <A, E>(write: Effect.Effect<A, E>, entry: (result: A) => NewAuditEntry | null) =>
    sql.withTransaction(
      Effect.tap(write, (result) => {
        const happened = entry(result)
        return happened === null ? Effect.void : append(happened)
      })
    )
  return { append, withEntry }
})

type WithEntry = Effect.Success<typeof transaction>["withEntry"]

/** An entry that cannot be written undoes the change, and is an error of the service that is audited. */
const recording =
  <Unavailable>(withEntry: WithEntry, unavailable: (cause: SqlError) => Unavailable) =>
  <A, E>(write: Effect.Effect<A, E>, entry: (result: A) => NewAuditEntry | null): Effect.Effect<A, E | Unavailable> =>
    Effect.catchIf(withEntry(write, entry), isSqlError, (cause) => Effect.fail(unavailable(cause)))
