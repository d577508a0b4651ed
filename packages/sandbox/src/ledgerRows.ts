/** Converts entries and movements to rows of the tables in `migrations.ts`, and back. */
import { declineCodes } from "@paymux/core"
import type { Currency, OperationId, PaymentId } from "@paymux/core"
import { Schema, SchemaGetter } from "effect"
import { dueAt, sandboxStates } from "./LedgerEntry.ts"
import type { LedgerEntry, Movement } from "./LedgerEntry.ts"

// PostgreSQL drivers return bigint columns as text or bigint; no amount or time here exceeds a safe integer.
const Count = Schema.Union([
  Schema.Int,
  Schema.FiniteFromString,
  Schema.BigInt.pipe(
    Schema.decodeTo(Schema.Int, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(BigInt) })
  )
])
const DeclineCode = Schema.Literals(declineCodes)
const Retry = Schema.Literals(["never", "other_provider", "same_later"])

const Event = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("succeeded"), received: Schema.Int }),
  Schema.Struct({ kind: Schema.Literal("authorized") }),
  Schema.Struct({ kind: Schema.Literal("declined"), code: DeclineCode, retry: Retry }),
  Schema.Struct({ kind: Schema.Literal("expired") }),
  Schema.Struct({ kind: Schema.Literal("detected"), received: Schema.Int, asset: Schema.NullOr(Schema.String) }),
  Schema.Struct({ kind: Schema.Literal("retracted") })
])
const Steps = Schema.fromJsonString(Schema.Array(Schema.Struct({ at: Schema.Int, event: Event })))

const EntryRow = Schema.Struct({
  provider: Schema.String,
  operation_key: Schema.String,
  reference: Schema.String,
  payment_id: Schema.String,
  operation_id: Schema.String,
  minor_units: Count,
  currency: Schema.String,
  method: Schema.String,
  capture_method: Schema.Literals(["automatic", "manual"]),
  scenario: Schema.String,
  state: Schema.Literals(sandboxStates),
  received: Schema.NullOr(Count),
  decline_code: Schema.NullOr(DeclineCode),
  decline_retry: Schema.NullOr(Retry),
  steps: Steps,
  applied: Count,
  notified: Count,
  silent: Count,
  description: Schema.NullOr(Schema.String),
  return_url: Schema.NullOr(Schema.String),
  created_at: Count,
  revision: Count
})

const MovementRow = Schema.Struct({
  provider: Schema.String,
  operation_key: Schema.String,
  operation_id: Schema.NullOr(Schema.String),
  payment_id: Schema.String,
  kind: Schema.Literals(["capture", "cancel", "refund"]),
  minor_units: Count,
  currency: Schema.String,
  moved_at: Count
})

const decodeEntryRow = Schema.decodeUnknownSync(EntryRow)
const decodeMovementRow = Schema.decodeUnknownSync(MovementRow)
const encodeSteps = Schema.encodeSync(Steps)

/** Reads an entry from its row. Throws if `entryRow` did not write the row. */
export const entryOf = (row: object): LedgerEntry => {
  const read = decodeEntryRow(row)
  return {
    provider: read.provider,
    key: read.operation_key,
    reference: read.reference,
    // Boundary: the engine validated ids and currencies before they were written.
    paymentId: read.payment_id as PaymentId,
    operationId: read.operation_id as OperationId,
    amount: { minorUnits: read.minor_units, currency: read.currency as Currency.Currency },
    method: read.method,
    captureMethod: read.capture_method,
    trigger: read.scenario,
    state: read.state,
    received: read.received,
    decline:
      read.decline_code === null || read.decline_retry === null
        ? null
        : { code: read.decline_code, retry: read.decline_retry },
    steps: read.steps,
    applied: read.applied,
    notified: read.notified,
    silent: read.silent === 1,
    description: read.description,
    returnUrl: read.return_url,
    createdAt: read.created_at,
    revision: read.revision
  }
}

export const entryRow = (entry: LedgerEntry) => ({
  provider: entry.provider,
  operation_key: entry.key,
  reference: entry.reference,
  payment_id: entry.paymentId,
  operation_id: entry.operationId,
  minor_units: entry.amount.minorUnits,
  currency: entry.amount.currency,
  method: entry.method,
  capture_method: entry.captureMethod,
  scenario: entry.trigger,
  description: entry.description,
  return_url: entry.returnUrl,
  created_at: entry.createdAt,
  ...changingColumns(entry)
})

/** The columns that a change can update. */
export const changingColumns = (entry: LedgerEntry) => ({
  state: entry.state,
  received: entry.received,
  decline_code: entry.decline?.code ?? null,
  decline_retry: entry.decline?.retry ?? null,
  steps: encodeSteps(entry.steps),
  applied: entry.applied,
  notified: entry.notified,
  silent: entry.silent ? 1 : 0,
  due_at: dueAt(entry),
  revision: entry.revision
})

export const movementOf = (row: object): Movement => {
  const read = decodeMovementRow(row)
  return {
    provider: read.provider,
    key: read.operation_key,
    // Boundary: as in `entryOf`.
    operationId: read.operation_id as OperationId | null,
    paymentId: read.payment_id as PaymentId,
    kind: read.kind,
    minorUnits: read.minor_units,
    currency: read.currency as Currency.Currency,
    at: read.moved_at
  }
}

export const movementRow = (movement: Movement) => ({
  provider: movement.provider,
  operation_key: movement.key,
  operation_id: movement.operationId,
  payment_id: movement.paymentId,
  kind: movement.kind,
  minor_units: movement.minorUnits,
  currency: movement.currency,
  moved_at: movement.at
})
