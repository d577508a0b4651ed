import type { AdvanceCommit, Operation } from "@paymux/core/store"

/** The provider's reference of a charge. */
export interface ChargeReference {
  readonly provider: string
  readonly reference: string
}

/** The references that a commit gives to create operations. No other payment may have them. Usually none or one. */
export const newReferences = ({ after, before }: AdvanceCommit): ReadonlyArray<ChargeReference> =>
  after.operations.flatMap((operation) => {
    const { id, kind, provider, reference } = operation
    // An operation that a commit does not change is the same object before and after.
    if (kind !== "create" || reference === null || before.operations.includes(operation)) return []
    const known = before.operations.find((one) => one.id === id)
    return known?.reference === reference ? [] : [{ provider, reference }]
  })

/** Whether an operation gets another reference than it had. Rare: the stores then remember the former reference. */
export const isReplaced = (before: Operation["reference"], after: Operation["reference"]): boolean =>
  before !== null && after !== null && before !== after
