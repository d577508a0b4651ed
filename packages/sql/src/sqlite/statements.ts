/**
 * The SQL of the payment store on SQLite. Parameters are bound by position, or by name if one is used twice; no value
 * of a caller gets into an SQL text. Parameters are not numbered, because Node before 22.20 and early versions of Node
 * 24 treat `?1` as a name.
 */
import {
  attemptColumns,
  entryColumns,
  eventColumns,
  evidenceColumns,
  keyColumns,
  operationColumns,
  paymentColumns
} from "../rows/columns.ts"
import { updateOf } from "../rows/Column.ts"
import { storedAnswer } from "../store/answerReference.ts"
import { remember } from "../store/operations.ts"
import { isReferenceTaken } from "./sqliteDialect.ts"

const insertInto = (table: string, columns: string): string =>
  `INSERT INTO ${table} (${columns}) VALUES (${columns.split(", ").fill("?").join(", ")})`

export const insertPayment = insertInto("payments", paymentColumns.names)
export const insertAttempt = insertInto("attempts", `payment_id, ${attemptColumns.names}`)
export const insertOperation = insertInto("operations", `position, ${operationColumns.names}`)

export const insertEntry = insertInto("entries", `payment_id, position, ${entryColumns.names}`)

/**
 * Updates the payment if it has not changed since it was read. It also compares `updated_at`: after the database was
 * restored, the same version number may stand for another change.
 */
export const updatePayment = updateOf(
  paymentColumns,
  (assignments) => `UPDATE payments SET ${assignments} WHERE id = ? AND version = ? AND updated_at = ?`
)

export const updateAttempt = updateOf(
  attemptColumns,
  (assignments) => `UPDATE attempts SET ${assignments} WHERE payment_id = ? AND seq = ?`
)

/** Updates an operation and ends the claim on it, because the next check of a changed operation was scheduled anew. */
export const updateOperation = updateOf(
  operationColumns,
  (assignments) => `UPDATE operations SET ${assignments}, claimed_by = NULL, claimed_until = NULL WHERE id = ?`
)

/** Stores the reference that an operation has, before it gets another one. */
export const rememberReference = `${remember}
  SELECT provider, reference, payment_id FROM operations WHERE id = ? AND reference <> ? ON CONFLICT DO NOTHING`
export const insertKey = `${insertInto("idempotency_keys", keyColumns.names)} ON CONFLICT DO NOTHING`
const ofKey = "WHERE account = ? AND livemode = ? AND endpoint = ? AND key = ?"
export const selectKey = `SELECT ${keyColumns.names}, ${storedAnswer()} AS answer FROM idempotency_keys ${ofKey}`
const isUnanswered = "AND payment_id = ? AND answer IS NULL AND answer_event IS NULL"
export const keepAnswer = `UPDATE idempotency_keys SET answer = ? ${ofKey} ${isUnanswered}`
/** Stores the sequence number of an event as the response. */
export const referToEvent = `UPDATE idempotency_keys SET answer_event = ? ${ofKey} ${isUnanswered}`

export const insertEvent = insertInto("payment_events", eventColumns.names)
export const insertEvidence = insertInto("evidence", evidenceColumns.names)
/** The open or paid payment that has the order. */
export const selectOrderHolder =
  "SELECT id AS payment_id FROM payments WHERE account = ? AND livemode = ? AND order_held = ?"

/** Returns a row if the payment has this version, and another payment has the order. */
export const selectTakenOrder = `SELECT 1 FROM payments
  WHERE id = ? AND version = ? AND updated_at = ? AND EXISTS (${selectOrderHolder})`

/** Returns a row if the payment has this version and the reference is taken. */
export const selectTakenReference = `SELECT 1 FROM payments
  WHERE id = ? AND version = ? AND updated_at = ? AND ${isReferenceTaken("?", "?", "?")}`

/** Returns a row if the restoration version is another one. */
export const selectOtherVersion = "SELECT 1 AS found FROM restoration WHERE version <> ?"
