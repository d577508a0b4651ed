/** The history of one payment, oldest first and a page at a time: the evidence of its changes, and its events. */
import type { PaymentId } from "@paymux/core"
import type { EventId, EventType, EvidenceRow, LogPlace } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Statement } from "effect/sql/Statement"
import { unavailable } from "../dialect/unavailable.ts"
import { evidenceColumns } from "../rows/columns.ts"
import { eachOf, numeral, reading, textOrNull, word } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { readEvidenceRow } from "../rows/rows.ts"

/** A range of a payment's history, in the order of time. */
export interface HistoryRange {
  /** The position after which the range begins, exclusive. */
  readonly after: LogPlace
  readonly limit: number
}

export interface RecordedEvidence extends EvidenceRow {
  /** The number of the row: in the order recorded, and unique. */
  readonly row: number
}

export interface RecordedEvent {
  readonly id: EventId
  readonly type: EventType
  /** The number of the event within its payment: 1, 2, 3 … without a gap. */
  readonly sequence: number
  /** The time of the event, ms UTC. */
  readonly createdAt: number
  /** The public JSON of the review that the event is about. */
  readonly review: string | null
}

/**
 * Reads the evidence of a payment. It does not check the account and mode: the caller has already found the payment
 * there.
 */
export const paymentEvidence = (id: PaymentId, range: HistoryRange) =>
  Effect.map(
    historyOf(
      (sql) => sql<Row>`SELECT position, ${sql.literal(evidenceColumns.names)} FROM evidence
        WHERE payment_id = ${id} AND (recorded_at, position) > (${range.after.at}, ${range.after.row})
        ORDER BY recorded_at, position LIMIT ${range.limit}`
    ),
    (rows) => rows.map((row): RecordedEvidence => ({ ...readEvidenceRow(row), row: numeral(row, "position") }))
  )

/**
 * Reads the events of a payment, without the payment's JSON and without a check of account and mode. The row number of
 * an event is its sequence.
 */
export const paymentEvents = (id: PaymentId, range: HistoryRange) =>
  Effect.map(
    historyOf(
      (sql) => sql<Row>`SELECT id, type, sequence, created_at, review FROM payment_events
        WHERE payment_id = ${id} AND (created_at, sequence) > (${range.after.at}, ${range.after.row})
        ORDER BY created_at, sequence LIMIT ${range.limit}`
    ),
    eachOf(readEvent)
  )

const historyOf = (statement: (sql: SqlClient.SqlClient) => Statement<Row>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => unavailable(statement(sql)))

const readEvent = reading<RecordedEvent>({
  id: word,
  type: word,
  sequence: numeral,
  createdAt: numeral,
  review: textOrNull
})
