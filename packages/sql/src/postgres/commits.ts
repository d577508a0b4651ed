/** The two commits of a payment as rows of the statements in `commitTexts.ts`. */
import type { PaymentId } from "@paymux/core"
import type { AdvanceCommit, AnswerToKeep, BeginCommit, Entry, KeyBinding } from "@paymux/core/store"
import {
  attemptColumns,
  entryColumns,
  eventColumns,
  evidenceColumns,
  keyColumns,
  operationColumns,
  paymentColumns
} from "../rows/columns.ts"
import { attemptChanges, operationChanges, isReplaced, newReferences } from "../store/changedRows.ts"
import { advanceText, beginText, rarelyChanged, setNames } from "./commitTexts.ts"
import type { SetName } from "./commitTexts.ts"
import { addChanges, addColumns, jsonOf } from "../rows/jsonRows.ts"
import type { JsonRow } from "../rows/jsonRows.ts"

/** A commit that is to be made, alone or with others of the same text. */
export interface Commit {
  readonly text: string
  /** For each parameter of the text, the rows of this commit: JSON, separated by commas. */
  readonly rows: ReadonlyArray<string>
  readonly paymentId: PaymentId
  /**
   * The payment and the idempotency keys that the commit locks, in the order of locking: no two commits of a statement share one.
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
    ...textAndRows(beginTexts, id, {
      keys: binding === null ? [] : [addColumns({ ...fence }, keyColumns, binding)],
      payments: [addColumns({ ...fence }, paymentColumns, payment)],
      attempts: attempts.map((attempt) => addColumns({ payment_id: id }, attemptColumns, attempt)),
      operations: operations.map((operation, position) => addColumns({ position }, operationColumns, operation)),
      entries: entryRows(id, entries, 0)
    }),
    paymentId: id,
    // First the idempotency key, which other processes may be binding; no other process knows the payment of this commit.
    locks: binding === null ? [id] : [nameOf(binding), id]
  }
}

/** `null`: the commit changes nothing of the payment, so it counts as a lost race. */
export const advanceCommit = (commit: AdvanceCommit): Commit | null => {
  const { after, answer, before, binding, events, evidence } = commit
  const { id, updatedAt, version } = before.payment
  const read = { id, read_version: version, read_updated_at: updatedAt }
  const [change] = addChanges(read, paymentColumns, before.payment, after.payment)
  if (change === undefined) return null
  const references = newReferences(commit)
  const own = binding !== null && answer !== null && isSameKey(binding, answer) ? answer : null
  const other = own === null ? answer : null
  return {
    ...textAndRows(advanceTexts, id, {
      ...(isRare(change) ? { rareChanges: [change] } : { changes: [change] }),
      references: references.map(({ provider, reference }) => ({ payment_id: id, provider, reference })),
      keys: binding === null ? [] : [keyRow(binding, own)],
      ...attemptRows(commit),
      ...operationRows(commit),
      entries: entryRows(id, after.entries, before.entries.length),
      events: events.map((event) => addColumns({}, eventColumns, event)),
      evidence: evidence === null ? [] : [addColumns({}, evidenceColumns, evidence)],
      answers: other === null ? [] : [answerRow(id, other)]
    }),
    paymentId: id,
    locks: [
      id,
      ...(binding === null ? [] : [nameOf(binding)]),
      ...(other === null ? [] : [nameOf(other)]),
      ...references.map(({ provider, reference }) => JSON.stringify([provider, reference]))
    ]
  }
}

type Rows = { readonly [name in SetName]?: ReadonlyArray<JsonRow> }

/** The SQL texts that were made, by the sets of rows in them. */
interface Texts {
  readonly make: (present: ReadonlyArray<SetName>) => string
  readonly made: Map<string, string>
}

const beginTexts: Texts = { make: beginText, made: new Map() }
const advanceTexts: Texts = { make: advanceText, made: new Map() }

const textAndRows = ({ made, make }: Texts, id: PaymentId, sets: Rows): Pick<Commit, "text" | "rows"> => {
  const present = setNames.filter((name) => (sets[name]?.length ?? 0) > 0)
  const key = present.join()
  const text = made.get(key) ?? make(present)
  made.set(key, text)
  return { text, rows: present.map((name) => (sets[name] ?? []).map((row) => jsonOfPayment(id, row)).join()) }
}

/** The parts of a statement find the rows of a payment by its id, and would leave out a row of another payment. */
const jsonOfPayment = (id: PaymentId, row: JsonRow): string => {
  if (row["payment_id"] !== id && row["id"] !== id) throw new Error(`A row in a commit of ${id} is of another payment`)
  return jsonOf(row)
}

const isRare = (change: JsonRow): boolean => rarelyChanged.some((column) => change[column] !== undefined)

const keyRow = (binding: KeyBinding, answer: AnswerToKeep | null): JsonRow =>
  addColumns(answer === null ? {} : { answer: answer.body }, keyColumns, binding)

const answerRow = (id: PaymentId, { account, body, endpoint, key, livemode }: AnswerToKeep): JsonRow => ({
  payment_id: id,
  account,
  livemode,
  endpoint,
  key,
  body
})

const nameOf = ({ account, endpoint, key, livemode }: Omit<AnswerToKeep, "body">): string =>
  JSON.stringify([account, livemode, endpoint, key])

const isSameKey = (binding: KeyBinding, answer: AnswerToKeep): boolean =>
  binding.key === answer.key &&
  binding.endpoint === answer.endpoint &&
  binding.account === answer.account &&
  binding.livemode === answer.livemode

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

const operationRows = (commit: AdvanceCommit): Pick<Rows, "changedOperations" | "operations" | "replaced"> => {
  const changedOperations: Array<JsonRow> = []
  const operations: Array<JsonRow> = []
  const replaced: Array<JsonRow> = []
  for (const { known, position, row } of operationChanges(commit)) {
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
