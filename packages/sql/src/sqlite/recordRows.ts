/** Reads the rows of whole payments: the payment, its attempts, operations and entries, all of one moment. */
import type { Tenant } from "@paymux/core"
import type { Claim, RoutedQuery } from "@paymux/core/store"
import { paymentColumns } from "../rows/columns.ts"
import type { StatementText } from "../dialect/Fragments.ts"
import { text } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import type { RecordRows, RoutedRows } from "../rows/rows.ts"
import { fromStorable } from "../rows/storableText.ts"
import { selectDue } from "../store/operations.ts"
import { selectRoutedIds } from "../store/payments.ts"
import type { SqliteDatabase } from "./SqliteClient.ts"
import { rowsOf } from "./statementRunner.ts"
import * as Sql from "./statements.ts"

type Database = SqliteDatabase["Service"]

/** Runs reads on one state of the file, though another process commits between them. */
export const snapshot = <A>({ db, prepare }: Database, reads: () => A): A => {
  if (db.isTransaction) return reads()
  prepare("BEGIN").run()
  try {
    return reads()
  } finally {
    prepare("COMMIT").run()
  }
}

/** The rows of the payment `p` that meets the condition. */
export const rowsOfOne = (database: Database, condition: StatementText): RecordRows | null => {
  const [payment] = rowsOf(database, selectPayment(condition))
  return payment === undefined ? null : withRest(database, payment)
}

/** @internal Exported for the test of its query plan. */
export const selectPayment =
  (condition: StatementText): StatementText =>
  (statement) =>
    `${selectPayments} AS p WHERE ${condition(statement)}`

const selectPayments = `SELECT ${paymentColumns.names} FROM payments`

/** The rows of these payments with their attempts, operations and entries, in the same order. */
export const rowsOfPayments = ({ prepare }: Database, payments: ReadonlyArray<Row>): ReadonlyArray<RecordRows> => {
  const ids = JSON.stringify(payments.map((row) => text(row, "id")))
  const attempts = byPayment(prepare(Sql.selectAttemptsOfAll).all(ids))
  const operations = byPayment(prepare(Sql.selectOperationsOfAll).all(ids).map(operationRow))
  const entries = byPayment(prepare(Sql.selectEntriesOfAll).all(ids).map(entryRow))
  return payments.map((payment) => {
    const id = text(payment, "id")
    return {
      payment,
      attempts: attempts.get(id) ?? [],
      operations: operations.get(id) ?? [],
      entries: entries.get(id) ?? []
    }
  })
}

export const rowsOfRouted = (database: Database, tenant: Tenant, query: RoutedQuery): ReadonlyArray<RoutedRows> => {
  const { prepare } = database
  const payments = rowsOf(database, selectRouted(tenant, query))
  const ids = JSON.stringify(payments.map((row) => text(row, "id")))
  const attempts = byPayment(prepare(Sql.selectAttemptsOfAll).all(ids))
  return payments.map((payment) => ({ payment, attempts: attempts.get(text(payment, "id")) ?? [] }))
}

/** @internal Exported for the test of its query plan. */
export const selectRouted =
  (tenant: Tenant, query: RoutedQuery): StatementText =>
  (statement) =>
    `${selectPayments} WHERE id IN (${selectRoutedIds(statement, tenant, query)}) ORDER BY id`

export interface ClaimedRows {
  readonly operation: string
  readonly rows: RecordRows
}

/** Claims due operations within a transaction: no other process claims the selected operations. */
export const claimRows = (database: Database, claim: Claim): ReadonlyArray<ClaimedRows> =>
  rowsOf(database, (statement) => selectDue(statement, claim)).map((due) => {
    const operation = text(due, "id")
    const rows = rowsOfOne(database, ({ bind }) => `p.id = ${bind(text(due, "payment_id"))}`)
    if (rows === null) throw new Error(`Operation ${operation} has no payment`)
    database.prepare(Sql.claim).run(claim.owner, claim.until, operation)
    return { operation, rows }
  })

const withRest = ({ prepare }: Database, payment: Row): RecordRows => {
  const id = text(payment, "id")
  return {
    payment,
    attempts: prepare(Sql.selectAttemptsOf).all(id),
    operations: prepare(Sql.selectOperationsOf).all(id).map(operationRow),
    entries: prepare(Sql.selectEntriesOf).all(id).map(entryRow)
  }
}

/** Decodes the text of a column. */
const withExact =
  (column: "reference" | "charge") =>
  (row: Row): Row => {
    const stored = row[column]
    if (typeof stored !== "string") return row
    const given = fromStorable(stored)
    return given === stored ? row : { ...row, [column]: given }
  }

const entryRow = withExact("reference")
const operationRow = withExact("charge")

const byPayment = (rows: ReadonlyArray<Row>): ReadonlyMap<string, ReadonlyArray<Row>> =>
  Map.groupBy(rows, (row) => text(row, "payment_id"))
