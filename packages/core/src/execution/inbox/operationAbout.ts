/** Which operation of a payment a piece of evidence is about. Pure. */
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import type { Evidence } from "../../provider/Evidence.ts"
import type { Outcome } from "../../provider/Outcome.ts"

/**
 * `provider`: the instance that reports it, whose operations it can be about; `null`: our own engine.
 *
 * Many providers use one reference for a payment, its capture and its cancel. A report under that reference is about the
 * payment, which its create operation stands for; only a refund is recognized by the outcome.
 *
 * If no operation has the reference any more, the payment was found by a reference that was replaced. The report is then
 * about the create operation at that provider: each provider is tried once per payment.
 */
export const operationAbout = (
  { operations }: PaymentRecord,
  { about, outcome }: Evidence,
  provider: string | null
): Operation | undefined => {
  const theirs = operations.filter((each) => provider === null || each.provider === provider)
  if ("operation" in about) return theirs.find(({ id }) => id === about.operation)
  const there = theirs.filter((each) => each.provider === about.provider)
  const named = there.filter((each) => each.reference === about.providerReference)
  const refunds = named.filter(({ kind }) => kind === "refund")
  if (isAboutRefund(outcome) && refunds.length > 0) return refunds.at(-1)
  return named.find(isCreate) ?? named.at(-1) ?? there.find(isCreate)
}

const isCreate = ({ kind }: Operation): boolean => kind === "create"

const isAboutRefund = ({ _tag }: Outcome): boolean =>
  _tag === "RefundPending" || _tag === "RefundSucceeded" || _tag === "RefundFailed"
