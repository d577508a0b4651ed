/** Capture, cancel and refund of an order. */
import { Outcome, type ProviderError, type ProviderOperation } from "@paymux/core"
import { HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
import { Effect } from "effect"
import type { Client } from "./client.ts"
import { errorOf, errorOutcome } from "./errors.ts"
import { captureBody, refundBody } from "./request.ts"
import { captureAnswer, isHeld, refundAnswer, terminationAnswer, voidAnswer } from "./status.ts"
import * as Wire from "./wire.ts"

type Call = Effect.Effect<Outcome.SendOutcome, ProviderError | ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown>

export const makeLater = (client: Client) => {
  const capture = (operation: ProviderOperation) =>
    onOrder(operation, (orderId) =>
      Effect.gen(function* () {
        const body = captureBody(operation)
        if (body === null) return nothingSent
        const answer = yield* client.authorize(operation, orderId, body)
        if (answer.status !== 200) return yield* errorOutcome(answer)
        return Outcome.ofInquiry(captureAnswer(orderId, [yield* answer.decodeWithNumberText(Wire.Payment)]))
      })
    )

  /** A hold is released by one endpoint, an unpaid order is closed by another. */
  const cancel = (operation: ProviderOperation) =>
    onOrder(operation, (orderId) =>
      Effect.gen(function* () {
        if (operation.captureMethod === "automatic") return yield* terminate(operation, orderId)
        const answer = yield* client.payments(orderId)
        if (answer.status !== 200) return yield* errorOutcome(answer)
        const payments = yield* answer.decodeWithNumberText(Wire.Payments)
        if (payments.some(isHeld)) return yield* release(operation, orderId)
        const found = voidAnswer(orderId, payments)
        return found === null ? yield* terminate(operation, orderId) : Outcome.ofInquiry(found)
      })
    )

  const release = Effect.fnUntraced(function* (operation: ProviderOperation, orderId: string) {
    const answer = yield* client.authorize(operation, orderId, { action: "VOID" })
    if (answer.status !== 200) return yield* errorOutcome(answer)
    const said = voidAnswer(orderId, [yield* answer.decodeWithNumberText(Wire.Payment)])
    return said === null ? Outcome.unknown({ reason: "unmapped" }) : Outcome.ofInquiry(said)
  })

  const terminate = Effect.fnUntraced(function* (operation: ProviderOperation, orderId: string) {
    const answer = yield* client.terminate(orderId)
    if (answer.status === 200) {
      return Outcome.ofInquiry(yield* closed(operation, yield* answer.decodeWithNumberText(Wire.Order)))
    }
    const { type } = yield* errorOf(answer)
    // An order that is over is refused: what it is instead says what became of it.
    return answer.status === 400 && type === "invalid_request_error"
      ? yield* refusedTermination(operation, orderId, answer)
      : yield* errorOutcome(answer)
  })

  const refusedTermination = Effect.fnUntraced(function* (
    operation: ProviderOperation,
    orderId: string,
    refusal: ProviderHttp.Answer
  ) {
    const answer = yield* client.order(orderId)
    if (answer.status !== 200) return yield* errorOutcome(answer)
    const found = yield* closed(operation, yield* answer.decodeWithNumberText(Wire.Order))
    return found._tag === "NotFound" ? yield* errorOutcome(refusal) : Outcome.ofInquiry(found)
  })

  /** No payer can start to pay a closed order; a payment that was started before may still be at a bank. */
  const closed = Effect.fnUntraced(function* ({ captureMethod }: ProviderOperation, order: Wire.Order) {
    const answer = yield* client.payments(order.order_id)
    // It may be closed by now: that its payments cannot be read is no refusal.
    if (answer.status !== 200) return Outcome.unknown({ reason: "in_progress", reference: order.order_id })
    return terminationAnswer(order, yield* answer.decodeWithNumberText(Wire.Payments), captureMethod)
  })

  const refund = (operation: ProviderOperation) =>
    onOrder(operation, (orderId) =>
      Effect.gen(function* () {
        const body = refundBody(operation)
        if (body === null) return nothingSent
        const answer = yield* client.createRefund(operation, orderId, body)
        return answer.status === 200
          ? refundAnswer(yield* answer.decodeWithNumberText(Wire.Refund))
          : yield* errorOutcome(answer)
      })
    )

  return { capture, cancel, refund }
}

/** Of the order that the create left as its reference; without one there is nothing to act on. */
const onOrder = (operation: ProviderOperation, call: (orderId: string) => Call) => {
  const orderId = operation.original?.reference ?? null
  return HttpOutcome.operation(orderId === null ? Effect.succeed(nothingSent) : call(orderId))
}

const nothingSent: Outcome.SendOutcome = Outcome.notExecuted({ reason: "adapter_fault" })
