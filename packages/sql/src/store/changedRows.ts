/** The attempts and operations that a commit adds or changes. */
import type { AdvanceCommit, Operation } from "@paymux/core/store"

export interface ChangedRow<A> {
  readonly row: A
  /** The row as it was read before; `undefined`: the row is new. */
  readonly known: A | undefined
  /** The position among the payment's rows of this kind. */
  readonly position: number
}

/** Finds the changed rows: a row that a commit does not change is the same object before and after. */
const changedRows = <A>(
  before: ReadonlyArray<A>,
  after: ReadonlyArray<A>,
  keyOf: (row: A) => string | number
): ReadonlyArray<ChangedRow<A>> =>
  after.flatMap((row, position) =>
    before.includes(row) ? [] : [{ row, position, known: before.find((one) => keyOf(one) === keyOf(row)) }]
  )

export const attemptChanges = ({ after, before }: AdvanceCommit) =>
  changedRows(before.attempts, after.attempts, ({ seq }) => seq)

export const operationChanges = ({ after, before }: AdvanceCommit) =>
  changedRows(before.operations, after.operations, ({ id }) => id)

/** The references that these changes give to create operations. No other payment may have them. Usually none or one. */
export const newReferences = (
  operations: ReadonlyArray<ChangedRow<Operation>>
): ReadonlyArray<{ readonly provider: string; readonly reference: string }> =>
  operations.flatMap(({ known, row: { kind, provider, reference } }) =>
    kind !== "create" || reference === null || known?.reference === reference ? [] : [{ provider, reference }]
  )

/** Whether an operation gets another reference than it had. Rare: the stores then remember the former reference. */
export const isReplaced = (before: Operation["reference"], after: Operation["reference"]): boolean =>
  before !== null && after !== null && before !== after
