/** The commits of a payment, as steps: a commit that is refused has written nothing. */
import type { PaymentId, Tenant } from "@paymux/core"
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
import { heldOrder } from "@paymux/core/store"
import {
  attemptColumns,
  entryColumns,
  eventColumns,
  evidenceColumns,
  keyColumns,
  operationColumns,
  paymentColumns
} from "../rows/columns.ts"
import { valuesOf } from "../rows/Column.ts"
import type { SqlValue } from "../rows/Column.ts"
import { isReplaced, newReferences } from "../store/newReferences.ts"
import { readKey } from "../rows/rows.ts"
import * as Sql from "./statements.ts"
import type { Commit, Step } from "./steps.ts"

const write = (sql: string, ...values: ReadonlyArray<SqlValue>): Step<never> => ({ sql, values, need: null })

export const begin = ({ binding, record, restoration }: BeginCommit): Commit<BeginResult> => {
  const { attempts, entries, operations, payment } = record
  const steps: Array<Step<BeginResult>> = restoration === undefined ? [] : [isNotRestored(restoration)]
  const order = heldOrder(payment)
  if (order !== null) {
    if (binding !== null) steps.push(keyIsFree(binding))
    steps.push(orderIsFree(Sql.selectOrderHolder, orderValues(payment, order)))
  }
  if (binding !== null) steps.push(bindFree(binding))
  steps.push(write(Sql.insertPayment, ...valuesOf(paymentColumns, payment)))
  for (const attempt of attempts) steps.push(insertAttempt(payment.id, attempt))
  for (const [position, operation] of operations.entries()) steps.push(insertOperation(operation, position))
  for (const [position, entry] of entries.entries()) steps.push(insertEntry(payment.id, entry, position))
  return { steps, done: { _tag: "Begun" } }
}

const orderIsFree = (sql: string, values: ReadonlyArray<SqlValue>): Step<{ readonly _tag: "OrderTaken" }> => ({
  sql,
  values,
  need: { of: "no_row", otherwise: null, result: () => ({ _tag: "OrderTaken" }) }
})

const orderValues = ({ account, livemode }: Tenant, order: string) => [account, livemode ? 1 : 0, order] as const

const isNotRestored = (version: string): Step<BeginResult> => ({
  sql: Sql.selectOtherVersion,
  values: [version],
  need: { of: "no_row", otherwise: null, result: () => ({ _tag: "Restored" }) }
})

const bindFree = (binding: KeyBinding): Step<BeginResult> => ({
  ...bind(binding),
  need: {
    of: "change",
    otherwise: { sql: Sql.selectKey, values: keyValues(binding) },
    result: (row) => {
      if (row === null) throw new Error(`The idempotency key of ${binding.paymentId} is neither free nor taken`)
      return { _tag: "KeyTaken", kept: readKey(row) }
    }
  }
})

const conflict: AdvanceResult = { _tag: "Conflict" }

export const advance = (commit: AdvanceCommit): Commit<AdvanceResult> => {
  const { after, answer, before, binding, events, evidence } = commit
  const update = Sql.updatePayment(before.payment, after.payment)
  // The idempotency key is looked up first, so that a Conflict binds nothing: no other write happens within this transaction.
  const steps: Array<Step<AdvanceResult>> = binding === null ? [] : [keyIsFree(binding)]
  // Every later version is another one: a commit that changes nothing counts as a lost race.
  if (update === null) return { steps, done: conflict }
  const { id, updatedAt, version } = before.payment
  for (const { provider, reference } of newReferences(commit)) {
    steps.push({
      sql: Sql.selectTakenReference,
      values: [id, version, updatedAt, provider, reference, id],
      need: { of: "no_row", otherwise: null, result: () => ({ _tag: "ReferenceTaken" }) }
    })
  }
  const order = heldOrder(after.payment)
  if (order !== null && heldOrder(before.payment) === null) {
    steps.push(orderIsFree(Sql.selectTakenOrder, [id, version, updatedAt, ...orderValues(after.payment, order)]))
  }
  steps.push({
    sql: update.sql,
    values: [...update.values, id, version, updatedAt],
    need: { of: "change", otherwise: null, result: () => conflict }
  })
  pushAttempts(steps, commit)
  pushOperations(steps, commit)
  pushEntries(steps, commit)
  for (const event of events) steps.push(write(Sql.insertEvent, ...valuesOf(eventColumns, event)))
  if (evidence !== null) steps.push(write(Sql.insertEvidence, ...valuesOf(evidenceColumns, evidence)))
  if (binding !== null) steps.push(bind(binding))
  if (answer !== null) steps.push(keepAnswer(answer))
  return { steps, done: { _tag: "Advanced", answer: answer === null ? null : answer.body } }
}

const keyIsFree = (binding: KeyBinding): Step<{ readonly _tag: "KeyTaken"; readonly kept: KeptKey }> => ({
  sql: Sql.selectKey,
  values: keyValues(binding),
  need: { of: "no_row", otherwise: null, result: (row) => ({ _tag: "KeyTaken", kept: readKey(row ?? {}) }) }
})

/** Keeps these bytes as the answer, unless some were kept before. Returns the kept bytes. */
const keepAnswer = (answer: AnswerToKeep): Step<AdvanceResult> => ({
  sql: Sql.keepAnswer,
  values: [answer.body, ...keyValues(answer)],
  need: {
    of: "change",
    otherwise: { sql: Sql.selectKey, values: keyValues(answer) },
    result: (row) => ({ _tag: "Advanced", answer: row === null ? null : readKey(row).answer })
  }
})

const keyValues = (key: Tenant & { readonly endpoint: string; readonly key: string }) =>
  [key.account, key.livemode ? 1 : 0, key.endpoint, key.key] as const

const bind = (binding: KeyBinding): Step<never> => write(Sql.insertKey, ...valuesOf(keyColumns, binding))

type Steps = Array<Step<AdvanceResult>>

// Rows are compared by identity first: a row that a commit does not change is the same object before and after.

const pushAttempts = (steps: Steps, { after, before }: AdvanceCommit): void => {
  for (const attempt of after.attempts) {
    if (before.attempts.includes(attempt)) continue
    const known = before.attempts.find(({ seq }) => seq === attempt.seq)
    if (known === undefined) steps.push(insertAttempt(after.payment.id, attempt))
    else pushAttempt(steps, after.payment.id, known, attempt)
  }
}

const pushOperations = (steps: Steps, { after, before }: AdvanceCommit): void => {
  for (const [position, operation] of after.operations.entries()) {
    if (before.operations.includes(operation)) continue
    const known = before.operations.find(({ id }) => id === operation.id)
    if (known === undefined) steps.push(insertOperation(operation, position))
    else pushOperation(steps, known, operation)
  }
}

/** Adds the new entries, which follow the known ones. */
const pushEntries = (steps: Steps, { after, before }: AdvanceCommit): void => {
  for (let position = before.entries.length; position < after.entries.length; position++) {
    const entry = after.entries[position]
    if (entry !== undefined) steps.push(insertEntry(after.payment.id, entry, position))
  }
}

const insertEntry = (payment: PaymentId, entry: Entry, position: number): Step<never> =>
  write(Sql.insertEntry, payment, position, ...valuesOf(entryColumns, entry))

const insertAttempt = (payment: PaymentId, attempt: Attempt): Step<never> =>
  write(Sql.insertAttempt, payment, ...valuesOf(attemptColumns, attempt))

const pushAttempt = (steps: Steps, payment: PaymentId, before: Attempt, after: Attempt): void => {
  const update = Sql.updateAttempt(before, after)
  if (update !== null) steps.push(write(update.sql, ...update.values, payment, after.seq))
}

const insertOperation = (operation: Operation, position: number): Step<never> =>
  write(Sql.insertOperation, position, ...valuesOf(operationColumns, operation))

const pushOperation = (steps: Steps, before: Operation, after: Operation): void => {
  const update = Sql.updateOperation(before, after)
  // A checkpoint may have come after `before` was read, so the stored reference counts.
  if (isReplaced(before.reference, after.reference)) {
    steps.push(write(Sql.rememberReference, after.id, after.reference))
  }
  if (update !== null) steps.push(write(update.sql, ...update.values, after.id))
}
