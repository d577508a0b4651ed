/** Reports of providers, their stored state, and their leases, on SQLite: each write is a unit of the group commit. */
import type {
  Claim,
  HeldLease,
  InboxEntry,
  InboxStore,
  LeaseStore,
  ProviderStateStore,
  StoreUnavailable
} from "@paymux/core/store"
import { encodeEvidence } from "@paymux/core/store"
import { Effect } from "effect"
import type { StatementSync } from "node:sqlite"
import { inboxColumns } from "../columns.ts"
import { numeral, text } from "../ReadRow.ts"
import { readInboxEntry, readStandingEntry } from "../rows.ts"
import * as Sql from "./statements.ts"

export interface Prepares {
  readonly prepare: (sql: string) => StatementSync
}

/** Of the store: synchronous work on its database, as effects. */
export interface SqliteAccess extends Prepares {
  readonly write: <A>(work: (database: Prepares) => A) => Effect.Effect<A, StoreUnavailable>
  readonly read: <A, B>(work: () => A, decode: (rows: A) => B) => Effect.Effect<B, StoreUnavailable>
}

export const inbox = ({ prepare, read, write }: SqliteAccess): InboxStore => ({
  keep: (entries) =>
    Effect.map(
      write((database) => keepEntries(database, entries)),
      (rows) => rows.map(({ entry, row }) => readStandingEntry(row, entry))
    ),
  dueProviders: (now) =>
    read(
      () => prepare(Sql.dueInboxProviders).all(now, now),
      (rows) => rows.map((row) => text(row, "provider"))
    ),
  claimDue: (claim) =>
    Effect.map(
      write((database) => claimEntries(database, claim)),
      (rows) => rows.map(readInboxEntry)
    ),
  settle: ({ disposition, eventKey, evidence, nextTryAt, provider, status, tries }) =>
    write(({ prepare }) => {
      const kept = status === "applied" ? JSON.stringify(encodeEvidence(evidence)) : null
      const isMatched = disposition === "matched" ? 1 : 0
      prepare(Sql.settleInboxEntry).run(status, tries, nextTryAt, kept, disposition, provider, eventKey, isMatched)
    }),
  parked: (limit) =>
    read(
      () => prepare(Sql.selectParkedInbox).all(limit),
      (rows) => rows.map(readInboxEntry)
    )
})

const keepEntries = ({ prepare }: Prepares, entries: ReadonlyArray<InboxEntry>) => {
  for (const entry of entries) prepare(Sql.insertInboxEntry).run(...Sql.values(inboxColumns, entry))
  return entries.map((entry) => {
    const { eventKey, provider } = entry
    const row = prepare(Sql.selectInboxEntry).get(provider, eventKey)
    if (row === undefined) throw new Error(`The event ${eventKey} of ${provider} was not kept`)
    return { entry, row }
  })
}

/** Within a transaction: no other process claims what is selected. */
const claimEntries = ({ prepare }: Prepares, { limit, now, owner, provider, until }: Claim) => {
  const due = prepare(Sql.selectDueInbox).all(provider, now, now, limit)
  for (const row of due) prepare(Sql.claimInboxEntry).run(owner, until, provider, text(row, "event_key"))
  return due
}

export const leases = ({ write }: SqliteAccess): LeaseStore => ({
  hold: (name, { latest = Number.MAX_SAFE_INTEGER, now, owner, until }) =>
    write(({ prepare }) => {
      const held = prepare(Sql.holdLease).get(name, owner, until, now, latest)
      return held === undefined ? null : numeral(held, "fence")
    }),
  release: (name, owner) =>
    write(({ prepare }) => {
      prepare(Sql.releaseLease).run(name, owner)
    })
})

export const providerState = ({ prepare, read, write }: SqliteAccess): ProviderStateStore => ({
  get: (provider, key) =>
    read(
      () => prepare(Sql.selectProviderValue).get(provider, key),
      (row) => (row === undefined ? null : text(row, "value"))
    ),
  compareAndSet: (provider, key, expected, value, lease) =>
    write((database) => {
      if (!stands(database, lease)) return false
      const { changes } =
        expected === null
          ? database.prepare(Sql.insertProviderValue).run(provider, key, value)
          : database.prepare(Sql.updateProviderValue).run(value, provider, key, expected)
      return changes === 1
    }),
  next: (provider, counter) =>
    write(({ prepare }) => Number(prepare(Sql.nextOfCounter).get(provider, counter)?.["value"]))
})

const stands = ({ prepare }: Prepares, lease: HeldLease | null): boolean =>
  lease === null || prepare(Sql.selectHeldLease).get(lease.name, lease.fence) !== undefined
