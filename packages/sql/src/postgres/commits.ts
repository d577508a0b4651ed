/** Converts the two commits of a payment to rows for the statements in `commitTexts.ts`. */
import type { PaymentId } from "@paymux/core"
import type { AdvanceCommit, AnswerToKeep, BeginCommit, Entry, Operation } from "@paymux/core/store"
import {
  attemptColumns,
  entryColumns,
  eventColumns,
  evidenceColumns,
  keyColumns,
  operationColumns,
  paymentColumns
} from "../rows/columns.ts"
import { eventOfAnswer } from "../store/answerReference.ts"
import { attemptChanges, operationChanges, isReplaced, newReferences } from "../store/changedRows.ts"
import type { ChangedRow } from "../store/changedRows.ts"
import { advanceText, beginText, rarelyChanged, setNames } from "./commitTexts.ts"
import type { SetName } from "./commitTexts.ts"
import { addChanges, addColumns, jsonOf } from "../rows/jsonRows.ts"
import type { JsonRow } from "../rows/jsonRows.ts"

/** A commit to run, alone or with others of the same text. */
export interface Commit {
  readonly text: string
  /** The rows of this commit for each parameter of the text: JSON, separated by commas. */
  readonly rows: ReadonlyArray<string>
  readonly paymentId: PaymentId
  /**
   * The payment and the idempotency keys that the commit locks, in locking order: no two commits of one statement share
   * any of them.
   */
  readonly locks: readonly [string, ...ReadonlyArray<string>]
}

/** The parameters of one statement that makes all of these commits, which have the same text. */
export const parametersOf = ([first, ...others]: ReadonlyArray<Commit>): ReadonlyArray<string> =>
  (first?.rows ?? []).map((rows, parameter) => `[${[rows, ...others.map((other) => other.rows[parameter])].join()}]`)

export const beginCommit = ({ binding, record, restoration }: BeginCommit): Commit => {
  const { attempts, entries, operations, payment } = record
  const { id } = payment
  const fence = restoration === undefined ? {} : { restoration }
  return {
    ...begun(id, {
      keys: binding === null ? [] : [addColumns({ ...fence }, keyColumns, binding)],
      payments: [addColumns({ ...fence }, paymentColumns, payment)],
      attempts: attempts.map((attempt) => addColumns({ payment_id: id }, attemptColumns, attempt)),
      operations: operations.map((operation, position) => addColumns({ position }, operationColumns, operation)),
      entries: entryRows(id, entries, 0)
    }),
    paymentId: id,
    // The idempotency key is locked first, because another process may be binding it. The payment is new, so no other
    // process can lock it.
    locks: binding === null ? [id] : [nameOf(binding), id]
  }
}

/**
 * The commit of a later change of a payment; `null`: the payment stays as it is, so the caller handles the commit as a
 * version conflict.
 */
export const advanceCommit = (commit: AdvanceCommit): Commit | null => {
  const { after, answer, before, binding, events, evidence } = commit
  const { id, updatedAt, version } = before.payment
  const read = { id, read_version: version, read_updated_at: updatedAt }
  const [change] = addChanges(read, paymentColumns, before.payment, after.payment)
  if (change === undefined) return null
  const operations = operationChanges(commit)
  const references = newReferences(operations)
  const keyName = binding === null ? null : nameOf(binding)
  const answerName = answer === null ? null : nameOf(answer)
  const isOwn = keyName !== null && keyName === answerName
  const event = eventOfAnswer(commit)
  const kept = event === null ? { answer: answer?.body } : { answer_event: event }
  return {
    ...advanced(id, {
      ...(rarelyChanged.some((column) => change[column] !== undefined)
        ? { rareChanges: [change] }
        : { changes: [change] }),
      references: references.map(({ provider, reference }) => ({ payment_id: id, provider, reference })),
      keys: binding === null ? [] : [addColumns(isOwn ? kept : {}, keyColumns, binding)],
      ...attemptRows(commit),
      ...operationRows(operations),
      entries: entryRows(id, after.entries, before.entries.length),
      events: events.map((event) => addColumns({}, eventColumns, event)),
      evidence: evidence === null ? [] : [addColumns({}, evidenceColumns, evidence)],
      answers: answer === null || isOwn ? [] : [{ payment_id: id, ...keyOf(answer), ...kept }]
    }),
    paymentId: id,
    locks: [
      id,
      ...(keyName === null ? [] : [keyName]),
      ...(answerName === null || isOwn ? [] : [answerName]),
      ...references.map(({ provider, reference }) => JSON.stringify([provider, reference]))
    ]
  }
}

type Rows = { readonly [name in SetName]?: ReadonlyArray<JsonRow> }

/** Makes the text and the rows of a commit. A text is made once for each combination of sets. */
const textAndRows = (make: (present: ReadonlyArray<SetName>) => string) => {
  const made = new Map<string, string>()
  return (id: PaymentId, sets: Rows): Pick<Commit, "text" | "rows"> => {
    const present = setNames.filter((name) => (sets[name]?.length ?? 0) > 0)
    const key = present.join()
    const text = made.get(key) ?? make(present)
    made.set(key, text)
    return { text, rows: present.map((name) => (sets[name] ?? []).map((row) => jsonOfPayment(id, row)).join()) }
  }
}

const begun = textAndRows(beginText)
const advanced = textAndRows(advanceText)

/**
 * Checks that a row belongs to the payment, and encodes it. The statement finds rows by the payment's id, so it would
 * silently leave out a row of another payment.
 */
const jsonOfPayment = (id: PaymentId, row: JsonRow): string => {
  if (row["payment_id"] !== id && row["id"] !== id) throw new Error(`A row in a commit of ${id} is of another payment`)
  return jsonOf(row)
}

const keyOf = ({ account, endpoint, key, livemode }: AnswerToKeep) => ({ account, livemode, endpoint, key })

const nameOf = ({ account, endpoint, key, livemode }: Omit<AnswerToKeep, "body">): string =>
  JSON.stringify([account, livemode, endpoint, key])

const attemptRows = (commit: AdvanceCommit): Pick<Rows, "attempts" | "changedAttempts"> => {
  const changedAttempts: Array<JsonRow> = []
  const attempts: Array<JsonRow> = []
  const own = { payment_id: commit.before.payment.id }
  for (const { known, row } of attemptChanges(commit)) {
    if (known === undefined) attempts.push(addColumns({ ...own }, attemptColumns, row))
    else changedAttempts.push(...addChanges({ ...own, seq: row.seq }, attemptColumns, known, row))
  }
  return { attempts, changedAttempts }
}

const operationRows = (
  changes: ReadonlyArray<ChangedRow<Operation>>
): Pick<Rows, "changedOperations" | "operations" | "replaced"> => {
  const changedOperations: Array<JsonRow> = []
  const operations: Array<JsonRow> = []
  const replaced: Array<JsonRow> = []
  for (const { known, position, row } of changes) {
    const { id, paymentId, reference } = row
    const own = { payment_id: paymentId, id }
    if (known === undefined) {
      operations.push(addColumns({ position }, operationColumns, row))
      continue
    }
    changedOperations.push(...addChanges({ ...own }, operationColumns, known, row))
    if (isReplaced(known.reference, reference)) replaced.push({ ...own, reference })
  }
  return { changedOperations, operations, replaced }
}

/** The rows of the entries from position `known` on; the entries before it are stored already. */
const entryRows = (id: PaymentId, entries: ReadonlyArray<Entry>, known: number): ReadonlyArray<JsonRow> =>
  entries
    .slice(known)
    .map((entry, index) => addColumns({ payment_id: id, position: known + index }, entryColumns, entry))
