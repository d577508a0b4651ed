/** A payment whose first provider reported a decline and then a success, while the second one had paid it. */
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { derived } from "../../src/domain/transition/change.ts"
import { after, asked, attempt, claims, failed, operation } from "./records.ts"

/** The first one declined, and the second one is asked. */
export const second: PaymentRecord = {
  ...failed,
  payment: { ...failed.payment, state: { status: "pending", reason: "processing", nextAction: null } },
  attempts: [...failed.attempts, attempt(2)],
  operations: [...failed.operations, operation(2)]
}
export const paidBySecond = after(second, [2, claims.succeeded])
export const paidTwice = after(paidBySecond, [1, claims.succeeded, { source: "inquiry" }])
/** The refund of the first one is being sent. */
export const reversed = derived(asked(paidTwice, "v", { kind: "refund", purpose: "reversal" }), 1000)
