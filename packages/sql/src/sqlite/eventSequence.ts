/** The sequence of events on SQLite: commits become visible in the order of the positions. */
import type { Tenant } from "@paymux/core"
import { eventTypes, resumeMargin, timeOfEventId } from "@paymux/core/store"
import type { EventId, EventsAfter, EventsQuery, PaymentStore } from "@paymux/core/store"
import { eventId, readEventsPage, selectPage } from "../store/eventSequence.ts"
import { numeral } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { rowsOf } from "./statementRunner.ts"
import type { Prepares, SqliteAccess } from "./statementRunner.ts"

export const eventsAfter =
  (access: SqliteAccess): PaymentStore["Service"]["eventsAfter"] =>
  (tenant, query) =>
    access.read(
      () => readRows(access, tenant, query),
      (read): EventsAfter =>
        read.isStored
          ? readEventsPage(read.rows, query, mostScanned)
          : { _tag: "EventNotStored", resumeAfter: read.rows[0] === undefined ? null : eventId(read.rows[0], "id") }
    )

interface Rows {
  /** Whether the event after which the page begins is stored. */
  readonly isStored: boolean
  /** The rows of the page, or of the event to resume after. */
  readonly rows: ReadonlyArray<Row>
}

const readRows = ({ prepare }: SqliteAccess, tenant: Tenant, query: EventsQuery): Rows => {
  const { after } = query
  const found = after === null ? null : prepare("SELECT position FROM payment_events WHERE id = ?").get(after)
  if (after !== null && found === undefined) return { isStored: false, rows: resumeRows({ prepare }, tenant, after) }
  const place = { after: found === null || found === undefined ? 0 : numeral(found, "position"), until: everyPosition }
  return { isStored: true, rows: rowsOf({ prepare }, selectPage(tenant, query, place, mostScanned)) }
}

const everyPosition = Number.MAX_SAFE_INTEGER

const resumeRows = (database: Prepares, { account, livemode }: Tenant, missing: EventId) =>
  rowsOf(
    database,
    // Each type has its own range of the index.
    ({ bind }) => `SELECT e.id AS id FROM json_each(${bind(eventTypes)}) AS kind
      JOIN payment_events AS e ON e.position = (
        SELECT position FROM payment_events
        WHERE account = ${bind(account)} AND livemode = ${bind(livemode)}
          AND type = kind.value AND created_at < ${bind(timeOfEventId(missing) - resumeMargin)}
        ORDER BY created_at DESC, position DESC LIMIT 1)
      ORDER BY e.created_at DESC, e.position DESC LIMIT 1`
  )

/** The most events that one statement scans: some milliseconds of the event loop. */
const mostScanned = 1_000
