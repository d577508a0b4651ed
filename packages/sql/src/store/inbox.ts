/** The inbox of a store: reports of providers. */
import type { Claim, InboxEntry, InboxStore } from "@paymux/core/store"
import { encodeEvidence } from "@paymux/core/store"
import { Effect } from "effect"
import { inboxColumns } from "../rows/columns.ts"
import type { Fragments, StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { claimRows, isEntryDue, isEntryFree, selectDueInboxProviders } from "./dueProviders.ts"
import { eachOf, inOrder, text } from "../rows/ReadRow.ts"
import { readInboxEntry, readStandingEntry } from "../rows/rows.ts"

const names = inboxColumns.names

export const inbox = ({ read, write }: StatementRunner): InboxStore => ({
  keep: Effect.fnUntraced(function* (entries) {
    const kept: Array<InboxEntry> = []
    for (let from = 0; from < entries.length; from += MOST_AT_ONCE) {
      kept.push(...(yield* keepSome(read, write, entries.slice(from, from + MOST_AT_ONCE))))
    }
    return kept
  }),
  dueProviders: (now) =>
    Effect.map(
      read(({ bind }) => selectDueInboxProviders(bind(now))),
      eachOf((row) => text(row, "provider"))
    ),
  claimDue: (claim) =>
    Effect.map(write(claimEntries(claim)), (rows) => inOrder(rows, "next_try_at", "position").map(readInboxEntry)),
  settle: (entry) => Effect.asVoid(write(settleEntry(entry))),
  parked: (limit) =>
    Effect.map(
      read(
        ({ bind }) => `SELECT ${names} FROM provider_inbox WHERE status = 'parked'
          ORDER BY position LIMIT ${bind(limit)}`
      ),
      eachOf(readInboxEntry)
    )
})

/** The maximum number of entries in a statement: SQLite limits its parameters, and the depth of its conditions. */
const MOST_AT_ONCE = 200

const keepSome = Effect.fnUntraced(function* (
  read: StatementRunner["read"],
  write: StatementRunner["write"],
  entries: ReadonlyArray<InboxEntry>
) {
  const kept = yield* write(insertEntries(entries))
  // Reads all entries if some were stored before, or occur twice here, because such an entry may have any status now.
  const rows = kept.length === entries.length ? kept : yield* read(selectEntries(entries))
  const standing = new Map(rows.map((row) => [placeOf(text(row, "provider"), text(row, "event_key")), row]))
  return entries.map((entry) => {
    const row = standing.get(placeOf(entry.provider, entry.eventKey))
    return row === undefined ? entry : readStandingEntry(row, entry)
  })
})

const insertEntries =
  (entries: ReadonlyArray<InboxEntry>): StatementText =>
  ({ row }) => {
    const rows = entries.map((entry) => `(${row(inboxColumns, entry)})`)
    return `INSERT INTO provider_inbox (${names}) VALUES ${rows.join(", ")} ON CONFLICT DO NOTHING RETURNING ${names}`
  }

/**
 * Reads and locks the entries. The lock waits for the synchronous standby, so that a repeated report is acknowledged
 * only after the standby has it.
 */
const selectEntries =
  (entries: ReadonlyArray<InboxEntry>): StatementText =>
  (statement) => {
    const places = entries.map((entry) => `(${isEntry(statement, entry)})`)
    return `SELECT ${names} FROM provider_inbox WHERE ${places.join(" OR ")} ${statement.sql.lock("FOR KEY SHARE")}`
  }

/** @internal Exported for the test of its query plan. */
export const claimEntries =
  (claim: Claim): StatementText =>
  (statement) => {
    const { bind } = statement
    const at = bind(claim.now)
    const isDue = `provider = ${bind(claim.provider)} AND ${isEntryDue(at)} AND ${isEntryFree(at)}`
    return claimRows(statement, claim, "provider_inbox", isDue, "next_try_at", `position, ${names}`)
  }

const settleEntry =
  (entry: InboxEntry): StatementText =>
  (statement) => {
    const { bind } = statement
    const { disposition, evidence, nextTryAt, status, tries } = entry
    const kept = status === "applied" ? JSON.stringify(encodeEvidence(evidence)) : null
    return `UPDATE provider_inbox SET status = ${bind(status)}, tries = ${bind(tries)},
        next_try_at = ${bind(nextTryAt, "bigint")}, evidence = coalesce(${bind(kept)}, evidence),
        disposition = coalesce(${bind(disposition)}, disposition), claimed_by = NULL, claimed_until = NULL
      WHERE ${isEntry(statement, entry)} AND status <> 'applied'
        AND (coalesce(disposition, '') = 'matched') = ${bind(disposition === "matched")}`
  }

const isEntry = ({ bind }: Fragments, { eventKey, provider }: InboxEntry): string =>
  `provider = ${bind(provider)} AND event_key = ${bind(eventKey)}`

const placeOf = (provider: string, eventKey: string): string => JSON.stringify([provider, eventKey])
