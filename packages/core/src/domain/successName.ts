/** What a success is called at its provider, which tells it from another one. Pure. */
import { changed, replace } from "./change.ts"
import type { Transition } from "./change.ts"
import type { Subject } from "./Step.ts"

/** The code of an attempt that an operator found paid. */
export const byOperator = "operator"

/** One success has one name at its provider: another name is another payment for the same operation. */
export const isAnother = ({ evidence, operation }: Subject): boolean =>
  evidence.reference !== null && operation.reference !== null && evidence.reference !== operation.reference

/** An operator found the money; the name that is kept may be one of ours, or a page's, and not the money's own. */
export const isUnnamed = ({ attempt, evidence }: Subject): boolean =>
  attempt.vendorCode === byOperator && evidence.source !== "operator" && evidence.reference !== null

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
