/** Stores the results of attempts, and ends claims, with one statement for many deliveries. */
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { isOneOf, rowsOf } from "../jsonSets.ts"
import { mapSqlError } from "../mapSqlError.ts"
import { lockInOrder } from "../rowLocks.ts"
import type { EndedDelivery, HeldClaim } from "./Delivery.ts"

/**
 * Stores results within a transaction of the caller, so that the attempts of a delivery and its last result always
 * agree. Returns the ids of the deliveries that this worker still had claimed. Nothing is written for the others.
 */
export const settle = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  ended: ReadonlyArray<EndedDelivery>
): Effect.fn.Return<ReadonlySet<number>, SqlError> {
  const updated = yield* update(sql, ended)
  const settled = new Set(updated.map(({ id }) => Number(id)))
  const attempts = ended.filter(({ delivery, settlement }) => settlement.duration !== null && settled.has(delivery.id))
  if (attempts.length > 0) yield* insertAttempts(sql, attempts)
  return settled
})

/**
 * The update statement. It compares the lease's end and the number of attempts, to distinguish this claim from others
 * of the same worker.
 */
const update = (sql: SqlClient.SqlClient, ended: ReadonlyArray<EndedDelivery>) => {
  const rows = rowsOf(
    sql,
    {
      id: "bigint",
      owner: "text",
      until: "bigint",
      before: "bigint",
      status: "text",
      attempts: "bigint",
      deliver_at: "bigint",
      last_status: "bigint",
      last_error: "text",
      last_answer: "text",
      last_at: "bigint"
    },
    ended.map(({ delivery, settlement }) => ({
      id: delivery.id,
      owner: delivery.owner,
      until: delivery.until,
      before: delivery.attempts,
      status: settlement.status,
      attempts: settlement.attempts,
      deliver_at: settlement.deliverAt,
      last_status: settlement.lastStatus,
      last_error: settlement.lastError,
      last_answer: settlement.lastAnswer,
      last_at: settlement.lastAt
    }))
  )
  return sql<{ readonly id: number | string }>`
    WITH ended AS MATERIALIZED (${rows})
    UPDATE webhook_deliveries SET
      status = ended.status, attempts = ended.attempts, deliver_at = ended.deliver_at, claimed_by = NULL,
      claimed_until = NULL, last_status = ended.last_status, last_error = ended.last_error,
      last_answer = ended.last_answer, last_at = ended.last_at,
      delivered_at = CASE WHEN ended.status = 'delivered' THEN ended.last_at END
    FROM ended
    WHERE ${isLocked(
      sql,
      ended.map(({ delivery }) => delivery.id)
    )} AND webhook_deliveries.id = ended.id
      AND webhook_deliveries.status = 'pending' AND claimed_by = ended.owner AND claimed_until = ended.until
      AND webhook_deliveries.attempts = ended.before
    RETURNING webhook_deliveries.id AS id`
}

const insertAttempts = (sql: SqlClient.SqlClient, ended: ReadonlyArray<EndedDelivery>) => {
  const rows = rowsOf(
    sql,
    {
      delivery_id: "bigint",
      attempt: "bigint",
      ended_at: "bigint",
      duration: "bigint",
      status: "bigint",
      error: "text",
      answer: "text"
    },
    ended.map(({ delivery, settlement }) => ({
      delivery_id: delivery.id,
      attempt: settlement.attempts,
      ended_at: settlement.lastAt,
      duration: settlement.duration,
      status: settlement.lastStatus,
      error: settlement.lastError,
      answer: settlement.lastAnswer
    }))
  )
  return sql`INSERT INTO webhook_attempts (delivery_id, attempt, ended_at, duration, status, error, answer) ${rows}`
}

/** Ends the claims that this worker still has. */
export const release = (
  sql: SqlClient.SqlClient,
  claims: ReadonlyArray<HeldClaim>
): Effect.Effect<void, StoreUnavailable> => {
  if (claims.length === 0) return Effect.void
  const rows = rowsOf(
    sql,
    { id: "bigint", until: "bigint" },
    claims.map(({ id, until }) => ({ id, until }))
  )
  return Effect.asVoid(
    mapSqlError(sql`
      WITH held AS MATERIALIZED (${rows})
      UPDATE webhook_deliveries SET claimed_by = NULL, claimed_until = NULL FROM held
      WHERE ${isLocked(
        sql,
        claims.map(({ id }) => id)
      )} AND webhook_deliveries.id = held.id
        AND status = 'pending' AND claimed_until = held.until`)
  )
}

/** An SQL condition for the rows with the given ids. On PostgreSQL it locks them in order first. */
const isLocked = (sql: SqlClient.SqlClient, ids: ReadonlyArray<number>) =>
  sql.onDialectOrElse({
    pg: () => sql`webhook_deliveries.id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries WHERE ${isOneOf(sql, "id", ids)} ${lockInOrder(sql)}))`,
    orElse: () => sql`TRUE`
  })
