/** Claims deliveries that are due and have no valid claim. */
import type { EventId } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { ClaimedDelivery, DeliveryClaim, OrderedClaim } from "./Delivery.ts"
import { mapSqlError } from "../mapSqlError.ts"
import { skipLocked } from "../rowLocks.ts"

export const isFree = (sql: SqlClient.SqlClient, now: number) => sql`status = 'pending' AND deliver_at <= ${now}
  AND (claimed_until IS NULL OR claimed_until <= ${now})`

type Claim = Omit<DeliveryClaim, "endpoints">

/** An SQL condition for deliveries without a valid claim, except those that this worker is sending. */
const isClaimable = (sql: SqlClient.SqlClient, { except = [], now }: Claim) =>
  except.length === 0 ? isFree(sql, now) : sql`${isFree(sql, now)} AND NOT ${sql.in("id", except)}`

const claimedColumns = "id, event_id, endpoint_id, attempts, tries_before, line"

/**
 * Claims the oldest unordered deliveries of each endpoint, with one statement for all endpoints. SQLite cannot limit
 * rows by endpoint, so it reads the largest limit for each, and drops the rows above the endpoint's own limit.
 */
export const claimDue = (sql: SqlClient.SqlClient, claim: DeliveryClaim) => {
  const { endpoints, owner, until } = claim
  const limits = JSON.stringify(Object.fromEntries(endpoints.map(({ id, limit }) => [id, limit])))
  const largest = Math.max(...endpoints.map(({ limit }) => limit))
  const oldest = sql`SELECT id FROM webhook_deliveries
    WHERE endpoint_id = wanted.key AND line IS NULL AND ${isClaimable(sql, claim)} ORDER BY deliver_at, id`
  const due = sql.onDialectOrElse({
    pg: () => sql`
      SELECT oldest.id FROM json_each_text(${limits}::json) AS wanted
      CROSS JOIN LATERAL (${oldest} LIMIT wanted.value::bigint FOR UPDATE SKIP LOCKED) AS oldest`,
    orElse: () => sql`
      SELECT id FROM (
        SELECT candidate.id, wanted.value AS most,
          row_number() OVER (PARTITION BY wanted.key ORDER BY deliver_at, candidate.id) AS place
        FROM json_each(${limits}) AS wanted CROSS JOIN webhook_deliveries AS candidate
        WHERE candidate.id IN (${oldest} LIMIT ${largest})) AS candidates
      WHERE place <= most`
  })
  // The ids are passed as an array, so that PostgreSQL plans for a few rows by index, and selects them once.
  const isDue = sql.literal(
    sql.onDialectOrElse({
      pg: () => "id = ANY (ARRAY(SELECT id FROM due))",
      orElse: () => "id IN (SELECT id FROM due)"
    })
  )
  return sql<ClaimedRow>`
    WITH due AS MATERIALIZED (${due})
    UPDATE webhook_deliveries SET claimed_by = ${owner}, claimed_until = ${until} WHERE ${isDue}
    RETURNING ${sql.literal(claimedColumns)}`
}

/** Claims the oldest deliveries that meet an SQL condition. */
export const claimWhere = (
  sql: SqlClient.SqlClient,
  claim: OrderedClaim,
  condition: Parameters<typeof sql.and>[0][number]
) =>
  sql<ClaimedRow>`
    UPDATE webhook_deliveries SET claimed_by = ${claim.owner}, claimed_until = ${claim.until} WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE ${condition} AND ${isClaimable(sql, claim)}
      ORDER BY deliver_at, id LIMIT ${claim.limit} ${skipLocked(sql)})
    RETURNING ${sql.literal(claimedColumns)}`

/** Executes a claim statement, and returns its deliveries, oldest first. */
export const claimedBy = (claim: Claim, claiming: Effect.Effect<ReadonlyArray<ClaimedRow>, SqlError>) =>
  mapSqlError(claiming).pipe(
    Effect.map((rows) => rows.map((row) => claimed(row, claim)).toSorted((a, b) => a.id - b.id))
  )

interface ClaimedRow {
  /** The id of the delivery. PostgreSQL returns a bigint as text. */
  readonly id: number | string
  readonly event_id: string
  readonly endpoint_id: string
  readonly attempts: number
  readonly tries_before: number
  readonly line: string | null
}

const claimed = (row: ClaimedRow, { owner, until }: Claim): ClaimedDelivery => ({
  id: Number(row.id),
  // Cast at a type boundary: the column is only written from event ids.
  eventId: row.event_id as EventId,
  endpointId: row.endpoint_id,
  attempts: row.attempts,
  attemptsBefore: row.tries_before,
  owner,
  until,
  line: row.line
})
