/** The retention on SQLite: each stretch is one unit of the group commit. */
import { firstPaymentId } from "@paymux/core/store"
import type { RetentionStore } from "@paymux/core/store"
import { forgotten, isRemembered } from "../migrations/forgetting.ts"
import { numeral } from "../ReadRow.ts"
import { readPaymentId } from "../rows.ts"
import type { SqliteAccess } from "./providerTables.ts"

export const retention = ({ write }: SqliteAccess): RetentionStore => ({
  pruneAnswers: ({ after, before, limit }) =>
    write(({ prepare }) => {
      const looked = prepare(selectAnswers).all(after ?? "", firstPaymentId(before), limit)
      const due = looked.filter((row) => numeral(row, "created_at") < before)
      for (const row of due) prepare(forgetAnswer).run(numeral(row, "place"))
      const last = looked.length < limit ? undefined : looked.at(-1)
      return { pruned: due.length, next: last === undefined ? null : readPaymentId(last) }
    }),
  pruneInbox: ({ before, limit }) =>
    write(({ prepare }) => Number(prepare(forgetEntries).run(forgotten, before, limit).changes))
})

const selectAnswers = `SELECT rowid AS place, payment_id, created_at
  FROM idempotency_keys INDEXED BY answers_kept
  WHERE payment_id > ? AND payment_id < ? AND answer IS NOT NULL ORDER BY payment_id, created_at LIMIT ?`
const forgetAnswer = "UPDATE idempotency_keys SET answer = NULL WHERE rowid = ?"

const forgetEntries = `UPDATE provider_inbox SET evidence = ? WHERE position IN (
    SELECT position FROM provider_inbox INDEXED BY provider_inbox_applied
    WHERE ${isRemembered} AND received_at < ? ORDER BY received_at LIMIT ?)`
