/**
 * The SQL that reads the backlog, in one statement. Each part scans an index that holds only waiting rows, so it costs
 * the same beside millions of payments; the condition of such an index is repeated verbatim, for SQLite to use it.
 */
import type { Backlog } from "@paymux/core/store"
import { inboxDueSince, operationDueSince } from "./dueProviders.ts"
import { numeral, numeralOrNull, reading } from "../rows/ReadRow.ts"

const unknown = "FROM attempts WHERE status IN ('sending', 'pending', 'unknown') AND status = 'unknown'"

/** Reads the backlog. `now`: the placeholder of the current time, ms UTC. */
export const selectBacklog = (now: string): string => `SELECT
  (SELECT created_at FROM payment_events WHERE dispatched_at IS NULL ORDER BY position LIMIT 1) AS event_since,
  ${operationDueSince(now)} AS operation_due_since,
  ${inboxDueSince(now)} AS inbox_due_since,
  (SELECT count(*) ${unknown}) AS unknown_attempts,
  (SELECT min(started_at) ${unknown}) AS unknown_since,
  (SELECT count(*) FROM payments WHERE reviews IS NOT NULL) AS in_review,
  (SELECT count(*) FROM provider_inbox WHERE status = 'parked') AS parked_inbox`

export const readBacklog = reading<Backlog>({
  eventSince: numeralOrNull,
  operationDueSince: numeralOrNull,
  inboxDueSince: numeralOrNull,
  unknownAttempts: numeral,
  unknownSince: numeralOrNull,
  inReview: numeral,
  parkedInbox: numeral
})
