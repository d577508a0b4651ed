/** Reports of providers, their stored state, and their leases, on PostgreSQL: one statement each. */
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
import { columnNames, inboxColumns } from "../columns.ts"
import { isEntryDue, isEntryFree, selectDueInboxProviders } from "../dueProviders.ts"
import { numeral, text } from "../ReadRow.ts"
import type { Row } from "../ReadRow.ts"
import { readInboxEntry, readStandingEntry } from "../rows.ts"
import { statementOf } from "./Fragments.ts"
import type { Fragments, PgStatement } from "./Fragments.ts"

export type Run = (statement: PgStatement) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>

const inboxNames = columnNames(inboxColumns)

export const inbox = (run: Run): InboxStore => ({
  keep: Effect.fnUntraced(function* (entries) {
    if (entries.length === 0) return []
    const kept = yield* run(insertEntries(entries))
    // What was there before, or came twice, is looked up: it may be at any stage by now.
    const rows = kept.length === entries.length ? kept : yield* run(selectEntries(entries))
    const standing = new Map(rows.map((row) => [placeOfRow(row), row]))
    return entries.map((entry) => {
      const row = standing.get(placeOf(entry))
      return row === undefined ? entry : readStandingEntry(row, entry)
    })
  }),
  dueProviders: (now) =>
    Effect.map(run(selectDueEntryProviders(now)), (rows) => rows.map((row) => text(row, "provider"))),
  claimDue: (claim) => Effect.map(run(claimEntries(claim)), (rows) => rows.map(readInboxEntry)),
  settle: (entry) => Effect.asVoid(run(settleEntry(entry))),
  parked: (limit) => Effect.map(run(selectParked(limit)), (rows) => rows.map(readInboxEntry))
})

const insertEntries = (entries: ReadonlyArray<InboxEntry>) =>
  statementOf(({ row }) => {
    const rows = entries.map((entry) => `(${row(inboxColumns, entry)})`)
    return `INSERT INTO provider_inbox (${inboxNames}) VALUES ${rows.join(", ")}
      ON CONFLICT DO NOTHING RETURNING ${inboxNames}`
  })

/** Locked, so that a report that is repeated is acknowledged only after the standby has it. */
const selectEntries = (entries: ReadonlyArray<InboxEntry>) =>
  statementOf((fragments) => {
    const places = entries.map((entry) => `(${ofEntry(fragments, entry)})`)
    return `SELECT ${inboxNames} FROM provider_inbox WHERE ${places.join(" OR ")} FOR KEY SHARE`
  })

const selectDueEntryProviders = (now: number) =>
  statementOf(({ bind }) => {
    const at = bind(now, "bigint")
    return selectDueInboxProviders(at, at)
  })

const claimEntries = ({ limit, now, owner, provider, until }: Claim) =>
  statementOf(({ bind }) => {
    const at = bind(now, "bigint")
    return `WITH due AS (
        SELECT position FROM provider_inbox
        WHERE provider = ${bind(provider, "text")} AND ${isEntryDue(at)} AND ${isEntryFree(at)}
        ORDER BY next_try_at, position LIMIT ${bind(limit, "bigint")} FOR UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE provider_inbox AS entry
        SET claimed_by = ${bind(owner, "text")}, claimed_until = ${bind(until, "bigint")}
        FROM due WHERE entry.position = due.position RETURNING entry.*
      ) SELECT ${inboxNames} FROM claimed ORDER BY next_try_at, position`
  })

const settleEntry = (entry: InboxEntry) =>
  statementOf(
    (fragments) => `UPDATE provider_inbox SET status = ${fragments.bind(entry.status, "text")},
        tries = ${fragments.bind(entry.tries, "bigint")}, next_try_at = ${fragments.bind(entry.nextTryAt, "bigint")},
        evidence = coalesce(${fragments.bind(evidenceOf(entry), "text")}, evidence),
        disposition = coalesce(${fragments.bind(entry.disposition, "text")}, disposition),
        claimed_by = NULL, claimed_until = NULL
      WHERE ${ofEntry(fragments, entry)} AND status <> 'applied'
        AND (coalesce(disposition, '') = 'matched') = ${fragments.bind(entry.disposition === "matched", "boolean")}`
  )

const evidenceOf = ({ evidence, status }: InboxEntry): string | null =>
  status === "applied" ? JSON.stringify(encodeEvidence(evidence)) : null

const selectParked = (limit: number) =>
  statementOf(
    ({ bind }) => `SELECT ${inboxNames} FROM provider_inbox WHERE status = 'parked'
      ORDER BY position LIMIT ${bind(limit, "bigint")}`
  )

const ofEntry = ({ bind }: Fragments, { eventKey, provider }: InboxEntry): string =>
  `provider = ${bind(provider, "text")} AND event_key = ${bind(eventKey, "text")}`

const placeOf = ({ eventKey, provider }: InboxEntry): string => JSON.stringify([provider, eventKey])

const placeOfRow = (row: Row): string => JSON.stringify([text(row, "provider"), text(row, "event_key")])

export const leases = (run: Run): LeaseStore => ({
  hold: (name, claim) =>
    Effect.map(run(holdLease(name, claim)), ([held]) => (held === undefined ? null : numeral(held, "fence"))),
  release: (name, owner) => Effect.asVoid(run(releaseLease(name, owner)))
})

const holdLease = (
  name: string,
  { latest = Number.MAX_SAFE_INTEGER, now, owner, until }: Parameters<LeaseStore["hold"]>[1]
) =>
  statementOf(
    ({ bind }) => `INSERT INTO provider_leases AS held (name, owner, fence, held_until)
      VALUES (${bind(name, "text")}, ${bind(owner, "text")}, 1, ${bind(until, "bigint")})
      ON CONFLICT (name) DO UPDATE SET
        fence = held.fence + CASE WHEN held.owner = excluded.owner THEN 0 ELSE 1 END,
        owner = excluded.owner,
        held_until = excluded.held_until
      WHERE held.owner = excluded.owner OR held.held_until <= ${bind(now, "bigint")}
        OR held.held_until > ${bind(latest, "bigint")}
      RETURNING fence`
  )

/** The row stays: its fence must go on growing. */
const releaseLease = (name: string, owner: string) =>
  statementOf(
    ({ bind }) => `UPDATE provider_leases SET owner = '', held_until = 0
      WHERE name = ${bind(name, "text")} AND owner = ${bind(owner, "text")}`
  )

export const providerState = (run: Run): ProviderStateStore => ({
  get: (provider, key) =>
    Effect.map(run(selectValue(provider, key)), ([row]) => (row === undefined ? null : text(row, "value"))),
  compareAndSet: (provider, key, expected, value, lease) =>
    Effect.map(run(compareAndSet(provider, key, expected, value, lease)), isDone),
  next: (provider, counter) => Effect.map(run(countOn(provider, counter)), ([row]) => numeral(row ?? {}, "value"))
})

const selectValue = (provider: string, key: string) =>
  statementOf(
    ({ bind }) => `SELECT value FROM provider_state
      WHERE provider = ${bind(provider, "text")} AND key = ${bind(key, "text")}`
  )

const compareAndSet = (
  provider: string,
  key: string,
  expected: string | null,
  value: string,
  lease: HeldLease | null
) =>
  statementOf((fragments) => {
    const { bind } = fragments
    const held = heldLease(fragments, lease)
    const place = { provider: bind(provider, "text"), key: bind(key, "text"), value: bind(value, "text") }
    const write =
      expected === null
        ? `INSERT INTO provider_state (provider, key, value)
            SELECT ${place.provider}, ${place.key}, ${place.value} FROM held ON CONFLICT DO NOTHING RETURNING 1`
        : `UPDATE provider_state SET value = ${place.value} FROM held
            WHERE provider = ${place.provider} AND key = ${place.key} AND value = ${bind(expected, "text")} RETURNING 1`
    return `WITH held AS (${held}), written AS (${write}) SELECT count(*) AS done FROM written`
  })

/** The lease stays as it is until the write that stands on it is done. */
const heldLease = ({ bind }: Fragments, lease: HeldLease | null): string =>
  lease === null
    ? "SELECT 1"
    : `SELECT 1 FROM provider_leases WHERE name = ${bind(lease.name, "text")}
        AND fence = ${bind(lease.fence, "bigint")} FOR SHARE`

const countOn = (provider: string, counter: string) =>
  statementOf(
    ({ bind }) => `INSERT INTO provider_counters AS counted (provider, counter, value)
      VALUES (${bind(provider, "text")}, ${bind(counter, "text")}, 1)
      ON CONFLICT (provider, counter) DO UPDATE SET value = counted.value + 1 RETURNING value`
  )

/** Of statements that count what they did. */
export const isDone = ([row]: ReadonlyArray<Row | undefined>): boolean => row?.["done"] === 1
