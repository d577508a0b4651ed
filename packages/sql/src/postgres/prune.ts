/** The retention on PostgreSQL: one statement for each stretch. */
import type { PaymentId } from "@paymux/core"
import { firstPaymentId } from "@paymux/core/store"
import type { PruneQuery, RetentionStore } from "@paymux/core/store"
import { Effect } from "effect"
import { forgotten, isRemembered } from "../migrations/forgetting.ts"
import { numeral } from "../ReadRow.ts"
import { readPaymentId } from "../rows.ts"
import { statementOf } from "./Fragments.ts"
import type { Run } from "./providerTables.ts"

export const retention = (run: Run): RetentionStore => ({
  pruneAnswers: (query) =>
    Effect.map(run(forgetAnswers(query)), ([row = {}]) => ({
      pruned: numeral(row, "pruned"),
      next: numeral(row, "looked") < query.limit ? null : readPaymentId(row)
    })),
  pruneInbox: (query) => Effect.map(run(forgetEntries(query)), (rows) => rows.length)
})

/** @internal Exported for the test of its query plan. */
export const forgetAnswers = ({ after, before, limit }: PruneQuery & { readonly after: PaymentId | null }) =>
  statementOf(
    ({ bind }) => `WITH stretch AS (
        SELECT account, livemode, endpoint, key, payment_id, created_at FROM idempotency_keys
        WHERE payment_id > ${bind(after ?? "", "text")} AND payment_id < ${bind(firstPaymentId(before), "text")}
          AND answer IS NOT NULL
        ORDER BY payment_id, created_at LIMIT ${bind(limit, "bigint")}
      ), pruned AS (
        UPDATE idempotency_keys AS kept SET answer = NULL FROM stretch
        WHERE kept.account = stretch.account AND kept.livemode = stretch.livemode
          AND kept.endpoint = stretch.endpoint AND kept.key = stretch.key
          AND stretch.created_at < ${bind(before, "bigint")}
        RETURNING 1
      ) SELECT (SELECT count(*) FROM pruned) AS pruned, count(*) AS looked, max(payment_id) AS payment_id FROM stretch`
  )

/**
 * What another process forgets at this moment is passed over.
 *
 * @internal Exported for the test of its query plan.
 */
export const forgetEntries = ({ before, limit }: PruneQuery) =>
  statementOf(
    ({ bind }) => `UPDATE provider_inbox SET evidence = ${bind(forgotten, "text")} WHERE position IN (
        SELECT position FROM provider_inbox
        WHERE ${isRemembered} AND received_at < ${bind(before, "bigint")}
        ORDER BY received_at LIMIT ${bind(limit, "bigint")} FOR UPDATE SKIP LOCKED
      ) RETURNING 1`
  )
