/** What is asked of Adyen. One request for each operation, but for the closing of a link that cannot be closed. */
import {
  type InquiryOutcome,
  Outcome,
  type ProviderContext,
  type ProviderError,
  type ProviderOperation
} from "@paymux/core"
import { HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import type { Client } from "./client.ts"
import { linkCodes, paymentCodes } from "./codes.ts"
import { errorOutcome, linkOutcome, paymentOutcome } from "./errors.ts"
import { cardTokenOf, readKept, referenceOf } from "./names.ts"
import { type AdyenOptions, payWithin } from "./options.ts"
import { amountBody, type Asking, expiryOf, isReadable, linkBody, modificationBody, paymentBody } from "./request.ts"
import * as Wire from "./wire.ts"

type Call<A = Outcome.SendOutcome> = Effect.Effect<
  A,
  ProviderError | ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown
>

export const makeOperations = (
  client: Client,
  options: Pick<AdyenOptions, "merchantAccount" | "payWithinMinutes">,
  { checkpoint, id: instance }: Pick<ProviderContext, "checkpoint" | "id">
) => {
  const asking: Asking = { merchantAccount: options.merchantAccount, instance, payWithin: payWithin(options) }

  const create = (operation: ProviderOperation) => {
    const token = cardTokenOf(operation, instance)
    if (token !== null && !isReadable(token)) return Effect.succeed(unsaid("token"))
    return HttpOutcome.operation(
      token === null ? createLink(operation) : pay(operation, paymentBody(operation, token, asking))
    )
  }

  const pay = Effect.fnUntraced(function* (operation: ProviderOperation, body: object | null) {
    if (body === null) return unsaid(faultOf(operation))
    const own = ownOf(operation)
    // Until Adyen's name of it is known it has ours, also after a crash: so it can be canceled.
    if (operation.reference === null) yield* checkpoint(operation, own.reference)
    const answer = yield* client.pay(operation.key, body)
    if (answer.status !== 200) return yield* errorOutcome(answer, paymentCodes)
    return paymentOutcome(yield* answer.decode(Wire.Payment), operation, own)
  })

  const ownOf = (operation: ProviderOperation) => ({
    reference: referenceOf(operation, instance),
    expiresAt: expiryOf(operation, asking),
    deadlineAt: operation.deadlineAt
  })

  const createLink = Effect.fnUntraced(function* (operation: ProviderOperation) {
    const body = linkBody(operation, asking)
    if (body === null) return unsaid("amount")
    const answer = yield* client.createLink(operation.key, body)
    if (answer.status !== 201) return yield* errorOutcome(answer, linkCodes)
    return Outcome.ofInquiry(linkOutcome(yield* answer.decode(Wire.Link), expiryOf(operation, asking)))
  })

  /** The shopper came back, from 3-D Secure or from a link's page. */
  const complete = (
    operation: ProviderOperation,
    query: { readonly [key: string]: string }
  ): Effect.Effect<InquiryOutcome, ProviderError> => {
    const kept = operation.reference === null ? null : readKept(operation.reference)
    return HttpOutcome.inquiry<InquiryOutcome, never>(
      kept?._tag === "Link" ? askLink(operation, kept.id) : submitResult(operation, query["redirectResult"] ?? "")
    )
  }

  const askLink = Effect.fnUntraced(function* (operation: ProviderOperation, id: string) {
    const answer = yield* client.link(id)
    if (answer.status !== 200) return yield* errorOutcome(answer)
    return linkOutcome(yield* answer.decode(Wire.Link), expiryOf(operation, asking))
  })

  const submitResult = Effect.fnUntraced(function* (operation: ProviderOperation, redirectResult: string) {
    if (redirectResult === "" || redirectResult.length > 20_000) return nothingReported
    const answer = yield* client.details(keyOf(operation, redirectResult), { details: { redirectResult } })
    if (answer.status !== 200) return yield* errorOutcome(answer)
    const payment = yield* answer.decode(Wire.Payment)
    const own = ownOf(operation)
    return isOf(payment, operation, own.reference) ? paymentOutcome(payment, operation, own) : nothingReported
  })

  const modify = (
    operation: ProviderOperation,
    what: "captures" | "cancels" | "refunds" | "reversals",
    body: object | null
  ) =>
    onPayment(operation, (pspReference) =>
      body === null
        ? Effect.succeed(unsaid("amount"))
        : Effect.flatMap(client.modify(operation.key, pspReference, what, body), received)
    )

  const capture = (operation: ProviderOperation) => modify(operation, "captures", amountBody(operation, asking))

  /**
   * A payment with automatic capture may not be captured yet, and Adyen refuses a refund of it: the whole payment is reversed,
   * which releases what is held and refunds what was taken.
   */
  const refund = (operation: ProviderOperation) =>
    operation.captureMethod === "automatic" && operation.amount.minorUnits === operation.original?.amount.minorUnits
      ? modify(operation, "reversals", modificationBody(operation, asking))
      : modify(operation, "refunds", amountBody(operation, asking))

  const cancel = (operation: ProviderOperation) => {
    const reference = operation.original?.reference ?? null
    const kept = reference === null ? null : readKept(reference)
    const body = modificationBody(operation, asking)
    switch (kept?._tag) {
      case undefined:
        return Effect.succeed(nothingSent)
      case "Link":
        return HttpOutcome.operation(closeLink(kept.id))
      case "Payment":
        return modify(operation, "cancels", body)
      case "Unnamed":
        return HttpOutcome.operation(
          Effect.flatMap(
            client.cancelByReference(operation.key, { ...body, paymentReference: kept.reference }),
            received
          )
        )
    }
  }

  const closeLink = Effect.fnUntraced(function* (id: string) {
    const refusal = yield* client.expireLink(id)
    const answer = refusal.status === 200 ? refusal : yield* client.link(id)
    if (answer.status !== 200) return yield* errorOutcome(refusal)
    const { status } = yield* answer.decode(Wire.Link)
    switch (status) {
      case "expired":
        return Outcome.succeeded()
      // It was used: the webhook names the payment.
      case "completed":
      case "paid":
      case "paymentPending":
        return Outcome.declined({ code: "processing_error", retry: "same_later", vendorCode: status })
      default:
        return refusal.status === 200
          ? Outcome.unknown({ reason: "unmapped", vendorCode: "link_not_closed" })
          : yield* errorOutcome(refusal)
    }
  })

  return { create, complete, capture, cancel, refund }
}

/** Of a payment with a reference; the webhook of a link reports it. */
const onPayment = (operation: ProviderOperation, call: (pspReference: string) => Call) => {
  const reference = operation.original?.reference ?? null
  const kept = reference === null ? null : readKept(reference)
  return HttpOutcome.operation(kept?._tag === "Payment" ? call(kept.pspReference) : Effect.succeed(nothingSent))
}

/** Accepted: the webhook reports its outcome. */
const received = Effect.fnUntraced(function* (answer: ProviderHttp.Answer) {
  if (answer.status !== 201) return yield* errorOutcome(answer)
  const { pspReference, status } = yield* answer.decode(Wire.Modification)
  return status === "received"
    ? Outcome.pending({ reference: pspReference })
    : Outcome.unknown({ reason: "unmapped", reference: pspReference, vendorCode: "not_received" })
})

/**
 * Whether the result that the shopper brought is this payment's: one of another payment could be put into the address. Where
 * Adyen does not say whose it is, its webhook does.
 */
const isOf = (
  { merchantReference, pspReference }: Wire.Payment,
  { reference }: ProviderOperation,
  own: string
): boolean =>
  typeof merchantReference === "string"
    ? merchantReference === own
    : typeof pspReference === "string" && pspReference === reference

/**
 * A key for each result: an invented one must not block the real one. The operation's key is random,
 * so it cannot be guessed.
 */
const keyOf = ({ key }: ProviderOperation, redirectResult: string): string =>
  createHash("sha256").update(`${key}:${redirectResult}`).digest("hex")

/** Adyen has no such amount, or there is no address to come back to that Adyen takes. */
const faultOf = ({ amount }: ProviderOperation) => (Wire.toAmount(amount) === null ? "amount" : "return_url")

/** It cannot be said in Adyen's terms; the code says what of it. */
const unsaid = (vendorCode: "amount" | "reference" | "return_url" | "token"): Outcome.SendOutcome =>
  Outcome.notExecuted({ reason: "adapter_fault", vendorCode })
const nothingSent = unsaid("reference")
const nothingReported: Outcome.SendOutcome = Outcome.unknown({ reason: "in_progress" })
