/** Finds our operations by the ids and references in a page, in a few statements however long the page is. */
import type { OperationId, PaymentId } from "@paymux/core"
import type { StatementMovement } from "@paymux/core/statement"
import type { Booking, EnteredAmount, NamedOperations, NamedPayment, OurOperation } from "@paymux/core/engine"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { fromStorable } from "../rows/storableText.ts"
import { isOneOf } from "./jsonParameter.ts"
import { ofInstance } from "./ofInstance.ts"

export interface StatementPlace {
  readonly provider: string
  readonly livemode: boolean
}

/** Finds the operations without the amounts of the books: these are needed for few payments, and read by `withEntered`. */
export const ourOperations = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { livemode, provider }: StatementPlace,
  movements: ReadonlyArray<StatementMovement>
): Effect.fn.Return<NamedOperations, SqlError> {
  const echoes = namesOf(movements.map(({ operation }) => operation))
  const references = namesOf(movements.flatMap(({ original, reference }) => [reference, original]))
  const isThere = yield* ofInstance(sql, "provider", provider)
  const former = yield* sql<NamedPayment>`SELECT reference, payment_id AS "paymentId" FROM former_references
    WHERE ${isThere} AND ${isOneOf(sql, "reference", references)}`
  const rows = yield* sql<OperationRow>`WITH named AS (
      SELECT payment_id FROM operations WHERE ${isOneOf(sql, "id", echoes)}
      UNION SELECT payment_id FROM operations WHERE ${isThere} AND ${isOneOf(sql, "reference", references)}
      UNION SELECT payment_id FROM former_references
        WHERE ${isThere} AND ${isOneOf(sql, "reference", references)})
    SELECT o.id, o.payment_id, o.attempt_seq, o.kind, o.status, o.minor_units, o.reference, o.charge,
      p.currency, p.capture_method, p.disputed_at, p.livemode
    FROM named JOIN operations o ON o.payment_id = named.payment_id JOIN payments p ON p.id = o.payment_id
    WHERE ${yield* ofInstance(sql, "o.provider", provider)} ORDER BY o.payment_id, o.position`
  // An instance that has the credentials of the other mode by now has nothing to do with these payments.
  const operations = rows.filter((row) => Boolean(row.livemode) === livemode).map(operationOf)
  // The condition leaves out the provider, which the operations have: with it, SQLite would walk all movements of the provider.
  const ids = operations.map(({ id }) => id)
  const disputes = movements.some(({ type }) => isOfDispute(type)) ? yield* enteredDisputes(sql, rows) : []
  const booked = yield* sql<BookingRow>`SELECT id, type, minor_units, currency, operation_id FROM statement_movements
    WHERE ${isOneOf(sql, "operation_id", ids)}`
  return {
    operations: operations.map((each) => ({ ...each, disputes: disputesOf(each, disputes) })),
    former,
    bookings: bookingsOf(booked)
  }
})

const isOfDispute = (type: StatementMovement["type"]): boolean => type === "dispute" || type === "dispute_reversed"

const enteredDisputes = (
  sql: SqlClient.SqlClient,
  rows: ReadonlyArray<OperationRow>
): Effect.Effect<ReadonlyArray<DisputeRow>, SqlError> => {
  const disputed = new Set(rows.flatMap((row) => (row.disputed_at === null ? [] : [row.payment_id])))
  return disputed.size === 0
    ? Effect.succeed([])
    : sql<DisputeRow>`SELECT payment_id, attempt_seq, kind, reference FROM entries
        WHERE kind IN ('disputed', 'dispute_lost', 'dispute_reversed') AND ${isOneOf(sql, "payment_id", disputed)}`
}

const disputesOf = (
  { attemptSeq, paymentId }: OurOperation,
  rows: ReadonlyArray<DisputeRow>
): OurOperation["disputes"] =>
  rows
    .filter(({ attempt_seq, payment_id }) => payment_id === paymentId && Number(attempt_seq) === attemptSeq)
    .map(({ kind, reference }) => ({ reference, isWon: kind === "dispute_reversed" }))

interface DisputeRow {
  readonly payment_id: PaymentId
  readonly attempt_seq: number | string
  readonly kind: string
  readonly reference: string | null
}

const namesOf = (names: ReadonlyArray<string | null>): ReadonlySet<string> =>
  new Set(names.filter((name) => name !== null))

const bookingsOf = (rows: ReadonlyArray<BookingRow>): ReadonlyMap<OperationId, ReadonlyArray<Booking>> => {
  const bookings = new Map<OperationId, Array<Booking>>()
  for (const { currency, id, minor_units, operation_id, type } of rows) {
    const all = bookings.get(operation_id) ?? []
    all.push({ movement: id, type, minorUnits: Number(minor_units), currency })
    bookings.set(operation_id, all)
  }
  return bookings
}

/** The same operations, with every amount that the books have for the operations of these payments. */
export const withEntered = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  named: NamedOperations,
  payments: ReadonlyArray<string>
): Effect.fn.Return<NamedOperations, SqlError> {
  const entries =
    yield* sql<EntryRow>`SELECT payment_id, attempt_seq, operation_id, kind, minor_units, currency, reference
    FROM entries WHERE kind IN ('captured', 'refunded') AND ${isOneOf(sql, "payment_id", payments)}`
  const of = Map.groupBy(entries, ({ payment_id }) => payment_id)
  const operations = named.operations.map((each) => ({
    ...each,
    entered: (of.get(each.paymentId) ?? []).filter((entry) => isOf(entry, each)).map(amountOf)
  }))
  return { ...named, operations }
})

const amountOf = ({ minor_units, reference }: EntryRow): EnteredAmount => ({
  reference,
  minorUnits: Number(minor_units)
})

const isOf = (entry: EntryRow, { attemptSeq, currency, id, kind }: OurOperation): boolean =>
  entry.currency === currency &&
  (kind === "refund"
    ? entry.operation_id === id
    : entry.kind === "captured" && Number(entry.attempt_seq) === attemptSeq)

interface OperationRow {
  readonly id: OperationId
  readonly payment_id: PaymentId
  readonly attempt_seq: number | string
  readonly kind: OurOperation["kind"]
  readonly status: OurOperation["status"]
  readonly minor_units: number | string
  readonly reference: string | null
  readonly charge: string | null
  readonly currency: string
  readonly capture_method: OurOperation["captureMethod"]
  readonly disputed_at: number | string | null
  readonly livemode: number | boolean
}

interface BookingRow {
  readonly id: string
  readonly type: Booking["type"]
  readonly minor_units: number | string
  readonly currency: string
  readonly operation_id: OperationId
}

interface EntryRow {
  readonly payment_id: PaymentId
  readonly attempt_seq: number | string
  readonly operation_id: string | null
  readonly kind: string
  readonly minor_units: number | string
  readonly currency: string
  readonly reference: string | null
}

const operationOf = (row: OperationRow): OurOperation => ({
  id: row.id,
  paymentId: row.payment_id,
  attemptSeq: Number(row.attempt_seq),
  kind: row.kind,
  status: row.status,
  minorUnits: Number(row.minor_units),
  currency: row.currency,
  reference: row.reference,
  charge: row.charge === null ? null : fromStorable(row.charge),
  captureMethod: row.capture_method,
  disputes: [],
  entered: []
})
