/** Handles reports that name the charge of another payment: such a report proves nothing about this payment. */
import { Effect } from "effect"
import { changed, derived } from "../../domain/transition/change.ts"
import type { Changed } from "../../domain/transition/change.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { questioned, reportedBy } from "../../domain/books/reviews.ts"
import type { Step } from "../../domain/Step.ts"
import { transition } from "../../domain/transition/transition.ts"
import type { Evidence } from "../../domain/Evidence.ts"
import { unknown } from "../../domain/Outcome.ts"
import type { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import type { PaymentStore } from "../../store/PaymentStore.ts"

interface ReferenceServices {
  readonly registry: ProviderRegistry["Service"]
  readonly store: PaymentStore["Service"]
}

/**
 * The change for a report that names the charge of another payment: the outcome stays unknown, and a review contains
 * the report. `null` if that review is open already.
 */
export const conflictOf = (
  record: PaymentRecord,
  operation: Operation,
  evidence: Evidence,
  step: Step
): Changed | null => {
  // Drops the reference, which belongs to the other payment's charge.
  const unnamed = { ...withoutOutcome(evidence), about: { operation: operation.id } }
  const held = transition(record, operation, unnamed, step)
  const change = held._tag === "Changed" ? held : changed(record, step.now, {}, null)
  const asked = questioned(change.record, "reference_conflict", operation, step.now, reportedBy(evidence))
  return held._tag === "Unchanged" && asked === change.record ? null : { ...change, record: derived(asked, step.now) }
}

/** Replaces the outcome of the evidence by an unknown one that keeps only the vendor's code. */
export const withoutOutcome = (evidence: Evidence): Evidence => {
  const { vendorCode } = evidence.outcome
  return { ...evidence, outcome: unknown({ reason: "unreadable", ...(vendorCode !== undefined && { vendorCode }) }) }
}

/**
 * Returns the new references of a change that the store's unique index does not cover: the index has only references of
 * operations under the provider's current id. The others are references of charges in ledger entries, and references
 * under the former id of a renamed provider instance.
 */
export const unmatchedReferences = (
  { registry }: Pick<ReferenceServices, "registry">,
  before: PaymentRecord,
  after: PaymentRecord,
  { kind, provider }: Operation,
  { outcome: { reference } }: Evidence
): ReadonlyArray<string> => {
  const unmatched: Array<string> = []
  const isIn = ({ operations }: PaymentRecord, each: string) => operations.some((one) => one.reference === each)
  for (const { basis, reference: charge } of after.entries.slice(before.entries.length)) {
    if (basis === "total" && charge !== null && !isIn(after, charge)) unmatched.push(charge)
  }
  if (kind === "create" && reference !== undefined && registry.idsOf(provider).length > 1 && !isIn(before, reference)) {
    unmatched.push(reference)
  }
  return unmatched
}

/**
 * Whether one of the references belongs to the charge of another payment. The store itself compares only references of
 * operations, not of ledger entries.
 */
export const areOfAnother = Effect.fnUntraced(function* (
  { registry, store }: ReferenceServices,
  references: ReadonlyArray<string>,
  record: PaymentRecord,
  { provider }: Operation
) {
  for (const reference of references) {
    for (const id of registry.idsOf(provider)) {
      const found = yield* store.findByReference(id, reference)
      if (found !== null && isOfAnother(found, record, id, reference)) return true
    }
  }
  return false
})

const isOfAnother = (found: PaymentRecord, { payment }: PaymentRecord, provider: string, reference: string): boolean =>
  found.payment.id !== payment.id &&
  found.operations.some((each) => each.kind === "create" && each.provider === provider && each.reference === reference)

/**
 * The reported reference if the operation does not store it, such as the reference of a second charge. It is stored
 * separately, because later reports with this reference are about this payment, too.
 */
export const otherReference = (
  after: PaymentRecord,
  { id, kind, provider }: Operation,
  { about, outcome: { reference } }: Evidence
): string | null => {
  const isNamed = "operation" in about && about.operation === id
  return (kind !== "create" && (kind !== "refund" || isNamed)) ||
    reference === undefined ||
    after.operations.some((each) => each.provider === provider && each.reference === reference)
    ? null
    : reference
}
