/** The merchant: sends requests to the engine, and keeps every request with its answer. */
import { decodeCreatePayment } from "@paymux/core"
import type { PaymentId, Payments } from "@paymux/core"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { plain } from "../../packages/core/test/engine/fixtures.ts"
import type { Order, RequestView } from "../suites/src/simulation/judge/index.ts"
import { refundViewOf, viewOf } from "./publicJson.ts"

export const makeMerchant = (payments: Payments["Service"]) => {
  const orders: Array<Order> = []
  const requests: Array<RequestView> = []

  /** Sends a request and gives the engine time for resends. */
  const ask = Effect.fnUntraced(function* <E>(
    order: string,
    call: string,
    wants: RequestView["wants"],
    request: Effect.Effect<{ readonly id: string; readonly body: string }, E>
  ) {
    const at = yield* Clock.currentTimeMillis
    const fiber = yield* Effect.forkChild(Effect.result(request))
    yield* TestClock.adjust("15 seconds")
    const result = yield* Fiber.join(fiber)
    const answer: RequestView["answer"] =
      result._tag === "Success"
        ? { kind: "accepted", ...result.success, replayed: false, kept: false }
        : { kind: "refused", reason: String(result.failure) }
    requests.push({ order, call, key: null, wants, at, answer })
    return answer
  })

  const create = Effect.fnUntraced(function* (order: Order) {
    orders.push(order)
    const payment = yield* Effect.orDie(decodeCreatePayment(requestOf(order)))
    const answer = yield* ask(
      order.id,
      "create",
      null,
      Effect.map(payments.create(payment, plain), ({ body, record }) => ({ id: record.payment.id, body }))
    )
    if (answer.kind !== "accepted") return yield* Effect.die(new Error(`The payment was refused: ${answer.kind}`))
    // Boundary: the engine has just made this id.
    return { id: answer.id as PaymentId, answered: viewOf(answer.body) }
  })

  const capture = (order: Order, id: PaymentId, minorUnits: number) =>
    ask(
      order.id,
      "capture",
      // The same amount again is the same capture, which the API called failed.
      { kind: "capture", name: `capture ${minorUnits}`, minorUnits },
      Effect.map(payments.capture(id, { minorUnits }, plain), ({ body }) => ({ id, body }))
    )

  const cancel = (order: Order, id: PaymentId) =>
    ask(
      order.id,
      "cancel",
      null,
      Effect.map(payments.cancel(id, plain), ({ body }) => ({ id, body }))
    )

  const refund = (order: Order, id: PaymentId, minorUnits: number) =>
    ask(
      order.id,
      "refund",
      { kind: "refund", name: `refund ${requests.length}`, minorUnits },
      Effect.map(payments.refund(id, { minorUnits, reason: null }, plain), ({ body }) => ({
        id: refundViewOf(body).id,
        body
      }))
    )

  return { orders, requests, create, capture, cancel, refund }
}

const requestOf = ({ captureMethod, currency, id, minorUnits }: Order) => ({
  amount: minorUnits,
  currency,
  payment_method: "card",
  capture_method: captureMethod,
  customer: { email: "asha@example.com", phone: "+919999999999" },
  payment_method_details: { card: { token: "tok_any" } },
  metadata: { n: id }
})
