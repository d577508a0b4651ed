/** Erases a customer: each payment is one transaction. */
import type { PaymentId, Tenant } from "@paymux/core"
import { erasedWords } from "@paymux/core/store"
import type { EraseCommit, ErasureStore, PhoneQuery } from "@paymux/core/store"
import { Effect } from "effect"
import { eventColumns, paymentColumns } from "../rows/columns.ts"
import type { StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { readEvent, readPhoneStretch } from "../rows/rows.ts"
import { eachOf } from "../rows/ReadRow.ts"
import { answerColumns } from "./answerReference.ts"
import type { AnswerColumn } from "./answerReference.ts"

export const erasure = ({ read, together, write }: StatementRunner): Omit<ErasureStore, "cutBack"> => ({
  eventsOf: (id) =>
    Effect.map(
      read(
        ({ bind }) => `SELECT ${eventColumns.names} FROM payment_events
          WHERE payment_id = ${bind(id)} ORDER BY sequence`
      ),
      eachOf(readEvent)
    ),
  erase: (commit) => together(update(commit), ...removals(commit)),
  forgetAnswers: (id) => Effect.forEach(answerColumns, (column) => write(forgetAnswers(column, id)), { discard: true }),
  withPhone: (tenant, query) => Effect.map(read(selectWithPhone(tenant, query)), readPhoneStretch)
})

/**
 * Updates the payment if it has not changed since it was read. It also compares `updated_at`: after the database was
 * restored, the same version number may stand for another change.
 */
const update =
  ({ after, before: { payment } }: EraseCommit): StatementText =>
  ({ bind, changes }) =>
    `UPDATE payments SET ${changes(paymentColumns, payment, after.payment).join(", ")}
    WHERE id = ${bind(payment.id)} AND version = ${bind(payment.version)}
      AND updated_at = ${bind(payment.updatedAt)} RETURNING 1`

const removals = ({ before: { payment }, events }: EraseCommit): ReadonlyArray<StatementText> => [
  ({ bind, sql }) => `UPDATE operations SET reason = NULL
    WHERE payment_id = ${bind(payment.id)} AND reason IS NOT NULL AND ${sql.afterFirst}`,
  ...events.map(
    (event): StatementText =>
      ({ bind, sql }) =>
        `UPDATE payment_events
    SET payment = ${bind(event.payment)}, refund = ${bind(event.refund)}
    WHERE id = ${bind(event.id)} AND ${sql.afterFirst}`
  ),
  ({ bind, sql }) => `UPDATE evidence SET document = ${bind(erasedWords)}
    WHERE payment_id = ${bind(payment.id)} AND source = 'operator' AND ${sql.afterFirst}`,
  ...answerColumns.map(
    (column): StatementText =>
      (statement) =>
        `${forgetAnswers(column, payment.id)(statement)} AND ${statement.sql.afterFirst}`
  )
]

/** @internal Exported for the test of its query plan. */
export const forgetAnswers =
  (column: AnswerColumn, id: PaymentId): StatementText =>
  ({ bind }) =>
    `UPDATE idempotency_keys SET ${column} = NULL
    WHERE payment_id = ${bind(id)} AND ${column} IS NOT NULL`

/**
 * Finds payments by phone number, as the text `"phone":"…"` in the customer's JSON. No other value can contain this
 * text, because `JSON.stringify` escapes quotes within a value.
 *
 * @internal Exported for the test of its query plan.
 */
export const selectWithPhone =
  (tenant: Tenant, { after, limit, phone }: PhoneQuery): StatementText =>
  ({ bind, isOf, sql }) => {
    const found = sql.contains("customer", bind(`"phone":${JSON.stringify(phone)}`))
    return `SELECT id, created_at, ${found} AS found FROM payments ${sql.indexedBy("payments_by_tenant")}
      WHERE ${isOf(tenant)}
        AND id > ${bind(after ?? "")} ORDER BY id LIMIT ${bind(limit)}`
  }
