/** Reads pages of deliveries, latest event first. The cursor of a page is the position of its last delivery. */
import type { Tenant } from "@paymux/core"
import { logCursor, readLogCursor } from "@paymux/core/store"
import type { EventId, EventType, LogPlace, StoreUnavailable } from "@paymux/core/store"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { DeliveryStatus } from "./Delivery.ts"
import { mapSqlError } from "../mapSqlError.ts"

export interface DeliveryRecord {
  readonly eventId: EventId
  readonly endpointId: string
  readonly status: DeliveryStatus
  /** The time when the event happened, ms UTC. */
  readonly happenedAt: number
  /** The number of attempts that have ended. */
  readonly attempts: number
  /** The time when the next attempt of a pending delivery is due, ms UTC. */
  readonly nextTryAt: number | null
  /** The time when the last attempt ended, ms UTC. */
  readonly lastAt: number | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** An excerpt of the receiver's last response body, on one line and safe to print; see `excerptOf`. */
  readonly lastAnswer: string | null
}

/** The filters of a list; an absent filter excludes no delivery. */
export interface DeliveryQuery {
  readonly endpointId?: string
  /** The status to list. `failed` covers deliveries whose last attempt failed, and canceled ones. */
  readonly status?: DeliveryStatus | "failed"
  readonly eventId?: string
  readonly paymentId?: string
  /** The event types to list, at least one. */
  readonly types?: ReadonlyArray<EventType>
  /** The time from which events are listed, inclusive, ms UTC. */
  readonly from?: number
  /** The time until which events are listed, exclusive, ms UTC. */
  readonly until?: number
  /** The cursor: `next` of the previous page. */
  readonly after?: string
  /** The maximum number of deliveries on the page, 1 to 1000. */
  readonly limit: number
}

export interface DeliveryPage {
  readonly records: ReadonlyArray<DeliveryRecord>
  /** The cursor of the next page; `null` if this page is the last. */
  readonly next: string | null
}

/** The error for a cursor that no list of deliveries returned. */
export class DeliveryCursorInvalid extends Schema.TaggedError<DeliveryCursorInvalid>()("DeliveryCursorInvalid", {}) {
  override get message() {
    return "The cursor must be the `next` of a former page of deliveries."
  }
}

export const make = (sql: SqlClient.SqlClient) => {
  /**
   * Reads the ids of a payment's events from one of core's tables. It is a separate query: within the statement of a
   * page, PostgreSQL would scan all deliveries in their order.
   */
  const eventsOf = (paymentId: string) =>
    mapSqlError(sql<{ id: string }>`SELECT id FROM payment_events WHERE payment_id = ${paymentId}`).pipe(
      Effect.map((rows) => rows.map(({ id }) => id))
    )

  const page = (tenant: Tenant, query: DeliveryQuery, { after, eventIds, status, type }: Branch) => {
    const conditions = sql.and([
      sql`d.account = ${tenant.account} AND d.livemode = ${tenant.livemode}`,
      ...(status === null ? [] : [sql.literal(status)]),
      ...(query.endpointId === undefined ? [] : [sql`d.endpoint_id = ${query.endpointId}`]),
      ...(query.eventId === undefined ? [] : [sql`d.event_id = ${query.eventId}`]),
      ...(eventIds === null ? [] : [sql.in("d.event_id", eventIds)]),
      ...(query.from === undefined ? [] : [sql`d.happened_at >= ${query.from}`]),
      ...(query.until === undefined ? [] : [sql`d.happened_at < ${query.until}`]),
      ...(after === null ? [] : [sql`(d.happened_at, d.id) < (${after.at}, ${after.row})`])
    ])
    if (type !== null && walksEvents(query)) {
      return mapSqlError(ofType(tenant, query, type, after, conditions).unprepared)
    }
    // The event type is compared by a subquery, so that PostgreSQL scans the deliveries in the order of the page.
    const isOfType = type === null ? sql`1 = 1` : sql`(SELECT type FROM payment_events WHERE id = d.event_id) = ${type}`
    return mapSqlError(
      sql<DeliveryRow>`
        SELECT d.* FROM webhook_deliveries AS d WHERE ${conditions} AND ${isOfType}
        ORDER BY d.happened_at DESC, d.id DESC LIMIT ${query.limit + 1}`.unprepared
    )
  }

  /**
   * Builds a query that starts from the indexed events of a type, so that a rare type among millions of deliveries is
   * found fast.
   */
  const ofType = (
    { account, livemode }: Tenant,
    { from = 0, limit, until }: DeliveryQuery,
    type: EventType,
    after: LogPlace | null,
    conditions: Statement.Fragment
  ) => sql<DeliveryRow>`
    SELECT d.* FROM payment_events AS e CROSS JOIN webhook_deliveries AS d
    WHERE e.account = ${account} AND e.livemode = ${livemode} AND e.type = ${type} AND e.created_at >= ${from}
      ${until === undefined ? sql`` : sql`AND e.created_at < ${until}`}
      ${after === null ? sql`` : sql`AND e.created_at <= ${after.at}`}
      AND d.event_id = e.id AND ${conditions}
    ORDER BY e.created_at DESC, d.id DESC LIMIT ${limit + 1}`

  return Effect.fnUntraced(function* (
    tenant: Tenant,
    query: DeliveryQuery
  ): Effect.fn.Return<DeliveryPage, DeliveryCursorInvalid | StoreUnavailable> {
    const after = query.after === undefined ? null : readLogCursor(query.after)
    if (query.after !== undefined && after === null) return yield* new DeliveryCursorInvalid()
    const eventIds = query.paymentId === undefined ? null : yield* eventsOf(query.paymentId)
    if (eventIds?.length === 0) return { records: [], next: null }
    const types = query.types === undefined ? [null] : [...new Set(query.types)]
    const branches = conditionsOf(query.status).flatMap((status) => types.map((type) => ({ status, type })))
    const rows = yield* Effect.forEach(branches, (branch) => page(tenant, query, { ...branch, after, eventIds }))
    const latest = rows.flat().map(withPlace).toSorted(latestFirst)
    const shown = latest.slice(0, query.limit)
    const last = shown.at(-1)
    return {
      records: shown.map(({ row }) => deliveryOf(row)),
      next: last === undefined || latest.length <= query.limit ? null : logCursor(last.place)
    }
  })
}

interface Branch {
  /** An SQL condition on the status; `null` for any status. */
  readonly status: string | null
  readonly type: EventType | null
  readonly eventIds: ReadonlyArray<string> | null
  readonly after: LogPlace | null
}

/** Whether deliveries of a type are searched from its events, because no other filter selects only a few deliveries. */
const walksEvents = ({ eventId, paymentId, status }: DeliveryQuery): boolean =>
  eventId === undefined && paymentId === undefined && (status === undefined || status === "delivered")

/**
 * The SQL conditions of a status filter. Each one has an index of its own, so that finding a few failed deliveries does
 * not scan all others.
 */
const conditionsOf = (status: DeliveryQuery["status"]): ReadonlyArray<string | null> => {
  switch (status) {
    case undefined:
      return [null]
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

/** The SQL condition for undelivered deliveries, the same as in the index `webhook_deliveries_not_delivered`. */
export const undelivered = "status IN ('dead', 'canceled')"

const withPlace = (row: DeliveryRow) => ({ row, place: { at: Number(row.happened_at), row: Number(row.id) } })

const latestFirst = ({ place: a }: { readonly place: LogPlace }, { place: b }: { readonly place: LogPlace }) =>
  b.at - a.at || b.row - a.row

export interface DeliveryRow {
  /** The id of the delivery. PostgreSQL returns a bigint as text. */
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
  // Cast at a type boundary: the column is only written from event ids.
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
