/** The public JSON of a refund. */
import { Schema } from "effect"
import { failureCodes } from "../domain/Decline.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import { refundFailure, refundId, refundStatus, refundStatuses } from "../domain/Refund.ts"
import { iso } from "./PaymentJson.ts"

const Time = Schema.String.annotate({ description: "RFC 3339, UTC", format: "date-time" })

export const RefundJson = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("refund"),
  livemode: Schema.Boolean,
  payment: Schema.String.annotate({ description: "The payment it gives back." }),
  status: Schema.Literals(refundStatuses),
  amount: Schema.Int,
  currency: Schema.String,
  reason: Schema.NullOr(Schema.String),
  failure: Schema.NullOr(
    Schema.Struct({ code: Schema.Literals(failureCodes), message: Schema.String, retryable: Schema.Boolean })
  ),
  provider: Schema.String,
  created_at: Time,
  ended_at: Schema.NullOr(Time)
}).annotate({ identifier: "Refund" })
export type RefundJson = typeof RefundJson.Type

/** `refund`: an operation of this payment of kind `refund`. */
export const refundJson = ({ payment }: PaymentRecord, refund: Operation): RefundJson => ({
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
  created_at: iso(refund.createdAt),
  ended_at: refund.endedAt === null ? null : iso(refund.endedAt)
})

export const refundBody = (record: PaymentRecord, refund: Operation): string =>
  JSON.stringify(refundJson(record, refund))
