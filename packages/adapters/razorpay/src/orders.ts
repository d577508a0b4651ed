/**
 * Orders and the payments on them: the intent flow, its QR code, and collect requests.
 *
 * Razorpay makes an order and then a payment on it, in two requests. The order is checkpointed in between, and named by
 * the operation's id, which Razorpay knows once: whatever is sent again goes on with the same order, which takes one
 * success.
 */
import { type Inquiry, type NextAction, Outcome, type ProviderContext, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { type Api, Ended, type NoAnswer } from "./api.ts"
import { isHeld, isTaken, paymentError, paymentsAnswer } from "./errors.ts"
import { notesOf } from "./notes.ts"
import { drawnAsSvg } from "./picture.ts"
import * as Wire from "./wire.ts"

export const makeOrders = (api: Api, { checkpoint }: Pick<ProviderContext, "checkpoint">) => {
  const create = Effect.fnUntraced(function* (operation: ProviderOperation): Effect.fn.Return<Inquiry, NoAnswer> {
    const { captureMethod, reference: known } = operation
    const order = known === null ? yield* openOrder(operation) : { id: known, isNew: false }
    if (order.isNew) return yield* pay(operation, order.id)
    // There was a send before this one: what was paid by it is the answer.
    const payments = yield* paymentsOn(order.id)
    return payments.some((payment) => isTaken(payment) || isHeld(payment))
      ? paymentsAnswer(payments, { captureMethod, reference: order.id })
      : yield* pay(operation, order.id)
  })

  const openOrder = Effect.fnUntraced(function* (operation: ProviderOperation) {
    const { amount, captureMethod, id: receipt } = operation
    const order = yield* api.post(["orders"], Wire.Order, {
      amount: amount.minorUnits,
      currency: amount.currency,
      receipt,
      unique_receipt: true,
      payment: captures[captureMethod],
      notes: notesOf(operation)
    })
    if (order.amount !== amount.minorUnits || order.currency !== amount.currency) return yield* otherMoney
    yield* checkpoint(operation, order.id)
    return { id: order.id, isNew: order.status === "created" }
  })

  const pay = Effect.fnUntraced(function* (operation: ProviderOperation, order: string) {
    const { amount, client, customer, description } = operation
    const payment = yield* api.post(
      ["payments", "create", "upi"],
      Wire.UpiPayment,
      {
        amount: amount.minorUnits,
        currency: amount.currency,
        order_id: order,
        email: customer.email,
        contact: customer.phone,
        method: "upi",
        ip: client?.ip ?? undefined,
        referer: client?.referer ?? undefined,
        user_agent: client?.userAgent ?? undefined,
        description: description ?? undefined,
        notes: notesOf(operation),
        upi: upiOf(operation)
      },
      { refused: paymentError }
    )
    const nextAction = yield* nextActionOf(operation, payment.link ?? null)
    // Without its link nobody can pay it. The next send makes another one.
    return nextAction === null
      ? Outcome.unknown({ reason: "unreadable", reference: order })
      : Outcome.pending({ reference: order, nextAction })
  })

  const inquire = Effect.fnUntraced(function* ({
    captureMethod,
    id,
    reference
  }: ProviderOperation): Effect.fn.Return<Inquiry, NoAnswer> {
    const order = reference ?? (yield* orderNamed(id))
    if (order === null) return Outcome.notFound()
    return paymentsAnswer(yield* paymentsOn(order), { captureMethod, reference: order })
  })

  const orderNamed = (receipt: string) =>
    Effect.map(
      api.get(["orders"], Wire.Orders, { receipt }),
      ({ items }) => items.find((order) => order.receipt === receipt)?.id ?? null
    )

  const paymentsOn = (order: string) =>
    Effect.map(api.get(["orders", order, "payments"], Wire.Payments), ({ items }) => items)

  return { create, inquire, paymentsOn }
}

/** The order under our receipt is not ours: nothing is paid on it. */
const otherMoney = Effect.fail(
  new Ended({ outcome: Outcome.unknown({ reason: "unmapped", vendorCode: "order_amount_mismatch" }) })
)

/**
 * Five days, the longest there is: whatever is authorized late is captured late, and not given back unasked. What is held
 * for us and never captured Razorpay gives back after the same time.
 */
const period = 7_200
const captures = {
  automatic: {
    capture: "automatic",
    capture_options: { automatic_expiry_period: period, manual_expiry_period: period, refund_speed: "normal" }
  },
  manual: { capture: "manual", capture_options: { manual_expiry_period: period, refund_speed: "normal" } }
} as const

const upiOf = ({ method }: ProviderOperation) =>
  method.rail === "upi" && method.flow === "collect"
    ? { flow: "collect", vpa: method.vpa, expiry_time: minutesToPay }
    : { flow: "intent" }

/** `null`: what the payer needs is not there. The link is handed on as it came: Razorpay forbids any change to it. */
const nextActionOf = (
  { createdAt, method }: ProviderOperation,
  link: string | null
): Effect.Effect<NextAction | null> => {
  const expiresAt = createdAt + minutesToPay * 60_000
  const flow = method.rail === "upi" ? method.flow : "intent"
  if (flow === "collect") return Effect.succeed({ type: "wait", expiresAt })
  if (link === null) return Effect.succeed(null)
  if (flow === "intent") return Effect.succeed({ type: "upi_intent", uri: link, expiresAt })
  return Effect.map(drawnAsSvg(link), (image) => ({ type: "upi_qr", payload: link, image, expiresAt }))
}

/** Razorpay's usual limit, which its intents have by themselves. */
const minutesToPay = 10
