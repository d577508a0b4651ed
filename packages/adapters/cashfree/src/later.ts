/** Capture, cancel and refund of an order or a link. */
import { Outcome, type ProviderError, type ProviderOperation } from "@paymux/core"
import type { ProviderHttp } from "@paymux/provider-kit"
import { Effect } from "effect"
import type { Client } from "./client.ts"
import { bodyOf, errorOf, operation as outcomeOf, read, Refused } from "./errors.ts"
import type { Links } from "./links.ts"
import { captureBody, isLinkId, refundBody } from "./request.ts"
import { captureAnswer, isHeld, refundAnswer, terminationAnswer, voidAnswer } from "./status.ts"
import * as Wire from "./wire.ts"

export const makeLater = (client: Client, links: Links) => {
  const capture = Effect.fnUntraced(function* (operation: ProviderOperation, orderId: string) {
    const body = captureBody(operation)
    if (body === null) return nothingSent
    const payment = yield* read(Wire.Payment, client.authorize(operation, orderId, body))
    return Outcome.ofInquiry(captureAnswer(orderId, [payment]))
  })

  /** A hold is released by one endpoint, an unpaid order is closed by another. */
  const cancel = Effect.fnUntraced(function* (operation: ProviderOperation, original: string) {
    if (isLinkId(original)) return yield* links.cancel(original)
    if (operation.captureMethod === "automatic") return yield* terminate(operation, original)
    const payments = yield* read(Wire.Payments, client.payments(original))
    if (payments.some(isHeld)) return yield* release(operation, original)
    const found = voidAnswer(original, payments)
    return found === null ? yield* terminate(operation, original) : Outcome.ofInquiry(found)
  })

  const release = Effect.fnUntraced(function* (operation: ProviderOperation, orderId: string) {
    const payment = yield* read(Wire.Payment, client.authorize(operation, orderId, { action: "VOID" }))
    return Outcome.ofInquiry(voidAnswer(orderId, [payment]) ?? Outcome.unknown({ reason: "unmapped" }))
  })

  const terminate = Effect.fnUntraced(function* (operation: ProviderOperation, orderId: string) {
    const answer = yield* client.terminate(orderId)
    const { type } = yield* errorOf(answer)
    // An order that is over is refused: what it is instead says what became of it.
    return answer.status === 400 && type === "invalid_request_error"
      ? yield* refusedTermination(operation, orderId, answer)
      : Outcome.ofInquiry(yield* closed(operation, yield* bodyOf(Wire.Order, answer)))
  })

  const refusedTermination = Effect.fnUntraced(function* (
    operation: ProviderOperation,
    orderId: string,
    answer: ProviderHttp.Answer
  ) {
    const found = yield* closed(operation, yield* read(Wire.Order, client.order(orderId)))
    return found._tag === "NotFound" ? yield* new Refused({ answer, isSubject: false }) : Outcome.ofInquiry(found)
  })

  /** No payer can start to pay a closed order; a payment that was started before may still be at a bank. */
  const closed = Effect.fnUntraced(function* ({ captureMethod }: ProviderOperation, order: Wire.Order) {
    const answer = yield* client.payments(order.order_id)
    // It may be closed by now: that its payments cannot be read is no refusal.
    if (answer.status !== 200) return Outcome.unknown({ reason: "in_progress", reference: order.order_id })
    return terminationAnswer(order, yield* bodyOf(Wire.Payments, answer), captureMethod)
  })

  const refund = Effect.fnUntraced(function* (operation: ProviderOperation, original: string) {
    const body = refundBody(operation)
    const orderId = yield* links.paidOrder(original)
    if (body === null || orderId === null) return nothingSent
    return refundAnswer(yield* read(Wire.Refund, client.createRefund(operation, orderId, body)))
  })

  return { capture: onOriginal(capture), cancel: onOriginal(cancel), refund: onOriginal(refund) }
}

type Call = (
  operation: ProviderOperation,
  original: string
) => Effect.Effect<
  Outcome.SendOutcome,
  ProviderError | ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown | Refused
>

/** On the order or link that the create left as its reference; without one there is nothing to act on. */
const onOriginal =
  (call: Call) =>
  (operation: ProviderOperation): Effect.Effect<Outcome.SendOutcome, ProviderError> => {
    const original = operation.original?.reference ?? null
    return outcomeOf(original === null ? Effect.succeed(nothingSent) : call(operation, original))
  }

const nothingSent: Outcome.SendOutcome = Outcome.notExecuted({ reason: "adapter_fault" })
