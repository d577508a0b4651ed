/**
 * Northbank's API, one function for each operation of the contract. It knows no idempotency keys: it refuses a second
 * order or refund under the same reference with a 409, and the first one can be looked up.
 */
import {
  cardToken,
  type InquiryOutcome,
  Outcome,
  type PromiseProviderContext,
  type PromiseProviderOperations,
  type ProviderOperation
} from "@paymux/core"
import type { Schema } from "effect"
import { readCodes } from "./codes.ts"
import { asked, declined, orderAnswer, read, refundAnswer, settled } from "./errors.ts"
import { type Answer, Ended, type Send } from "./http.ts"
import * as Wire from "./wire.ts"

export const makeClient = (
  http: (signal: AbortSignal) => Send,
  context: Pick<PromiseProviderContext, "id" | "checkpoint">
): Required<Pick<PromiseProviderOperations, "create" | "cancel" | "refund" | "inquire">> => {
  /** An order, then the session in which its payer pays: each is looked for before it is made again. */
  const create = (operation: ProviderOperation, signal: AbortSignal) =>
    settled(async () => {
      const send = http(signal)
      const order =
        operation.reference === null ? await openOrder(send, operation) : await orderById(send, operation.reference)
      if (order.status !== "open" || order.session !== null) return orderAnswer(operation, order)
      const answer = await send("POST", `${pathOf(order.id)}/sessions`, sessionForm(operation, context.id))
      return orderAnswer(operation, read(answer, Wire.Order))
    })

  const openOrder = async (send: Send, operation: ProviderOperation): Promise<Wire.Order> => {
    const answer = await send("POST", "/orders", {
      reference: operation.id,
      amount: Wire.majorUnits(operation.amount),
      currency: operation.amount.currency,
      description: operation.description
    })
    const order = await madeOrFound(answer, Wire.Order, () => orderOf(send, operation))
    await context.checkpoint(operation, order.id)
    return order
  }

  const cancel = (operation: ProviderOperation, signal: AbortSignal) =>
    settled(async () => {
      const answer = await http(signal)("POST", `${pathOf(originalOf(operation))}/cancel`)
      return cancelAnswer(read(answer, Wire.Order))
    })

  const refund = (operation: ProviderOperation, signal: AbortSignal) =>
    settled(async () => {
      const send = http(signal)
      const answer = await send("POST", `${pathOf(originalOf(operation))}/refunds`, {
        reference: operation.id,
        amount: Wire.majorUnits(operation.amount),
        reason: operation.reason
      })
      return refundAnswer(await madeOrFound(answer, Wire.Refund, () => refundOf(send, operation)))
    })

  const inquire = (operation: ProviderOperation, signal: AbortSignal) =>
    asked(async () => {
      const send = http(signal)
      switch (operation.kind) {
        case "create": {
          const order = await orderOf(send, operation)
          return order === undefined ? Outcome.notFound() : orderAnswer(operation, order)
        }
        case "refund": {
          const refund = await refundOf(send, operation)
          return refund === undefined ? Outcome.notFound() : refundAnswer(refund)
        }
        case "cancel":
          return cancelAnswer(await orderById(send, originalOf(operation)))
        case "capture":
          return Outcome.unknown({ reason: "unmapped" })
      }
    })

  return { create, cancel, refund, inquire }
}

/** A 409 says that an earlier send has made it. If the look-up fails, its outcome is unknown. */
const madeOrFound = async <A>(
  answer: Answer,
  schema: Schema.Decoder<A>,
  find: () => Promise<A | undefined>
): Promise<A> => (answer.status === 409 ? await find().catch(() => undefined) : undefined) ?? read(answer, schema)

const orderById = async (send: Send, id: string): Promise<Wire.Order> =>
  read(await send("GET", pathOf(id)), Wire.Order, readCodes)

const orderOf = async (send: Send, { id }: ProviderOperation): Promise<Wire.Order | undefined> =>
  read(await send("GET", `/orders?reference=${encodeURIComponent(id)}`), Wire.Orders, readCodes).orders[0]

const refundOf = async (send: Send, { id }: ProviderOperation): Promise<Wire.Refund | undefined> =>
  read(await send("GET", `/refunds?reference=${encodeURIComponent(id)}`), Wire.Refunds, readCodes).refunds[0]

const pathOf = (order: string): string => `/orders/${encodeURIComponent(order)}`

const sessionForm = ({ method, returnUrl }: ProviderOperation, instance: string) => {
  if (method.rail === "upi") return { method: "upi" }
  const token = method.rail === "card" ? cardToken(method, instance) : null
  if (token === null) return { method: "page", return_url: returnUrl }
  return { method: "token", token: typeof token === "string" ? token : JSON.stringify(token), return_url: returnUrl }
}

const cancelAnswer = ({ id: reference, status }: Wire.Order): InquiryOutcome => {
  if (status === "canceled") return Outcome.succeeded({ reference })
  return status === "open" ? Outcome.notFound({ reference }) : declined("order_closed", reference)
}

/** The order that is to be canceled or refunded. Without one nothing is sent. */
const originalOf = ({ original }: ProviderOperation): string => {
  if (typeof original?.reference === "string") return original.reference
  throw new Ended({ outcome: Outcome.notExecuted({ reason: "adapter_fault" }) })
}
