/**
 * The events of an account and mode, newest first. Each type has its own range of the index, so a list of a few types costs
 * the same beside millions of events of other types; a list of all types merges the newest events of each type.
 */
import type { PaymentId, Tenant } from "@paymux/core"
import { eventTypes, logCursor, readLogCursor, StoreUnavailable } from "@paymux/core/store"
import type { EventId, EventType, LogPlace } from "@paymux/core/store"
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** An event without its body. */
export interface LoggedEvent {
  readonly id: EventId
  readonly type: EventType
  readonly paymentId: PaymentId
  /** 1, 2, 3 … per payment, without a gap. */
  readonly sequence: number
  /** ms UTC */
  readonly createdAt: number
}

/** Conditions that are left out exclude nothing. */
export interface EventQuery {
  /** At least one. */
  readonly types?: ReadonlyArray<EventType>
  readonly paymentId?: string
  /** ms UTC, inclusive. */
  readonly from?: number
  /** ms UTC, exclusive. */
  readonly until?: number
  /** The `next` cursor of the previous page. */
  readonly after?: string
  /** 1 to 1000. */
  readonly limit: number
}

export interface EventPage {
  readonly events: ReadonlyArray<LoggedEvent>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** The cursor is not one that a list of events returned. */
export class EventCursorInvalid extends Data.TaggedError("EventCursorInvalid") {
  override get message(): string {
    return "The cursor must be the `next` of a former page of events."
  }
}

export const listEvents = Effect.fnUntraced(function* (
  tenant: Tenant,
  query: EventQuery
): Effect.fn.Return<EventPage, EventCursorInvalid | StoreUnavailable, SqlClient.SqlClient> {
  const after = query.after === undefined ? null : readLogCursor(query.after)
  if (query.after !== undefined && after === null) return yield* new EventCursorInvalid()
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.mapError(
    eventsStatement(sql, tenant, query, after).unprepared,
    (cause) => new StoreUnavailable({ cause })
  )
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return {
    events: shown.map(eventOf),
    next: last === undefined || rows.length <= query.limit ? null : logCursor(placeOf(last))
  }
})

/** The logged events with these ids, in no order. Ids without an event are left out. */
export const findLoggedEvents = Effect.fnUntraced(function* (
  ids: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<LoggedEvent>, StoreUnavailable, SqlClient.SqlClient> {
  if (ids.length === 0) return []
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.mapError(
    sql<Row>`SELECT ${columns(sql)} FROM payment_events WHERE ${sql.in("id", ids)}`.unprepared,
    (cause) => new StoreUnavailable({ cause })
  )
  return rows.map(eventOf)
})

/** @internal Exported for the test of its query plan. */
export const eventsStatement = (
  sql: SqlClient.SqlClient,
  { account, livemode }: Tenant,
  { from, limit, paymentId, types = eventTypes, until }: EventQuery,
  after: LogPlace | null
) => {
  const conditions = [
    sql`account = ${account} AND livemode = ${livemode}`,
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(until === undefined ? [] : [sql`created_at < ${until}`]),
    ...(after === null ? [] : [sql`(created_at, position) < (${after.at}, ${after.row})`])
  ]
  const newest = sql`ORDER BY created_at DESC, position DESC LIMIT ${limit + 1}`
  if (paymentId !== undefined) {
    // Materialized: a payment has a few events, and the planner would rather walk all events in the order of the page.
    return sql<Row>`
      WITH of_payment AS MATERIALIZED (SELECT * FROM payment_events WHERE payment_id = ${paymentId})
      SELECT ${columns(sql)} FROM of_payment WHERE ${sql.and([...conditions, sql.in("type", types)])} ${newest}`
  }
  const branches = [...new Set(types)].map(
    (type) => sql`
      SELECT * FROM (SELECT ${columns(sql)} FROM payment_events
        WHERE ${sql.and([...conditions, sql`type = ${type}`])} ${newest}) AS of_type`
  )
  return sql<Row>`${branches.reduce((all, each) => sql`${all} UNION ALL ${each}`)} ${newest}`
}

const columns = (sql: SqlClient.SqlClient) => sql.literal("position, id, type, payment_id, sequence, created_at")

const placeOf = (row: Row): LogPlace => ({ at: Number(row.created_at), row: Number(row.position) })

interface Row {
  /** PostgreSQL returns a bigint as text. */
  readonly position: number | string
  readonly id: string
  readonly type: string
  readonly payment_id: string
  readonly sequence: number | string
  readonly created_at: number | string
}

const eventOf = (row: Row): LoggedEvent => ({
  // Boundary: the columns were written from an event.
  id: row.id as EventId,
  type: row.type as EventType,
  paymentId: row.payment_id as PaymentId,
  sequence: Number(row.sequence),
  createdAt: Number(row.created_at)
})
