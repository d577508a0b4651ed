/**
 * Payment Links: the flow `hosted`, Cashfree's own page, which an account has without Order Pay (S2S).
 *
 * A link has a name of ours, which Cashfree accepts once: a repeat is refused, and the first link is read. The payer pays by orders
 * that Cashfree makes for the link (`CFPay_…`), one or more for each visit. The reference of a create is the link until it is
 * paid, and then the paid order, which refunds, webhooks and the statement name.
 */
import {
  type InquiryOutcome,
  type OperationId,
  Outcome,
  type ProviderError,
  type ProviderOperation
} from "@paymux/core"
import type { ProviderHttp } from "@paymux/provider-kit"
import { Effect } from "effect"
import type { Client } from "./client.ts"
import { bodyOf, isClientError, isMadeBefore, isNotFound, read, readSubject, Refused, withoutProof } from "./errors.ts"
import { type CashfreeOptions, payWithin } from "./options.ts"
import { expiryOf, isLinkId, linkBody, linkIdOf } from "./request.ts"
import { isOpen, isPaid, linkAnswer, linkStanding, readTime, terminationAnswer } from "./status.ts"
import * as Wire from "./wire.ts"

type Failure = ProviderError | Refused | ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown

export interface Links {
  readonly create: (operation: ProviderOperation) => Effect.Effect<Outcome.SendOutcome, Failure>
  readonly inquire: (operation: ProviderOperation) => Effect.Effect<InquiryOutcome, Failure>
  readonly cancel: (linkId: string) => Effect.Effect<Outcome.SendOutcome, Failure>
  readonly inquireCancel: (linkId: string) => Effect.Effect<InquiryOutcome, Failure>
  /** Whether Cashfree made the order for the link of this create. */
  readonly hasOrder: (id: OperationId, orderId: string) => Effect.Effect<boolean, Failure>
  /** The order to refund; `null`: the link has no paid one. Any other reference is an order. */
  readonly paidOrder: (reference: string) => Effect.Effect<string | null, Failure>
}

export const makeLinks = (client: Client, options: CashfreeOptions): Links => {
  const create = Effect.fnUntraced(function* (operation: ProviderOperation) {
    if (operation.reference !== null) return Outcome.ofInquiry(yield* inquire(operation))
    const body = linkBody(operation, payWithin(options))
    if (body === null) return Outcome.notExecuted({ reason: "adapter_fault" })
    const answer = yield* client.createLink(operation, body)
    return Outcome.ofInquiry(
      (yield* isMadeBefore(answer))
        ? yield* withoutProof(inquire(operation))
        : answerOf(operation, yield* bodyOf(Wire.Link, answer), { orders: [], payments: [] })
    )
  })

  const inquire = Effect.fnUntraced(function* (operation: ProviderOperation) {
    const linkId = operation.reference ?? linkIdOf(operation.id)
    const link = yield* readSubject(Wire.Link, client.link(linkId))
    return answerOf(operation, link, yield* triesOf(linkId))
  })

  const answerOf = (
    operation: ProviderOperation,
    link: Wire.Link,
    { orders, payments }: Effect.Success<ReturnType<typeof triesOf>>
  ) => {
    const { amount } = operation
    const isOurs = link.link_amount === amount.minorUnits && link.link_currency === amount.currency
    if (!isOurs) return Outcome.unknown({ reason: "duplicate", vendorCode: "link_differs" })
    const expiresAt = readTime(link.link_expiry_time) ?? expiryOf(operation, payWithin(options))
    return linkAnswer(link, orders, payments, expiresAt)
  }

  const cancel = Effect.fnUntraced(function* (linkId: string) {
    const answer = yield* client.cancelLink(linkId)
    const refused = new Refused({ answer, isSubject: false })
    const after = afterCancel(linkId, answer.status === 200)
    // A cancel that was refused stays so if the link cannot be read; otherwise it may be canceled by now.
    const found = yield* isClientError(answer)
      ? Effect.catchTag(after, "Refused", () => Effect.fail(refused))
      : withoutProof(after)
    return found._tag === "NotFound" ? yield* refused : Outcome.ofInquiry(found)
  })

  /** `NotFound`: the link is open, and its cancel was refused. */
  const afterCancel = Effect.fnUntraced(function* (linkId: string, isAccepted: boolean) {
    const link = yield* read(Wire.Link, client.link(linkId))
    if (link.link_status === "ACTIVE" && !isAccepted) return Outcome.notFound()
    // A page that was opened before can be paid until its order ends. If it cannot be closed, that is waited for.
    for (const order of (yield* ordersOf(linkId)).filter(isOpen)) yield* Effect.ignore(client.terminate(order.order_id))
    const found = yield* canceledAnswer(link)
    return found._tag === "NotFound" ? Outcome.unknown({ reason: "in_progress", reference: linkId }) : found
  })

  const inquireCancel = (linkId: string) => Effect.flatMap(readSubject(Wire.Link, client.link(linkId)), canceledAnswer)

  const canceledAnswer = (link: Wire.Link) =>
    Effect.map(triesOf(link.link_id), ({ orders, payments }) =>
      terminationAnswer(linkStanding(link, orders), payments, "automatic")
    )

  /** What was tried on the page. Of a paid link only the paid orders are read. */
  const triesOf = Effect.fnUntraced(function* (linkId: string) {
    const orders = yield* ordersOf(linkId)
    const paid = orders.filter(isPaid)
    const payments = yield* Effect.forEach(paid.length > 0 ? paid : orders, ({ order_id }) =>
      Effect.map(read(Wire.Payments, client.payments(order_id)), (list) => list.map((each) => ({ ...each, order_id })))
    )
    return { orders, payments: payments.flat() }
  })

  /** Oldest first. Whether the list of a link that was never opened is empty or a 404 is not published. */
  const ordersOf = Effect.fnUntraced(function* (linkId: string) {
    const answer = yield* client.linkOrders(linkId)
    if (yield* isNotFound(answer)) return []
    const orders = yield* bodyOf(Wire.LinkOrders, answer)
    return orders.toSorted((one, other) => (readTime(one.created_at) ?? 0) - (readTime(other.created_at) ?? 0))
  })

  const paidOrder = (reference: string) =>
    isLinkId(reference)
      ? Effect.map(ordersOf(reference), (orders) => orders.find(isPaid)?.order_id ?? null)
      : Effect.succeed(reference)

  const hasOrder = (id: OperationId, orderId: string) =>
    Effect.map(ordersOf(linkIdOf(id)), (orders) => orders.some(({ order_id }) => order_id === orderId))

  return { create, inquire, cancel, inquireCancel, hasOrder, paidOrder }
}
