/** Which deliveries are due and unclaimed, and how a worker claims them. */
import type { EventId } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { ClaimedDelivery, DeliveryClaim } from "./Delivery.ts"
import { mapSqlError } from "../mapSqlError.ts"

export const isFree = (sql: SqlClient.SqlClient, now: number) => sql`status = 'pending' AND deliver_at <= ${now}
  AND (claimed_until IS NULL OR claimed_until <= ${now})`

/** SQLite has a single writer, so there are no locked rows to skip. */
export const skipLocked = (sql: SqlClient.SqlClient) =>
  sql.literal(sql.onDialectOrElse({ pg: () => "FOR UPDATE SKIP LOCKED", orElse: () => "" }))

/** Claims the oldest deliveries that meet the condition. */
export const claimWhere = (
  sql: SqlClient.SqlClient,
  { except = [], limit, now, owner, until }: DeliveryClaim,
  condition: Parameters<typeof sql.and>[0][number]
) =>
  sql<ClaimedRow>`
    UPDATE webhook_deliveries SET claimed_by = ${owner}, claimed_until = ${until} WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE ${condition} AND ${isFree(sql, now)}${except.length === 0 ? sql`` : sql` AND NOT ${sql.in("id", except)}`}
      ORDER BY deliver_at, id LIMIT ${limit} ${skipLocked(sql)})
    RETURNING id, event_id, endpoint_id, attempts, tries_before`

/** Oldest first. */
export const claimedBy = (claim: DeliveryClaim, claiming: Effect.Effect<ReadonlyArray<ClaimedRow>, SqlError>) =>
  mapSqlError(claiming).pipe(
    Effect.map((rows) => rows.map((row) => claimed(row, claim)).toSorted((a, b) => a.id - b.id))
  )

interface ClaimedRow {
  /** PostgreSQL returns a bigint as text. */
  readonly id: number | string
  readonly event_id: string
  readonly endpoint_id: string
  readonly attempts: number
  readonly tries_before: number
}

const claimed = (row: ClaimedRow, { owner, until }: DeliveryClaim): ClaimedDelivery => ({
  id: Number(row.id),
  // Boundary: the column was written from an event id.
  eventId: row.event_id as EventId,
  endpointId: row.endpoint_id,
  attempts: row.attempts,
  attemptsBefore: row.tries_before,
  owner,
  until
})
