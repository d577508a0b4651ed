/** What of the money that was told is what was asked for (I13). Pure. */
import * as Money from "./Money.ts"
import type { Subject } from "./Step.ts"
import { openOperations } from "./change.ts"
import type { EvidenceClaim } from "../provider/Evidence.ts"

/** A capture that was asked for says how much; without one, the whole amount is what was asked. */
const captureAsked = ({ attempt, record }: Subject): number =>
  openOperations(record, attempt.seq, "capture")[0]?.minorUnits ?? record.payment.amount.minorUnits

/** Where an operator accepts another amount than asked, it is what arrived. */
export const accepted = (subject: Subject): number =>
  (subject.evidence.source === "operator" ? subject.record.payment.amountReceived : null) ?? captureAsked(subject)

export const received = (claim: EvidenceClaim): number | null =>
  "amount" in claim && claim.amount !== null ? claim.amount.minorUnits : null

/** I13. More than asked is no fault on chain, where the payer alone decides what to send. */
export const agreement = (subject: Subject): "agrees" | "overpaid" | "differs" => {
  const { evidence, record } = subject
  const { amount, method } = record.payment
  if (!("amount" in evidence.claim) || evidence.claim.amount === null) return "agrees"
  const told = evidence.claim.amount
  if (Money.equals(told, amount)) return "agrees"
  if (Money.equals(told, { ...amount, minorUnits: captureAsked(subject) })) return "agrees"
  const more = told.currency === amount.currency && told.minorUnits > amount.minorUnits
  return more && method.rail === "stablecoin" ? "overpaid" : "differs"
}
