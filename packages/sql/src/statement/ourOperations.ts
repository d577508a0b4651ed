/** Finds our operations by the ids and references in a page, in a few statements however long the page is. */
import type { OperationId, PaymentId } from "@paymux/core"
import type { StatementMovement } from "@paymux/core/statement"
import type { Booking, NamedOperations, NamedPayment, OurOperation } from "@paymux/core/engine"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { exactOrNull, flag, inColumn, numeral, reading, text, textOrNull, word } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { isOneOf, ofInstance } from "./conditions.ts"

export interface StatementPlace {
  readonly provider: string
  readonly livemode: boolean
}

/**
 * Finds the operations without their amounts in the books: these are needed for few payments, and read by
 * `withEntered`.
 */
export const ourOperations = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { livemode, provider }: StatementPlace,
  movements: ReadonlyArray<StatementMovement>
) {
  const echoes = namesOf(movements.map(({ operation }) => operation))
  const references = namesOf(movements.flatMap(({ original, reference }) => [reference, original]))
  const isThere = yield* ofInstance(sql, "provider", provider)
  const former = yield* sql<NamedPayment>`SELECT reference, payment_id AS "paymentId" FROM former_references
    WHERE ${isThere} AND ${isOneOf(sql, "reference", references)}`
  const rows = yield* sql<Row>`WITH named AS (
      SELECT payment_id FROM operations WHERE ${isOneOf(sql, "id", echoes)}
      UNION SELECT payment_id FROM operations WHERE ${isThere} AND ${isOneOf(sql, "reference", references)}
      UNION SELECT payment_id FROM former_references
        WHERE ${isThere} AND ${isOneOf(sql, "reference", references)})
    SELECT o.id, o.payment_id, o.attempt_seq, o.kind, o.status, o.minor_units, o.reference, o.charge,
      p.currency, p.capture_method, p.disputed_at, p.livemode
    FROM named JOIN operations o ON o.payment_id = named.payment_id JOIN payments p ON p.id = o.payment_id
    WHERE ${yield* ofInstance(sql, "o.provider", provider)} ORDER BY o.payment_id, o.position`
  // Leaves out payments of the other mode: the credentials of an instance may now belong to another mode than before.
  const operations = rows.filter((row) => flag(row, "livemode") === livemode).map(readOperation)
  // The condition omits the provider, because the operations determine it. With the provider, SQLite would scan all
  // movements of the provider.
  const ids = operations.map(({ id }) => id)
  const disputes = movements.some(({ type }) => isOfDispute(type)) ? yield* enteredDisputes(sql, rows) : []
  const booked = yield* sql<Row>`SELECT id, type, minor_units, currency, operation_id FROM statement_movements
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
  rows: ReadonlyArray<Row>
): Effect.Effect<ReadonlyArray<Dispute>, SqlError> => {
  const disputed = new Set(rows.filter((row) => row["disputed_at"] !== null).map((row) => text(row, "payment_id")))
  return disputed.size === 0
    ? Effect.succeed([])
    : Effect.map(
        sql<Row>`SELECT payment_id, attempt_seq, kind, reference FROM entries
          WHERE kind IN ('disputed', 'dispute_lost', 'dispute_reversed') AND ${isOneOf(sql, "payment_id", disputed)}`,
        (entries) => entries.map(readDispute)
      )
}

const disputesOf = (
  { attemptSeq, paymentId }: OurOperation,
  disputes: ReadonlyArray<Dispute>
): OurOperation["disputes"] =>
  disputes
    .filter((each) => each.paymentId === paymentId && each.attemptSeq === attemptSeq)
    .map(({ kind, reference }) => ({ reference, isWon: kind === "dispute_reversed" }))

const readDispute = reading({ paymentId: word<PaymentId>, attemptSeq: numeral, kind: text, reference: textOrNull })
type Dispute = ReturnType<typeof readDispute>

const namesOf = (names: ReadonlyArray<string | null>): ReadonlySet<string> =>
  new Set(names.filter((name) => name !== null))

const bookingsOf = (rows: ReadonlyArray<Row>): ReadonlyMap<OperationId, ReadonlyArray<Booking>> => {
  const bookings = new Map<OperationId, Array<Booking>>()
  for (const row of rows) {
    const operation = word<OperationId>(row, "operation_id")
    const all = bookings.get(operation) ?? []
    all.push(readBooking(row))
    bookings.set(operation, all)
  }
  return bookings
}

const readBooking = reading<Booking>({
  movement: inColumn("id", text),
  type: word,
  minorUnits: numeral,
  currency: text
})

/** Adds the captured and refunded amounts in the books to the operations of these payments. */
export const withEntered = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  named: NamedOperations,
  payments: ReadonlyArray<string>
) {
  const rows = yield* sql<Row>`SELECT payment_id, attempt_seq, operation_id, kind, minor_units, currency, reference
    FROM entries WHERE kind IN ('captured', 'refunded') AND ${isOneOf(sql, "payment_id", payments)}`
  const of = Map.groupBy(rows.map(readEntry), ({ paymentId }) => paymentId)
  const operations = named.operations.map((each) => ({
    ...each,
    entered: (of.get(each.paymentId) ?? []).filter((entry) => isOf(entry, each))
  }))
  return { ...named, operations }
})

const isOf = (entry: Entry, { attemptSeq, currency, id, kind }: OurOperation): boolean =>
  entry.currency === currency &&
  (kind === "refund" ? entry.operationId === id : entry.kind === "captured" && entry.attemptSeq === attemptSeq)

const readEntry = reading({
  paymentId: word<PaymentId>,
  attemptSeq: numeral,
  operationId: textOrNull,
  kind: text,
  minorUnits: numeral,
  currency: text,
  reference: textOrNull
})
type Entry = ReturnType<typeof readEntry>

const readOperation = reading<OurOperation>({
  id: word,
  paymentId: word,
  attemptSeq: numeral,
  kind: word,
  status: word,
  minorUnits: numeral,
  currency: text,
  reference: textOrNull,
  charge: exactOrNull,
  captureMethod: word,
  disputes: () => [],
  entered: () => []
})
