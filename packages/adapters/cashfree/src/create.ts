/**
 * A create with Order Pay (S2S) is two requests: an order under our own id, and a session on it that gives the payer a link or a
 * code. The order is checkpointed between them.
 *
 * A second send never makes a second order: it reads the order that is there, and its payments, before it opens another
 * session. A session whose answer was lost was not shown to the payer, so another one on the same order gives the payer
 * one way to pay; and an order takes one payment, whatever it has been tried with.
 */
import {
  accountNotEnabled,
  type NextAction,
  Outcome,
  type ProviderContext,
  type ProviderError,
  type ProviderOperation
} from "@paymux/core"
import { HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
import { Effect } from "effect"
import type { Client } from "./client.ts"
import { bodyOf, errorOf, errorOutcome, isClientError, isMadeBefore, read, withoutProof } from "./errors.ts"
import { type CashfreeOptions, payWithin } from "./options.ts"
import { channelOf, expiryOf, orderBody, orderIdOf, paymentMethod } from "./request.ts"
import { createAnswer, isOpenToPayer, readTime } from "./status.ts"
import * as Wire from "./wire.ts"

export const makeCreate = (client: Client, options: CashfreeOptions, context: Pick<ProviderContext, "checkpoint">) => {
  const makeOrder = Effect.fnUntraced(function* (operation: ProviderOperation) {
    const body = orderBody(operation, payWithin(options))
    if (body === null) return Outcome.notExecuted({ reason: "adapter_fault" })
    // An order takes no money: a session that could not be sent after it proves that nothing was done.
    const answer = yield* HttpOutcome.harmless(client.createOrder(operation, body))
    if (yield* isMadeBefore(answer)) return yield* resume(operation)
    const order = yield* bodyOf(Wire.Order, answer)
    if (!isOf(order, operation)) return mismatch
    yield* context.checkpoint(operation, order.order_id)
    return yield* openSession(operation, order, [])
  })

  /** Goes on with the order that is there. */
  const resume = Effect.fnUntraced(function* (operation: ProviderOperation) {
    const before = yield* withoutProof(standing(operation.reference ?? orderIdOf(operation.id)))
    if ("_tag" in before) return before
    const { order, payments } = before
    if (!isOf(order, operation)) return mismatch
    if (!isOpenToPayer(order, payments)) {
      return Outcome.ofInquiry(createAnswer(order, payments, operation.captureMethod))
    }
    if (operation.reference === null) yield* context.checkpoint(operation, order.order_id)
    return yield* openSession(operation, order, payments)
  })

  const openSession = Effect.fnUntraced(function* (
    operation: ProviderOperation,
    order: Wire.Order,
    earlier: Wire.Payments
  ) {
    const reference = order.order_id
    const channel = channelOf(operation)
    const session = order.payment_session_id ?? null
    if (session === null || channel === null) return Outcome.unknown({ reason: "unmapped", reference })
    const answer = yield* client.openSession(session, paymentMethod(operation, channel))
    if (isClientError(answer)) return yield* afterRefusal(operation, answer, earlier)
    const { data } = yield* bodyOf(Wire.Session, answer)
    const expiresAt = readTime(order.order_expiry_time) ?? expiryOf(operation, payWithin(options))
    return Outcome.pending({ reference, nextAction: nextActionOf(data, expiresAt) })
  })

  /** A refused session proves nothing while an earlier one may be paid, or if the order has ended. */
  const afterRefusal = Effect.fnUntraced(function* (
    operation: ProviderOperation,
    answer: ProviderHttp.Answer,
    earlier: Wire.Payments
  ) {
    const { found, meaning } = yield* errorOf(answer)
    if (earlier.length === 0 && meaning?.class !== "undecided") {
      const refused = errorOutcome(answer)
      return yield* operation.captureMethod === "manual" ? Effect.mapError(refused, ofThisPayment) : refused
    }
    const after = yield* withoutProof(standing(orderIdOf(operation.id)))
    if ("_tag" in after) return after
    const { order, payments } = after
    return isOpenToPayer(order, payments)
      ? Outcome.unknown({ reason: "in_progress", reference: order.order_id, ...(found[0] && { vendorCode: found[0] }) })
      : Outcome.ofInquiry(createAnswer(order, payments, operation.captureMethod))
  })

  const standing = Effect.fnUntraced(function* (orderId: string) {
    const order = yield* read(Wire.Order, client.order(orderId))
    return { order, payments: yield* read(Wire.Payments, client.payments(orderId)) }
  })

  return (operation: ProviderOperation) => (operation.reference === null ? makeOrder(operation) : resume(operation))
}

const isOf = (order: Wire.Order, { amount, id }: ProviderOperation): boolean =>
  order.order_id === orderIdOf(id) &&
  order.order_amount === amount.minorUnits &&
  order.order_currency === amount.currency

/** An order of our id that is not ours: nothing is done on it. */
const mismatch = Outcome.unknown({ reason: "duplicate", vendorCode: "order_differs" })

/** A hold needs a feature of its own: that the account does not have it says nothing about other payments of the flow. */
const ofThisPayment = (error: ProviderError): ProviderError =>
  error.reason._tag === "AccountNotEnabled" ? accountNotEnabled(error.reason.code, "payment") : error

/** The payer is shown the vendor's link as it is: it must not be altered. */
const nextActionOf = ({ payload }: Wire.SessionData, expiresAt: number | null): NextAction => {
  if ("qrcode" in payload) return { type: "upi_qr", payload: payload.default ?? null, image: payload.qrcode, expiresAt }
  return payload.default.startsWith("upi:")
    ? { type: "upi_intent", uri: payload.default, expiresAt }
    : { type: "redirect", url: payload.default, expiresAt }
}
