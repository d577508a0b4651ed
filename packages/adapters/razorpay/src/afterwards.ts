/**
 * Captures and refunds. Both are done to a payment, of which Paymux knows the order or QR code: the payment is looked up
 * first, and with it whether it was done before.
 */
import { type InquiryOutcome, Outcome, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { type Api, findIn, type NoAnswer } from "./api.ts"
import { shortCode } from "./codes.ts"
import { areOver, isTaken, moneyOf, refundAnswer, standingOf, tooLate } from "./statuses.ts"
import * as Wire from "./wire.ts"

/** The payments behind the reference of a create. */
export type PaymentsOf = (reference: string) => Effect.Effect<ReadonlyArray<Wire.Payment>, NoAnswer>

export const makeAfterwards = (api: Api, paymentsOf: PaymentsOf) => {
  const capture = Effect.fnUntraced(function* ({
    amount,
    original
  }: ProviderOperation): Effect.fn.Return<Outcome.SendOutcome, NoAnswer> {
    if (original === null || original.reference === null) return nothingToActOn
    const payments = yield* paymentsOf(original.reference)
    const taken = payments.find(isTaken)
    if (taken !== undefined) return done(original.reference, taken)
    const held = payments.find((each) => standingOf(each) === "held")
    if (held === undefined) return nothingTaken(payments)
    const payment = yield* api.post(["payments", held.id, "capture"], Wire.Payment, {
      amount: amount.minorUnits,
      currency: amount.currency
    })
    return isTaken(payment) ? done(original.reference, payment) : Outcome.unknown({ reason: "unmapped" })
  })

  const refund = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.SendOutcome, NoAnswer> {
    const { amount, id, key, original, reason } = operation
    if (original === null || original.reference === null) return nothingToActOn
    const payments = yield* paymentsOf(original.reference)
    const taken = payments.filter(isTaken)
    // How long Razorpay remembers a key it does not say: what was given back before is looked through.
    const before = yield* refundNamed(
      id,
      taken.filter((each) => each.amount_refunded !== 0)
    )
    if (before !== null) return refundAnswer(before)
    const hasEnough = (each: Wire.Payment) => each.amount - (each.amount_refunded ?? 0) >= amount.minorUnits
    // Where none has as much left, Razorpay is to say so.
    const payment = taken.find(hasEnough) ?? taken[0]
    if (payment === undefined) return nothingTaken(payments)
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
  }: ProviderOperation): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    if (original === null || original.reference === null) return Outcome.notFound()
    const payments = yield* paymentsOf(original.reference)
    const taken = payments.find(isTaken)
    if (taken !== undefined) return done(original.reference, taken)
    return areOver(payments) ? nothingTaken(payments) : Outcome.notFound()
  })

  const inquireRefund = Effect.fnUntraced(function* ({
    id,
    original,
    reference
  }: ProviderOperation): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    if (reference !== null) return refundAnswer(yield* api.get(["refunds", reference], Wire.Refund))
    if (original === null || original.reference === null) return Outcome.notFound()
    const found = yield* refundNamed(id, (yield* paymentsOf(original.reference)).filter(isTaken))
    return found === null ? Outcome.notFound() : refundAnswer(found)
  })

  const refundNamed = Effect.fnUntraced(function* (
    receipt: string,
    payments: ReadonlyArray<Wire.Payment>
  ): Effect.fn.Return<Wire.Refund | null, NoAnswer> {
    for (const { id } of payments) {
      const found = yield* findIn(
        (page) => api.get(["payments", id, "refunds"], Wire.Refunds, page),
        (refund) => refund.receipt === receipt
      )
      if (found !== null) return found
    }
    return null
  })

  return { capture, refund, inquireCapture, inquireRefund }
}

/** Under the order, as all that is reported of the charge: the engine would take another reference for another charge. */
const done = (order: string, payment: Wire.Payment) => Outcome.succeeded({ reference: order, amount: moneyOf(payment) })

/** A definite no where each of them is over; otherwise what is not there may be there soon. */
const nothingTaken = (payments: ReadonlyArray<Wire.Payment>) => {
  const vendorCode = payments[0]?.status ?? "no_payment"
  return areOver(payments)
    ? tooLate(vendorCode)
    : Outcome.unknown({ reason: "unmapped", vendorCode: shortCode(vendorCode) })
}

/** Nothing was sent: there is nothing to act on. */
const nothingToActOn = Outcome.notExecuted({ reason: "adapter_fault" })
