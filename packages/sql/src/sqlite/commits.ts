/** The two commits of a payment, as units of a group commit: a refusal is a value, and has written nothing. */
import type {
  AdvanceCommit,
  AdvanceResult,
  Attempt,
  BeginCommit,
  BeginResult,
  EvidenceRow,
  KeyBinding,
  Operation,
  PaymentEvent,
  PaymentId,
  Tenant
} from "@paymux/core"
import { attemptColumns, operationColumns, paymentColumns, readKey } from "../rows.ts"
import type { SqliteDatabase } from "./SqliteClient.ts"
import * as Sql from "./statements.ts"

type Database = Pick<SqliteDatabase["Service"], "prepare">

export const begin = (database: Database, { binding, record }: BeginCommit): BeginResult => {
  const { prepare } = database
  if (binding !== null && !bind(database, binding)) {
    const kept = prepare(Sql.selectKey).get(...keyValues(binding))
    if (kept === undefined) throw new Error(`The idempotency key of ${binding.paymentId} is neither free nor taken`)
    return { _tag: "KeyTaken", kept: readKey(kept) }
  }
  const { attempts, operations, payment } = record
  prepare(Sql.insertPayment).run(...Sql.values(paymentColumns, payment))
  for (const attempt of attempts) insertAttempt(database, payment.id, attempt)
  operations.forEach((operation, position) => insertOperation(database, operation, position))
  return { _tag: "Begun" }
}

export const advance = (database: Database, commit: AdvanceCommit): AdvanceResult => {
  const { after, answer, before, event, evidence } = commit
  const { id, version } = before.payment
  const update = Sql.updatePayment(before.payment, after.payment)
  // Every later version is another one: a commit that changes nothing is a lost race with itself.
  if (update === null) return { _tag: "Conflict" }
  if (database.prepare(update.sql).run(...update.values, id, version).changes === 0) return { _tag: "Conflict" }
  writeAttempts(database, commit)
  writeOperations(database, commit)
  if (event !== null) insertEvent(database, event)
  if (evidence !== null) insertEvidence(database, evidence)
  if (answer !== null) database.prepare(Sql.keepAnswer).run(answer.body, ...keyValues(answer))
  return { _tag: "Advanced" }
}

export const keyValues = (key: Tenant & { readonly endpoint: string; readonly key: string }) =>
  [key.account, key.livemode ? 1 : 0, key.endpoint, key.key] as const

/** Whether the key was free. */
const bind = ({ prepare }: Database, binding: KeyBinding): boolean =>
  prepare(Sql.insertKey).run(...keyValues(binding), binding.fingerprint, binding.paymentId, binding.createdAt)
    .changes === 1

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
  if (update !== null) prepare(update.sql).run(...update.values, after.id)
}

const insertEvent = ({ prepare }: Database, event: PaymentEvent): void => {
  const { account, createdAt, id, livemode, payment, paymentId, sequence, type } = event
  prepare(Sql.insertEvent).run(id, paymentId, sequence, type, account, livemode ? 1 : 0, payment, createdAt)
}

const insertEvidence = ({ prepare }: Database, evidence: EvidenceRow): void => {
  const { eventId, kind, operationId, paymentId, recordedAt, source, vendorCode } = evidence
  prepare(Sql.insertEvidence).run(paymentId, operationId, source, kind, vendorCode, eventId, recordedAt)
}
