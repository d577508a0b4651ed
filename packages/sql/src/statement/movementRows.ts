/** Converts movements of statements to rows and back. */
import type { StatementMovement } from "@paymux/core/statement"
import type { MatchedMovement, MovementResult } from "@paymux/core/engine"
import { columnsOf } from "../rows/Column.ts"
import { numeral, reading, text, textOrNull, word } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

/** The columns of a movement with its match, which a run inserts, or updates when it matches the movement again. */
export const movementColumns = (provider: string, run: number) =>
  columnsOf<MatchedMovement>()(
    [
      "provider",
      "id",
      "type",
      "operation",
      "reference",
      "original",
      ["minor_units", "number"],
      "currency",
      "direction",
      ["fee", "number"],
      "fee_currency",
      ["net", "number"],
      "net_currency",
      "payout",
      ["booked_at", "number"],
      "result",
      "operation_id",
      "payment_id",
      ["run", "number"]
    ],
    ({ differences, movement, operation, result }) => [
      provider,
      movement.id,
      movement.type,
      movement.operation,
      movement.reference,
      movement.original,
      movement.amount.minorUnits,
      movement.amount.currency,
      movement.direction,
      movement.fee?.minorUnits ?? null,
      movement.fee?.currency ?? null,
      movement.net?.minorUnits ?? null,
      movement.net?.currency ?? null,
      movement.payout,
      movement.bookedAt,
      result,
      operation?.id ?? null,
      operation?.paymentId ?? differences[0]?.paymentId ?? null,
      run
    ]
  )

/** The columns of a movement that may be empty at first, and that a later statement fills. */
export const completedColumns = columnsOf<StatementMovement>()(
  ["id", "payout", ["fee", "number"], "fee_currency", ["net", "number"], "net_currency"],
  ({ fee, id, net, payout }) => [
    id,
    payout,
    fee?.minorUnits ?? null,
    fee?.currency ?? null,
    net?.minorUnits ?? null,
    net?.currency ?? null
  ]
)

/** A stored movement. */
export interface EnteredMovement extends StatementMovement {
  readonly result: MovementResult
  /** The id `op_…` of the operation that the movement is about; `null`: none of our operations, or not decided. */
  readonly operationId: string | null
  readonly paymentId: string | null
}

/** Reads money from a column of minor units, with its currency in the column beside it. */
export const money = (row: Row, column: string): StatementMovement["fee"] =>
  row[column] === null ? null : { minorUnits: numeral(row, column), currency: word(row, `${column}_currency`) }

export const movementFields = {
  id: text,
  type: word,
  operation: textOrNull,
  reference: textOrNull,
  original: textOrNull,
  amount: (row: Row): StatementMovement["amount"] => ({
    minorUnits: numeral(row, "minor_units"),
    currency: word(row, "currency")
  }),
  direction: word,
  fee: money,
  net: money,
  payout: textOrNull,
  bookedAt: numeral,
  result: word,
  operationId: textOrNull,
  paymentId: textOrNull
} as const

export const readMovement = reading<EnteredMovement>(movementFields)
