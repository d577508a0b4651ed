/** Whole payments in one row each: the payment, and its attempts, operations and entries as JSON, all of one moment. */
import type { PaymentRecord } from "@paymux/core"
import type { RoutedPayment } from "@paymux/core/store"
import { attemptColumns, entryColumns, operationColumns, paymentColumns } from "../rows/columns.ts"
import type { StatementText } from "../dialect/Fragments.ts"
import { text, unreadable } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { readRecord, readRouted } from "../rows/rows.ts"
import { fromStorable } from "../rows/storableText.ts"

const attempts = `(SELECT json_agg(a ORDER BY a.seq)::text FROM (
  SELECT payment_id, ${attemptColumns.names} FROM attempts WHERE payment_id = p.id) a) AS attempts`
const operations = `(SELECT json_agg(o ORDER BY o.position)::text FROM (
  SELECT position, ${operationColumns.names} FROM operations WHERE payment_id = p.id) o) AS operations`
const entries = `(SELECT json_agg(e ORDER BY e.position)::text FROM (
  SELECT payment_id, position, ${entryColumns.names} FROM entries WHERE payment_id = p.id) e) AS entries`

/** The columns that `readRoutedPayment` reads, from the payments `p`. */
export const routedColumns = `${paymentColumns.all.map(({ name }) => `p.${name}`).join(", ")}, ${attempts}`

/** The columns that `readPaymentRecord` reads, from the payments `p`. */
export const recordColumns = `${routedColumns}, ${operations}, ${entries}`

/** Reads the payments `p` that meet the condition. */
export const selectRecord =
  (condition: StatementText): StatementText =>
  (statement) =>
    `SELECT ${recordColumns} FROM payments p WHERE ${condition(statement)}`

export const readPaymentRecord = (row: Row): PaymentRecord =>
  readRecord({
    payment: { ...row, metadata: wordsOf(row) },
    attempts: rowsIn(row, "attempts"),
    operations: rowsIn(row, "operations"),
    entries: rowsIn(row, "entries")
  })

export const readRoutedPayment = (row: Row): RoutedPayment =>
  readRouted({ payment: { ...row, metadata: wordsOf(row) }, attempts: rowsIn(row, "attempts") })

const rowsIn = (row: Row, column: string): ReadonlyArray<Row> => {
  if (row[column] === null) return []
  const rows: unknown = JSON.parse(text(row, column))
  // Boundary: PostgreSQL made the array, from rows.
  return Array.isArray(rows) ? rows.map((one) => restored(one as Row)) : unreadable(row, column)
}

/** Restores the text of a row that came within JSON, which the driver has not restored. */
const restored = (row: Row): Row =>
  Object.values(row).some((value) => typeof value === "string" && fromStorable(value) !== value)
    ? Object.fromEntries(
        Object.entries(row).map(([column, value]) => [column, typeof value === "string" ? fromStorable(value) : value])
      )
    : row

const wordsOf = (row: Row): unknown => {
  const words = row["metadata"]
  // The escape character, escaped once more by JSON.
  if (typeof words !== "string" || !words.includes("\\u001a")) return words
  const stored: unknown = JSON.parse(words)
  return typeof stored !== "object" || stored === null
    ? words
    : JSON.stringify(
        Object.fromEntries(
          Object.entries(stored).map(([word, value]) => [fromStorable(word), fromStorable(String(value))])
        )
      )
}
