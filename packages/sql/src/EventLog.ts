/**
 * The events of an account and mode, newest first. Each type has its own range of the index, so a list of a few types costs
 * the same beside millions of events of others; a list of all types merges the newest of each.
 */
import type { PaymentId, Tenant } from "@paymux/core"
import { eventTypes, StoreUnavailable } from "@paymux/core/store"
import type { EventId, EventType } from "@paymux/core/store"
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
  readonly types?: ReadonlyArray<EventType>
  readonly paymentId?: string
  /** ms UTC, inclusive. */
  readonly from?: number
  /** ms UTC, exclusive. */
  readonly until?: number
  /** The `next` of the page before. */
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
  const after = query.after === undefined ? null : placeOf(query.after)
  if (query.after !== undefined && after === null) return yield* new EventCursorInvalid()
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.mapError(
    eventsStatement(sql, tenant, query, after).unprepared,
    (cause) => new StoreUnavailable({ cause })
  )
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return { events: shown.map(eventOf), next: last === undefined || rows.length <= query.limit ? null : cursorOf(last) }
})

export const eventsStatement = (
  sql: SqlClient.SqlClient,
  { account, livemode }: Tenant,
  { from, limit, paymentId, types = eventTypes, until }: EventQuery,
  after: Place | null
) => {
  const order = sql.literal("ORDER BY created_at DESC, position DESC")
  const branch = (type: EventType) => sql`
    SELECT * FROM (SELECT position, id, type, payment_id, sequence, created_at FROM payment_events
      WHERE ${sql.and([
        sql`account = ${account} AND livemode = ${livemode} AND type = ${type}`,
        ...(paymentId === undefined ? [] : [sql`payment_id = ${paymentId}`]),
        ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
        ...(until === undefined ? [] : [sql`created_at < ${until}`]),
        ...(after === null ? [] : [sql`(created_at, position) < (${after.createdAt}, ${after.position})`])
      ])} ${order} LIMIT ${limit + 1}) AS newest`
  const [first, ...others] = [...new Set(types)].map(branch)
  const union = others.reduce((all, each) => sql`${all} UNION ALL ${each}`, first ?? branch("payment.pending"))
  return sql<Row>`${union} ${order} LIMIT ${limit + 1}`
}

export interface Place {
  readonly createdAt: number
  readonly position: number
}

const cursorOf = ({ created_at, position }: Row): string =>
  Buffer.from(`${created_at}.${position}`).toString("base64url")

const placeOf = (cursor: string): Place | null => {
  const [, createdAt, position] = /^(\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? []
  const place = { createdAt: Number(createdAt), position: Number(position) }
  return Number.isSafeInteger(place.createdAt) && Number.isSafeInteger(place.position) ? place : null
}

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
