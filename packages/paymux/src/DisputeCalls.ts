/** What `paymux.disputes` does: disputes that a provider does not report, and how they ended. */
import { Reviews } from "@paymux/core"
import type { Tenant } from "@paymux/core"
import { disputeStatuses } from "@paymux/core/store"
import { HostedPage, isPaymentId, paymentError, PaymentNotFound } from "@paymux/core/wire"
import { disputeStatementOf, resolvedPayment } from "@paymux/dashboard"
import type { NewDisputeStatement, ResolvedPayment } from "@paymux/dashboard"
import { Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

/** Refusals are `DisputeRefused`; its `reason` says why. Nothing was written then. */
export interface DisputeOperations {
  /** Records a dispute of a payment, its amount, or how it ended. */
  readonly record: (paymentId: string, statement: NewDisputeStatement) => Promise<ResolvedPayment>
}

const members = ["status", "reference", "amount", "currency", "provider", "evidence", "version"]

export const record = Effect.fnUntraced(function* (tenant: Tenant, paymentId: string, statement: NewDisputeStatement) {
  yield* PaymentCalls.onlyKnown(statement, members)
  const { amount, currency, evidence, provider, reference, status, version } = statement
  for (const [name, text] of Object.entries({ reference, currency, provider })) {
    yield* PaymentCalls.asText(text, `/${name}`)
  }
  if (typeof evidence !== "string") return yield* PaymentCalls.invalid("/evidence", "must be text")
  if (!disputeStatuses.includes(status)) {
    return yield* PaymentCalls.invalid("/status", `must be one of ${disputeStatuses.join(", ")}`)
  }
  if (amount !== undefined && !Number.isSafeInteger(amount)) {
    return yield* PaymentCalls.invalid("/amount", "must be a whole number of minor units")
  }
  if (version !== undefined && !Number.isSafeInteger(version)) {
    return yield* PaymentCalls.invalid("/version", "must be the version of the payment that was read")
  }
  if (!isPaymentId(paymentId)) return yield* paymentError(new PaymentNotFound())
  const changed = yield* Reviews.use((reviews) =>
    reviews.recordDispute(tenant, paymentId, disputeStatementOf(statement))
  )
  return resolvedPayment(changed, yield* HostedPage)
})
