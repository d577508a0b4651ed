/** What became of an operation, asked by ids of ours: the order's, and the refund's. */
import { type InquiryOutcome, Outcome, type ProviderError, type ProviderOperation } from "@paymux/core"
import { HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
import { Effect, type Schema } from "effect"
import type { Client } from "./client.ts"
import { errorOutcome, isNotFound } from "./errors.ts"
import { orderIdOf, refundIdOf } from "./request.ts"
import { cancelAnswer, captureAnswer, createAnswer, refundAnswer } from "./status.ts"
import * as Wire from "./wire.ts"

export const makeInquire = (client: Client) => {
  const inquire = (operation: ProviderOperation): Effect.Effect<InquiryOutcome, ProviderError> =>
    HttpOutcome.inquiry(
      Effect.gen(function* () {
        if (operation.kind === "create") return yield* ofCreate(operation)
        const orderId = operation.original?.reference ?? null
        // Nothing can have been sent: there was nothing to act on.
        if (orderId === null) return Outcome.notFound()
        switch (operation.kind) {
          case "capture":
            return yield* found(yield* client.payments(orderId), Wire.Payments, (payments) =>
              captureAnswer(orderId, payments)
            )
          case "cancel":
            return yield* ofCancel(operation, orderId)
          case "refund":
            return yield* found(yield* client.refund(orderId, refundIdOf(operation.id)), Wire.Refund, refundAnswer)
        }
      })
    )

  const ofCreate = ({ captureMethod, id, reference }: ProviderOperation) =>
    ofOrder(reference ?? orderIdOf(id), (order, payments) => createAnswer(order, payments, captureMethod))

  const ofCancel = ({ captureMethod }: ProviderOperation, orderId: string) =>
    ofOrder(orderId, (order, payments) => cancelAnswer(order, payments, captureMethod))

  const ofOrder = Effect.fnUntraced(function* (
    orderId: string,
    read: (order: Wire.Order, payments: Wire.Payments) => InquiryOutcome
  ) {
    const answer = yield* client.order(orderId)
    if (answer.status !== 200) return yield* notFoundOr(answer)
    const order = yield* answer.decodeWithNumberText(Wire.Order)
    const payments = yield* client.payments(orderId)
    // The order is there: that its payments are not is no answer.
    if (payments.status !== 200) return yield* errorOutcome(payments)
    return read(order, yield* payments.decodeWithNumberText(Wire.Payments))
  })

  return inquire
}

const found = <A>(answer: ProviderHttp.Answer, schema: Schema.Decoder<A>, read: (found: A) => InquiryOutcome) =>
  answer.status === 200 ? Effect.map(answer.decodeWithNumberText(schema), read) : notFoundOr(answer)

const notFoundOr = (answer: ProviderHttp.Answer): Effect.Effect<InquiryOutcome, ProviderError> =>
  Effect.flatMap(isNotFound(answer), (missing): Effect.Effect<InquiryOutcome, ProviderError> =>
    missing ? Effect.succeed(Outcome.notFound()) : errorOutcome(answer)
  )
