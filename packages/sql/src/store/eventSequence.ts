/**
 * Reads the sequence of events, page by page. Both databases use the same code, except that each finds the range of a
 * page in its own way.
 */
import type { Tenant } from "@paymux/core"
import { eventTypes, resumeMargin, timeOfEventId } from "@paymux/core/store"
import type { EventId, EventsAfter, EventsPage, EventsQuery, PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { eventColumns } from "../rows/columns.ts"
import type { StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { firstOf, numeral, word } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { readEvent } from "../rows/rows.ts"

/**
 * The range of a page: the position after which it begins, and the position up to which no further event can become
 * visible.
 */
export interface Place {
  readonly after: number
  readonly until: number
}

/** Finds the range of the page after an event. `after` is `null` if that event is not stored. */
type FindPlace = (
  after: EventId | null
) => Effect.Effect<{ readonly after: number | null; readonly until: number }, StoreUnavailable>

/** The event sequence of a store. `mostScanned`: the maximum number of events that one statement scans. */
export const eventsAfter = (
  { read }: StatementRunner,
  mostScanned: number,
  findPlace: FindPlace
): PaymentStore["Service"]["eventsAfter"] =>
  Effect.fnUntraced(function* (tenant, query): Effect.fn.Return<EventsAfter, StoreUnavailable> {
    const { after, until } = yield* findPlace(query.after)
    if (query.after !== null && after === null) {
      const found = yield* read(selectResume(tenant, query.after))
      return { _tag: "EventNotStored", resumeAfter: firstOf((row) => word<EventId>(row, "id"))(found) }
    }
    const rows = yield* read(selectPage(tenant, query, { after: after ?? 0, until }, mostScanned))
    return readEventsPage(rows, query, mostScanned)
  })

/** Finds the newest event before the missing one. Each event type has its own range of the index. */
const selectResume =
  (tenant: Tenant, missing: EventId): StatementText =>
  ({ bind, isOf }) => {
    const own = `${isOf(tenant)} AND created_at < ${bind(timeOfEventId(missing) - resumeMargin)}`
    const newest = "ORDER BY created_at DESC, position DESC LIMIT 1"
    const branches = eventTypes.map(
      (type) => `SELECT * FROM (SELECT id, created_at, position FROM payment_events
        WHERE ${own} AND type = ${bind(type)} ${newest}) AS of_type`
    )
    return `${branches.join(" UNION ALL ")} ${newest}`
  }

/**
 * Reads the events, or one row without an event, each with the number of scanned events of any account, and the
 * position of the last scanned event. A limited number of events is scanned, in the order of the sequence: an index for
 * each account would cost every payment a write.
 */
const selectPage =
  (
    tenant: Tenant,
    { limit, paymentId, types }: EventsQuery,
    { after, until }: Place,
    mostScanned: number
  ): StatementText =>
  ({ bind, isOf, sql }) => {
    const head = "position, id, account, livemode, type"
    const own = isOf(tenant)
    // `MATERIALIZED`: a payment has a few events, and the planner would rather scan all events in the order of the
    // page.
    const ofPayment =
      paymentId === null
        ? ""
        : `of_payment AS MATERIALIZED (SELECT ${head} FROM payment_events
          WHERE payment_id = ${bind(paymentId)} AND ${own}),`
    return `WITH ${ofPayment} scanned AS MATERIALIZED (
      SELECT ${head} FROM ${paymentId === null ? "payment_events" : "of_payment"}
      WHERE position > ${bind(after)} AND position <= ${bind(until)}
      ORDER BY position LIMIT ${bind(mostScanned)}
    ), found AS (
      SELECT position AS place FROM scanned
      WHERE ${own} AND ${sql.isOneOf("type", bind(types.length === 0 ? eventTypes : types))}
      ORDER BY position LIMIT ${bind(limit + 1)}
    ), event AS (SELECT * FROM found JOIN payment_events ON position = place)
    SELECT ${eventColumns.names}, scanned_number, scanned_last
    FROM (SELECT (SELECT count(*) FROM scanned) AS scanned_number,
        (SELECT id FROM scanned ORDER BY position DESC LIMIT 1) AS scanned_last) AS walk
      LEFT JOIN event ON true
    ORDER BY place`
  }

/** The page in these rows. `mostScanned`: the maximum number of events that the statement scanned. */
const readEventsPage = (rows: ReadonlyArray<Row>, { after, limit }: EventsQuery, mostScanned: number): EventsPage => {
  const found = rows.filter((row) => row["id"] !== null).map(readEvent)
  const events = found.slice(0, limit)
  const [walk] = rows
  const isFull = found.length > limit
  const lastScanned = walk === undefined || walk["scanned_last"] === null ? after : word<EventId>(walk, "scanned_last")
  return {
    _tag: "EventsPage",
    events,
    last: (isFull ? events.at(-1)?.id : lastScanned) ?? null,
    hasMore: isFull || (walk !== undefined && numeral(walk, "scanned_number") === mostScanned)
  }
}
