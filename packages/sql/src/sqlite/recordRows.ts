/** Reads the rows of whole payments: the payment, its attempts, operations and entries, all of one moment. */
import type { OperationId, PaymentId, Tenant } from "@paymux/core"
import type { Claim, RoutedQuery } from "@paymux/core/store"
import { text } from "../ReadRow.ts"
import type { Row } from "../ReadRow.ts"
import type { RecordRows, RoutedRows } from "../rows.ts"
import { fromStorable } from "../storableText.ts"
import type { SqliteDatabase } from "./SqliteClient.ts"
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

export const rowsOf = (database: Database, id: PaymentId): RecordRows | null =>
  withRest(database, database.prepare(Sql.selectPayment).get(id), id)

export const rowsOfTenant = (database: Database, tenant: Tenant, id: PaymentId): RecordRows | null =>
  withRest(database, database.prepare(Sql.selectPaymentOfTenant).get(id, tenant.account, tenant.livemode ? 1 : 0), id)

export const rowsByOperation = (database: Database, id: OperationId): RecordRows | null =>
  rowsNamed(database, database.prepare(Sql.selectPaymentIdByOperation).get(id))

export const rowsByReference = (database: Database, provider: string, reference: string): RecordRows | null =>
  rowsNamed(database, database.prepare(Sql.selectPaymentIdByReference).get({ provider, reference }))

/** What belongs to these payments, in their order. */
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

export const rowsOfRouted = (
  { prepare }: Database,
  { account, livemode }: Tenant,
  { after, createdBefore, createdFrom, limit }: RoutedQuery
): ReadonlyArray<RoutedRows> => {
  const payments = prepare(Sql.selectRouted).all(
    account,
    livemode ? 1 : 0,
    after ?? "",
    createdFrom,
    createdBefore,
    limit
  )
  const ids = JSON.stringify(payments.map((row) => text(row, "id")))
  const attempts = byPayment(prepare(Sql.selectAttemptsOfAll).all(ids))
  return payments.map((payment) => ({ payment, attempts: attempts.get(text(payment, "id")) ?? [] }))
}

export interface ClaimedRows {
  readonly operation: string
  readonly rows: RecordRows
}

/** Claims what is due. Within a transaction: no other process claims what is selected. */
export const claimRows = (
  database: Database,
  { limit, now, owner, provider, until }: Claim
): ReadonlyArray<ClaimedRows> =>
  database
    .prepare(Sql.selectDue)
    .all(provider, now, limit)
    .map((due) => {
      const operation = text(due, "id")
      const rows = rowsNamed(database, due)
      if (rows === null) throw new Error(`Operation ${operation} has no payment`)
      database.prepare(Sql.claim).run(owner, until, operation)
      return { operation, rows }
    })

const rowsNamed = (database: Database, row: Row | undefined): RecordRows | null =>
  // Boundary: the column holds ids of payments only.
  row === undefined ? null : rowsOf(database, text(row, "payment_id") as PaymentId)

const withRest = ({ prepare }: Database, payment: Row | undefined, id: PaymentId): RecordRows | null =>
  payment === undefined
    ? null
    : {
        payment,
        attempts: prepare(Sql.selectAttemptsOf).all(id),
        operations: prepare(Sql.selectOperationsOf).all(id).map(operationRow),
        entries: prepare(Sql.selectEntriesOf).all(id).map(entryRow)
      }

/** With the text of a column as it was given, without escapes. */
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
