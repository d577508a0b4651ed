/** A page of the sequence of events: its statement, and how its rows are read. */
import type { Tenant } from "@paymux/core"
import { eventTypes } from "@paymux/core/store"
import type { EventId, EventsPage, EventsQuery } from "@paymux/core/store"
import { eventColumns } from "../rows/columns.ts"
import type { StatementText } from "../dialect/Fragments.ts"
import { numeral, text } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { readEvent } from "../rows/rows.ts"

/** The positions after which a page begins, and up to which no further event can become visible. */
export interface Place {
  readonly after: number
  readonly until: number
}

/**
 * Returns the events, or one row without an event, each with the number of scanned events of any account, and the last of
 * these. A limited number is scanned, in the order of the sequence: an index for each account would cost every payment a write.
 */
export const selectPage =
  (
    tenant: Tenant,
    { limit, paymentId, types }: EventsQuery,
    { after, until }: Place,
    mostScanned: number
  ): StatementText =>
  ({ bind, sql }) => {
    const head = "position, id, account, livemode, type"
    const own = `account = ${bind(tenant.account)} AND livemode = ${bind(tenant.livemode)}`
    // Materialized: a payment has a few events, and the planner would rather walk all events in the order of the page.
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

/** `mostScanned`: the limit of events that the statement scanned. */
export const readEventsPage = (
  rows: ReadonlyArray<Row>,
  { after, limit }: EventsQuery,
  mostScanned: number
): EventsPage => {
  const found = rows.filter((row) => row["id"] !== null).map(readEvent)
  const events = found.slice(0, limit)
  const [walk] = rows
  const isFull = found.length > limit
  const lastScanned = walk === undefined || walk["scanned_last"] === null ? after : eventId(walk, "scanned_last")
  return {
    _tag: "EventsPage",
    events,
    last: (isFull ? events.at(-1)?.id : lastScanned) ?? null,
    hasMore: isFull || (walk !== undefined && numeral(walk, "scanned_number") === mostScanned)
  }
}

// Boundary: the column holds ids of events only.
export const eventId = (row: Row, column: string): EventId => text(row, column) as EventId
