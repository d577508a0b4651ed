/** The disputes of a payment in its public JSON. */
import { Schema } from "effect"
import { disputedAmount, disputesOf } from "../domain/books/disputes.ts"
import { sum } from "../domain/books/amounts.ts"
import { chargesOf } from "../domain/books/balance.ts"
import { disputeStatuses } from "../domain/Dispute.ts"
import type { Dispute } from "../domain/Dispute.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import { described, EndTime, integer, iso, isoOrNull, textField, textOrNull, Time } from "./fields.ts"

export const DisputeJson = Schema.Struct({
  reference: textOrNull("The provider's reference of the dispute, such as `dp_…`. `null`: the provider reported none."),
  provider: textField("The provider instance whose charge is disputed."),
  amount: integer("In the smallest unit of the dispute's `currency`. If the provider reported none, the whole charge."),
  currency: textField("ISO 4217, as the provider reported it: it may differ from the payment's."),
  status: described(
    Schema.Literals(disputeStatuses),
    "`open` and `lost` reduce the refundable amount. `won`: the money is yours again."
  ),
  source: described(
    Schema.Literals(["provider", "operator"]),
    "Who the status is from: a report of the provider, or an operator."
  ),
  opened_at: described(Time, "RFC 3339, UTC. When it was first recorded."),
  closed_at: EndTime
})
export type DisputeJson = typeof DisputeJson.Type

export const disputeJson = (dispute: Dispute): DisputeJson => ({
  reference: dispute.reference,
  provider: dispute.provider,
  amount: dispute.minorUnits,
  currency: dispute.currency,
  status: dispute.status,
  source: dispute.source,
  opened_at: iso(dispute.openedAt),
  closed_at: isoOrNull(dispute.closedAt)
})

/** Returns a payment's public fields about disputes; none without a dispute. */
export const disputesJson = (record: PaymentRecord) => {
  const { disputedAt } = record.payment
  if (disputedAt === null) return {}
  const disputed = sum(record.attempts, (attempt) =>
    disputedAmount(record, attempt, chargesOf(record, attempt)[0]?.captured ?? 0)
  )
  return {
    disputed_at: iso(disputedAt),
    ...(disputed > 0 && { amount_disputed: disputed }),
    disputes: disputesOf(record).map(disputeJson)
  }
}
