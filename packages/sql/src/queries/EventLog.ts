/**
 * The events of an account and mode, newest first. Each type has its own range of the index, so a list of a few types costs
 * the same beside millions of events of other types; a list of all types merges the newest events of each type.
 */
import type { PaymentId, Tenant } from "@paymux/core"
import { eventTypes } from "@paymux/core/store"
import type { EventId, EventType, LogPlace, StoreUnavailable } from "@paymux/core/store"
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../dialect/unavailable.ts"
import { conditionsOf, inPage, merged, readLogPage } from "../lists/logPage.ts"
import { numeral, reading, word } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

/** An event, without the payment's JSON. */
export interface LoggedEvent {
  readonly id: EventId
  readonly type: EventType
  readonly paymentId: PaymentId
  /** The number of the event within its payment: 1, 2, 3 … without a gap. */
  readonly sequence: number
  /** The time of the event, ms UTC. */
  readonly createdAt: number
}

/** The filters of the list. An omitted filter excludes nothing. */
export interface EventQuery {
  /** Only events of these types, at least one. */
  readonly types?: ReadonlyArray<EventType>
  readonly paymentId?: string
  /** Only events at this time or later, ms UTC. */
  readonly from?: number
  /** Only events before this time, ms UTC. */
  readonly until?: number
  /** The `next` cursor of the previous page; absent: the first page. */
  readonly after?: string
  /** The maximum number of events on the page, 1 to 1000. */
  readonly limit: number
}

export interface EventPage {
  readonly data: ReadonlyArray<LoggedEvent>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** Error: the cursor was not issued for a list of events. */
export class EventCursorInvalid extends Data.TaggedError("EventCursorInvalid") {
  override get message(): string {
    return "The cursor must be the `next` of a former page of events."
  }
}

export const listEvents = Effect.fnUntraced(function* (
  tenant: Tenant,
  query: EventQuery
): Effect.fn.Return<EventPage, EventCursorInvalid | StoreUnavailable, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const { entries, next } = yield* readLogPage(
    query,
    () => new EventCursorInvalid(),
    (after) => eventsStatement(sql, tenant, query, after),
    place,
    readEvent
  )
  return { data: entries, next }
})

const place = ["created_at", "position"] as const

/** The logged events with these ids, in no order. Ids without an event are left out. */
export const findLoggedEvents = Effect.fnUntraced(function* (
  ids: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<LoggedEvent>, StoreUnavailable, SqlClient.SqlClient> {
  if (ids.length === 0) return []
  const sql = yield* SqlClient.SqlClient
  const rows = yield* unavailable(
    sql<Row>`SELECT ${columns(sql)} FROM payment_events WHERE ${sql.in("id", ids)}`.unprepared
  )
  return rows.map(readEvent)
})

/** @internal Exported for the test of its query plan. */
export const eventsStatement = (
  sql: SqlClient.SqlClient,
  { account, livemode }: Tenant,
  { from, limit, paymentId, types = eventTypes, until }: EventQuery,
  after: LogPlace | null
) => {
  const { beyond, inOrder } = inPage(sql, place, after, limit)
  const conditions = [
    ...conditionsOf(sql, {
      "account =": account,
      "livemode =": livemode,
      "created_at >=": from,
      "created_at <": until
    }),
    ...beyond
  ]
  if (paymentId !== undefined) {
    // `MATERIALIZED`: a payment has a few events, and the planner would rather scan all events in the order of the
    // page.
    return sql<Row>`
      WITH of_payment AS MATERIALIZED (SELECT * FROM payment_events WHERE payment_id = ${paymentId})
      SELECT ${columns(sql)} FROM of_payment WHERE ${sql.and([...conditions, sql.in("type", types)])} ${inOrder}`
  }
  const branches = [...new Set(types)].map(
    (type) => sql`SELECT ${columns(sql)} FROM payment_events
      WHERE ${sql.and([...conditions, sql`type = ${type}`])} ${inOrder}`
  )
  return sql<Row>`${merged(sql, branches)} ${inOrder}`
}

const columns = (sql: SqlClient.SqlClient) => sql.literal("position, id, type, payment_id, sequence, created_at")

const readEvent = reading<LoggedEvent>({
  id: word,
  type: word,
  paymentId: word,
  sequence: numeral,
  createdAt: numeral
})
