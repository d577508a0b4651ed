/** What a success is called at its provider, which tells it from another one. Pure. */
import { isConfirming } from "./balance.ts"
import { changed, replace } from "./change.ts"
import type { Transition } from "./change.ts"
import type { Subject } from "./Step.ts"

/** The code of an attempt that an operator found paid. */
export const byOperator = "operator"

/** An operator found the money, or it was reported without a reference: what is kept may not be the money's own. */
export const isUnnamed = ({ attempt, evidence, operation }: Subject): boolean =>
  (attempt.vendorCode === byOperator || operation.reference === null) &&
  evidence.source !== "operator" &&
  evidence.reference !== null

/** The provider's own books show another charge, and not the one that was only reported. */
export const isBetterNamed = ({ evidence, operation, record }: Subject): boolean =>
  isConfirming(evidence) &&
  evidence.source !== "operator" &&
  evidence.reference !== null &&
  evidence.reference !== operation.reference &&
  (!("amount" in evidence.claim) ||
    evidence.claim.amount === null ||
    evidence.claim.amount.currency === record.payment.amount.currency) &&
  !record.entries.some(
    (entry) => entry.kind === "captured" && entry.reference === operation.reference && isConfirming(entry)
  )

export const named = ({ attempt, evidence, operation, record, step }: Subject): Transition =>
  changed(
    replace(record, {
      attempt: { ...attempt, vendorCode: evidence.vendorCode },
      operations: [{ ...operation, reference: evidence.reference ?? operation.reference }]
    }),
    step.now,
    {},
    null
  )
