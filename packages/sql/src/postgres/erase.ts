/** Erasing a customer on PostgreSQL: each payment is one statement, as every commit is. */
import type { Payment, PaymentId, Tenant } from "@paymux/core"
import { erasedWords } from "@paymux/core/store"
import type { EraseCommit, ErasureStore, PhoneQuery } from "@paymux/core/store"
import { Effect } from "effect"
import { columnNames, eventColumns, paymentColumns } from "../columns.ts"
import { readEvent, readPhoneStretch } from "../rows.ts"
import { statementOf } from "./Fragments.ts"
import type { Fragments } from "./Fragments.ts"
import { isDone } from "./providerTables.ts"
import type { Run } from "./providerTables.ts"

export const erasure = (run: Run): ErasureStore => ({
  eventsOf: (id) => Effect.map(run(selectEventsOf(id)), (rows) => rows.map(readEvent)),
  erase: (commit) => Effect.map(run(erase(commit)), isDone),
  forgetAnswers: (id) => Effect.asVoid(run(forgetAnswers(id))),
  withPhone: (tenant, query) => Effect.map(run(selectWithPhone(tenant, query)), readPhoneStretch),
  // Former rows go with the next VACUUM.
  cutBack: () => Effect.void
})

const erase = ({ after, before, events }: EraseCommit) =>
  statementOf((statement) => {
    const { bind, changes } = statement
    const id = bind(before.payment.id, "text")
    const parts = [
      `moved AS (UPDATE payments SET ${changes(paymentColumns, before.payment, after.payment).join(", ")}
        WHERE ${isVersionRead(statement, id, before.payment)} RETURNING 1)`,
      `reasons AS (UPDATE operations SET reason = NULL FROM moved WHERE payment_id = ${id} AND reason IS NOT NULL)`,
      ...events.map(
        (event, index) => `event_${index} AS (UPDATE payment_events
          SET payment = ${bind(event.payment, "text")}, refund = ${bind(event.refund, "text")}
          FROM moved WHERE id = ${bind(event.id, "text")})`
      ),
      `words AS (UPDATE evidence SET document = ${bind(erasedWords, "text")}
        FROM moved WHERE payment_id = ${id} AND source = 'operator')`,
      `answers AS (UPDATE idempotency_keys SET answer = NULL FROM moved WHERE payment_id = ${id} AND answer IS NOT NULL)`
    ]
    return `WITH ${parts.join(", ")} SELECT count(*) AS done FROM moved`
  })

/** After the database was restored, the same number may stand for another version. */
const isVersionRead = ({ bind }: Fragments, id: string, { updatedAt, version }: Payment): string =>
  `payments.id = ${id} AND payments.version = ${bind(version, "bigint")}
    AND payments.updated_at = ${bind(updatedAt, "bigint")}`

/** @internal Exported for the test of its query plan. */
export const forgetAnswers = (id: PaymentId) =>
  statementOf(
    ({ bind }) => `UPDATE idempotency_keys SET answer = NULL
      WHERE payment_id = ${bind(id, "text")} AND answer IS NOT NULL`
  )

const selectEventsOf = (id: PaymentId) =>
  statementOf(
    ({ bind }) => `SELECT ${columnNames(eventColumns)} FROM payment_events
      WHERE payment_id = ${bind(id, "text")} ORDER BY sequence`
  )

// A customer is JSON as `JSON.stringify` writes it: within a text, the quotes of a member would be escaped.
/** @internal Exported for the test of its query plan. */
export const selectWithPhone = ({ account, livemode }: Tenant, { after, limit, phone }: PhoneQuery) =>
  statementOf(
    ({
      bind
    }) => `SELECT id, created_at, strpos(customer, ${bind(`"phone":${JSON.stringify(phone)}`, "text")}) > 0 AS found
      FROM payments WHERE account = ${bind(account, "text")} AND livemode = ${bind(livemode, "boolean")}
        AND id > ${bind(after ?? "", "text")} ORDER BY id LIMIT ${bind(limit, "bigint")}`
  )
