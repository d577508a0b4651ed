/**
 * Captures and refunds. Both are done to a payment, of which Paymux knows the order or QR code: the payment is looked up
 * first, and with it whether it was done before.
 */
import { type Inquiry, Outcome, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { type Api, findIn, type NoAnswer } from "./api.ts"
import { isHeld, isTaken, moneyOf, refundAnswer, tooLate } from "./errors.ts"
import * as Wire from "./wire.ts"

/** The payments behind the reference of a create. */
export type PaymentsOf = (reference: string) => Effect.Effect<ReadonlyArray<Wire.Payment>, NoAnswer>

export const makeAfterwards = (api: Api, paymentsOf: PaymentsOf) => {
  const capture = Effect.fnUntraced(function* ({
    amount,
    original
  }: ProviderOperation): Effect.fn.Return<Outcome.Outcome, NoAnswer> {
    if (original === null || original.reference === null) return nothingToActOn
    const payments = yield* paymentsOf(original.reference)
    const taken = payments.find(isTaken)
    if (taken !== undefined) return done(taken)
    const held = payments.find(isHeld)
    if (held === undefined) return tooLate(payments[0]?.status ?? "created")
    const payment = yield* api.post(["payments", held.id, "capture"], Wire.Payment, {
      amount: amount.minorUnits,
      currency: amount.currency
    })
    return isTaken(payment) ? done(payment) : Outcome.unknown({ reason: "unmapped", reference: payment.id })
  })

  const refund = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.Outcome, NoAnswer> {
    const { amount, id, key, original, reason } = operation
    if (original === null || original.reference === null) return nothingToActOn
    const payment = (yield* paymentsOf(original.reference)).find(isTaken)
    if (payment === undefined) return tooLate("not_captured")
    // How long Razorpay remembers a key it does not say: what was given back before is looked through.
    const before = (payment.amount_refunded ?? 0) === 0 ? null : yield* refundNamed(id, payment)
    if (before !== null) return refundAnswer(before)
    return refundAnswer(
      yield* api.post(
        ["payments", payment.id, "refund"],
        Wire.Refund,
        {
          amount: amount.minorUnits,
          receipt: id,
          notes: { paymux_operation: id, ...(reason !== null && reason.length <= 256 && { reason }) }
        },
        { headers: { "x-refund-idempotency": key } }
      )
    )
  })

  const inquireCapture = Effect.fnUntraced(function* ({
    original
  }: ProviderOperation): Effect.fn.Return<Inquiry, NoAnswer> {
    if (original === null || original.reference === null) return Outcome.notFound()
    const payments = yield* paymentsOf(original.reference)
    const taken = payments.find(isTaken)
    if (taken !== undefined) return done(taken)
    const isOver = payments.length > 0 && payments.every(({ status }) => status === "failed")
    return isOver ? tooLate("failed") : Outcome.notFound()
  })

  const inquireRefund = Effect.fnUntraced(function* ({
    id,
    original,
    reference
  }: ProviderOperation): Effect.fn.Return<Inquiry, NoAnswer> {
    if (reference !== null) return refundAnswer(yield* api.get(["refunds", reference], Wire.Refund))
    if (original === null || original.reference === null) return Outcome.notFound()
    const payment = (yield* paymentsOf(original.reference)).find(isTaken)
    const found = payment === undefined ? null : yield* refundNamed(id, payment)
    return found === null ? Outcome.notFound() : refundAnswer(found)
  })

  const refundNamed = (receipt: string, { id }: Wire.Payment) =>
    findIn(
      (page) => api.get(["payments", id, "refunds"], Wire.Refunds, page),
      (refund) => refund.receipt === receipt
    )

  return { capture, refund, inquireCapture, inquireRefund }
}

const done = (payment: Wire.Payment) => Outcome.succeeded({ reference: payment.id, amount: moneyOf(payment) })

/** Nothing was sent: there is nothing to act on. */
const nothingToActOn = Outcome.notExecuted({ reason: "adapter_fault" })
