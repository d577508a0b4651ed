/**
 * Finds due times that were set while the clock was ahead. Without a correction, their deliveries would wait for as
 * long as the clock was ahead.
 *
 * The due time of a delivery was set at its last attempt, or at its event. A delivery without an attempt is due when it
 * is added, unless it was postponed because it waits for another one with the same `line` (ordering key).
 */
import { clockTolerance } from "@paymux/core/store"
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { mapSqlError } from "../mapSqlError.ts"
import { skipLocked } from "../rowLocks.ts"
import type { HeldClaim } from "./Delivery.ts"
import { longestDelay, longestRetryAfter } from "./RetrySchedule.ts"

export const correctDueTimes = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  now: number,
  limit: number
): Effect.fn.Return<number, StoreUnavailable> {
  const latest = now + clockTolerance
  // Ends the pauses of endpoints first: once their deliveries are due, new attempts overwrite `last_at`.
  const resumed = yield* mapSqlError(sql<{ readonly id: string }>`
    UPDATE webhook_endpoints SET paused_until = NULL WHERE id IN (
      SELECT id FROM webhook_endpoints
      WHERE paused_until > ${latest} AND (paused_until > ${latest + longestRetryAfter} OR EXISTS (
        SELECT 1 FROM webhook_deliveries
        WHERE endpoint_id = webhook_endpoints.id AND status = 'pending' AND last_at > ${latest}))
      ORDER BY id LIMIT ${limit} ${skipLocked(sql)})
    RETURNING id`)
  const due = yield* mapSqlError(sql<{ readonly id: number | string }>`
    UPDATE webhook_deliveries SET deliver_at = ${now} WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE status = 'pending' AND deliver_at > ${latest} AND (
        deliver_at > ${latest + longestDelay} OR last_at > ${latest}
        OR attempts = tries_before AND (line IS NULL OR happened_at > ${latest}))
      ORDER BY id LIMIT ${limit} ${skipLocked(sql)})
    RETURNING id`)
  return resumed.length + due.length
})

export const claimsAhead = (
  sql: SqlClient.SqlClient,
  latest: number
): Effect.Effect<ReadonlyArray<HeldClaim>, StoreUnavailable> =>
  mapSqlError(sql<{ readonly id: number | string; readonly claimed_until: number | string }>`
    SELECT id, claimed_until FROM webhook_deliveries WHERE status = 'pending' AND claimed_until > ${latest}`).pipe(
    Effect.map((rows) => rows.map(({ claimed_until, id }) => ({ id: Number(id), until: Number(claimed_until) })))
  )
