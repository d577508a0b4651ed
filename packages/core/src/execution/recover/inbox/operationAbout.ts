/** Finds the operation of a payment that a piece of evidence is about. Pure. */
import { refundUnderCharge } from "../../../domain/books/refundUnderCharge.ts"
import type { Operation } from "../../../domain/Operation.ts"
import type { PaymentRecord } from "../../../domain/Payment.ts"
import type { Evidence } from "../../../domain/Evidence.ts"
import type { IdsOf } from "../../../provider/ProviderRegistry.ts"
import type { Outcome } from "../../../domain/Outcome.ts"

/**
 * Finds the operation that the evidence is about. `provider` is the provider instance that reports, which can report
 * only about its own operations; `null` for this engine. `idsOf` returns all present and former ids of a provider
 * instance.
 *
 * Many providers use one reference for a payment, its capture and its cancel. A report with that reference is assigned
 * to the create operation; only a refund is recognized by the reported outcome.
 *
 * If no operation has the reference, the payment was found by a replaced reference. The report is then about the create
 * operation at that provider, because each provider is tried only once per payment.
 */
export const operationAbout = (
  record: PaymentRecord,
  evidence: Evidence,
  provider: string | null,
  idsOf: IdsOf
): Operation | undefined => {
  const named = namedBy(record, evidence, provider, idsOf)
  // A report about a refund may name only the refunded charge.
  return named?.kind === "create" && isAboutRefund(evidence.outcome)
    ? (refundUnderCharge(record, named, evidence) ?? named)
    : named
}

const namedBy = (
  { operations }: PaymentRecord,
  { about, outcome }: Evidence,
  provider: string | null,
  idsOf: IdsOf
): Operation | undefined => {
  const reporter = provider === null ? null : idsOf(provider)
  const theirs = operations.filter((each) => reporter === null || reporter.includes(each.provider))
  if ("operation" in about) return theirs.find(({ id }) => id === about.operation)
  const named = idsOf(about.provider)
  const there = theirs.filter((each) => named.includes(each.provider))
  const underReference = there.filter((each) => each.reference === about.providerReference)
  const refunds = underReference.filter(({ kind }) => kind === "refund")
  if (isAboutRefund(outcome) && refunds.length > 0) return refunds.at(-1)
  return underReference.find(isCreate) ?? underReference.at(-1) ?? there.find(isCreate)
}

const isCreate = ({ kind }: Operation): boolean => kind === "create"

const isAboutRefund = ({ _tag }: Outcome): boolean =>
  _tag === "RefundPending" || _tag === "RefundSucceeded" || _tag === "RefundFailed"
