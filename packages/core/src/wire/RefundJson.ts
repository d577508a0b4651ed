/** The public JSON of a refund. */
import { Schema } from "effect"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import { refundFailure, refundId, refundStatus, refundStatuses } from "../domain/Refund.ts"
import type { RefundedPayment } from "../domain/Refund.ts"
import { EndTime, failureJson, Livemode, MinorUnits, Provider, Time, iso } from "./fields.ts"

export const RefundJson = Schema.Struct({
  id: Schema.String.annotate({ description: "`re_` and 26 characters that sort by time." }),
  object: Schema.Literal("refund").annotate({ description: "The type of the object." }),
  livemode: Livemode,
  payment: Schema.String.annotate({ description: "The refunded payment, `pay_…`." }),
  status: Schema.Literals(refundStatuses).annotate({ description: "`failed`: nothing was refunded; see `failure`." }),
  amount: MinorUnits,
  currency: Schema.String.annotate({ description: "ISO 4217, in capitals: the payment's." }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "As requested." }),
  failure: failureJson("Whether a new refund may succeed."),
  provider: Provider,
  reference: Schema.NullOr(Schema.String).annotate({
    description: "The provider's reference of the refund. `null`: the provider reported none."
  }),
  created_at: Time,
  ended_at: EndTime
}).annotate({ identifier: "Refund" })
export type RefundJson = typeof RefundJson.Type

/** `refund`: an operation of this payment of kind `refund`. */
export const refundJson = ({ payment }: { readonly payment: RefundedPayment }, refund: Operation): RefundJson => ({
  id: refundId(refund.id),
  object: "refund",
  livemode: payment.livemode,
  payment: payment.id,
  status: refundStatus(refund),
  amount: refund.minorUnits,
  currency: payment.amount.currency,
  reason: refund.reason,
  failure: refundFailure(refund),
  provider: refund.provider,
  reference: refund.reference,
  created_at: iso(refund.createdAt),
  ended_at: refund.endedAt === null ? null : iso(refund.endedAt)
})

export const refundBody = (record: PaymentRecord, refund: Operation): string =>
  JSON.stringify(refundJson(record, refund))
