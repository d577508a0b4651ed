/**
 * What is to be delivered: one row for each event and endpoint. A row is worked on under a lease: a worker that dies
 * leaves it to others, and one that lost its lease changes nothing.
 *
 * Leases go by the clock of who claims, as all times here and in core do, so that a test or a simulation has one clock. A
 * lease outlives its try by 15 s: clocks that are further apart make a second post of one event, under the same id, and
 * receivers take that anyway. A clock of the database's would not end it: a process that stalls does the same.
 */
import type { StoreUnavailable } from "@paymux/core/store"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { claimedBy, claimWhere, isFree, skipLocked } from "./claims.ts"
import type {
  ClaimedDelivery,
  DeliveryClaim,
  DueEndpoint,
  LineClaim,
  NewDelivery,
  Pruned,
  PruneStretch,
  Settlement
} from "./Delivery.ts"
import * as Lines from "./Lines.ts"
import { stored } from "./stored.ts"
import { processUrl } from "./WebhookEndpoint.ts"

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
    readonly claimInLine: (claim: LineClaim) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
    /** `false`: it is not this worker's any more, and nothing was written. */
    readonly settle: (delivery: ClaimedDelivery, settlement: Settlement) => Effect.Effect<boolean, StoreUnavailable>
    /** Removes those of the stretch that ended, well or not, before a time. What is still to be sent stays. */
    readonly prune: (stretch: PruneStretch) => Effect.Effect<Pruned, StoreUnavailable>
  }
>()("@paymux/webhooks/Deliveries") {
  static readonly layer: Layer.Layer<WebhookDeliveries, never, SqlClient.SqlClient> = Layer.effect(
    WebhookDeliveries,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const lines = Lines.make(sql)

      return WebhookDeliveries.of({
        add: (deliveries, now) =>
          Effect.forEach(inserts(deliveries, now), (rows) => stored(insert(sql, rows)), { discard: true }),
        dueEndpoints: (now) =>
          stored(sql<{ id: string; failing_since: unknown }>`
            SELECT id, failing_since FROM webhook_endpoints
            WHERE disabled_at IS NULL AND url <> ${processUrl} AND (paused_until IS NULL OR paused_until <= ${now})
              AND EXISTS (
                SELECT 1 FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id AND ${isFree(sql, now)})`).pipe(
            Effect.map((rows) => rows.map((row) => ({ id: row.id, failing: row.failing_since !== null })))
          ),
        claim: (claim) =>
          claimedBy(claim, claimWhere(sql, claim, sql`endpoint_id = ${claim.endpointId} AND line IS NULL`)),
        claimInLine: lines.claim,
        // The end of the lease and the count of tries tell this claim from an earlier or later one of the same worker.
        settle: Effect.fnUntraced(function* (delivery, settlement) {
          const { attempts, id, owner, until } = delivery
          const settled = yield* stored(sql`
            UPDATE webhook_deliveries SET
              status = ${settlement.status}, attempts = ${settlement.attempts}, deliver_at = ${settlement.deliverAt},
              claimed_by = NULL, claimed_until = NULL, last_status = ${settlement.lastStatus},
              last_error = ${settlement.lastError}, last_answer = ${settlement.lastAnswer},
              last_at = ${settlement.lastAt},
              delivered_at = ${settlement.status === "delivered" ? settlement.lastAt : null}
            WHERE id = ${id} AND status = 'pending' AND claimed_by = ${owner} AND claimed_until = ${until}
              AND attempts = ${attempts}
            RETURNING id`)
          if (settled.length === 0) return false
          if (attempts > 0 && settlement.status !== "pending") yield* lines.release(delivery, settlement.lastAt)
          return true
        }),
        // Their own order is about that of time, so this needs no index, which every delivery would have to pay for.
        prune: Effect.fnUntraced(function* ({ after, endedBefore, limit }) {
          const [stretch] = yield* stored(sql<StretchRow>`
            SELECT max(id) AS last, max(happened_at) AS youngest, count(*) AS count FROM (
              SELECT id, happened_at FROM webhook_deliveries WHERE id > ${after} ORDER BY id LIMIT ${limit}) AS stretch`)
          if (stretch === undefined || stretch.last === null) return { removed: 0, next: null }
          const last = Number(stretch.last)
          const removed = yield* stored(sql`
            DELETE FROM webhook_deliveries WHERE id IN (
              SELECT id FROM webhook_deliveries
              WHERE id > ${after} AND id <= ${last} AND status <> 'pending' AND deliver_at < ${endedBefore}
              ORDER BY id ${skipLocked(sql)})
            RETURNING id`)
          const isLast = Number(stretch.count) < limit || Number(stretch.youngest) >= endedBefore
          return { removed: removed.length, next: isLast ? null : last }
        })
      })
    })
  )
}

interface StretchRow {
  /** PostgreSQL answers a bigint as text. */
  readonly last: number | string | null
  readonly youngest: number | string | null
  readonly count: number | string
}

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
