/** Finds the outcome of an operation by ids of ours: the order's or link's, and the refund's. */
import { type InquiryOutcome, Outcome, type ProviderError, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import type { Client } from "./client.ts"
import { inquiry, read, readSubject } from "./errors.ts"
import type { Links } from "./links.ts"
import { isByLink, isLinkId, orderIdOf, refundIdOf } from "./request.ts"
import { cancelAnswer, captureAnswer, createAnswer, refundAnswer } from "./status.ts"
import * as Wire from "./wire.ts"

export const makeInquire = (client: Client, links: Links) => {
  const ofCreate = Effect.fnUntraced(function* (operation: ProviderOperation) {
    if (isByLink(operation)) return yield* links.inquire(operation)
    const orderId = operation.reference ?? orderIdOf(operation.id)
    const isOurs = orderId === orderIdOf(operation.id) || (yield* links.hasOrder(operation.id, orderId))
    // The list of a link may lag behind its orders: this proves nothing.
    if (!isOurs) return Outcome.unknown({ reason: "in_progress", vendorCode: "order_not_of_link" })
    const { order, payments } = yield* ofOrder(orderId)
    return createAnswer(order, payments, operation.captureMethod)
  })

  const ofCancel = Effect.fnUntraced(function* ({ captureMethod }: ProviderOperation, original: string) {
    if (isLinkId(original)) return yield* links.inquireCancel(original)
    const { order, payments } = yield* ofOrder(original)
    return cancelAnswer(order, payments, captureMethod)
  })

  const ofCapture = (orderId: string) =>
    Effect.map(readSubject(Wire.Payments, client.payments(orderId)), (payments) => captureAnswer(orderId, payments))

  const ofRefund = Effect.fnUntraced(function* ({ id }: ProviderOperation, original: string) {
    const orderId = yield* links.paidOrder(original)
    if (orderId === null) return Outcome.notFound()
    return refundAnswer(yield* readSubject(Wire.Refund, client.refund(orderId, refundIdOf(id))))
  })

  const ofOrder = Effect.fnUntraced(function* (orderId: string) {
    const order = yield* readSubject(Wire.Order, client.order(orderId))
    // The order is there: that its payments are not is no answer.
    return { order, payments: yield* read(Wire.Payments, client.payments(orderId)) }
  })

  const find = (operation: ProviderOperation) => {
    if (operation.kind === "create") return ofCreate(operation)
    const original = operation.original?.reference ?? null
    // Nothing can have been sent: there was nothing to act on.
    if (original === null) return Effect.succeed(Outcome.notFound())
    switch (operation.kind) {
      case "capture":
        return ofCapture(original)
      case "cancel":
        return ofCancel(operation, original)
      case "refund":
        return ofRefund(operation, original)
    }
  }

  return (operation: ProviderOperation): Effect.Effect<InquiryOutcome, ProviderError> => inquiry(find(operation))
}
