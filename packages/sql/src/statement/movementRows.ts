/** Movements of statements as rows. */
import type { MovementType, StatementMovement } from "@paymux/core/statement"
import type { MatchedMovement, MovementResult } from "@paymux/core/engine"
import type { RowShape } from "./jsonParameter.ts"

export const movementShape = {
  provider: "text",
  id: "text",
  type: "text",
  operation: "text",
  reference: "text",
  original: "text",
  minor_units: "bigint",
  currency: "text",
  direction: "text",
  fee: "bigint",
  fee_currency: "text",
  net: "bigint",
  net_currency: "text",
  payout: "text",
  booked_at: "bigint",
  result: "text",
  operation_id: "text",
  payment_id: "text",
  run: "bigint"
} as const satisfies RowShape

export const movementRow = (
  provider: string,
  run: number,
  { movement, operation, result, ...rest }: MatchedMovement
): { readonly [column in keyof typeof movementShape]: string | number | null } => ({
  provider,
  id: movement.id,
  type: movement.type,
  operation: movement.operation,
  reference: movement.reference,
  original: movement.original,
  minor_units: movement.amount.minorUnits,
  currency: movement.amount.currency,
  direction: movement.direction,
  fee: movement.fee?.minorUnits ?? null,
  fee_currency: movement.fee?.currency ?? null,
  net: movement.net?.minorUnits ?? null,
  net_currency: movement.net?.currency ?? null,
  payout: movement.payout,
  booked_at: movement.bookedAt,
  result,
  operation_id: operation?.id ?? null,
  payment_id: operation?.paymentId ?? rest.differences[0]?.paymentId ?? null,
  run
})

/** A movement as the databases return it. PostgreSQL returns a bigint as text. */
export interface MovementRow {
  readonly id: string
  readonly type: string
  readonly operation: string | null
  readonly reference: string | null
  readonly original: string | null
  readonly minor_units: number | string
  readonly currency: string
  readonly direction: string
  readonly fee: number | string | null
  readonly fee_currency: string | null
  readonly net: number | string | null
  readonly net_currency: string | null
  readonly payout: string | null
  readonly booked_at: number | string
  readonly result: string
  readonly operation_id: string | null
  readonly payment_id: string | null
}

/** A movement as it was entered. */
export interface EnteredMovement extends StatementMovement {
  readonly result: MovementResult
  /** `op_…`, the operation that the movement is about; `null`: none of our operations, or not decided. */
  readonly operationId: string | null
  readonly paymentId: string | null
}

/** Boundary: the columns were written from money. */
export const readMoney = (minorUnits: number | string | null, currency: string | null): StatementMovement["fee"] =>
  minorUnits === null || currency === null
    ? null
    : { minorUnits: Number(minorUnits), currency: currency as StatementMovement["amount"]["currency"] }

export const readMovementRow = (row: MovementRow): EnteredMovement => ({
  id: row.id,
  // Boundary: these columns hold words that were written as such.
  type: row.type as MovementType,
  operation: row.operation,
  reference: row.reference,
  original: row.original,
  amount: {
    minorUnits: Number(row.minor_units),
    currency: row.currency as StatementMovement["amount"]["currency"]
  },
  direction: row.direction as StatementMovement["direction"],
  fee: readMoney(row.fee, row.fee_currency),
  net: readMoney(row.net, row.net_currency),
  payout: row.payout,
  bookedAt: Number(row.booked_at),
  result: row.result as MovementResult,
  operationId: row.operation_id,
  paymentId: row.payment_id
})
