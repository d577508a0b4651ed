/**
 * The requests about an existing payment, as JSON: the bodies of `POST /v1/payments/{id}/capture`, `/cancel` and
 * `/refunds`, and the arguments of the embedded calls.
 *
 * Without an amount, the whole remaining amount is used. `null` is rejected, since it may not mean "absent" to a
 * client.
 *
 * @example
 * ```ts
 * import { decodeCreateRefund } from "@paymux/core/wire"
 * import { Effect } from "effect"
 *
 * Effect.runSync(decodeCreateRefund({ amount: 500 })) // => { minorUnits: 500, reason: null }
 * ```
 */
import { Effect, Schema } from "effect"
import { paymentError, RawCardData } from "../domain/PaymentError.ts"
import type { PaymentError } from "../domain/PaymentError.ts"
import { findRawCardData } from "../domain/RawCardData.ts"
import { described, optional, optionalOrNull, PositiveMinorUnits } from "./fields.ts"
import { strictDecoder } from "./strictDecoder.ts"

const Amount = described(
  PositiveMinorUnits,
  "In the smallest unit of the payment's currency. Absent: the whole remaining amount."
)

const Reason = Schema.String.check(Schema.isMaxLength(500, { message: "must have at most 500 characters" }))

export const CapturePaymentJson = Schema.Struct({
  amount: Schema.optionalKey(Amount)
}).annotate({ identifier: "CapturePayment" })
export type CapturePaymentJson = typeof CapturePaymentJson.Type

/** An empty object. (An empty `Struct` would accept everything except null.) */
export const CancelPaymentJson = Schema.Record(
  Schema.String,
  Schema.Never.annotate({ message: "is not a known field" })
).annotate({ identifier: "CancelPayment" })
export type CancelPaymentJson = typeof CancelPaymentJson.Type

export const CreateRefundJson = Schema.Struct({
  amount: Schema.optionalKey(Amount),
  reason: optionalOrNull(Reason, "Your own text, stored with the refund; some providers receive it.")
}).annotate({ identifier: "CreateRefund" })
export type CreateRefundJson = typeof CreateRefundJson.Type

/** A refund with the additional fields of operators, which the merchants' API does not have. */
export const OperatorRefundJson = Schema.Struct({
  ...CreateRefundJson.fields,
  override: optional(
    Schema.String.check(
      Schema.isPattern(/^(?=[^]*\S)[^\0]{1,10000}$/, {
        message: "must say what shows that the refund is right, in 1 to 10,000 characters"
      })
    ),
    "The evidence that the refund is right, although disputes or refunds made outside of Paymux leave less: 1 to 10,000 characters. It is stored with the payment."
  )
}).annotate({ identifier: "CreateOperatorRefund" })
export type OperatorRefundJson = typeof OperatorRefundJson.Type

/**
 * Fails with `RawCardData`, or with `InvalidPayment` and all faults, like the other decoders here. Errors contain no
 * values.
 */
const decoderOf = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const decode = strictDecoder(schema)
  return (input: unknown): Effect.Effect<A, PaymentError> => {
    const pointer = findRawCardData(input)
    return pointer === null ? Effect.fromResult(decode(input)) : Effect.fail(paymentError(new RawCardData({ pointer })))
  }
}

const capture = decoderOf(CapturePaymentJson)
const cancel = decoderOf(CancelPaymentJson)
const refund = decoderOf(CreateRefundJson)
const operatorRefund = decoderOf(OperatorRefundJson)

export const decodeCapturePayment = (input: unknown) =>
  Effect.map(capture(input), ({ amount = null }) => ({ minorUnits: amount }))

export const decodeCancelPayment = (input: unknown): Effect.Effect<void, PaymentError> => Effect.asVoid(cancel(input))

export const decodeCreateRefund = (input: unknown) => Effect.map(refund(input), refundOf)

export const decodeOperatorRefund = (input: unknown) =>
  Effect.map(operatorRefund(input), ({ override, ...refund }) => ({
    ...refundOf(refund),
    ...(override !== undefined && { override: override.trim() })
  }))

const refundOf = ({ amount, reason }: CreateRefundJson) => ({ minorUnits: amount ?? null, reason: reason ?? null })
