/** Stores webhooks of provider instances that are not configured. */
import type { Claim, InstanceOfMode, KeptWebhookLimits, KeptWebhookStore, UnverifiedWebhook } from "@paymux/core/store"
import { keptBytes } from "@paymux/core/store"
import { Effect } from "effect"
import { keptWebhookColumns } from "../rows/columns.ts"
import type { StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { claimRows, isEntryFree } from "./dueProviders.ts"
import { readInstance, readKeptCount, readKeptWebhook } from "../rows/keptWebhookRows.ts"
import { operationsOfInstance } from "../migrations/keptWebhooks.ts"
import { eachOf, firstOf, flag, inOrder } from "../rows/ReadRow.ts"

/** Deletes the webhooks that meet the condition, subtracts them from the totals, and returns their number. */
export type RemoveWebhooks = (condition: StatementText) => ReturnType<KeptWebhookStore["prune"]>

export const keptWebhooks = ({ read, together, write }: StatementRunner, remove: RemoveWebhooks): KeptWebhookStore => ({
  modeOf: (provider) =>
    Effect.map(
      read(selectMode(provider)),
      firstOf((row) => flag(row, "livemode"))
    ),
  keep: (webhook, limits) =>
    keptBytes(webhook) > limits.bytes
      ? Effect.succeed(false)
      : together(count(webhook, limits), ({ row, sql }) => {
          const values = row(keptWebhookColumns, webhook)
          return `INSERT INTO kept_webhooks (${keptWebhookColumns.names}) SELECT ${values} WHERE ${sql.afterFirst}`
        }),
  dueInstances: (now) =>
    Effect.map(
      read(({ bind }) => selectDueInstances(bind(now))),
      eachOf(readInstance)
    ),
  claimDue: (claim) =>
    Effect.map(write(claimWebhooks(claim)), (rows) => inOrder(rows, "received_at", "position").map(readKeptWebhook)),
  postpone: ({ position, rejections }, nextTryAt) =>
    Effect.asVoid(
      write(
        ({ bind }) => `UPDATE kept_webhooks SET rejections = ${bind(rejections)},
            next_try_at = ${bind(nextTryAt)}, claimed_by = NULL, claimed_until = NULL
          WHERE position = ${bind(position)}`
      )
    ),
  remove: (position) => Effect.asVoid(remove(({ bind }) => `position = ${bind(position)}`)),
  counts: Effect.map(
    read(() => selectKeptCounts),
    eachOf(readKeptCount)
  ),
  prune: ({ before, limit }) =>
    remove(
      ({ bind, sql }) => `position IN (
        SELECT position FROM kept_webhooks WHERE received_at < ${bind(before)}
        ORDER BY position LIMIT ${bind(limit)} ${sql.lock("FOR UPDATE SKIP LOCKED")})`
    )
})

/** @internal Exported for the test of its query plan. */
export const selectMode =
  (provider: string): StatementText =>
  ({ bind, sql }) =>
    `SELECT livemode FROM payments WHERE id = (
    SELECT payment_id FROM operations ${sql.indexedBy(operationsOfInstance)}
    WHERE provider = ${bind(provider)} ORDER BY created_at DESC LIMIT 1)`

/**
 * Adds a webhook to the totals of its provider instance, within the limits. The row of the instance is locked until the
 * webhook is stored, so the limits also hold for concurrent servers.
 */
const count =
  (webhook: UnverifiedWebhook, { bytes, requests }: KeptWebhookLimits): StatementText =>
  ({ bind }) =>
    `INSERT INTO kept_webhook_totals AS t (provider, livemode, requests, bytes)
    VALUES (${bind(webhook.provider)}, ${bind(webhook.livemode)}, 1,
      ${bind(keptBytes(webhook))})
    ON CONFLICT (provider, livemode) DO UPDATE SET requests = t.requests + 1, bytes = t.bytes + excluded.bytes
      WHERE t.requests < ${bind(requests)} AND t.bytes + excluded.bytes <= ${bind(bytes)}
    RETURNING 1`

const claimWebhooks =
  (claim: Claim & Pick<InstanceOfMode, "livemode">): StatementText =>
  (statement) => {
    const { bind } = statement
    const at = bind(claim.now)
    const isDue = `provider = ${bind(claim.provider)} AND livemode = ${bind(claim.livemode)}
      AND next_try_at <= ${at} AND ${isEntryFree(at)}`
    const read = "position, provider, livemode, received_at, rejections, headers, body"
    return claimRows(statement, claim, "kept_webhooks", isDue, "received_at", read)
  }

const selectDueInstances = (now: string): string => `SELECT provider, livemode FROM kept_webhook_totals AS t
  WHERE requests > 0 AND EXISTS (
    SELECT 1 FROM kept_webhooks AS k WHERE k.provider = t.provider AND k.livemode = t.livemode
      AND k.next_try_at <= ${now} AND (k.claimed_until IS NULL OR k.claimed_until <= ${now}))
  ORDER BY provider, livemode`

const selectKeptCounts = `SELECT provider, livemode, requests, bytes,
    (SELECT min(received_at) FROM kept_webhooks AS k WHERE k.provider = t.provider AND k.livemode = t.livemode) AS oldest
  FROM kept_webhook_totals AS t WHERE requests > 0 ORDER BY provider, livemode`
