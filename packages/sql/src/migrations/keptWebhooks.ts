/**
 * Tables of the webhooks of provider instances that are not configured, as they were received, and of their number for
 * each instance. Each insert locks the row of its instance, so that no limit is exceeded. The body is the last column,
 * because SQLite reads a row only up to the requested column.
 *
 * The index finds the latest operation of a provider instance. Without it, a webhook of an unknown instance would cost
 * a scan of all operations.
 */
import type { Migration } from "@paymux/core/store"

export const operationsOfInstance = "operations_of_instance"

const tables = (text: string, integer: string, boolean: string, identity: string) => [
  `CREATE TABLE kept_webhooks (
    position ${identity} PRIMARY KEY,
    provider ${text} NOT NULL,
    livemode ${boolean} NOT NULL,
    bytes ${integer} NOT NULL,
    received_at ${integer} NOT NULL,
    rejections ${integer} NOT NULL,
    next_try_at ${integer} NOT NULL,
    claimed_by ${text},
    claimed_until ${integer},
    headers ${text} NOT NULL,
    body ${text} NOT NULL
  )`,
  `CREATE TABLE kept_webhook_totals (
    provider ${text} NOT NULL,
    livemode ${boolean} NOT NULL,
    requests ${integer} NOT NULL CHECK (requests >= 0),
    bytes ${integer} NOT NULL CHECK (bytes >= 0),
    PRIMARY KEY (provider, livemode)
  )`
]

const due = "kept_webhooks_due ON kept_webhooks (provider, livemode, next_try_at)"
const ofInstance = `${operationsOfInstance} ON operations (provider, created_at)`

/** The migration. Older code works beside this step, because it ignores these tables. */
export const keptWebhooks: Migration = {
  id: 25,
  name: "webhooks of instances that are not configured",
  sqlite: [
    ...tables("TEXT", "INTEGER", "INTEGER", "INTEGER").map((table) => `${table} STRICT`),
    `CREATE INDEX ${due}`,
    `CREATE INDEX ${ofInstance}`
  ],
  pg: [
    ...tables(`text COLLATE "C"`, "bigint", "boolean", "bigint GENERATED ALWAYS AS IDENTITY"),
    `CREATE INDEX ${due}`,
    // `IF NOT EXISTS`, because on a large table the index is built before this migration runs.
    `CREATE INDEX IF NOT EXISTS ${ofInstance}`
  ],
  compatibleWith: 2
}
