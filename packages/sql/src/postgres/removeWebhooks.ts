import { Effect } from "effect"
import { numeral } from "../rows/ReadRow.ts"
import type { RemoveWebhooks } from "../store/keptWebhooks.ts"
import type { Run } from "./statementRunner.ts"

/** Removes kept webhooks on PostgreSQL and subtracts them from the totals, in one statement. */
export const removeWebhooks =
  (run: Run): RemoveWebhooks =>
  (condition) =>
    Effect.map(
      run(
        (statement) => `WITH removed AS (
              DELETE FROM kept_webhooks WHERE ${condition(statement)} RETURNING provider, livemode, bytes
            ), sums AS (
              SELECT provider, livemode, count(*) AS requests, sum(bytes)::bigint AS bytes
              FROM removed GROUP BY provider, livemode
            ), subtracted AS (
              UPDATE kept_webhook_totals AS t SET requests = t.requests - sums.requests, bytes = t.bytes - sums.bytes
              FROM sums WHERE t.provider = sums.provider AND t.livemode = sums.livemode
            ) SELECT count(*) AS removed FROM removed`
      ),
      ([row = {}]) => numeral(row, "removed")
    )
