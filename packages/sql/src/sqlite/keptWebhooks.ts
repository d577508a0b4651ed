/** Kept webhooks on SQLite: each write is a unit of the group commit. */
import type { KeptWebhookStore } from "@paymux/core/store"
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
import { operationsOfInstance } from "../migrations/keptWebhooks.ts"
import { flag, numeral, text } from "../ReadRow.ts"
import type { Row } from "../ReadRow.ts"
import type { Prepares, SqliteAccess } from "./providerTables.ts"
import { values } from "./statements.ts"

export const keptWebhooks = ({ prepare, read, write }: SqliteAccess): KeptWebhookStore => ({
  modeOf: (provider) =>
    read(
      () => prepare(selectMode).get(provider),
      (row) => (row === undefined ? null : flag(row, "livemode"))
    ),
  keep: (webhook, limits) =>
    write(({ prepare }) => {
      const bytes = keptBytes(webhook)
      if (bytes > limits.bytes) return false
      const { livemode, provider } = webhook
      const counted = prepare(count).get(provider, livemode ? 1 : 0, bytes, limits.requests, limits.bytes)
      if (counted === undefined) return false
      prepare(insert).run(...values(keptWebhookColumns, webhook))
      return true
    }),
  dueInstances: (now) =>
    read(
      () => prepare(dueInstances).all(now, now),
      (rows) => rows.map(readInstance)
    ),
  claimDue: ({ limit, livemode, now, owner, provider, until }) =>
    Effect.map(
      write(({ prepare }) => {
        const due = prepare(selectDue).all(provider, livemode ? 1 : 0, now, now, limit)
        for (const row of due) prepare(claim).run(owner, until, numeral(row, "position"))
        return due
      }),
      (rows) => rows.map(readKeptWebhook)
    ),
  postpone: ({ position, rejections }, nextTryAt) =>
    write(({ prepare }) => {
      prepare(postpone).run(rejections, nextTryAt, position)
    }),
  remove: (position) => write((database) => void uncount(database, database.prepare(removeOne).all(position))),
  counts: read(
    () => prepare(selectKeptCounts).all(),
    (rows) => rows.map(readKeptCount)
  ),
  prune: ({ before, limit }) => write((database) => uncount(database, database.prepare(removeOld).all(before, limit)))
})

/** How many were removed. */
const uncount = ({ prepare }: Prepares, removed: ReadonlyArray<Row>): number => {
  for (const row of removed) {
    prepare(uncountOne).run(numeral(row, "bytes"), text(row, "provider"), flag(row, "livemode") ? 1 : 0)
  }
  return removed.length
}

const selectMode = `SELECT livemode FROM payments WHERE id = (
  SELECT payment_id FROM operations INDEXED BY ${operationsOfInstance}
  WHERE provider = ? ORDER BY created_at DESC LIMIT 1)`

const count = `INSERT INTO kept_webhook_totals AS t (provider, livemode, requests, bytes) VALUES (?, ?, 1, ?)
  ON CONFLICT (provider, livemode) DO UPDATE SET requests = t.requests + 1, bytes = t.bytes + excluded.bytes
    WHERE t.requests < ? AND t.bytes + excluded.bytes <= ?
  RETURNING requests`

const insert = `INSERT INTO kept_webhooks (${columnNames(keptWebhookColumns)})
  VALUES (${keptWebhookColumns.map(() => "?").join(", ")})`

const dueInstances = selectDueInstances("?", "?")

const selectDue = `SELECT position, provider, livemode, received_at, rejections, headers, body FROM kept_webhooks
  WHERE provider = ? AND livemode = ? AND next_try_at <= ? AND (claimed_until IS NULL OR claimed_until <= ?)
  ORDER BY received_at, position LIMIT ?`

const claim = "UPDATE kept_webhooks SET claimed_by = ?, claimed_until = ? WHERE position = ?"

const postpone = `UPDATE kept_webhooks SET rejections = ?, next_try_at = ?, claimed_by = NULL, claimed_until = NULL
  WHERE position = ?`

const removeOne = "DELETE FROM kept_webhooks WHERE position = ? RETURNING provider, livemode, bytes"

const removeOld = `DELETE FROM kept_webhooks WHERE position IN (
    SELECT position FROM kept_webhooks WHERE received_at < ? ORDER BY position LIMIT ?)
  RETURNING provider, livemode, bytes`

const uncountOne = `UPDATE kept_webhook_totals SET requests = requests - 1, bytes = bytes - ?
  WHERE provider = ? AND livemode = ?`
