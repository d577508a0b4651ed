/** The SQL of a page of the sequence of events, which both databases share, and how its rows are read. */
import type { EventId, EventsPage, EventsQuery } from "@paymux/core/store"
import { columnNames, eventColumns } from "./columns.ts"
import { numeral, text } from "./ReadRow.ts"
import type { Row } from "./ReadRow.ts"
import { readEvent } from "./rows.ts"

/** How a statement writes its values. */
export interface PageValues {
  /** The position after which the page begins, and the last one that is settled. */
  readonly after: string
  readonly until: string
  readonly account: string
  readonly livemode: string
  /** A condition on `type`. */
  readonly isType: string
  /** `null`: of any payment. */
  readonly paymentId: string | null
  /** Of events, and one more than the page has. */
  readonly scanned: string
  readonly found: string
}

/**
 * Returns the events, or one row without an event, each with how many events of any account were looked at, and the last of
 * these. A limited number is looked at, in the order of the sequence: an index for each account would cost every payment a write.
 */
export const pageText = (values: PageValues): string => {
  const { account, after, found, isType, livemode, paymentId, scanned, until } = values
  const head = "position, id, account, livemode, type"
  // Materialized: a payment has a few events, and the planner would rather walk all events in the order of the page.
  const ofPayment =
    paymentId === null
      ? ""
      : `of_payment AS MATERIALIZED (SELECT ${head} FROM payment_events
          WHERE payment_id = ${paymentId} AND account = ${account} AND livemode = ${livemode}),`
  return `WITH ${ofPayment} scanned AS MATERIALIZED (
      SELECT ${head} FROM ${paymentId === null ? "payment_events" : "of_payment"}
      WHERE position > ${after} AND position <= ${until} ORDER BY position LIMIT ${scanned}
    ), found AS (
      SELECT position AS place FROM scanned
      WHERE account = ${account} AND livemode = ${livemode} AND ${isType} ORDER BY position LIMIT ${found}
    ), event AS (SELECT * FROM found JOIN payment_events ON position = place)
    SELECT ${columnNames(eventColumns)}, scanned_number, scanned_last
    FROM (SELECT (SELECT count(*) FROM scanned) AS scanned_number,
        (SELECT id FROM scanned ORDER BY position DESC LIMIT 1) AS scanned_last) AS walk
      LEFT JOIN event ON true
    ORDER BY place`
}

/** `mostScanned`: how many events the statement looked at, at most. */
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
