/** What an operator sees of deliveries, and sends again. */
import type { PaymentId, Tenant } from "@paymux/core"
import type { EventId, StoreUnavailable } from "@paymux/core/store"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DeliveryStatus } from "./Delivery.ts"
import { stored } from "./stored.ts"

export interface DeliveryRecord {
  readonly eventId: EventId
  readonly endpointId: string
  readonly status: DeliveryStatus
  /** Tries that ended. */
  readonly attempts: number
  /** ms UTC; of a pending one: when it is tried next. */
  readonly nextTryAt: number | null
  /** ms UTC of the last try's end. */
  readonly lastAt: number | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** The first of what the receiver answered last, on one line, safe to print; see `excerptOf`. */
  readonly lastAnswer: string | null
}

export interface DeliveryQuery {
  /** `null`: of all endpoints. */
  readonly endpointId: string | null
  /** Only those whose last try failed, or that will not be tried. */
  readonly failed: boolean
  readonly limit: number
}

/** `in_flight`: it is being tried at this moment. */
export type ResendOutcome = "resent" | "endpoint_disabled" | "endpoint_removed" | "in_flight"

export class WebhookDeliveryLog extends Context.Service<
  WebhookDeliveryLog,
  {
    /** Latest first. */
    readonly list: (
      tenant: Tenant,
      query: DeliveryQuery
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StoreUnavailable>
    /**
     * Sends an event again to every endpoint it was for, or to one, whatever became of it: now, and by the whole schedule,
     * under the same id. Empty: it was for none. An endpoint that something is sent to again counts as failing no longer:
     * whoever sends it says that the receiver was mended, and one more failure must not disable it at once.
     */
    readonly resend: (
      tenant: Tenant,
      eventId: string,
      endpointId: string | null
    ) => Effect.Effect<
      ReadonlyArray<{ readonly endpointId: string; readonly outcome: ResendOutcome }>,
      StoreUnavailable
    >
    /**
     * Sends again all that happened at `since` (ms UTC) or later and was not delivered, to endpoints that are not
     * disabled: what is dead or canceled, and now what waits for a further try. Returns how many.
     */
    readonly resendSince: (
      tenant: Tenant,
      since: number,
      endpointId: string | null
    ) => Effect.Effect<number, StoreUnavailable>
    /**
     * Empties what is kept of receivers' answers to a payment's events: a receiver may have repeated what it was sent. To be
     * called after the events themselves were erased: a post that is under way writes nothing any more, and is made again
     * of the event as it stands then. Doing it twice changes nothing. Any account's: whoever calls it has found the payment.
     */
    readonly forgetPayment: (payment: PaymentId) => Effect.Effect<void, StoreUnavailable>
  }
>()("@paymux/webhooks/DeliveryLog") {
  static readonly layer: Layer.Layer<WebhookDeliveryLog, never, SqlClient.SqlClient> = Layer.effect(
    WebhookDeliveryLog,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const of = ({ account, livemode }: Tenant) => sql`account = ${account} AND livemode = ${livemode}`
      const to = (endpointId: string | null) => (endpointId === null ? sql`TRUE` : sql`endpoint_id = ${endpointId}`)
      const skipLocked = sql.literal(sql.onDialectOrElse({ pg: () => "FOR UPDATE SKIP LOCKED", orElse: () => "" }))
      const isFree = (now: number) => sql`(claimed_until IS NULL OR claimed_until <= ${now})`
      const begun = (now: number) => sql`status = 'pending', deliver_at = ${now}, tries_before = attempts,
        claimed_by = NULL, claimed_until = NULL`
      // Two conditions, each with an index of its own.
      const undelivered = sql.literal("status IN ('dead', 'canceled')")
      const waiting = sql.literal("status = 'pending' AND attempts > 0")

      const failsNoMore = (condition: ReturnType<typeof of>) =>
        stored(sql`UPDATE webhook_endpoints SET failing_since = NULL WHERE failing_since IS NOT NULL AND ${condition}`)

      const latest = (tenant: Tenant, { endpointId, limit }: DeliveryQuery, condition: ReturnType<typeof of>) =>
        stored(sql<Row>`
          SELECT * FROM webhook_deliveries WHERE ${of(tenant)} AND ${to(endpointId)} AND ${condition}
          ORDER BY id DESC LIMIT ${limit}`)

      const resendSome = (
        tenant: Tenant,
        since: number,
        now: number,
        endpointId: string | null,
        condition: ReturnType<typeof of>
      ) =>
        stored(sql`
          UPDATE webhook_deliveries SET ${begun(now)} WHERE id IN (
            SELECT id FROM webhook_deliveries
            WHERE ${of(tenant)} AND ${to(endpointId)} AND ${condition} AND ${isFree(now)}
              AND COALESCE(happened_at, deliver_at) >= ${since}
              AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE ${of(tenant)} AND disabled_at IS NULL)
            ORDER BY id LIMIT ${batch} ${skipLocked})
          RETURNING id`).pipe(Effect.map((rows) => rows.length))

      /** In batches: nobody who writes waits for all of them. */
      const resendAll = Effect.fnUntraced(function* (some: Effect.Effect<number, StoreUnavailable>) {
        let total = 0
        for (let count = batch; count === batch; total += count) count = yield* some
        return total
      })

      return WebhookDeliveryLog.of({
        list: Effect.fnUntraced(function* (tenant, query) {
          if (!query.failed) return (yield* latest(tenant, query, sql`TRUE`)).map(record)
          const rows = [
            ...(yield* latest(tenant, query, sql`${undelivered}`)),
            ...(yield* latest(tenant, query, sql`${waiting}`))
          ]
          return rows
            .toSorted((a, b) => Number(b.id) - Number(a.id))
            .slice(0, query.limit)
            .map(record)
        }),
        resend: Effect.fnUntraced(function* (tenant, eventId, endpointId) {
          const now = yield* Clock.currentTimeMillis
          const found = yield* stored(sql<Target>`
            SELECT webhook_deliveries.id, endpoint_id, webhook_endpoints.id AS target, disabled_at
            FROM webhook_deliveries LEFT JOIN webhook_endpoints ON webhook_endpoints.id = endpoint_id
            WHERE event_id = ${eventId} AND ${to(endpointId)}
              AND webhook_deliveries.account = ${tenant.account} AND webhook_deliveries.livemode = ${tenant.livemode}
            ORDER BY webhook_deliveries.id`)
          return yield* Effect.forEach(
            found,
            Effect.fnUntraced(function* ({ disabled_at, endpoint_id, id, target }) {
              if (target === null) return { endpointId: endpoint_id, outcome: "endpoint_removed" as const }
              if (disabled_at !== null) return { endpointId: endpoint_id, outcome: "endpoint_disabled" as const }
              yield* failsNoMore(sql`id = ${endpoint_id}`)
              const begunAgain = yield* stored(sql`
                UPDATE webhook_deliveries SET ${begun(now)} WHERE id = ${id} AND (status <> 'pending' OR ${isFree(now)})
                RETURNING id`)
              return {
                endpointId: endpoint_id,
                outcome: begunAgain.length > 0 ? ("resent" as const) : ("in_flight" as const)
              }
            })
          )
        }),
        resendSince: Effect.fnUntraced(function* (tenant, since, endpointId) {
          const now = yield* Clock.currentTimeMillis
          const some = (condition: ReturnType<typeof of>) =>
            resendAll(resendSome(tenant, since, now, endpointId, condition))
          yield* failsNoMore(sql`${of(tenant)} AND ${endpointId === null ? sql`TRUE` : sql`id = ${endpointId}`}`)
          const again = yield* some(sql`${undelivered}`)
          // Not what was sent again just now, and has failed since.
          return again + (yield* some(sql`${waiting} AND deliver_at > ${now} AND last_at <= ${now}`))
        }),
        // Of core's tables this reads one: which events are a payment's. A call in the process (`line`) keeps no answer,
        // and goes on in its order.
        forgetPayment: Effect.fnUntraced(function* (payment) {
          const events = yield* stored(sql<{ id: string }>`SELECT id FROM payment_events WHERE payment_id = ${payment}`)
          // One by one: an endpoint that is disabled meanwhile takes its deliveries in another order.
          yield* Effect.forEach(
            events,
            ({ id }) =>
              stored(sql`
                UPDATE webhook_deliveries SET last_answer = NULL, claimed_by = NULL, claimed_until = NULL
                WHERE event_id = ${id} AND line IS NULL AND (last_answer IS NOT NULL OR claimed_by IS NOT NULL)`),
            { discard: true }
          )
        })
      })
    })
  )
}

interface Target {
  readonly id: number | string
  readonly endpoint_id: string
  readonly target: string | null
  readonly disabled_at: number | string | null
}

interface Row {
  /** PostgreSQL answers a bigint as text. */
  readonly id: number | string
  readonly event_id: string
  readonly endpoint_id: string
  readonly attempts: number
  readonly status: DeliveryStatus
  readonly deliver_at: number | string
  readonly last_at: number | string | null
  readonly last_status: number | null
  readonly last_error: string | null
  readonly last_answer: string | null
}

const record = (row: Row): DeliveryRecord => ({
  // Boundary: it was written from an event's id.
  eventId: row.event_id as EventId,
  endpointId: row.endpoint_id,
  status: row.status,
  attempts: row.attempts,
  nextTryAt: row.status === "pending" ? Number(row.deliver_at) : null,
  lastAt: row.last_at === null ? null : Number(row.last_at),
  lastStatus: row.last_status,
  lastError: row.last_error,
  lastAnswer: row.last_answer
})

const batch = 500
