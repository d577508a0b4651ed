/** The public JSON of a refund. */
import { Schema } from "effect"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import { refundFailure, refundId, refundStatus, refundStatuses } from "../domain/Refund.ts"
import type { RefundedPayment } from "../domain/Refund.ts"
import {
  described,
  EndTime,
  failureJson,
  iso,
  isoOrNull,
  Livemode,
  MinorUnits,
  Provider,
  textField,
  textOrNull,
  Time
} from "./fields.ts"

export const RefundJson = Schema.Struct({
  id: textField("`re_` and 26 characters that sort by time."),
  object: described(Schema.Literal("refund"), "The type of the object."),
  livemode: Livemode,
  payment: textField("The refunded payment, `pay_…`."),
  status: described(Schema.Literals(refundStatuses), "`failed`: nothing was refunded; see `failure`."),
  amount: MinorUnits,
  currency: textField("ISO 4217, in capitals: the payment's."),
  reason: textOrNull("As requested."),
  failure: failureJson("Whether a new refund may succeed."),
  provider: Provider,
  reference: textOrNull("The provider's reference of the refund. `null`: the provider reported none."),
  created_at: Time,
  ended_at: EndTime
}).annotate({ identifier: "Refund" })
export type RefundJson = typeof RefundJson.Type

/** The public JSON of a refund. `refund`: an operation of this payment of kind `refund`. */
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
  ended_at: isoOrNull(refund.endedAt)
})

export const refundBody = (record: PaymentRecord, refund: Operation): string =>
  JSON.stringify(refundJson(record, refund))
