/** Lists and resends deliveries, for operators. */
import type { PaymentId, Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as DeliveryList from "./DeliveryList.ts"
import type { DeliveryCursorInvalid, DeliveryPage, DeliveryQuery } from "./DeliveryList.ts"
import { mapSqlError } from "../mapSqlError.ts"
import { lockInOrder } from "../rowLocks.ts"

/** One attempt to deliver an event to an endpoint, with its result. */
export interface AttemptRecord {
  /** The number of the attempt, starting at 1. */
  readonly attempt: number
  /** The time when the attempt ended, ms UTC. */
  readonly endedAt: number
  /** The duration of the attempt, ms. */
  readonly duration: number
  /** The HTTP status of the response; `null` without a response. */
  readonly status: number | null
  /** The error code, such as `timeout` or `ECONNREFUSED`. */
  readonly error: string | null
  /** An excerpt of the response body, see `excerptOf`. */
  readonly answer: string | null
}

/** The result of resending. `in_flight`: not resent, since an attempt is running. */
export type ResendOutcome = "resent" | "endpoint_disabled" | "endpoint_removed" | "in_flight"

export class WebhookDeliveryLog extends Context.Service<
  WebhookDeliveryLog,
  {
    /** Lists deliveries by the time of their event, latest first. */
    readonly list: (
      tenant: Tenant,
      query: DeliveryQuery
    ) => Effect.Effect<DeliveryPage, DeliveryCursorInvalid | StoreUnavailable>
    /** The attempts of a delivery, in order; empty if the delivery does not exist or has no attempt yet. */
    readonly attempts: (
      tenant: Tenant,
      eventId: string,
      endpointId: string
    ) => Effect.Effect<ReadonlyArray<AttemptRecord>, StoreUnavailable>
    /**
     * Resends an event immediately to all its endpoints, or to one of them, regardless of earlier results, with the
     * full retry schedule and the same id. The result is empty if the event had no endpoints. An endpoint no longer
     * counts as failing afterwards: the operator has fixed the receiver, so a further failure must not disable it
     * immediately.
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
     * Resends all undelivered events since `since` (ms UTC) to endpoints that are not disabled: dead and canceled
     * deliveries, and those waiting for a retry. Returns the number of deliveries.
     */
    readonly resendSince: (
      tenant: Tenant,
      since: number,
      endpointId: string | null
    ) => Effect.Effect<number, StoreUnavailable>
    /** Counts the deliveries that `resendSince` would resend now. */
    readonly countSince: (
      tenant: Tenant,
      since: number,
      endpointId: string | null
    ) => Effect.Effect<number, StoreUnavailable>
    /**
     * Deletes the stored response excerpts for a payment's events, since a receiver may echo personal data of an event.
     * It must be called after the events were erased: an attempt in flight then stores nothing and is repeated with the
     * erased event. Idempotent. Works for any account: the caller has already found the payment.
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
      // The conditions of the deliveries to resend, undelivered ones and those waiting for a retry. Each has its own
      // index.
      const undelivered = sql.literal(DeliveryList.undelivered)
      const waitingAt = (now: number) =>
        sql`status = 'pending' AND attempts > 0 AND deliver_at > ${now} AND last_at <= ${now}`

      const failsNoMore = (condition: ReturnType<typeof of>) =>
        mapSqlError(
          sql`UPDATE webhook_endpoints SET failing_since = NULL WHERE failing_since IS NOT NULL AND ${condition}`
        )

      const missed = (tenant: Tenant, since: number, endpointId: string | null) =>
        sql`${of(tenant)} AND ${to(endpointId)} AND happened_at >= ${since}
          AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE ${of(tenant)} AND disabled_at IS NULL)`

      const countWhere = (condition: ReturnType<typeof of>) =>
        mapSqlError(sql<{ count: number | string }>`
          SELECT count(*) AS count FROM webhook_deliveries WHERE ${condition}`).pipe(
          Effect.map(([row]) => Number(row?.count ?? 0))
        )

      const resendSome = (
        tenant: Tenant,
        since: number,
        now: number,
        endpointId: string | null,
        condition: ReturnType<typeof of>
      ) =>
        mapSqlError(sql`
          UPDATE webhook_deliveries SET ${begun(now)} WHERE id IN (
            SELECT id FROM webhook_deliveries
            WHERE ${missed(tenant, since, endpointId)} AND ${condition} AND ${isFree(now)}
            ORDER BY id LIMIT ${batch} ${skipLocked})
          RETURNING id`).pipe(Effect.map((rows) => rows.length))

      /** Resends in batches until no delivery is left, so that other writers wait for one batch at most. */
      const resendAll = Effect.fnUntraced(function* (some: Effect.Effect<number, StoreUnavailable>) {
        let total = 0
        for (let count = batch; count === batch; total += count) count = yield* some
        return total
      })

      return WebhookDeliveryLog.of({
        list: DeliveryList.make(sql),
        attempts: ({ account, livemode }, eventId, endpointId) =>
          mapSqlError(sql<AttemptRow>`
            SELECT webhook_attempts.* FROM webhook_deliveries
            JOIN webhook_attempts ON delivery_id = webhook_deliveries.id
            WHERE event_id = ${eventId} AND endpoint_id = ${endpointId}
              AND account = ${account} AND livemode = ${livemode}
            ORDER BY attempt`).pipe(Effect.map((rows) => rows.map(attemptOf))),
        resend: Effect.fnUntraced(function* (tenant, eventId, endpointId) {
          const now = yield* Clock.currentTimeMillis
          const found = yield* mapSqlError(sql<Target>`
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
              const begunAgain = yield* mapSqlError(sql`
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
          // The condition with `now` excludes deliveries that this call has already resent and whose new attempt has
          // failed.
          return again + (yield* some(waitingAt(now)))
        }),
        countSince: Effect.fnUntraced(function* (tenant, since, endpointId) {
          const now = yield* Clock.currentTimeMillis
          const counts = yield* Effect.forEach([sql`${undelivered}`, waitingAt(now)], (condition) =>
            countWhere(sql`${missed(tenant, since, endpointId)} AND ${condition} AND ${isFree(now)}`)
          )
          return counts.reduce((total, count) => total + count, 0)
        }),
        // Finds the payment's events in one of core's tables. Deliveries to the program's own listener (with a `line`)
        // store no response and keep their order.
        forgetPayment: Effect.fnUntraced(function* (payment) {
          const events = yield* mapSqlError(
            sql<{ id: string }>`SELECT id FROM payment_events WHERE payment_id = ${payment}`
          )
          // Updates the deliveries one at a time, so that no statement locks many of them.
          yield* Effect.forEach(
            events,
            ({ id }) =>
              mapSqlError(sql`
                UPDATE webhook_deliveries SET last_answer = NULL, claimed_by = NULL, claimed_until = NULL
                WHERE id IN (SELECT id FROM webhook_deliveries WHERE event_id = ${id} AND line IS NULL ${lockInOrder(sql)})
                  AND (last_answer IS NOT NULL OR claimed_by IS NOT NULL)`).pipe(
                // Deletes the excerpts after the claims were ended: attempts that ended before have stored their
                // excerpts, and running ones can no longer store any.
                Effect.andThen(
                  mapSqlError(sql`
                    UPDATE webhook_attempts SET answer = NULL WHERE answer IS NOT NULL AND delivery_id IN (
                      SELECT id FROM webhook_deliveries WHERE event_id = ${id})`)
                )
              ),
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

export interface AttemptRow {
  readonly attempt: number
  /** The end of the attempt, ms UTC. PostgreSQL returns a bigint as text. */
  readonly ended_at: number | string
  readonly duration: number | string
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
}

export const attemptOf = ({ answer, attempt, duration, ended_at, error, status }: AttemptRow): AttemptRecord => ({
  attempt,
  endedAt: Number(ended_at),
  duration: Number(duration),
  status,
  error,
  answer
})

const batch = 500
