/** The two commits of a payment, as units of a group commit: a refusal is a value, and has written nothing. */
import type { OperationId, PaymentId, Tenant } from "@paymux/core"
import type {
  AdvanceCommit,
  AdvanceResult,
  AnswerToKeep,
  Attempt,
  BeginCommit,
  BeginResult,
  Entry,
  KeptKey,
  KeyBinding,
  Operation
} from "@paymux/core/store"
import {
  attemptColumns,
  entryColumns,
  eventColumns,
  evidenceColumns,
  keyColumns,
  operationColumns,
  paymentColumns
} from "../columns.ts"
import { isReplaced, newReferences } from "../newReferences.ts"
import { readKey } from "../rows.ts"
import type { SqliteDatabase } from "./SqliteClient.ts"
import * as Sql from "./statements.ts"

type Database = Pick<SqliteDatabase["Service"], "prepare">

export const begin = (database: Database, { binding, record }: BeginCommit): BeginResult => {
  const { prepare } = database
  if (binding !== null && !bind(database, binding)) {
    const kept = boundKey(database, binding)
    if (kept === null) throw new Error(`The idempotency key of ${binding.paymentId} is neither free nor taken`)
    return { _tag: "KeyTaken", kept }
  }
  const { attempts, entries, operations, payment } = record
  prepare(Sql.insertPayment).run(...Sql.values(paymentColumns, payment))
  for (const attempt of attempts) insertAttempt(database, payment.id, attempt)
  operations.forEach((operation, position) => insertOperation(database, operation, position))
  entries.forEach((entry, position) => insertEntry(database, payment.id, entry, position))
  return { _tag: "Begun" }
}

export const advance = (database: Database, commit: AdvanceCommit): AdvanceResult => {
  const { after, answer, before, binding, events, evidence } = commit
  // Looked up first, so that a Conflict binds nothing: no other write happens within this transaction.
  const kept = binding === null ? null : boundKey(database, binding)
  if (kept !== null) return { _tag: "KeyTaken", kept }
  const { id, updatedAt, version } = before.payment
  const update = Sql.updatePayment(before.payment, after.payment)
  // Every later version is another one: a commit that changes nothing is a lost race with itself.
  if (update === null) return { _tag: "Conflict" }
  if (takesReference(database, commit)) return { _tag: "ReferenceTaken" }
  if (database.prepare(update.sql).run(...update.values, id, version, updatedAt).changes === 0) {
    return { _tag: "Conflict" }
  }
  writeAttempts(database, commit)
  writeOperations(database, commit)
  writeEntries(database, commit)
  for (const event of events) database.prepare(Sql.insertEvent).run(...Sql.values(eventColumns, event))
  if (evidence !== null) database.prepare(Sql.insertEvidence).run(...Sql.values(evidenceColumns, evidence))
  if (binding !== null) bind(database, binding)
  return { _tag: "Advanced", answer: answer === null ? null : keepAnswer(database, answer) }
}

/** Whether the reference was written; see `PaymentStore.checkpoint`. */
export const checkpoint = (
  { prepare }: Database,
  id: OperationId,
  expected: string | null,
  reference: string
): boolean => {
  if (prepare(Sql.checkpoint).run({ reference, id, expected }).changes === 0) return false
  if (isReplaced(expected, reference)) prepare(Sql.rememberFormerReference).run({ id, reference: expected })
  return true
}

/** Checked before the update, because a refused commit must write nothing. `false` if the version is another one. */
const takesReference = ({ prepare }: Database, commit: AdvanceCommit): boolean => {
  const { id, updatedAt, version } = commit.before.payment
  return newReferences(commit).some(
    ({ provider, reference }) =>
      prepare(Sql.selectTakenReference).get({ id, version, updatedAt, provider, reference }) !== undefined
  )
}

export const keyValues = (key: Tenant & { readonly endpoint: string; readonly key: string }) =>
  [key.account, key.livemode ? 1 : 0, key.endpoint, key.key] as const

/** The bytes that are kept: these, unless some were kept before. */
const keepAnswer = (database: Database, answer: AnswerToKeep): string | null => {
  const isFirst = database.prepare(Sql.keepAnswer).run(answer.body, ...keyValues(answer)).changes === 1
  return isFirst ? answer.body : (boundKey(database, answer)?.answer ?? null)
}

/** Whether the key was free. */
const bind = ({ prepare }: Database, binding: KeyBinding): boolean =>
  prepare(Sql.insertKey).run(...Sql.values(keyColumns, binding)).changes === 1

const boundKey = ({ prepare }: Database, key: Parameters<typeof keyValues>[0]): KeptKey | null => {
  const row = prepare(Sql.selectKey).get(...keyValues(key))
  return row === undefined ? null : readKey(row)
}

// Rows are compared by identity first: what a commit does not touch is the same object before and after.

const writeAttempts = (database: Database, { after, before }: AdvanceCommit): void => {
  for (const attempt of after.attempts) {
    if (before.attempts.includes(attempt)) continue
    const known = before.attempts.find(({ seq }) => seq === attempt.seq)
    if (known === undefined) insertAttempt(database, after.payment.id, attempt)
    else updateAttempt(database, after.payment.id, known, attempt)
  }
}

const writeOperations = (database: Database, { after, before }: AdvanceCommit): void => {
  after.operations.forEach((operation, position) => {
    if (before.operations.includes(operation)) return
    const known = before.operations.find(({ id }) => id === operation.id)
    if (known === undefined) insertOperation(database, operation, position)
    else updateOperation(database, known, operation)
  })
}

/** New entries follow the known ones. */
const writeEntries = (database: Database, { after, before }: AdvanceCommit): void => {
  const known = before.entries.length
  after.entries.slice(known).forEach((entry, index) => insertEntry(database, after.payment.id, entry, known + index))
}

const insertEntry = ({ prepare }: Database, payment: PaymentId, entry: Entry, position: number): void => {
  prepare(Sql.insertEntry).run(payment, position, ...Sql.values(entryColumns, entry))
}

const insertAttempt = ({ prepare }: Database, payment: PaymentId, attempt: Attempt): void => {
  prepare(Sql.insertAttempt).run(payment, ...Sql.values(attemptColumns, attempt))
}

const updateAttempt = ({ prepare }: Database, payment: PaymentId, before: Attempt, after: Attempt): void => {
  const update = Sql.updateAttempt(before, after)
  if (update !== null) prepare(update.sql).run(...update.values, payment, after.seq)
}

const insertOperation = ({ prepare }: Database, operation: Operation, position: number): void => {
  prepare(Sql.insertOperation).run(position, ...Sql.values(operationColumns, operation))
}

const updateOperation = ({ prepare }: Database, before: Operation, after: Operation): void => {
  const update = Sql.updateOperation(before, after)
  // A checkpoint may have come after `before` was read, so the stored reference counts.
  if (isReplaced(before.reference, after.reference)) {
    prepare(Sql.rememberReference).run({ id: after.id, reference: after.reference })
  }
  if (update !== null) prepare(update.sql).run(...update.values, after.id)
}
