/** The commits of a payment, as steps: a commit that is refused has written nothing. */
import type { PaymentId, Tenant } from "@paymux/core"
import { heldOrder } from "@paymux/core/store"
import type {
  AdvanceCommit,
  AdvanceResult,
  AnswerToKeep,
  BeginCommit,
  BeginResult,
  KeptKey,
  KeyBinding,
  Operation
} from "@paymux/core/store"
import { valuesOf } from "../rows/Column.ts"
import type { BoundText, Columns, SqlValue } from "../rows/Column.ts"
import {
  attemptColumns,
  entryColumns,
  eventColumns,
  evidenceColumns,
  keyColumns,
  operationColumns,
  paymentColumns
} from "../rows/columns.ts"
import type { Row } from "../rows/ReadRow.ts"
import { readKey } from "../rows/rows.ts"
import { eventOfAnswer } from "../store/answerReference.ts"
import { attemptChanges, operationChanges, isReplaced, newReferences } from "../store/changedRows.ts"
import type { ChangedRow } from "../store/changedRows.ts"
import * as Sql from "./statements.ts"
import type { Commit, Step } from "./steps.ts"

export const begin = ({ binding, record, restoration }: BeginCommit): Commit<BeginResult> => {
  const { attempts, entries, operations, payment } = record
  const steps: Array<Step<BeginResult>> = []
  if (restoration !== undefined) {
    steps.push(refuseIf(Sql.selectOtherVersion, [restoration], () => ({ _tag: "Restored" })))
  }
  const order = heldOrder(payment)
  if (order !== null) {
    if (binding !== null) steps.push(keyIsFree(binding))
    steps.push(refuseIf(Sql.selectOrderHolder, orderValues(payment, order), orderTaken))
  }
  if (binding !== null) steps.push(bindFree(binding))
  steps.push(insert(Sql.insertPayment, paymentColumns, payment))
  for (const attempt of attempts) steps.push(insert(Sql.insertAttempt, attemptColumns, attempt, payment.id))
  for (const [position, operation] of operations.entries()) {
    steps.push(insert(Sql.insertOperation, operationColumns, operation, position))
  }
  for (const [position, entry] of entries.entries()) {
    steps.push(insert(Sql.insertEntry, entryColumns, entry, payment.id, position))
  }
  return { steps, done: { _tag: "Begun" } }
}

const conflict: AdvanceResult = { _tag: "Conflict" }

export const advance = (commit: AdvanceCommit): Commit<AdvanceResult> => {
  const { after, answer, before, binding, events, evidence } = commit
  const { id, updatedAt, version } = before.payment
  const operations = operationChanges(commit)
  const update = Sql.updatePayment(before.payment, after.payment, id, version, updatedAt)
  // The idempotency key is only looked up here and bound later, so that a version conflict binds nothing. No other
  // write happens within this transaction.
  const steps: Array<Step<AdvanceResult>> = binding === null ? [] : [keyIsFree(binding)]
  // If the payment stays as it is, the result is a version conflict: each real change has another version.
  if (update === null) return { steps, done: conflict }
  for (const { provider, reference } of newReferences(operations)) {
    const values = [id, version, updatedAt, provider, reference, id]
    steps.push(refuseIf(Sql.selectTakenReference, values, () => ({ _tag: "ReferenceTaken" })))
  }
  const order = heldOrder(after.payment)
  if (order !== null && heldOrder(before.payment) === null) {
    const values = [id, version, updatedAt, ...orderValues(after.payment, order)]
    steps.push(refuseIf(Sql.selectTakenOrder, values, orderTaken))
  }
  steps.push({ ...update, need: { of: "change", otherwise: null, result: () => conflict } })
  pushChanges(steps, commit, operations)
  for (const event of events) steps.push(insert(Sql.insertEvent, eventColumns, event))
  if (evidence !== null) steps.push(insert(Sql.insertEvidence, evidenceColumns, evidence))
  if (binding !== null) steps.push(insert(Sql.insertKey, keyColumns, binding))
  if (answer !== null) steps.push(keepAnswer(answer, id, eventOfAnswer(commit)))
  return { steps, done: { _tag: "Advanced", answer: answer === null ? null : answer.body } }
}

/**
 * The step that inserts a row. `own`: the values of further columns, which `row` does not contain; in the SQL they come
 * first.
 */
const insert = <A>(sql: string, columns: Columns<A>, row: A, ...own: ReadonlyArray<SqlValue>): Step<never> => ({
  sql,
  values: [...own, ...valuesOf(columns, row)],
  need: null
})

/** Ends the commit with `result` if the query finds a row. */
const refuseIf = <A>(sql: string, values: ReadonlyArray<SqlValue>, result: (row: Row) => A): Step<A> => ({
  sql,
  values,
  need: { of: "no_row", otherwise: null, result: (row) => result(row ?? {}) }
})

const orderTaken = () => ({ _tag: "OrderTaken" }) as const

const orderValues = ({ account, livemode }: Tenant, order: string) => [account, livemode ? 1 : 0, order] as const

const keyIsFree = (binding: KeyBinding): Step<{ readonly _tag: "KeyTaken"; readonly kept: KeptKey }> =>
  refuseIf(Sql.selectKey, keyValues(binding), (row) => ({ _tag: "KeyTaken", kept: readKey(row) }))

const bindFree = (binding: KeyBinding): Step<BeginResult> => ({
  ...insert(Sql.insertKey, keyColumns, binding),
  need: {
    of: "change",
    otherwise: { sql: Sql.selectKey, values: keyValues(binding) },
    result: (row) => {
      if (row === null) throw new Error(`The idempotency key of ${binding.paymentId} is neither free nor taken`)
      return { _tag: "KeyTaken", kept: readKey(row) }
    }
  }
})

/**
 * Stores these bytes as the response under the idempotency key, unless a response is already stored or another payment
 * has the key. Returns the stored bytes. `event`: the sequence number of the payment's event with the same bytes, which is stored instead of them.
 */
const keepAnswer = (answer: AnswerToKeep, id: PaymentId, event: number | null): Step<AdvanceResult> => ({
  sql: event === null ? Sql.keepAnswer : Sql.referToEvent,
  values: [event ?? answer.body, ...keyValues(answer), id],
  need: {
    of: "change",
    otherwise: { sql: Sql.selectKey, values: keyValues(answer) },
    result: (row) => ({ _tag: "Advanced", answer: row === null ? null : readKey(row).answer })
  }
})

const keyValues = (key: Omit<AnswerToKeep, "body">) =>
  [key.account, key.livemode ? 1 : 0, key.endpoint, key.key] as const

/** Writes the attempts and operations that changed, and the new entries, which follow the known ones. */
const pushChanges = (
  steps: Array<Step<AdvanceResult>>,
  commit: AdvanceCommit,
  operations: ReadonlyArray<ChangedRow<Operation>>
): void => {
  const { after, before } = commit
  const { id } = before.payment
  for (const { known, row } of attemptChanges(commit)) {
    if (known === undefined) steps.push(insert(Sql.insertAttempt, attemptColumns, row, id))
    else pushUpdate(steps, Sql.updateAttempt(known, row, id, row.seq))
  }
  for (const { known, position, row } of operations) {
    if (known === undefined) {
      steps.push(insert(Sql.insertOperation, operationColumns, row, position))
      continue
    }
    // The stored reference is used, because a checkpoint may have changed it after `before` was read.
    if (isReplaced(known.reference, row.reference)) {
      steps.push({ sql: Sql.rememberReference, values: [row.id, row.reference], need: null })
    }
    pushUpdate(steps, Sql.updateOperation(known, row, row.id))
  }
  for (const [index, entry] of after.entries.slice(before.entries.length).entries()) {
    steps.push(insert(Sql.insertEntry, entryColumns, entry, id, before.entries.length + index))
  }
}

const pushUpdate = (steps: Array<Step<AdvanceResult>>, update: BoundText | null): void => {
  if (update !== null) steps.push({ ...update, need: null })
}
