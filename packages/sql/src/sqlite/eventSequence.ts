/** The sequence of events on SQLite: commits become visible in the order of the positions. */
import type { Tenant } from "@paymux/core"
import { eventTypes, resumeMargin, timeOfEventId } from "@paymux/core/store"
import type { EventId, EventsAfter, EventsQuery, PaymentStore } from "@paymux/core/store"
import { eventId, pageText, readEventsPage } from "../eventSequence.ts"
import { numeral } from "../ReadRow.ts"
import type { Row } from "../ReadRow.ts"
import type { SqliteAccess } from "./providerTables.ts"

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
  /** Whether the event is stored after which the page begins. */
  readonly isStored: boolean
  /** Of the page, or the event to resume after. */
  readonly rows: ReadonlyArray<Row>
}

const readRows = ({ prepare }: SqliteAccess, tenant: Tenant, query: EventsQuery): Rows => {
  const { after, limit, paymentId, types } = query
  const owner = { account: tenant.account, livemode: tenant.livemode ? 1 : 0 }
  const place = after === null ? null : prepare("SELECT position FROM payment_events WHERE id = ?").get(after)
  if (after !== null && place === undefined) return { isStored: false, rows: resumeRows({ prepare }, owner, after) }
  const values = {
    ...owner,
    after: place === null || place === undefined ? 0 : numeral(place, "position"),
    types: JSON.stringify(types.length === 0 ? eventTypes : types),
    scanned: mostScanned,
    found: limit + 1
  }
  return {
    isStored: true,
    rows:
      paymentId === null ? prepare(selectPage).all(values) : prepare(selectPageOfPayment).all({ ...values, paymentId })
  }
}

const resumeRows = (
  { prepare }: Pick<SqliteAccess, "prepare">,
  owner: { readonly account: string; readonly livemode: number },
  missing: EventId
) =>
  prepare(selectResume).all({
    ...owner,
    before: timeOfEventId(missing) - resumeMargin,
    types: JSON.stringify(eventTypes)
  })

/** Some milliseconds of the event loop. */
const mostScanned = 1_000

const values = {
  after: ":after",
  until: String(Number.MAX_SAFE_INTEGER),
  account: ":account",
  livemode: ":livemode",
  isType: "type IN (SELECT value FROM json_each(:types))",
  scanned: ":scanned",
  found: ":found"
}
const selectPage = pageText({ ...values, paymentId: null })
const selectPageOfPayment = pageText({ ...values, paymentId: ":paymentId" })

/** Each type has its own range of the index. */
const selectResume = `SELECT e.id AS id FROM json_each(:types) AS kind
  JOIN payment_events AS e ON e.position = (
    SELECT position FROM payment_events
    WHERE account = :account AND livemode = :livemode AND type = kind.value AND created_at < :before
    ORDER BY created_at DESC, position DESC LIMIT 1)
  ORDER BY e.created_at DESC, e.position DESC LIMIT 1`
