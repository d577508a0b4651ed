/**
 * The requests about an existing payment, as JSON: the bodies of `POST /v1/payments/{id}/capture`, `/cancel` and `/refunds`, and
 * the arguments of the embedded calls.
 *
 * Without an amount, the whole remaining amount is used. `null` is rejected, since it may not mean "absent" to a client.
 *
 * @example
 * ```ts
 * import { decodeCreateRefund } from "@paymux/core/wire"
 * import { Effect } from "effect"
 *
 * Effect.runSync(decodeCreateRefund({ amount: 500 })) // => { minorUnits: 500, reason: null }
 * ```
 */
import { Effect, Result, Schema } from "effect"
import { InvalidPayment, paymentError, RawCardData } from "../domain/PaymentError.ts"
import type { PaymentError } from "../domain/PaymentError.ts"
import { findRawCardData } from "../domain/RawCardData.ts"
import { PositiveMinorUnits } from "./fields.ts"
import { definedOnly } from "./definedOnly.ts"
import { describeIssues } from "./issues.ts"

const Amount = PositiveMinorUnits.annotate({
  description: "In the smallest unit of the payment's currency. Absent: the whole remaining amount."
})

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
  reason: Schema.optionalKey(Schema.NullOr(Reason)).annotate({
    description: "Your own text, stored with the refund; some providers receive it."
  })
}).annotate({ identifier: "CreateRefund" })
export type CreateRefundJson = typeof CreateRefundJson.Type

/** A refund with the additional fields of operators, which the merchants' API does not have. */
export const OperatorRefundJson = Schema.Struct({
  ...CreateRefundJson.fields,
  override: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^(?=[^]*\S)[^\0]{1,10000}$/, {
        message: "must say what shows that the refund is right, in 1 to 10,000 characters"
      })
    )
  ).annotate({
    description:
      "The evidence that the refund is right, although disputes or refunds made outside of Paymux leave less: 1 to 10,000 characters. It is stored with the payment."
  })
}).annotate({ identifier: "CreateOperatorRefund" })
export type OperatorRefundJson = typeof OperatorRefundJson.Type

/** Fails with `RawCardData`, or with `InvalidPayment` and all faults, like the other decoders here. Errors contain no values. */
export const decodeCapturePayment = (
  input: unknown
): Effect.Effect<{ readonly minorUnits: number | null }, PaymentError> =>
  Effect.map(strictly(capture, input), ({ amount = null }) => ({ minorUnits: amount }))

export const decodeCancelPayment = (input: unknown): Effect.Effect<void, PaymentError> =>
  Effect.asVoid(strictly(cancel, input))

export const decodeCreateRefund = (
  input: unknown
): Effect.Effect<{ readonly minorUnits: number | null; readonly reason: string | null }, PaymentError> =>
  Effect.map(strictly(refund, input), ({ amount = null, reason = null }) => ({ minorUnits: amount, reason }))

export const decodeOperatorRefund = (
  input: unknown
): Effect.Effect<
  { readonly minorUnits: number | null; readonly reason: string | null; readonly override?: string },
  PaymentError
> =>
  Effect.map(strictly(operatorRefund, input), ({ amount = null, override, reason = null }) => ({
    minorUnits: amount,
    reason,
    ...(override !== undefined && { override: override.trim() })
  }))

const strict = { errors: "all", onExcessProperty: "error" } as const
const capture = Schema.decodeUnknownResult(CapturePaymentJson, strict)
const cancel = Schema.decodeUnknownResult(CancelPaymentJson, strict)
const refund = Schema.decodeUnknownResult(CreateRefundJson, strict)
const operatorRefund = Schema.decodeUnknownResult(OperatorRefundJson, strict)

const strictly = <A>(
  decode: (input: unknown) => Result.Result<A, Schema.SchemaError>,
  input: unknown
): Effect.Effect<A, PaymentError> => {
  const raw = findRawCardData(input)
  if (raw !== null) return Effect.fail(paymentError(new RawCardData({ pointer: raw })))
  const decoded = decode(definedOnly(input))
  return Result.isSuccess(decoded)
    ? Effect.succeed(decoded.success)
    : Effect.fail(paymentError(new InvalidPayment({ errors: describeIssues(decoded.failure.issue) })))
}
