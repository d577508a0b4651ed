/** Reads the deliveries of one payment's events and their attempts, oldest first, a page at a time. */
import type { PaymentId } from "@paymux/core"
import type { LogPlace, StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { mapSqlError } from "../mapSqlError.ts"
import { deliveryOf } from "./DeliveryList.ts"
import type { DeliveryRecord, DeliveryRow } from "./DeliveryList.ts"
import { attemptOf } from "./DeliveryLog.ts"
import type { AttemptRecord, AttemptRow } from "./DeliveryLog.ts"

/** A page of rows, in the order of time. */
export interface DeliveryRange {
  /** The position after which the page starts, exclusive. */
  readonly after: LogPlace
  readonly limit: number
}

export type PaymentDelivery = DeliveryRecord & { readonly row: number }

export interface PaymentDeliveryAttempt extends AttemptRecord {
  /** The row's unique id, which orders rows of the same time. */
  readonly row: number
  readonly eventId: string
  readonly endpointId: string
}

/**
 * Reads deliveries by the time of their event, which is in one of core's tables. The caller must have authorized access
 * to the payment.
 */
export const paymentDeliveries = Effect.fnUntraced(function* (
  id: PaymentId,
  { after, limit }: DeliveryRange
): Effect.fn.Return<ReadonlyArray<PaymentDelivery>, StoreUnavailable, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* mapSqlError(sql<DeliveryRow>`
    SELECT d.* FROM payment_events e JOIN webhook_deliveries d ON d.event_id = e.id
    WHERE e.payment_id = ${id} AND (d.happened_at, d.id) > (${after.at}, ${after.row})
    ORDER BY d.happened_at, d.id LIMIT ${limit}`)
  return rows.map((row) => ({ ...deliveryOf(row), row: Number(row.id) }))
})

/** Reads the ended attempts of the given deliveries, by their end time. */
export const paymentDeliveryAttempts = Effect.fnUntraced(function* (
  id: PaymentId,
  { after, limit }: DeliveryRange
): Effect.fn.Return<ReadonlyArray<PaymentDeliveryAttempt>, StoreUnavailable, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const row = sql.literal(`a.delivery_id * ${mostAttempts} + a.attempt`)
  const rows = yield* mapSqlError(sql<AttemptRow & Place>`
    SELECT a.*, d.event_id, d.endpoint_id, ${row} AS place
    FROM payment_events e
    JOIN webhook_deliveries d ON d.event_id = e.id
    JOIN webhook_attempts a ON a.delivery_id = d.id
    WHERE e.payment_id = ${id} AND (a.ended_at, ${row}) > (${after.at}, ${after.row})
    ORDER BY a.ended_at, ${row} LIMIT ${limit}`)
  return rows.map((each) => ({
    ...attemptOf(each),
    row: Number(each.place),
    eventId: each.event_id,
    endpointId: each.endpoint_id
  }))
})

/** The maximum number of attempts to read, more than a delivery ever has: each resend adds about a dozen. */
const mostAttempts = 100_000

interface Place {
  readonly place: number | string
  readonly event_id: string
  readonly endpoint_id: string
}
