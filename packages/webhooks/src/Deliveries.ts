/**
 * What is to be delivered: one row for each event and endpoint. A row is worked on under a lease: a worker that dies
 * leaves it to others, and one that lost its lease changes nothing.
 */
import type { EventId, StoreUnavailable, Tenant } from "@paymux/core"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stored } from "./stored.ts"
import { processUrl } from "./WebhookEndpoint.ts"

/**
 * `dead`: every try failed. `canceled`: its endpoint was removed or disabled. Both are kept, and can be sent again by
 * an operator.
 */
export type DeliveryStatus = "pending" | "delivered" | "dead" | "canceled"

export interface NewDelivery extends Tenant {
  readonly eventId: EventId
  readonly endpointId: string
  /** Of the event; ms UTC. */
  readonly happenedAt: number
  /** `canceled`: its endpoint is disabled, and may be enabled again. */
  readonly status: "pending" | "canceled"
  /** It waits for those of the same line that have a lower place. `null`: it waits for none. */
  readonly order: { readonly line: string; readonly place: number } | null
}

/** A delivery that this worker holds. */
export interface ClaimedDelivery {
  readonly id: number
  readonly eventId: EventId
  readonly endpointId: string
  /** Tries that ended so far. */
  readonly attempts: number
  /** Those of them that were made before it was last sent again, and with it the schedule began anew. */
  readonly attemptsBefore: number
  readonly owner: string
}

export interface DeliveryClaim {
  readonly endpointId: string
  readonly owner: string
  /** ms UTC; the lease is `[now, until)`. */
  readonly now: number
  readonly until: number
  readonly limit: number
}

/** How a try left its delivery. */
export interface Settlement {
  readonly status: DeliveryStatus
  readonly attempts: number
  /** ms UTC */
  readonly deliverAt: number
  readonly lastAt: number
  /** The HTTP status, if there was one. */
  readonly lastStatus: number | null
  /** A short code, never text of the receiver. */
  readonly lastError: string | null
  /** The first of what the receiver answered; see `excerptOf`. */
  readonly lastAnswer: string | null
}

/** An endpoint that has something due. */
export interface DueEndpoint {
  readonly id: string
  /** Its last try failed. */
  readonly failing: boolean
}

export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  {
    /** Due at `now`. A delivery that is there already stays as it is. */
    readonly add: (deliveries: ReadonlyArray<NewDelivery>, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Endpoints on the network that have something due which nobody holds, and that have not asked us to wait. */
    readonly dueEndpoints: (now: number) => Effect.Effect<ReadonlyArray<DueEndpoint>, StoreUnavailable>
    /** Oldest first. */
    readonly claim: (claim: DeliveryClaim) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
    /** Oldest first, of each line the first alone. */
    readonly claimInLine: (claim: DeliveryClaim) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
    /** `false`: it is not this worker's any more, and nothing was written. */
    readonly settle: (delivery: ClaimedDelivery, settlement: Settlement) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@paymux/webhooks/Deliveries") {
  static readonly layer: Layer.Layer<WebhookDeliveries, never, SqlClient.SqlClient> = Layer.effect(
    WebhookDeliveries,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const isFree = (now: number) => sql`status = 'pending' AND deliver_at <= ${now}
        AND (claimed_until IS NULL OR claimed_until <= ${now})`
      // SQLite has one writer at a time: nothing to skip.
      const skipLocked = sql.literal(sql.onDialectOrElse({ pg: () => "FOR UPDATE SKIP LOCKED", orElse: () => "" }))
      const isFirst = sql.literal(`NOT EXISTS (
        SELECT 1 FROM webhook_deliveries AS earlier
        WHERE earlier.endpoint_id = webhook_deliveries.endpoint_id AND earlier.line = webhook_deliveries.line
          AND earlier.place < webhook_deliveries.place AND earlier.status = 'pending' AND earlier.line IS NOT NULL)`)

      const claimWhere =
        (condition: Parameters<typeof sql.and>[0][number]) =>
        ({ endpointId, limit, now, owner, until }: DeliveryClaim) =>
          stored(sql<ClaimedRow>`
            UPDATE webhook_deliveries SET claimed_by = ${owner}, claimed_until = ${until} WHERE id IN (
              SELECT id FROM webhook_deliveries WHERE endpoint_id = ${endpointId} AND ${isFree(now)} AND ${condition}
              ORDER BY deliver_at, id LIMIT ${limit} ${skipLocked})
            RETURNING id, event_id, endpoint_id, attempts, tries_before`).pipe(
            Effect.map((rows) => rows.map((row) => claimed(row, owner)).toSorted((a, b) => a.id - b.id))
          )

      return WebhookDeliveries.of({
        add: (deliveries, now) =>
          Effect.forEach(inserts(deliveries, now), (rows) => stored(insert(sql, rows)), { discard: true }),
        dueEndpoints: (now) =>
          stored(sql<{ id: string; failing_since: unknown }>`
            SELECT id, failing_since FROM webhook_endpoints
            WHERE disabled_at IS NULL AND url <> ${processUrl} AND (paused_until IS NULL OR paused_until <= ${now})
              AND EXISTS (
                SELECT 1 FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id AND ${isFree(now)})`).pipe(
            Effect.map((rows) => rows.map((row) => ({ id: row.id, failing: row.failing_since !== null })))
          ),
        claim: claimWhere(sql`line IS NULL`),
        claimInLine: claimWhere(isFirst),
        // The count of tries tells this claim from an earlier or later one of the same worker.
        settle: ({ attempts, id, owner }, settlement) =>
          stored(sql`
            UPDATE webhook_deliveries SET
              status = ${settlement.status}, attempts = ${settlement.attempts}, deliver_at = ${settlement.deliverAt},
              claimed_by = NULL, claimed_until = NULL, last_status = ${settlement.lastStatus},
              last_error = ${settlement.lastError}, last_answer = ${settlement.lastAnswer},
              last_at = ${settlement.lastAt},
              delivered_at = ${settlement.status === "delivered" ? settlement.lastAt : null}
            WHERE id = ${id} AND status = 'pending' AND claimed_by = ${owner} AND attempts = ${attempts}
            RETURNING id`).pipe(Effect.map((rows) => rows.length > 0))
      })
    })
  )
}

interface ClaimedRow {
  /** PostgreSQL answers a bigint as text. */
  readonly id: number | string
  readonly event_id: string
  readonly endpoint_id: string
  readonly attempts: number
  readonly tries_before: number
}

const claimed = (row: ClaimedRow, owner: string): ClaimedDelivery => ({
  id: Number(row.id),
  // Boundary: it was written from an event's id.
  eventId: row.event_id as EventId,
  endpointId: row.endpoint_id,
  attempts: row.attempts,
  attemptsBefore: row.tries_before,
  owner
})

type InsertRow = { readonly [column: string]: string | number | boolean | null }

/** Some hundred rows to a statement: SQLite takes 32,766 parameters, PostgreSQL 65,535. */
const inserts = (deliveries: ReadonlyArray<NewDelivery>, now: number): Array<[InsertRow, ...Array<InsertRow>]> => {
  const chunks: Array<[InsertRow, ...Array<InsertRow>]> = []
  for (const { account, endpointId, eventId, happenedAt, livemode, order, status } of deliveries) {
    const row = {
      event_id: eventId,
      endpoint_id: endpointId,
      account,
      livemode,
      attempts: 0,
      status,
      deliver_at: now,
      happened_at: happenedAt,
      line: order?.line ?? null,
      place: order?.place ?? null,
      last_error: status === "canceled" ? "endpoint_inactive" : null
    }
    const last = chunks.at(-1)
    if (last === undefined || last.length === 500) chunks.push([row])
    else last.push(row)
  }
  return chunks
}

/** Not prepared: each number of rows is another statement, and they would push the others out of the driver's cache. */
const insert = (sql: SqlClient.SqlClient, rows: [InsertRow, ...Array<InsertRow>]) =>
  sql`INSERT INTO webhook_deliveries ${sql.insert(rows)} ON CONFLICT (event_id, endpoint_id) DO NOTHING`.unprepared
