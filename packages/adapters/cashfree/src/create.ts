/**
 * A create is two requests: an order under our own id, and a session on it that gives the payer a link or a code. The
 * order is checkpointed between them.
 *
 * A second send never makes a second order: it looks at the order that is there, and at its payments, before it opens
 * another session. A session whose answer was lost was not shown to the payer, so another one on the same order gives the payer
 * one way to pay; and an order takes one payment, whatever it has been tried with.
 */
import {
  type NextAction,
  Outcome,
  type ProviderContext,
  type ProviderError,
  type ProviderOperation
} from "@paymux/core"
import { HttpOutcome } from "@paymux/provider-kit"
import { Effect } from "effect"
import type { Client } from "./client.ts"
import { errorOf, errorOutcome } from "./errors.ts"
import { type CashfreeOptions, payWithin } from "./options.ts"
import { channelOf, expiryOf, orderBody, orderIdOf, paymentMethod } from "./request.ts"
import { createAnswer, isOpenToPayer, readTime } from "./status.ts"
import * as Wire from "./wire.ts"

export const makeCreate = (client: Client, options: CashfreeOptions, context: Pick<ProviderContext, "checkpoint">) => {
  const create = (operation: ProviderOperation): Effect.Effect<Outcome.SendOutcome, ProviderError> =>
    HttpOutcome.operation(operation.reference === null ? makeOrder(operation) : takeUp(operation))

  const makeOrder = Effect.fnUntraced(function* (operation: ProviderOperation) {
    const body = orderBody(operation, payWithin(options))
    if (body === null) return Outcome.notExecuted({ reason: "adapter_fault" })
    // An order takes no money: a session that could not be sent after it proves that nothing was done.
    const answer = yield* HttpOutcome.harmless(client.createOrder(operation, body))
    if (answer.status !== 200) {
      const { code } = yield* errorOf(answer)
      return answer.status === 409 && code === "order_already_exists"
        ? yield* takeUp(operation)
        : yield* errorOutcome(answer)
    }
    // The answer of the first time, which may be of long ago.
    if (answer.header("x-idempotency-replayed") === "true") return yield* takeUp(operation)
    const order = yield* answer.decodeWithNumberText(Wire.Order)
    if (!isOf(order, operation)) return mismatch
    yield* context.checkpoint(operation, order.order_id)
    return yield* openSession(operation, order)
  })

  /** Goes on with the order that is there. */
  const takeUp = Effect.fnUntraced(function* (operation: ProviderOperation) {
    const orderId = operation.reference ?? orderIdOf(operation.id)
    const answer = yield* client.order(orderId)
    if (answer.status !== 200) return yield* errorOutcome(answer)
    const order = yield* answer.decodeWithNumberText(Wire.Order)
    if (!isOf(order, operation)) return mismatch
    const listed = yield* client.payments(orderId)
    if (listed.status !== 200) return yield* errorOutcome(listed)
    const payments = yield* listed.decodeWithNumberText(Wire.Payments)
    if (!isOpenToPayer(order, payments)) {
      return Outcome.ofInquiry(createAnswer(order, payments, operation.captureMethod))
    }
    if (operation.reference === null) yield* context.checkpoint(operation, order.order_id)
    return yield* openSession(operation, order)
  })

  const openSession = Effect.fnUntraced(function* (operation: ProviderOperation, order: Wire.Order) {
    const reference = order.order_id
    const channel = channelOf(operation)
    const session = order.payment_session_id ?? null
    if (session === null || channel === null) return Outcome.unknown({ reason: "unmapped", reference })
    const answer = yield* client.openSession(session, paymentMethod(operation, channel))
    if (answer.status !== 200) return yield* errorOutcome(answer)
    const { data } = yield* answer.decodeWithNumberText(Wire.Session)
    const expiresAt = readTime(order.order_expiry_time) ?? expiryOf(operation, payWithin(options))
    return Outcome.pending({ reference, nextAction: nextActionOf(data, expiresAt) })
  })

  return create
}

const isOf = (order: Wire.Order, { amount, id }: ProviderOperation): boolean =>
  order.order_id === orderIdOf(id) &&
  order.order_amount === amount.minorUnits &&
  order.order_currency === amount.currency

/** An order of our id that is not ours: nothing is done on it. */
const mismatch = Outcome.unknown({ reason: "duplicate", vendorCode: "order_differs" })

/** The payer is shown the vendor's link as it is: it must not be altered. */
const nextActionOf = ({ payload }: Wire.SessionData, expiresAt: number | null): NextAction => {
  if ("qrcode" in payload) return { type: "upi_qr", payload: payload.default ?? null, image: payload.qrcode, expiresAt }
  return payload.default.startsWith("upi:")
    ? { type: "upi_intent", uri: payload.default, expiresAt }
    : { type: "redirect", url: payload.default, expiresAt }
}
