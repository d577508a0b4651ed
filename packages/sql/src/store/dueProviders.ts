/**
 * Due work by provider instance, in statements that both databases take. The index begins with the instance, and one probe of the
 * index finds each instance, however many rows the instance has. A condition of the index is repeated word for word, for SQLite
 * to use the index.
 */
import type { Claim } from "@paymux/core/store"
import type { Fragments } from "../dialect/Fragments.ts"
import { claimableAt, isOpen } from "../migrations/due.ts"

/** The conditions for due work. `now`: the placeholder of the current time, ms UTC. */
export const canClaimOperation = (now: string): string => `${isOpen} AND ${claimableAt} <= ${now}`

export const isEntryDue = (now: string): string => `status = 'waiting' AND next_try_at <= ${now}`

/**
 * The start of a statement with a table `instances`: the provider instances with a row that meets the condition, and
 * `NULL`.
 */
const withInstances = (table: string, condition: string): string => `WITH RECURSIVE instances (provider) AS (
    SELECT (SELECT provider FROM ${table} WHERE ${condition} ORDER BY provider LIMIT 1)
    UNION ALL
    SELECT (SELECT ${table}.provider FROM ${table} WHERE ${condition} AND ${table}.provider > instances.provider
      ORDER BY ${table}.provider LIMIT 1)
    FROM instances WHERE instances.provider IS NOT NULL)`

const withOpenInstances = withInstances("operations", isOpen)
const withWaitingInstances = withInstances("provider_inbox", "status = 'waiting'")

export const selectDueProviders = (now: string): string => `${withOpenInstances}
  SELECT provider FROM instances WHERE EXISTS (
    SELECT 1 FROM operations WHERE operations.provider = instances.provider AND ${canClaimOperation(now)})`

export const selectDueInboxProviders = (now: string): string => `${withWaitingInstances}
  SELECT provider FROM instances WHERE EXISTS (
    SELECT 1 FROM provider_inbox WHERE provider_inbox.provider = instances.provider AND ${isEntryDue(now)}
      AND ${isEntryFree(now)})`

export const isEntryFree = (now: string): string => `(claimed_until IS NULL OR claimed_until <= ${now})`

/** The SQL for the due time of the operation that is overdue for longest, among the operations that can be claimed. */
export const operationDueSince = (now: string): string => `(${withOpenInstances}
  SELECT min((SELECT next_check_at FROM operations
    WHERE operations.provider = instances.provider AND ${canClaimOperation(now)} ORDER BY ${claimableAt} LIMIT 1))
  FROM instances)`

export const inboxDueSince = (now: string): string => `(${withWaitingInstances}
  SELECT min((SELECT next_try_at FROM provider_inbox
    WHERE provider_inbox.provider = instances.provider AND ${isEntryDue(now)} ORDER BY next_try_at LIMIT 1))
  FROM instances)`

export const selectOpenProviders = `${withOpenInstances}
  SELECT provider FROM instances WHERE provider IS NOT NULL`

/** The SQL that counts open operations, at most `limit`. `provider`: the placeholder of the provider's id. */
export const countOpenOperations = (provider: string, limit: number): string =>
  `SELECT count(*) AS total, count(CASE WHEN livemode THEN 1 END) AS live FROM (
    SELECT (SELECT livemode FROM payments WHERE payments.id = operations.payment_id) AS livemode FROM operations
    WHERE provider = ${provider} AND ${isOpen} AND status IN ('planned', 'sending', 'pending', 'unknown', 'authorized')
    LIMIT ${limit}) AS open`

/** Claims the first rows of a table that meet the condition, and returns them. Rows that another process claims are skipped. */
export const claimRows = (
  { bind, sql }: Fragments,
  { limit, owner, until }: Claim,
  table: string,
  condition: string,
  order: string,
  returned: string
): string => `WITH due AS (
    SELECT position FROM ${table} WHERE ${condition}
    ORDER BY ${order}, position LIMIT ${bind(limit)} ${sql.lock("FOR UPDATE SKIP LOCKED")}
  ) UPDATE ${table} SET claimed_by = ${bind(owner)}, claimed_until = ${bind(until)}
    WHERE position IN (SELECT position FROM due) RETURNING ${returned}`
