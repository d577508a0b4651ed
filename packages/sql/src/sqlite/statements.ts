/**
 * The SQL of the payment store on SQLite. Parameters are bound by position, or by name where one is used twice; nothing of a
 * caller gets into a text. None is numbered: to Node before 22.20 and to early versions of Node 24, `?1` is a name.
 */
import {
  attemptColumns,
  columnNames as names,
  entryColumns,
  eventColumns,
  evidenceColumns,
  inboxColumns,
  keyColumns,
  operationColumns,
  paymentColumns
} from "../columns.ts"
import type { Column, SqlValue } from "../columns.ts"
import { mostCounted } from "@paymux/core/store"
import { rescheduledAt } from "../dueCorrection.ts"
import { distinctSpellings, spellingsWithCapitals } from "../emailSpellings.ts"
import { hasFingerprint, sqliteFingerprint } from "../migrations/cards.ts"
import {
  canClaimOperation,
  isEntryDue,
  countOpenOperations,
  isEntryFree,
  selectDueInboxProviders,
  selectDueProviders,
  selectOpenProviders
} from "../dueProviders.ts"
import { claimableAt, isOpen } from "../migrations/due.ts"
import { sqliteBeyondAscii } from "../migrations/emails.ts"

const insertInto = (table: string, columns: string): string =>
  `INSERT INTO ${table} (${columns}) VALUES (${columns.split(", ").fill("?").join(", ")})`

export const insertPayment = insertInto("payments", names(paymentColumns))
export const insertAttempt = insertInto("attempts", `payment_id, ${names(attemptColumns)}`)
export const insertOperation = insertInto("operations", `position, ${names(operationColumns)}`)

export const insertEntry = insertInto("entries", `payment_id, position, ${names(entryColumns)}`)

export const values = <A>(columns: ReadonlyArray<Column<A>>, row: A): Array<SqlValue> =>
  columns.map((column) => column.write(row))

/**
 * Updates of what changed between two rows, so that only the indexes of that are touched. A commit changes few
 * combinations of columns: their texts are made once.
 */
const updating = <A>(columns: ReadonlyArray<Column<A>>, text: (assignments: string) => string) => {
  // Each has a bit of an integer, which has 32.
  if (columns.length > 32) throw new Error(`An update of ${columns.length} columns cannot be named`)
  const texts = new Map<number, string>()
  const textOf = (changed: number): string => {
    const assignments = columns.filter((_, i) => changed & (1 << i)).map(({ name }) => `${name} = ?`)
    return text(assignments.join(", "))
  }
  return (before: A, after: A): { readonly sql: string; readonly values: Array<SqlValue> } | null => {
    const values: Array<SqlValue> = []
    let changed = 0
    columns.forEach((column, i) => {
      if (column.part(before) === column.part(after)) return
      changed |= 1 << i
      values.push(column.write(after))
    })
    if (changed === 0) return null
    const known = texts.get(changed)
    if (known !== undefined) return { sql: known, values }
    const made = textOf(changed)
    texts.set(changed, made)
    return { sql: made, values }
  }
}

/** Of the version that was read: after the database was restored, the same number may stand for another one. */
export const updatePayment = updating(
  paymentColumns,
  (assignments) => `UPDATE payments SET ${assignments} WHERE id = ? AND version = ? AND updated_at = ?`
)

export const updateAttempt = updating(
  attemptColumns,
  (assignments) => `UPDATE attempts SET ${assignments} WHERE payment_id = ? AND seq = ?`
)

/** A change of an operation ends the claim on it: its next check was decided anew. */
export const updateOperation = updating(
  operationColumns,
  (assignments) => `UPDATE operations SET ${assignments}, claimed_by = NULL, claimed_until = NULL WHERE id = ?`
)

export const selectPayment = `SELECT ${names(paymentColumns)} FROM payments WHERE id = ?`
export const selectPaymentOfTenant = `${selectPayment} AND account = ? AND livemode = ?`

/** One parameter, a JSON array of ids. */
export const selectVersions = "SELECT id, version FROM payments WHERE id IN (SELECT value FROM json_each(?))"

const selectAttempts = `SELECT payment_id, ${names(attemptColumns)} FROM attempts WHERE payment_id`
const selectOperations = `SELECT ${names(operationColumns)} FROM operations WHERE payment_id`
const selectEntries = `SELECT payment_id, ${names(entryColumns)} FROM entries WHERE payment_id`
const oneOfJson = "IN (SELECT value FROM json_each(?))"

export const selectAttemptsOf = `${selectAttempts} = ? ORDER BY seq`
export const selectOperationsOf = `${selectOperations} = ? ORDER BY position`
export const selectEntriesOf = `${selectEntries} = ? ORDER BY position`
/** For a whole page: one parameter, a JSON array of ids. */
export const selectAttemptsOfAll = `${selectAttempts} ${oneOfJson} ORDER BY payment_id, seq`
export const selectOperationsOfAll = `${selectOperations} ${oneOfJson} ORDER BY payment_id, position`
export const selectEntriesOfAll = `${selectEntries} ${oneOfJson} ORDER BY payment_id, position`

/** A tenant's payments from an id on, oldest first. With `+`, the time chooses no index: the page is in the order of ids. */
export const selectRouted = `SELECT ${names(paymentColumns)} FROM payments WHERE id IN (
    SELECT id FROM payments INDEXED BY payments_by_tenant
    WHERE account = ? AND livemode = ? AND id > ? AND +created_at >= ? AND +created_at < ? ORDER BY id LIMIT ?
  ) ORDER BY id`

/** From the payments of a card to their attempts. */
export const selectCardDeclines = `SELECT p.id AS id, p.status AS status, state, code, ended_at
  FROM payments AS p INDEXED BY payments_by_card CROSS JOIN attempts AS a ON a.payment_id = p.id
  WHERE account = ? AND livemode = ? AND (${sqliteFingerprint}) = ? AND ${hasFingerprint(sqliteFingerprint)}
    AND a.status = 'declined' AND code IS NOT NULL AND ended_at >= ?
  ORDER BY ended_at DESC LIMIT ?`

export const selectPaymentIdByOperation = "SELECT payment_id FROM operations WHERE id = ?"
/** An operation that has the reference comes first, then one that had it. */
export const selectPaymentIdByReference = `SELECT payment_id FROM (SELECT coalesce(
    (SELECT payment_id FROM operations WHERE provider = :provider AND reference = :reference ORDER BY created_at DESC, id DESC LIMIT 1),
    (SELECT payment_id FROM former_references WHERE provider = :provider AND reference = :reference ORDER BY payment_id DESC LIMIT 1)
  ) AS payment_id) WHERE payment_id IS NOT NULL`

/** At any provider. */
export const selectPaymentIdsByReferences =
  "SELECT DISTINCT payment_id FROM operations WHERE reference IN (SELECT value FROM json_each(?))"

/** What earlier code wrote with capitals of one address, which is given in small letters. */
export const selectSpellingsWithCapitals = spellingsWithCapitals(
  "payments INDEXED BY payments_by_email_with_capitals",
  "account = :account AND livemode = :livemode",
  ":email"
)

/** The next `:limit` addresses with characters beyond ASCII, in order. */
export const selectSpellingsBeyondAscii = `${distinctSpellings(
  "payments INDEXED BY payments_by_email_beyond_ascii",
  "account = :account AND livemode = :livemode",
  sqliteBeyondAscii,
  ":after"
)} LIMIT :limit`

/** Whether a create operation of another payment at the provider has the reference. */
const isTaken = (
  provider: string,
  reference: string,
  payment: string
): string => `EXISTS (SELECT 1 FROM operations AS other
    WHERE other.provider = ${provider} AND other.reference = ${reference} AND other.kind = 'create'
      AND other.payment_id <> ${payment})`

const remember = "INSERT INTO former_references (provider, reference, payment_id)"
/** Before an operation gets the reference: remembers the one that it has. */
export const rememberReference = `${remember}
  SELECT provider, reference, payment_id FROM operations WHERE id = ? AND reference <> ? ON CONFLICT DO NOTHING`
/** After an operation got another reference: remembers the one which it had. */
export const rememberFormerReference = `${remember}
  SELECT provider, :reference, payment_id FROM operations WHERE id = :id ON CONFLICT DO NOTHING`
/** The reference finds the payment of a create operation, unless it is the charge of another payment. */
export const rememberOtherReference = `${remember} SELECT provider, :reference, payment_id FROM operations
  WHERE id = :id AND kind = 'create' AND NOT ${isTaken("operations.provider", ":reference", "operations.payment_id")}
  ON CONFLICT DO NOTHING`

export const insertKey = `${insertInto("idempotency_keys", names(keyColumns))} ON CONFLICT DO NOTHING`
const ofKey = "WHERE account = ? AND livemode = ? AND endpoint = ? AND key = ?"
export const selectKey = `SELECT ${names(keyColumns)}, answer FROM idempotency_keys ${ofKey}`
export const keepAnswer = `UPDATE idempotency_keys SET answer = ? ${ofKey} AND answer IS NULL`

export const insertEvent = insertInto("payment_events", names(eventColumns))
const selectEvents = `SELECT ${names(eventColumns)} FROM payment_events`
export const selectEvent = `${selectEvents} WHERE id = ?`
export const selectEventsById = `${selectEvents} WHERE id IN (SELECT value FROM json_each(?))`
export const selectUndispatched = `${selectEvents} WHERE dispatched_at IS NULL ORDER BY position LIMIT ?`
export const markDispatched = "UPDATE payment_events SET dispatched_at = ? WHERE id = ? AND dispatched_at IS NULL"

export const insertEvidence = insertInto("evidence", names(evidenceColumns))
/** Last first; a negative limit is none. */
export const selectEvidenceOf = `SELECT ${names(evidenceColumns)} FROM evidence WHERE payment_id = ?
  ORDER BY position DESC LIMIT ?`

/** The open or paid payment that has the order. */
export const selectOrderHolder =
  "SELECT id AS payment_id FROM payments WHERE account = ? AND livemode = ? AND order_held = ?"

/** Returns a row if the payment has this version, and another one has the order. */
export const selectTakenOrder = `SELECT 1 FROM payments
  WHERE id = ? AND version = ? AND updated_at = ? AND EXISTS (${selectOrderHolder})`

/** Returns a row if the payment has this version and the reference is taken. */
export const selectTakenReference = `SELECT 1 FROM payments
  WHERE id = ? AND version = ? AND updated_at = ? AND ${isTaken("?", "?", "?")}`

/** An operation that already has the reference keeps it. */
export const checkpoint = `UPDATE operations SET reference = :reference
  WHERE id = :id AND status IN ('planned', 'sending', 'pending', 'unknown')
    AND (reference = :reference OR reference IS :expected
      AND NOT (kind = 'create' AND ${isTaken("operations.provider", ":reference", "operations.payment_id")}))`

export const dueProviders = selectDueProviders("?")
export const openProviders = selectOpenProviders
export const openOperations = countOpenOperations("?", mostCounted + 1)
export const selectDue = `SELECT id, payment_id FROM operations
  WHERE provider = ? AND ${canClaimOperation("?")} ORDER BY ${claimableAt} LIMIT ?`
export const claim = "UPDATE operations SET claimed_by = ?, claimed_until = ? WHERE id = ?"
export const reschedule = `UPDATE operations
  SET checks = :checks, next_check_at = :next, claimed_by = NULL, claimed_until = ${rescheduledAt(":next")}
  WHERE id = :id AND status = :status`
export const releaseOrphans = `UPDATE operations
  SET next_check_at = ?, claimed_by = NULL, claimed_until = NULL
  WHERE ${isOpen} AND status = 'sending' AND owner <> ?`

const selectInbox = `SELECT ${names(inboxColumns)} FROM provider_inbox`
const ofEntry = "provider = ? AND event_key = ?"
export const insertInboxEntry = `${insertInto("provider_inbox", names(inboxColumns))} ON CONFLICT DO NOTHING`
export const selectInboxEntry = `${selectInbox} WHERE ${ofEntry}`
export const dueInboxProviders = selectDueInboxProviders("?", "?")
export const selectDueInbox = `${selectInbox}
  WHERE provider = ? AND ${isEntryDue("?")} AND ${isEntryFree("?")}
  ORDER BY next_try_at, position LIMIT ?`
export const claimInboxEntry = `UPDATE provider_inbox SET claimed_by = ?, claimed_until = ? WHERE ${ofEntry}`
export const settleInboxEntry = `UPDATE provider_inbox
  SET status = ?, tries = ?, next_try_at = ?, evidence = coalesce(?, evidence), claimed_by = NULL, claimed_until = NULL,
    disposition = coalesce(?, disposition)
  WHERE ${ofEntry} AND status <> 'applied' AND (coalesce(disposition, '') = 'matched') = ?`
export const selectParkedInbox = `${selectInbox} WHERE status = 'parked' ORDER BY position LIMIT ?`

/** No row: another owner holds it. */
export const holdLease = `INSERT INTO provider_leases (name, owner, fence, held_until) VALUES (?, ?, 1, ?)
  ON CONFLICT (name) DO UPDATE SET
    fence = provider_leases.fence + (provider_leases.owner <> excluded.owner),
    owner = excluded.owner,
    held_until = excluded.held_until
  WHERE provider_leases.owner = excluded.owner OR provider_leases.held_until <= ?
    OR provider_leases.held_until > ?
  RETURNING fence`
/** The row stays: its fence must go on growing. */
export const releaseLease = "UPDATE provider_leases SET owner = '', held_until = 0 WHERE name = ? AND owner = ?"
export const selectHeldLease = "SELECT name FROM provider_leases WHERE name = ? AND fence = ?"

export const selectProviderValue = "SELECT value FROM provider_state WHERE provider = ? AND key = ?"
export const insertProviderValue =
  "INSERT INTO provider_state (provider, key, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
export const updateProviderValue = "UPDATE provider_state SET value = ? WHERE provider = ? AND key = ? AND value = ?"
export const nextOfCounter = `INSERT INTO provider_counters (provider, counter, value) VALUES (?, ?, 1)
  ON CONFLICT (provider, counter) DO UPDATE SET value = value + 1 RETURNING value`
