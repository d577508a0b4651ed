/**
 * The two commits of a payment, each as one statement: its parts are done together or not at all, in one round trip.
 *
 * The parts of a statement see the tables as they were before it, and stand in no order but that in which one reads
 * from another. So each part reads from the one that decides whether it may happen.
 */
import type { Payment } from "@paymux/core"
import type {
  AdvanceCommit,
  AnswerToKeep,
  BeginCommit,
  Entry,
  KeyBinding,
  Operation,
  PaymentEvent
} from "@paymux/core/store"
import {
  attemptColumns,
  columnNames,
  entryColumns,
  eventColumns,
  evidenceColumns,
  keyColumns,
  operationColumns,
  paymentColumns
} from "../columns.ts"
import { isReplaced, newReferences } from "../newReferences.ts"
import type { ChargeReference } from "../newReferences.ts"
import type { Commit } from "./CommitBatches.ts"
import { fragments } from "./Fragments.ts"
import type { Fragments } from "./Fragments.ts"
import { commitStatement, part } from "./joined.ts"
import type { CommitStatement } from "./joined.ts"

/** `done` is 0 where the key is taken, and then nothing was written. */
export const beginStatement = ({ binding, record }: BeginCommit): CommitStatement => {
  const statement = fragments()
  const { attempts, entries, operations, payment } = record
  const id = statement.bind(payment.id, "text")
  const parts = [
    `${bound} AS (${binding === null ? "SELECT 1" : insertKey(statement, binding, null, "")})`,
    `${part("paid")} AS (INSERT INTO payments (${paymentNames}) SELECT ${statement.row(paymentColumns, payment)} FROM ${bound})`,
    ...attempts.map((attempt, index) => {
      const row = `${id}, ${statement.row(attemptColumns, attempt)}`
      return `${part(`attempt_${index}`)} AS (INSERT INTO attempts (payment_id, ${attemptNames}) SELECT ${row} FROM ${bound})`
    }),
    ...operations.map((operation, position) => {
      const row = `${statement.bind(position, "bigint")}, ${statement.row(operationColumns, operation)}`
      return `${part(`operation_${position}`)} AS (INSERT INTO operations (position, ${operationNames}) SELECT ${row} FROM ${bound})`
    }),
    ...entryParts(statement, id, entries, 0, bound)
  ]
  return commitStatement(parts, { done: countOf(bound), kept: "NULL" }, statement.params)
}

/**
 * `kept` are the bytes of the answer that stand now; `done` is 0 where the version is another or the key is taken, -1
 * where a reference is taken, and then nothing was written. `null`: the commit changes nothing of the payment, so it is a
 * lost race with itself.
 *
 * Gotchas: the parts of one statement do not see what each other write, so two commits that give the same reference never
 * go together: see `locksOfAdvance`.
 */
export const advanceStatement = (commit: AdvanceCommit): CommitStatement | null => {
  const { after, answer, before, binding, events, evidence } = commit
  const statement = fragments()
  const changes = statement.changes(paymentColumns, before.payment, after.payment)
  if (changes.length === 0) return null
  const id = statement.bind(before.payment.id, "text")
  const version = isVersionRead(statement, id, before.payment)
  const references = newReferences(commit)
  const fence = references.length === 0 ? version : `${version} AND NOT EXISTS (SELECT 1 FROM ${taken})`
  const own = binding !== null && answer !== null && isSameKey(binding, answer) ? answer : null
  const parts = [
    ...(references.length === 0 ? [] : [`${taken} AS (${selectTaken(statement, references, id, version)})`]),
    ...(binding === null
      ? [`${moved} AS (UPDATE payments SET ${changes.join(", ")} WHERE ${fence} RETURNING 1)`]
      : [
          // The payment is locked before its key is bound: no key is bound for a change that cannot be made.
          `${fenced} AS (SELECT 1 FROM payments WHERE ${fence} FOR UPDATE)`,
          `${bound} AS (${insertKey(statement, binding, own, `FROM ${fenced}`)})`,
          `${moved} AS (UPDATE payments SET ${changes.join(", ")} FROM ${bound} WHERE ${fence} RETURNING 1)`
        ]),
    ...attemptParts(statement, commit, id),
    ...operationParts(statement, commit),
    ...entryParts(statement, id, after.entries, before.entries.length, moved),
    ...(events.length === 0 ? [] : [`${part("announced")} AS (${insertEvents(statement, events)})`]),
    ...(evidence === null
      ? []
      : [
          `${part("convinced")} AS (INSERT INTO evidence (${evidenceNames})
            SELECT ${statement.row(evidenceColumns, evidence)} FROM ${moved})`
        ]),
    ...(answer === null || own !== null
      ? []
      : [
          `${answered} AS (UPDATE idempotency_keys SET answer = coalesce(answer, ${statement.bind(answer.body, "text")})
            FROM ${moved} WHERE ${ofKey(statement, answer)} RETURNING answer)`
        ])
  ]
  const kept =
    own === null ? (answer === null ? "NULL" : `(SELECT answer FROM ${answered})`) : statement.bind(own.body, "text")
  const done = references.length === 0 ? countOf(moved) : `${countOf(moved)} - ${countOf(taken)}`
  return commitStatement(parts, { done, kept }, statement.params)
}

/** After the database was restored, the same number may stand for another version. */
export const isVersionRead = ({ bind }: Fragments, id: string, { updatedAt, version }: Payment): string =>
  `payments.id = ${id} AND payments.version = ${bind(version, "bigint")}
    AND payments.updated_at = ${bind(updatedAt, "bigint")}`

/** What a begin locks: first the key, which others may be binding; no other process knows its payment. */
export const locksOfBegin = ({ binding, record }: BeginCommit): Commit["locks"] =>
  binding === null ? [record.payment.id] : [nameOf(binding), record.payment.id]

export const locksOfAdvance = (commit: AdvanceCommit): Commit["locks"] => {
  const { answer, before, binding } = commit
  return [
    before.payment.id,
    ...(binding === null ? [] : [nameOf(binding)]),
    ...(answer === null || (binding !== null && isSameKey(binding, answer)) ? [] : [nameOf(answer)]),
    ...newReferences(commit).map(({ provider, reference }) => JSON.stringify([provider, reference]))
  ]
}

const nameOf = ({ account, endpoint, key, livemode }: Omit<AnswerToKeep, "body">): string =>
  JSON.stringify([account, livemode, endpoint, key])

/** One `key` of a tenant at an endpoint. */
export const ofKey = (statement: Fragments, key: Omit<AnswerToKeep, "body">): string =>
  `account = ${statement.bind(key.account, "text")} AND livemode = ${statement.bind(key.livemode, "boolean")}
    AND endpoint = ${statement.bind(key.endpoint, "text")} AND key = ${statement.bind(key.key, "text")}`

const [bound, fenced, moved, answered] = [part("bound"), part("fenced"), part("moved"), part("answered")]
const taken = part("taken")
const countOf = (name: string): string => `(SELECT count(*) FROM ${name})`

const paymentNames = columnNames(paymentColumns)
const attemptNames = columnNames(attemptColumns)
const operationNames = columnNames(operationColumns)
const entryNames = columnNames(entryColumns)
const eventNames = columnNames(eventColumns)
const evidenceNames = columnNames(evidenceColumns)

/**
 * Whether a create operation of another payment at the provider has the reference. Until this transaction ends, no other
 * one gives the reference to an operation: see `migrations/referenceIsTaken.ts`.
 */
export const isTaken = (provider: string, reference: string, payment: string): string =>
  `reference_is_taken(${provider}, ${reference}, ${payment})`

/** Returns a row if any of the references is taken and the payment still has the version that was read. */
const selectTaken = (
  { bind }: Fragments,
  references: ReadonlyArray<ChargeReference>,
  id: string,
  version: string
): string => {
  const any = references.map(({ provider, reference }) => isTaken(bind(provider, "text"), bind(reference, "text"), id))
  return `SELECT 1 FROM payments WHERE ${version} AND (${any.join(" OR ")})`
}

/** One part for all of them: of several parts, PostgreSQL chooses the order. */
const insertEvents = (statement: Fragments, events: ReadonlyArray<PaymentEvent>): string => {
  const rows = events.map((event) => `SELECT ${statement.row(eventColumns, event)} FROM ${moved}`)
  return `INSERT INTO payment_events (${eventNames}) ${rows.join(" UNION ALL ")}`
}

/** Waits for another transaction that is binding the same key. */
const insertKey = (statement: Fragments, binding: KeyBinding, answer: AnswerToKeep | null, from: string): string =>
  `INSERT INTO idempotency_keys (${columnNames(keyColumns)}, answer)
    SELECT ${statement.row(keyColumns, binding)}, ${statement.bind(answer?.body ?? null, "text")} ${from}
    ON CONFLICT DO NOTHING RETURNING 1`

const isSameKey = (binding: KeyBinding, answer: AnswerToKeep): boolean =>
  binding.key === answer.key &&
  binding.endpoint === answer.endpoint &&
  binding.account === answer.account &&
  binding.livemode === answer.livemode

// Rows are compared by identity first: what a commit does not touch is the same object before and after.

/** An attempt that starts reads from those that end: two in flight are refused, also for a moment. */
const attemptParts = (statement: Fragments, { after, before }: AdvanceCommit, id: string): ReadonlyArray<string> => {
  const changed = after.attempts.filter((attempt) => !before.attempts.includes(attempt))
  const updates = changed.flatMap((attempt) => {
    const known = before.attempts.find(({ seq }) => seq === attempt.seq)
    const changes = known === undefined ? [] : statement.changes(attemptColumns, known, attempt)
    return changes.length === 0
      ? []
      : [
          `UPDATE attempts SET ${changes.join(", ")} FROM ${moved}
            WHERE payment_id = ${id} AND seq = ${statement.bind(attempt.seq, "bigint")} RETURNING 1`
        ]
  })
  const ended = updates
    .map((_, index) => `, (SELECT count(*) FROM ${part(`attempt_${index}`)}) AS ended_${index}`)
    .join("")
  const inserts = changed
    .filter((attempt) => !before.attempts.some(({ seq }) => seq === attempt.seq))
    .map(
      (attempt) =>
        `INSERT INTO attempts (payment_id, ${attemptNames})
          SELECT ${id}, ${statement.row(attemptColumns, attempt)} FROM ${moved}${ended}`
    )
  return [...updates, ...inserts].map((change, index) => `${part(`attempt_${index}`)} AS (${change})`)
}

export const remember = "INSERT INTO former_references (provider, reference, payment_id)"

/**
 * Remembers a reference that is about to be replaced. Reads the stored one, locked: a checkpoint may have come after
 * `before` was read. The update of the operation reads from this part, so that it comes later.
 */
const rememberPart = ({ bind }: Fragments, { id, reference }: Operation): string =>
  `${remember} SELECT provider, reference, payment_id FROM operations, ${moved}
    WHERE id = ${bind(id, "text")} AND reference <> ${bind(reference, "text")} FOR UPDATE OF operations
    ON CONFLICT DO NOTHING RETURNING 1`

const operationParts = (statement: Fragments, { after, before }: AdvanceCommit): ReadonlyArray<string> =>
  after.operations
    .map((operation, position) => ({ operation, position }))
    .filter(({ operation }) => !before.operations.includes(operation))
    .flatMap(({ operation, position }, index) => {
      const name = part(`operation_${index}`)
      const known = before.operations.find(({ id }) => id === operation.id)
      if (known === undefined) {
        const row = `${statement.bind(position, "bigint")}, ${statement.row(operationColumns, operation)}`
        return [`${name} AS (INSERT INTO operations (position, ${operationNames}) SELECT ${row} FROM ${moved})`]
      }
      const changes = statement.changes(operationColumns, known, operation)
      if (changes.length === 0) return []
      const remembered = isReplaced(known.reference, operation.reference) ? part(`remembered_${index}`) : null
      const first = remembered === null ? "" : `, (SELECT count(*) FROM ${remembered}) AS remembered`
      // A change of an operation ends the claim on it: its next check was decided anew.
      const update = `UPDATE operations SET ${changes.join(", ")}, claimed_by = NULL, claimed_until = NULL
          FROM ${moved}${first} WHERE id = ${statement.bind(operation.id, "text")}`
      return [
        ...(remembered === null ? [] : [`${remembered} AS (${rememberPart(statement, operation)})`]),
        `${name} AS (${update})`
      ]
    })

/** Inserts the entries from `known` on; those before it are stored already. `from`: the part that decides whether to write. */
const entryParts = (
  statement: Fragments,
  id: string,
  entries: ReadonlyArray<Entry>,
  known: number,
  from: string
): ReadonlyArray<string> =>
  entries.slice(known).map((entry, index) => {
    const row = `${id}, ${statement.bind(known + index, "bigint")}, ${statement.row(entryColumns, entry)}`
    return `${part(`entry_${index}`)} AS (INSERT INTO entries (payment_id, position, ${entryNames}) SELECT ${row} FROM ${from})`
  })
