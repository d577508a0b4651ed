/** Rows that are due and free, and how a worker takes some of them. */
import type { EventId } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { ClaimedDelivery, DeliveryClaim } from "./Delivery.ts"
import { stored } from "./stored.ts"

export const isFree = (sql: SqlClient.SqlClient, now: number) => sql`status = 'pending' AND deliver_at <= ${now}
  AND (claimed_until IS NULL OR claimed_until <= ${now})`

/** SQLite has one writer at a time: nothing to skip. */
export const skipLocked = (sql: SqlClient.SqlClient) =>
  sql.literal(sql.onDialectOrElse({ pg: () => "FOR UPDATE SKIP LOCKED", orElse: () => "" }))

/** Takes the oldest of those. */
export const claimWhere = (
  sql: SqlClient.SqlClient,
  { limit, now, owner, until }: DeliveryClaim,
  condition: Parameters<typeof sql.and>[0][number]
) =>
  sql<ClaimedRow>`
    UPDATE webhook_deliveries SET claimed_by = ${owner}, claimed_until = ${until} WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE ${condition} AND ${isFree(sql, now)}
      ORDER BY deliver_at, id LIMIT ${limit} ${skipLocked(sql)})
    RETURNING id, event_id, endpoint_id, attempts, tries_before`

/** Oldest first. */
export const claimedBy = (claim: DeliveryClaim, claiming: Effect.Effect<ReadonlyArray<ClaimedRow>, SqlError>) =>
  stored(claiming).pipe(Effect.map((rows) => rows.map((row) => claimed(row, claim)).toSorted((a, b) => a.id - b.id)))

interface ClaimedRow {
  /** PostgreSQL answers a bigint as text. */
  readonly id: number | string
  readonly event_id: string
  readonly endpoint_id: string
  readonly attempts: number
  readonly tries_before: number
}

const claimed = (row: ClaimedRow, { owner, until }: DeliveryClaim): ClaimedDelivery => ({
  id: Number(row.id),
  // Boundary: it was written from an event's id.
  eventId: row.event_id as EventId,
  endpointId: row.endpoint_id,
  attempts: row.attempts,
  attemptsBefore: row.tries_before,
  owner,
  until
})
