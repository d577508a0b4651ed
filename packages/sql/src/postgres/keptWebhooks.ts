/** Kept webhooks on PostgreSQL: one statement each. */
import type { Claim, InstanceOfMode, KeptWebhookLimits, KeptWebhookStore, UnverifiedWebhook } from "@paymux/core/store"
import { keptBytes } from "@paymux/core/store"
import { Effect } from "effect"
import { columnNames } from "../columns.ts"
import {
  keptWebhookColumns,
  readInstance,
  readKeptCount,
  readKeptWebhook,
  selectDueInstances,
  selectKeptCounts
} from "../keptWebhookRows.ts"
import { flag, numeral } from "../ReadRow.ts"
import { statementOf } from "./Fragments.ts"
import type { PgStatement } from "./Fragments.ts"
import { isDone } from "./providerTables.ts"
import type { Run } from "./providerTables.ts"

export const keptWebhooks = (run: Run): KeptWebhookStore => ({
  modeOf: (provider) =>
    Effect.map(run(selectMode(provider)), ([row]) => (row === undefined ? null : flag(row, "livemode"))),
  keep: (webhook, limits) =>
    keptBytes(webhook) > limits.bytes ? Effect.succeed(false) : Effect.map(run(keep(webhook, limits)), isDone),
  dueInstances: (now) => Effect.map(run(dueInstances(now)), (rows) => rows.map(readInstance)),
  claimDue: (claim) => Effect.map(run(claimDue(claim)), (rows) => rows.map(readKeptWebhook)),
  postpone: (webhook, nextTryAt) =>
    Effect.asVoid(
      run(
        statementOf(
          ({ bind }) => `UPDATE kept_webhooks SET rejections = ${bind(webhook.rejections, "bigint")},
              next_try_at = ${bind(nextTryAt, "bigint")}, claimed_by = NULL, claimed_until = NULL
            WHERE position = ${bind(webhook.position, "bigint")}`
        )
      )
    ),
  remove: (position) => Effect.asVoid(run(removed(({ bind }) => `position = ${bind(position, "bigint")}`))),
  counts: Effect.map(run({ sql: selectKeptCounts, params: [] }), (rows) => rows.map(readKeptCount)),
  prune: ({ before, limit }) =>
    Effect.map(
      run(
        removed(
          ({ bind }) => `position IN (
            SELECT position FROM kept_webhooks WHERE received_at < ${bind(before, "bigint")}
            ORDER BY position LIMIT ${bind(limit, "bigint")} FOR UPDATE SKIP LOCKED)`
        )
      ),
      ([row]) => numeral(row ?? {}, "removed")
    )
})

/** @internal Exported for the test of its query plan. */
export const selectMode = (provider: string): PgStatement =>
  statementOf(
    ({ bind }) => `SELECT livemode FROM payments WHERE id = (
      SELECT payment_id FROM operations WHERE provider = ${bind(provider, "text")} ORDER BY created_at DESC LIMIT 1)`
  )

/** The row of the instance is locked until the webhook is there: the limits hold for concurrent servers, too. */
const keep = (webhook: UnverifiedWebhook, { bytes, requests }: KeptWebhookLimits): PgStatement =>
  statementOf(({ bind, row }) => {
    const names = columnNames(keptWebhookColumns)
    return `WITH counted AS (
        INSERT INTO kept_webhook_totals AS t (provider, livemode, requests, bytes)
        VALUES (${bind(webhook.provider, "text")}, ${bind(webhook.livemode, "boolean")}, 1,
          ${bind(keptBytes(webhook), "bigint")})
        ON CONFLICT (provider, livemode) DO UPDATE
          SET requests = t.requests + 1, bytes = t.bytes + excluded.bytes
          WHERE t.requests < ${bind(requests, "bigint")} AND t.bytes + excluded.bytes <= ${bind(bytes, "bigint")}
        RETURNING 1
      ), kept AS (
        INSERT INTO kept_webhooks (${names}) SELECT ${row(keptWebhookColumns, webhook)} FROM counted RETURNING 1
      ) SELECT count(*) AS done FROM kept`
  })

const dueInstances = (now: number): PgStatement =>
  statementOf(({ bind }) => {
    const at = bind(now, "bigint")
    return selectDueInstances(at, at)
  })

const claimDue = ({ limit, livemode, now, owner, provider, until }: Claim & Pick<InstanceOfMode, "livemode">) =>
  statementOf(({ bind }) => {
    const at = bind(now, "bigint")
    return `WITH due AS (
        SELECT position FROM kept_webhooks
        WHERE provider = ${bind(provider, "text")} AND livemode = ${bind(livemode, "boolean")}
          AND next_try_at <= ${at} AND (claimed_until IS NULL OR claimed_until <= ${at})
        ORDER BY received_at, position LIMIT ${bind(limit, "bigint")} FOR UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE kept_webhooks AS kept
        SET claimed_by = ${bind(owner, "text")}, claimed_until = ${bind(until, "bigint")}
        FROM due WHERE kept.position = due.position RETURNING kept.*
      ) SELECT * FROM claimed ORDER BY received_at, position`
  })

/** Removes what meets the condition, and counts it no more. */
const removed = (condition: Parameters<typeof statementOf>[0]): PgStatement =>
  statementOf(
    (fragments) => `WITH gone AS (
        DELETE FROM kept_webhooks WHERE ${condition(fragments)} RETURNING provider, livemode, bytes
      ), sums AS (
        SELECT provider, livemode, count(*) AS requests, sum(bytes)::bigint AS bytes FROM gone GROUP BY provider, livemode
      ), uncounted AS (
        UPDATE kept_webhook_totals AS t SET requests = t.requests - sums.requests, bytes = t.bytes - sums.bytes
        FROM sums WHERE t.provider = sums.provider AND t.livemode = sums.livemode
      ) SELECT count(*) AS removed FROM gone`
  )
