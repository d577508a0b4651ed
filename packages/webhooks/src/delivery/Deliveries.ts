/**
 * Stores deliveries: one row per event and endpoint. A worker claims a row under a lease, a claim with an end time. If
 * the worker dies, another one claims the row after that time, and the first one can no longer change it.
 *
 * Leases use the worker's clock, like all times here and in core, so that a test or a simulation has a single clock. A
 * lease outlives its attempt by 15 s. If clocks differ by more, one event is sent twice under the same id, which
 * receivers must handle anyway. The database's clock would not prevent this: a stalled process has the same effect.
 */
import type { StoreUnavailable } from "@paymux/core/store"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { rowsOf } from "../jsonSets.ts"
import { claimDue, claimedBy, isFree } from "./claims.ts"
import type {
  ClaimedDelivery,
  DeliveryClaim,
  DueEndpoint,
  EndedDelivery,
  HeldClaim,
  OrderedClaim,
  NewDelivery,
  Pruned,
  PruneRange
} from "./Delivery.ts"
import * as OrderedDelivery from "./OrderedDelivery.ts"
import { mapSqlError } from "../mapSqlError.ts"
import { skipLocked } from "../rowLocks.ts"
import { claimsAhead, correctDueTimes } from "./clockCorrections.ts"
import * as settlements from "./settlements.ts"
import { processUrl } from "../endpoint/WebhookEndpoint.ts"

export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  {
    /** Inserts deliveries that are due at `now`. Existing deliveries are left unchanged. */
    readonly add: (deliveries: ReadonlyArray<NewDelivery>, now: number) => Effect.Effect<void, StoreUnavailable>
    /** The HTTP endpoints that have a due delivery without a claim, except those paused by `Retry-After`. */
    readonly dueEndpoints: (now: number) => Effect.Effect<ReadonlyArray<DueEndpoint>, StoreUnavailable>
    /** Claims due deliveries of the given endpoints, oldest first. */
    readonly claim: (claim: DeliveryClaim) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
    /** Claims due ordered deliveries, oldest first, only the first of each ordering key. */
    readonly claimOrdered: (claim: OrderedClaim) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
    /**
     * Stores the results of attempts in one transaction; each delivery may occur at most once. Returns the ids of the
     * deliveries that this worker still had claimed. Nothing is written for the others.
     */
    readonly settle: (ended: ReadonlyArray<EndedDelivery>) => Effect.Effect<ReadonlySet<number>, StoreUnavailable>
    /** Ends the claims that this worker still has, without an attempt. */
    readonly release: (claims: ReadonlyArray<HeldClaim>) => Effect.Effect<void, StoreUnavailable>
    /**
     * Corrects due times that were set while the clock was ahead: makes these deliveries due, and ends such pauses of
     * endpoints. Changes up to `limit` deliveries and endpoints, and returns their number: 0 means that all are
     * corrected.
     */
    readonly correctDueTimes: (now: number, limit: number) => Effect.Effect<number, StoreUnavailable>
    /** The claims that end after `latest`, ms UTC. */
    readonly claimsAhead: (latest: number) => Effect.Effect<ReadonlyArray<HeldClaim>, StoreUnavailable>
    /** Deletes deliveries that ended before a given time, successfully or not. Pending deliveries are kept. */
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
          Effect.forEach(chunksOf(deliveries, insertedAtOnce), (some) => mapSqlError(insert(sql, some, now)), {
            discard: true
          }),
        dueEndpoints: (now) =>
          mapSqlError(sql<{ id: string; failing_since: unknown }>`
            SELECT id, failing_since FROM webhook_endpoints
            WHERE disabled_at IS NULL AND url <> ${processUrl} AND (paused_until IS NULL OR paused_until <= ${now})
              AND EXISTS (
                SELECT 1 FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id AND ${isFree(sql, now)})`).pipe(
            Effect.map((rows) => rows.map((row) => ({ id: row.id, failing: row.failing_since !== null })))
          ),
        claim: (claim) => (claim.endpoints.length === 0 ? Effect.succeed([]) : claimedBy(claim, claimDue(sql, claim))),
        claimOrdered: ordered.claim,
        settle: (ended) =>
          Effect.gen(function* () {
            const settled = yield* settlements.settle(sql, ended)
            for (const { delivery, settlement } of ended) {
              if (delivery.line === null || !settled.has(delivery.id)) continue
              const wasFailing = delivery.attempts > 0 && settlement.status !== "pending"
              if (wasFailing) yield* ordered.release(delivery, settlement.lastAt)
            }
            return settled
          }).pipe(sql.withTransaction, mapSqlError),
        release: (claims) => settlements.release(sql, claims),
        correctDueTimes: (now, limit) => correctDueTimes(sql, now, limit),
        claimsAhead: (latest) => claimsAhead(sql, latest),
        // Walks the rows by id, which roughly follows time. So no index is needed, which would slow down every insert.
        prune: Effect.fnUntraced(function* ({ after, endedBefore, limit }) {
          const [stretch] = yield* mapSqlError(sql<StretchRow>`
            SELECT max(id) AS last, max(happened_at) AS youngest, count(*) AS count FROM (
              SELECT id, happened_at FROM webhook_deliveries WHERE id > ${after} ORDER BY id LIMIT ${limit}) AS stretch`)
          if (stretch === undefined || stretch.last === null) return { removed: 0, next: null }
          const last = Number(stretch.last)
          // Both deletions are in one transaction: SQLite reuses the id of a deleted row for a later delivery, which
          // must not find these attempts.
          const removed = yield* sql<{ id: number | string }>`
            DELETE FROM webhook_deliveries WHERE id IN (
              SELECT id FROM webhook_deliveries
              WHERE id > ${after} AND id <= ${last} AND status <> 'pending' AND deliver_at < ${endedBefore}
              ORDER BY id ${skipLocked(sql)})
            RETURNING id`.pipe(
            Effect.tap((rows) => deleteAttempts(sql, rows)),
            sql.withTransaction,
            mapSqlError
          )
          const isLast = Number(stretch.count) < limit || Number(stretch.youngest) >= endedBefore
          return { removed: removed.length, next: isLast ? null : last }
        })
      })
    })
  )
}

/**
 * Deletes the attempts of deleted deliveries. It runs after the deliveries are deleted, so that no attempt of a
 * remaining delivery is deleted.
 */
const deleteAttempts = (sql: SqlClient.SqlClient, removed: ReadonlyArray<{ readonly id: number | string }>) =>
  removed.length === 0
    ? Effect.void
    : sql`DELETE FROM webhook_attempts WHERE ${sql.in(
        "delivery_id",
        removed.map(({ id }) => Number(id))
      )}`.unprepared

interface StretchRow {
  /** The last examined id. PostgreSQL returns a bigint as text. */
  readonly last: number | string | null
  readonly youngest: number | string | null
  readonly count: number | string
}

/** The number of rows per INSERT, so that no statement blocks the event loop for long. */
const insertedAtOnce = 500

const insert = (sql: SqlClient.SqlClient, deliveries: ReadonlyArray<NewDelivery>, now: number) => {
  const rows = rowsOf(
    sql,
    {
      event_id: "text",
      endpoint_id: "text",
      account: "text",
      livemode: "boolean",
      attempts: "bigint",
      status: "text",
      deliver_at: "bigint",
      happened_at: "bigint",
      line: "text",
      place: "bigint",
      last_error: "text"
    },
    deliveries.map(({ account, endpointId, eventId, happenedAt, livemode, order, status }) => ({
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
    }))
  )
  return sql`
    INSERT INTO webhook_deliveries (event_id, endpoint_id, account, livemode, attempts, status, deliver_at, happened_at,
      line, place, last_error)
    SELECT * FROM (${rows}) AS added WHERE TRUE ON CONFLICT (event_id, endpoint_id) DO NOTHING`
}

const chunksOf = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))
