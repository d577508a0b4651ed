/** Reads pages of deliveries, latest event first. A cursor is the place of a page's last delivery. */
import type { Tenant } from "@paymux/core"
import { logCursor, readLogCursor } from "@paymux/core/store"
import type { EventId, LogPlace, StoreUnavailable } from "@paymux/core/store"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { DeliveryStatus } from "./Delivery.ts"
import { mapSqlError } from "../mapSqlError.ts"

export interface DeliveryRecord {
  readonly eventId: EventId
  readonly endpointId: string
  readonly status: DeliveryStatus
  /** When the event happened, ms UTC. */
  readonly happenedAt: number
  /** Attempts that have ended. */
  readonly attempts: number
  /** ms UTC; for a pending delivery, when the next attempt is due. */
  readonly nextTryAt: number | null
  /** When the last attempt ended, ms UTC. */
  readonly lastAt: number | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** The beginning of the receiver's last response body, on one line and safe to print; see `excerptOf`. */
  readonly lastAnswer: string | null
}

/** Conditions that are left out exclude nothing. */
export interface DeliveryQuery {
  readonly endpointId?: string
  /** `failed`: the last attempt failed, or none will be made. */
  readonly status?: DeliveryStatus | "failed"
  readonly eventId?: string
  readonly paymentId?: string
  /** Events that happened at this time or later, ms UTC. */
  readonly from?: number
  /** Events that happened before this time, ms UTC. */
  readonly until?: number
  /** The `next` of the page before. */
  readonly after?: string
  /** 1 to 1000. */
  readonly limit: number
}

export interface DeliveryPage {
  readonly records: ReadonlyArray<DeliveryRecord>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** The cursor is not one that a list of deliveries returned. */
export class DeliveryCursorInvalid extends Schema.TaggedError<DeliveryCursorInvalid>()("DeliveryCursorInvalid", {}) {
  override get message() {
    return "The cursor must be the `next` of a former page of deliveries."
  }
}

export const make = (sql: SqlClient.SqlClient) => {
  /**
   * From one of core's tables. Looked up first: within the statement, PostgreSQL would rather walk all deliveries in their
   * order.
   */
  const eventsOf = (paymentId: string) =>
    mapSqlError(sql<{ id: string }>`SELECT id FROM payment_events WHERE payment_id = ${paymentId}`).pipe(
      Effect.map((rows) => rows.map(({ id }) => id))
    )

  const page = (
    { account, livemode }: Tenant,
    query: DeliveryQuery,
    eventIds: ReadonlyArray<string> | null,
    after: LogPlace | null,
    status: string
  ) =>
    mapSqlError(
      sql<DeliveryRow>`
        SELECT * FROM webhook_deliveries WHERE ${sql.and([
          sql`account = ${account} AND livemode = ${livemode}`,
          sql.literal(status),
          ...(query.endpointId === undefined ? [] : [sql`endpoint_id = ${query.endpointId}`]),
          ...(query.eventId === undefined ? [] : [sql`event_id = ${query.eventId}`]),
          ...(eventIds === null ? [] : [sql.in("event_id", eventIds)]),
          ...(query.from === undefined ? [] : [sql`happened_at >= ${query.from}`]),
          ...(query.until === undefined ? [] : [sql`happened_at < ${query.until}`]),
          ...(after === null ? [] : [sql`(happened_at, id) < (${after.at}, ${after.row})`])
        ])}
        ORDER BY happened_at DESC, id DESC LIMIT ${query.limit + 1}`.unprepared
    )

  return Effect.fnUntraced(function* (
    tenant: Tenant,
    query: DeliveryQuery
  ): Effect.fn.Return<DeliveryPage, DeliveryCursorInvalid | StoreUnavailable> {
    const after = query.after === undefined ? null : readLogCursor(query.after)
    if (query.after !== undefined && after === null) return yield* new DeliveryCursorInvalid()
    const eventIds = query.paymentId === undefined ? null : yield* eventsOf(query.paymentId)
    if (eventIds?.length === 0) return { records: [], next: null }
    const rows = yield* Effect.forEach(conditionsOf(query.status), (status) =>
      page(tenant, query, eventIds, after, status)
    )
    const latest = rows.flat().map(withPlace).toSorted(latestFirst)
    const shown = latest.slice(0, query.limit)
    const last = shown.at(-1)
    return {
      records: shown.map(({ row }) => deliveryOf(row)),
      next: last === undefined || latest.length <= query.limit ? null : logCursor(last.place)
    }
  })
}

/** Each condition has an index of its own, so that finding a few failed deliveries does not scan all others. */
const conditionsOf = (status: DeliveryQuery["status"]): ReadonlyArray<string> => {
  switch (status) {
    case undefined:
      return ["1 = 1"]
    case "failed":
      return [undelivered, "status = 'pending' AND attempts > 0"]
    case "dead":
    case "canceled":
      return [`${undelivered} AND status = '${status}'`]
    case "pending":
    case "delivered":
      return [`status = '${status}'`]
    default:
      return status satisfies never
  }
}

/** The condition of the index `webhook_deliveries_not_delivered`. */
export const undelivered = "status IN ('dead', 'canceled')"

const withPlace = (row: DeliveryRow) => ({ row, place: { at: Number(row.happened_at), row: Number(row.id) } })

const latestFirst = ({ place: a }: { readonly place: LogPlace }, { place: b }: { readonly place: LogPlace }) =>
  b.at - a.at || b.row - a.row

export interface DeliveryRow {
  /** PostgreSQL returns a bigint as text. */
  readonly id: number | string
  readonly event_id: string
  readonly endpoint_id: string
  readonly happened_at: number | string
  readonly attempts: number
  readonly status: DeliveryStatus
  readonly deliver_at: number | string
  readonly last_at: number | string | null
  readonly last_status: number | null
  readonly last_error: string | null
  readonly last_answer: string | null
}

export const deliveryOf = (row: DeliveryRow): DeliveryRecord => ({
  // Boundary: the column was written from an event id.
  eventId: row.event_id as EventId,
  endpointId: row.endpoint_id,
  status: row.status,
  happenedAt: Number(row.happened_at),
  attempts: row.attempts,
  nextTryAt: row.status === "pending" ? Number(row.deliver_at) : null,
  lastAt: row.last_at === null ? null : Number(row.last_at),
  lastStatus: row.last_status,
  lastError: row.last_error,
  lastAnswer: row.last_answer
})
