/**
 * Converts the evidence of an unmatched report to evidence about an operation of the payment that an operator chose.
 * Pure.
 */
import type { Evidence, Money, OperationId, PaymentRecord } from "@paymux/core"
import type { Operation } from "@paymux/core/store"
import type { ReportRefusal } from "./ReportRefused.ts"

/** The evidence, or the reason why the report is not about this payment. */
export const matchedEvidence = (
  provider: string,
  evidence: Evidence,
  record: PaymentRecord,
  operation: OperationId | null
): Evidence | ReportRefusal => {
  const theirs = record.operations.filter((each) => each.provider === provider)
  if (theirs.length === 0) return "provider_does_not_fit"
  const subject = theirs.find(({ id, kind }) => (operation === null ? kind === "create" : id === operation))
  if (subject === undefined) return "no_operation"
  const money = moneyOf(evidence)
  if (money !== null && money.currency !== record.payment.amount.currency) return "currency_does_not_fit"
  return { ...evidence, about: { operation: subject.id }, outcome: withReference(evidence, subject) }
}

export const moneyOf = ({ outcome }: Evidence): Money.Money | null =>
  "amount" in outcome ? (outcome.amount ?? null) : null

/**
 * The provider's reference stays with the report: later reports under that reference find the payment, and the charge is never
 * counted twice.
 */
const withReference = ({ about, outcome }: Evidence, { kind }: Operation): Evidence["outcome"] =>
  outcome.reference === undefined && "providerReference" in about && kind === "create"
    ? { ...outcome, reference: about.providerReference }
    : outcome
