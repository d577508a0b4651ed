/**
 * Deliveries: one row per event and endpoint. A worker holds a row under a lease. If the worker dies, another takes over,
 * and a worker whose lease has expired changes nothing.
 *
 * Leases use the worker's clock, like all times here and in core, so that a test or a simulation has a single clock. A
 * lease outlives its attempt by 15 s. If clocks differ by more, one event is sent twice under the same id, which receivers
 * must handle anyway. The database's clock would not prevent this: a stalled process has the same effect.
 */
import type { StoreUnavailable } from "@paymux/core/store"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { claimedBy, claimWhere, isFree, skipLocked } from "./claims.ts"
import type {
  ClaimAhead,
  ClaimedDelivery,
  DeliveryClaim,
  DueEndpoint,
  OrderedClaim,
  NewDelivery,
  Pruned,
  PruneRange,
  Settlement
} from "./Delivery.ts"
import * as OrderedDelivery from "./OrderedDelivery.ts"
import { mapSqlError } from "../mapSqlError.ts"
import { claimsAhead, correctDueTimes, releaseClaims } from "./clockCorrections.ts"
import { processUrl } from "../endpoint/WebhookEndpoint.ts"

export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  {
    /** Adds deliveries that are due at `now`. Existing deliveries are left unchanged. */
    readonly add: (deliveries: ReadonlyArray<NewDelivery>, now: number) => Effect.Effect<void, StoreUnavailable>
    /** HTTP endpoints with an unclaimed due delivery that are not paused by `Retry-After`. */
    readonly dueEndpoints: (now: number) => Effect.Effect<ReadonlyArray<DueEndpoint>, StoreUnavailable>
    /** Oldest first. */
    readonly claim: (claim: DeliveryClaim) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
    /** Oldest first, only the first of each ordering key. */
    readonly claimOrdered: (claim: OrderedClaim) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
    /** Also records the attempt. `false`: this worker no longer holds the delivery; nothing was written. */
    readonly settle: (delivery: ClaimedDelivery, settlement: Settlement) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Makes deliveries due whose time was set by a clock that was ahead and is set right by `now`, and ends pauses of endpoints
     * that it set. Returns their number, 0 if none is left; it changes up to `limit` of each.
     */
    readonly correctDueTimes: (now: number, limit: number) => Effect.Effect<number, StoreUnavailable>
    /** Claims that end after this time, ms UTC. */
    readonly claimsAhead: (latest: number) => Effect.Effect<ReadonlyArray<ClaimAhead>, StoreUnavailable>
    /** Ends those of them that still stand. */
    readonly releaseClaims: (claims: ReadonlyArray<ClaimAhead>) => Effect.Effect<void, StoreUnavailable>
    /** Deletes finished deliveries, successful or not, that ended before a time. Pending deliveries are kept. */
    readonly prune: (stretch: PruneRange) => Effect.Effect<Pruned, StoreUnavailable>
  }
>()("@paymux/webhooks/Deliveries") {
  static readonly layer: Layer.Layer<WebhookDeliveries, never, SqlClient.SqlClient> = Layer.effect(
    WebhookDeliveries,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ordered = OrderedDelivery.make(sql)

      return WebhookDeliveries.of({
        add: (deliveries, now) =>
          Effect.forEach(inserts(deliveries, now), (rows) => mapSqlError(insert(sql, rows)), { discard: true }),
        dueEndpoints: (now) =>
          mapSqlError(sql<{ id: string; failing_since: unknown }>`
            SELECT id, failing_since FROM webhook_endpoints
            WHERE disabled_at IS NULL AND url <> ${processUrl} AND (paused_until IS NULL OR paused_until <= ${now})
              AND EXISTS (
                SELECT 1 FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id AND ${isFree(sql, now)})`).pipe(
            Effect.map((rows) => rows.map((row) => ({ id: row.id, failing: row.failing_since !== null })))
          ),
        claim: (claim) =>
          claimedBy(claim, claimWhere(sql, claim, sql`endpoint_id = ${claim.endpointId} AND line IS NULL`)),
        claimOrdered: ordered.claim,
        // The lease's end and the number of attempts distinguish this claim from others of the same worker.
        settle: Effect.fnUntraced(function* (delivery, settlement) {
          const { attempts, id, owner, until } = delivery
          const update = sql<{ id: number | string }>`
            UPDATE webhook_deliveries SET
              status = ${settlement.status}, attempts = ${settlement.attempts}, deliver_at = ${settlement.deliverAt},
              claimed_by = NULL, claimed_until = NULL, last_status = ${settlement.lastStatus},
              last_error = ${settlement.lastError}, last_answer = ${settlement.lastAnswer},
              last_at = ${settlement.lastAt},
              delivered_at = ${settlement.status === "delivered" ? settlement.lastAt : null}
            WHERE id = ${id} AND status = 'pending' AND claimed_by = ${owner} AND claimed_until = ${until}
              AND attempts = ${attempts}
            RETURNING id`
          const settled = yield* mapSqlError(withAttempt(sql, update, delivery, settlement))
          if (settled.length === 0) return false
          if (attempts > 0 && settlement.status !== "pending") yield* ordered.release(delivery, settlement.lastAt)
          return true
        }),
        correctDueTimes: (now, limit) => correctDueTimes(sql, now, limit),
        claimsAhead: (latest) => claimsAhead(sql, latest),
        releaseClaims: (claims) => releaseClaims(sql, claims),
        // Ids roughly follow time, so this needs no index, which would slow down every insert.
        prune: Effect.fnUntraced(function* ({ after, endedBefore, limit }) {
          const [stretch] = yield* mapSqlError(sql<StretchRow>`
            SELECT max(id) AS last, max(happened_at) AS youngest, count(*) AS count FROM (
              SELECT id, happened_at FROM webhook_deliveries WHERE id > ${after} ORDER BY id LIMIT ${limit}) AS stretch`)
          if (stretch === undefined || stretch.last === null) return { removed: 0, next: null }
          const last = Number(stretch.last)
          const removed = yield* mapSqlError(sql<{ id: number | string }>`
            DELETE FROM webhook_deliveries WHERE id IN (
              SELECT id FROM webhook_deliveries
              WHERE id > ${after} AND id <= ${last} AND status <> 'pending' AND deliver_at < ${endedBefore}
              ORDER BY id ${skipLocked(sql)})
            RETURNING id`).pipe(Effect.tap((rows) => mapSqlError(deleteAttempts(sql, rows))))
          const isLast = Number(stretch.count) < limit || Number(stretch.youngest) >= endedBefore
          return { removed: removed.length, next: isLast ? null : last }
        })
      })
    })
  )
}

/** One transaction, so that the attempts of a delivery and its last result always agree. */
const withAttempt = (
  sql: SqlClient.SqlClient,
  update: Effect.Effect<ReadonlyArray<{ readonly id: number | string }>, SqlError>,
  { id }: ClaimedDelivery,
  { attempts, duration, lastAnswer, lastAt, lastError, lastStatus }: Settlement
) => {
  if (duration === null) return update
  return sql.withTransaction(
    Effect.gen(function* () {
      const settled = yield* update
      if (settled.length === 0) return settled
      yield* sql`INSERT INTO webhook_attempts (delivery_id, attempt, ended_at, duration, status, error, answer)
        VALUES (${id}, ${attempts}, ${lastAt}, ${duration}, ${lastStatus}, ${lastError}, ${lastAnswer})`
      return settled
    })
  )
}

/** After the deliveries, so that no attempt of a delivery that remains is deleted. */
const deleteAttempts = (sql: SqlClient.SqlClient, removed: ReadonlyArray<{ readonly id: number | string }>) =>
  removed.length === 0
    ? Effect.void
    : sql`DELETE FROM webhook_attempts WHERE ${sql.in(
        "delivery_id",
        removed.map(({ id }) => Number(id))
      )}`.unprepared

interface StretchRow {
  /** PostgreSQL returns a bigint as text. */
  readonly last: number | string | null
  readonly youngest: number | string | null
  readonly count: number | string
}

type InsertRow = { readonly [column: string]: string | number | boolean | null }

/** A few hundred rows per statement: SQLite accepts 32,766 parameters, PostgreSQL 65,535. */
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

/** Not prepared: each row count is a different statement and would evict others from the driver's cache. */
const insert = (sql: SqlClient.SqlClient, rows: [InsertRow, ...Array<InsertRow>]) =>
  sql`INSERT INTO webhook_deliveries ${sql.insert(rows)} ON CONFLICT (event_id, endpoint_id) DO NOTHING`.unprepared
