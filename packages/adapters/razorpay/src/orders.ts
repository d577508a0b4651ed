/**
 * Orders and the payments on them: the intent flow, its QR code, and collect requests.
 *
 * Razorpay makes an order and then a payment on it, in two requests. The order is checkpointed in between, and named by
 * the operation's id: a repeat continues with the same order, which takes one success. Razorpay's documentation contradicts itself
 * about a receipt that is used again: the same order is returned, or the request is rejected. Then the order is looked up.
 */
import {
  type InquiryOutcome,
  type NextAction,
  Outcome,
  type ProviderContext,
  type ProviderOperation
} from "@paymux/core"
import { HttpOutcome } from "@paymux/provider-kit"
import { Effect, type Redacted } from "effect"
import { toString as draw } from "qrcode"
import { type Api, Ended, type NoAnswer, orFound, withoutProof } from "./api.ts"
import { paymentError } from "./errors.ts"
import { descriptionOf, notesOf, notesOfHold } from "./notes.ts"
import { paymentsAnswer, type Standing, standingOf } from "./statuses.ts"
import * as Wire from "./wire.ts"

export const makeOrders = (
  api: Api,
  keySecret: Redacted.Redacted,
  { checkpoint }: Pick<ProviderContext, "checkpoint">
) => {
  const create = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    const { captureMethod, reference: known } = operation
    const order = known === null ? yield* openOrder(operation) : { id: known, isNew: false }
    if (order.isNew) return yield* pay(operation, order.id)
    // There was a send before this one: what was paid by it is the answer, also where it is still under way.
    const payments = yield* known === null ? withoutProof(paymentsOn(order.id)) : paymentsOn(order.id)
    const standings = payments.map(standingOf)
    if (standings.some((standing) => answering.has(standing))) {
      return paymentsAnswer(payments, { captureMethod, reference: order.id })
    }
    if (payments.length === 0) return yield* pay(operation, order.id)
    // A collect request is on the payer's phone already; the link of an intent was lost with its answer.
    return isCollect(operation) && standings.includes("open")
      ? Outcome.pending({ reference: order.id, nextAction: waiting(operation) })
      : yield* withoutProof(pay(operation, order.id))
  })

  const openOrder = Effect.fnUntraced(function* (operation: ProviderOperation) {
    const { amount, id: receipt } = operation
    const order = yield* orFound(
      Effect.map(post(operation), (made) => ({ ...made, isNew: made.status === "created" })),
      Effect.map(orderNamed(receipt), (found) => (found === null ? null : { ...found, isNew: false }))
    )
    if (order.amount !== amount.minorUnits || order.currency !== amount.currency) return yield* otherMoney
    yield* checkpoint(operation, order.id)
    return order
  })

  /** An order alone cannot be paid. */
  const post = (operation: ProviderOperation) =>
    HttpOutcome.harmless(
      api.post(["orders"], Wire.Order, {
        amount: operation.amount.minorUnits,
        currency: operation.amount.currency,
        receipt: operation.id,
        unique_receipt: true,
        payment: captures[operation.captureMethod],
        notes: notesOf(operation)
      })
    )

  const pay = Effect.fnUntraced(function* (operation: ProviderOperation, order: string) {
    const { amount, captureMethod, client, customer } = operation
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
        description: descriptionOf(operation),
        notes: captureMethod === "manual" ? notesOfHold(operation, order, keySecret) : notesOf(operation),
        upi: upiOf(operation)
      },
      { refused: paymentError }
    )
    const nextAction = yield* nextActionOf(operation, payment.link ?? null)
    // Without its link it cannot be paid. The next send makes another one.
    return nextAction === null
      ? Outcome.unknown({ reason: "unreadable", reference: order })
      : Outcome.pending({ reference: order, nextAction })
  })

  const inquire = Effect.fnUntraced(function* ({
    captureMethod,
    id,
    reference
  }: ProviderOperation): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    const order = reference ?? (yield* orderNamed(id))?.id
    if (order === undefined) return Outcome.notFound()
    return paymentsAnswer(yield* paymentsOn(order), { captureMethod, reference: order })
  })

  /** Razorpay lists every order whose receipt contains the text. */
  const orderNamed = (receipt: string) =>
    Effect.map(
      api.get(["orders"], Wire.Orders, { receipt }),
      ({ items }) => items.find((order) => order.receipt === receipt) ?? null
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

/** Standings of a payment after which no other is made. */
const answering: ReadonlySet<Standing> = new Set(["taken", "held", "moving", "unheard_of"])

const isCollect = ({ method }: ProviderOperation): boolean => method.rail === "upi" && method.flow === "collect"

const upiOf = ({ method }: ProviderOperation) =>
  method.rail === "upi" && method.flow === "collect"
    ? { flow: "collect", vpa: method.vpa, expiry_time: minutesToPay }
    : { flow: "intent" }

/** `null`: what the payer needs is not there. The link is handed on as it came: Razorpay forbids any change to it. */
const nextActionOf = (operation: ProviderOperation, link: string | null): Effect.Effect<NextAction | null> => {
  const { method } = operation
  if (isCollect(operation)) return Effect.succeed(waiting(operation))
  if (link === null) return Effect.succeed(null)
  const expiresAt = expiryOf(operation)
  return method.rail === "upi" && method.flow === "qr"
    ? Effect.map(drawnAsSvg(link), (image) => ({ type: "upi_qr", payload: link, image, expiresAt }))
    : Effect.succeed({ type: "upi_intent", uri: link, expiresAt })
}

const waiting = (operation: ProviderOperation): NextAction => ({ type: "wait", expiresAt: expiryOf(operation) })

const expiryOf = ({ createdAt }: ProviderOperation): number => createdAt + minutesToPay * 60_000

/** Razorpay's usual limit, which its intents have by themselves. */
const minutesToPay = 10

/** A QR code of `text` as a `data:` address of an SVG; `null` where it is too long for any. */
const drawnAsSvg = (text: string): Effect.Effect<string | null> =>
  Effect.tryPromise(() => draw(text, { type: "svg", errorCorrectionLevel: "M" })).pipe(
    Effect.map((svg) => `data:image/svg+xml;base64,${Buffer.from(svg, "utf8").toString("base64")}`),
    Effect.catch(() => Effect.succeed(null))
  )
