/** What an operator may refund with evidence beyond what disputes, and refunds made outside of Paymux, leave. */
import type { Schemas } from "../../../api/client.ts"
import { isProblem } from "../../../api/problems.ts"
import type { ActionOffer } from "../paymentText.ts"

export type RefundOverride = NonNullable<ActionOffer["override"]>
type Refundable = Schemas["RefundableAmounts"]

/** By the refusal of a refund, which is newer than what the page read; else by what was read. */
export const overrideOf = (offer: ActionOffer | undefined, refused: Refundable | null): RefundOverride | null => {
  if (refused === null) return offer?.override ?? null
  const { captured, pending, refunded } = refused
  return { amount: captured - refunded - pending, partial: offer?.partial ?? false, refundable: refused }
}

/** What the server says is left, where it refused a refund of more; else `null`. */
export const refundableIn = (error: unknown): Refundable | null => {
  const refundable = isProblem(error, "refund_exceeds_available") ? error.problem.refundable : undefined
  if (refundable === undefined) return null
  const { refunded_elsewhere: refundedElsewhere, ...amounts } = refundable
  return { ...amounts, refundedElsewhere }
}

export const longestEvidence = 10_000

/** What is wrong with the evidence; `undefined`: nothing. */
export const evidenceFault = (evidence: string): string | undefined =>
  evidence.trim() === "" ? "Enter what shows that the refund is right, and who looked it up." : undefined
