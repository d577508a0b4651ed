/** Deletes data whose retention period has ended, in ranges of limited size. */
import type { PaymentId } from "@paymux/core"
import { firstPaymentId } from "@paymux/core/store"
import type { PruneQuery, RetentionStore } from "@paymux/core/store"
import { Effect } from "effect"
import type { StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { answersReferred } from "../migrations/answerEvents.ts"
import { forgotten, isRemembered } from "../migrations/forgetting.ts"
import { numeral } from "../rows/ReadRow.ts"
import { readPaymentId } from "../rows/rows.ts"
import { answerColumns } from "./answerReference.ts"
import type { AnswerColumn } from "./answerReference.ts"

export const retention = ({ read, write }: StatementRunner): RetentionStore => ({
  pruneAnswers: Effect.fnUntraced(function* (query) {
    const [row = {}] = yield* read(selectStretch(query))
    const seen = numeral(row, "seen")
    if (seen === 0) return { pruned: 0, next: null }
    const last = readPaymentId(row)
    const pruned = yield* Effect.forEach(answerColumns, (column) => write(forgetAnswers(column, query, last)))
    return { pruned: pruned.flat().length, next: seen < query.limit ? null : last }
  }),
  pruneInbox: (query) => Effect.map(write(forgetEntries(query)), (rows) => rows.length)
})

type AnswersQuery = PruneQuery & { readonly after: PaymentId | null }

/**
 * Finds the last payment of the next range of stored responses, and the number of responses.
 *
 * @internal Exported for the test of its query plan.
 */
export const selectStretch =
  ({ after, before, limit }: AnswersQuery): StatementText =>
  ({ bind, sql }) => {
    const range = `payment_id > ${bind(after ?? "")} AND payment_id < ${bind(firstPaymentId(before))}`
    const inTurn = `ORDER BY payment_id, created_at LIMIT ${bind(limit)}`
    const branches = answerColumns.map((column) =>
      sql.branch(
        `SELECT payment_id, created_at FROM idempotency_keys ${sql.indexedBy(indexes[column])}
          WHERE ${range} AND ${column} IS NOT NULL`,
        inTurn
      )
    )
    return `SELECT count(*) AS seen, max(payment_id) AS payment_id
      FROM (${branches.join(" UNION ALL ")} ${inTurn}) AS stretch`
  }

const indexes = { answer: "answers_kept", answer_event: answersReferred } as const

/** @internal Exported for the test of its query plan. */
export const forgetAnswers =
  (column: AnswerColumn, { after, before }: AnswersQuery, last: PaymentId): StatementText =>
  ({ bind }) =>
    `UPDATE idempotency_keys SET ${column} = NULL
    WHERE payment_id > ${bind(after ?? "")} AND payment_id <= ${bind(last)}
      AND ${column} IS NOT NULL AND created_at < ${bind(before)} RETURNING 1`

/**
 * The SQL that deletes the evidence of inbox entries. Rows that another process prunes at the moment are skipped.
 *
 * @internal Exported for the test of its query plan.
 */
export const forgetEntries =
  ({ before, limit }: PruneQuery): StatementText =>
  ({ bind, sql }) =>
    `UPDATE provider_inbox SET evidence = ${bind(forgotten)} WHERE position IN (
      SELECT position FROM provider_inbox ${sql.indexedBy("provider_inbox_applied")}
      WHERE ${isRemembered} AND received_at < ${bind(before)}
      ORDER BY received_at LIMIT ${bind(limit)} ${sql.lock("FOR UPDATE SKIP LOCKED")}
    ) RETURNING 1`
