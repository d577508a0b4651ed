/** Whole payments in one row each: the payment, and its attempts, operations and entries as JSON, in one snapshot. */
import type { PaymentRecord, Tenant } from "@paymux/core"
import type { DueOperation, RoutedPayment, RoutedQuery } from "@paymux/core/store"
import type { Dialect, RecordColumns } from "../dialect/Dialect.ts"
import type { StatementText } from "../dialect/Fragments.ts"
import type { Column } from "../rows/Column.ts"
import { attemptColumns, entryColumns, operationColumns, paymentColumns } from "../rows/columns.ts"
import { inOrder, json, text, unreadable } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { readRecord, readRouted } from "../rows/rows.ts"

/**
 * The tables that hold the parts of a payment, each with the columns of a part, other columns to read, and the column
 * to sort by.
 */
const tables = {
  attempts: { columns: attemptColumns.all, others: ["payment_id"], order: "seq" },
  operations: { columns: operationColumns.all, others: ["position"], order: "position" },
  entries: { columns: entryColumns.all, others: ["payment_id", "position"], order: "position" }
}

type Table = keyof typeof tables

/**
 * The columns of a payment with its parts. `rowsAsJson`: an expression over the payment `p`, with the rows of a table
 * as a JSON array.
 */
export const recordColumns = (rowsAsJson: (table: string, columns: ReadonlyArray<string>) => string): RecordColumns => {
  const list = (table: Table): string => {
    const { columns, others } = tables[table]
    return `${rowsAsJson(table, [...others, ...columns.map(({ name }) => name)])} AS ${table}`
  }
  const routed = `${paymentColumns.all.map(({ name }) => `p.${name}`).join(", ")}, ${list("attempts")}`
  return { routed, whole: `${routed}, ${list("operations")}, ${list("entries")}` }
}

/** Reads the payments `p` that meet the condition. */
export const selectRecord =
  (condition: StatementText): StatementText =>
  (statement) =>
    `SELECT ${statement.sql.record.whole} FROM payments AS p WHERE ${condition(statement)}`

/**
 * Reads the payments of a tenant after one of the ids, oldest first, with their attempts. It scans the index by id and
 * not one by time, so that each page continues where the last one ended, and never sorts all payments of the range.
 */
export const selectRouted =
  (tenant: Tenant, { after, createdBefore, createdFrom, limit }: RoutedQuery): StatementText =>
  ({ bind, isOf, sql }) =>
    `SELECT ${sql.record.routed} FROM ${sql.paymentsIn(`SELECT id FROM payments ${sql.indexedBy("payments_by_tenant")}
      WHERE ${isOf(tenant)} AND id > ${bind(after ?? "")}
        AND ${sql.unindexed("created_at")} >= ${bind(createdFrom)}
        AND ${sql.unindexed("created_at")} < ${bind(createdBefore)}
      ORDER BY id LIMIT ${bind(limit)}`)} ORDER BY p.id`

export const readPaymentRecord =
  (sql: Dialect) =>
  (row: Row): PaymentRecord =>
    readRecord({
      payment: paymentIn(sql, row),
      attempts: rowsIn(sql, row, "attempts"),
      operations: rowsIn(sql, row, "operations"),
      entries: rowsIn(sql, row, "entries")
    })

export const readRoutedPayment =
  (sql: Dialect) =>
  (row: Row): RoutedPayment =>
    readRouted({ payment: paymentIn(sql, row), attempts: rowsIn(sql, row, "attempts") })

/** Reads a whole payment, and the operation whose id is in the column `claimed`. */
export const readDue =
  (sql: Dialect) =>
  (row: Row): DueOperation => {
    const record = readPaymentRecord(sql)(row)
    const id = text(row, "claimed")
    const operation = record.operations.find((candidate) => candidate.id === id)
    if (operation === undefined) throw new Error(`There is no operation ${id}`)
    return { operation, record }
  }

const paymentIn = (sql: Dialect, row: Row): Row => {
  const { metadata } = row
  const decoded = typeof metadata === "string" ? sql.decoded("string[]", metadata) : metadata
  return decoded === metadata ? row : { ...row, metadata: decoded }
}

const rowsIn = (sql: Dialect, row: Row, table: Table): ReadonlyArray<Row> => {
  if (row[table] === null) return []
  const rows = json(row, table)
  if (!Array.isArray(rows)) return unreadable(row, table)
  const { columns, order } = tables[table]
  // Boundary: the database made the array, from rows. Only text with the escape character was encoded.
  const decoded = text(row, table).includes(escape)
    ? rows.map((one) => decodedRow(sql, columns, one as Row))
    : (rows as ReadonlyArray<Row>)
  return inOrder(decoded, order)
}

/** The escape character of `toStorable`, as written in JSON. */
const escape = String.raw`\u001a`

/** Decodes text from within JSON, which the driver has not decoded. */
const decodedRow = (sql: Dialect, columns: ReadonlyArray<Column>, row: Row): Row => ({
  ...row,
  ...Object.fromEntries(
    columns.flatMap(({ kind, name }) => {
      const value = row[name]
      return typeof value === "string" ? [[name, sql.decoded(kind, value)]] : []
    })
  )
})
