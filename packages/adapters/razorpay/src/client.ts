/** Razorpay's API, one function for each operation of the contract. It sends once: the engine decides what is sent again. */
import { type InquiryOutcome, Outcome, type ProviderContext, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { makeAfterwards } from "./afterwards.ts"
import { type Account, inquiry, makeApi, type NoAnswer, operation } from "./api.ts"
import type { Choices } from "./method.ts"
import { makeOrders } from "./orders.ts"
import { isLinkId, makePaymentLinks } from "./paymentLinks.ts"
import { isQrId, makeQrCodes } from "./qrCodes.ts"
import { largestPage, makeStatement } from "./statement.ts"

export const makeClient = Effect.fnUntraced(function* (
  { qr, ...account }: Account & Pick<Choices, "qr">,
  context: Pick<ProviderContext, "checkpoint">
) {
  const api = yield* makeApi(account)
  const orders = makeOrders(api, account.keySecret, context)
  const codes = makeQrCodes(api, context)
  const links = makePaymentLinks(api)
  const { capture, inquireCapture, inquireRefund, refund } = makeAfterwards(api, (reference) => {
    if (isLinkId(reference)) return links.paymentsBy(reference)
    return isQrId(reference) ? codes.paymentsBy(reference) : orders.paymentsOn(reference)
  })

  /** What the create made, or will make. A known reference decides, whatever is configured now. */
  const objectsFor = ({ id, method, reference }: ProviderOperation) => {
    const flow = method.rail === "upi" ? method.flow : null
    if (reference === null) return flow === "hosted" ? links : flow === "qr" && qr === "qr_code" ? codes : orders
    if (isLinkId(reference)) return links
    return isQrId(reference) || reference === id ? codes : orders
  }

  const cancel = ({ original }: ProviderOperation): Effect.Effect<Outcome.SendOutcome, NoAnswer> => {
    const reference = original?.reference ?? null
    if (reference === null) return Effect.succeed(Outcome.notExecuted({ reason: "adapter_fault" }))
    if (isLinkId(reference)) return links.cancel(reference)
    return isQrId(reference)
      ? codes.cancel(reference)
      : // Razorpay has no request that closes an order, or releases what is held on it.
        Effect.succeed(Outcome.declined({ code: "unsupported", retry: "never" }))
  }

  const inquireCancel = ({ original }: ProviderOperation): Effect.Effect<InquiryOutcome, NoAnswer> => {
    const reference = original?.reference ?? null
    if (reference === null) return Effect.succeed(Outcome.notFound())
    if (isLinkId(reference)) return links.inquireCancel(reference)
    return isQrId(reference) ? codes.inquireCancel(reference) : Effect.succeed(Outcome.notFound())
  }

  const inquire = (asked: ProviderOperation): Effect.Effect<InquiryOutcome, NoAnswer> => {
    switch (asked.kind) {
      case "create":
        return objectsFor(asked).inquire(asked)
      case "capture":
        return inquireCapture(asked)
      case "cancel":
        return inquireCancel(asked)
      case "refund":
        return inquireRefund(asked)
    }
  }

  return {
    create: (asked: ProviderOperation) => operation(Effect.map(objectsFor(asked).create(asked), Outcome.ofInquiry)),
    capture: (asked: ProviderOperation) => operation(capture(asked)),
    cancel: (asked: ProviderOperation) => operation(cancel(asked)),
    refund: (asked: ProviderOperation) => operation(refund(asked)),
    inquire: (asked: ProviderOperation) => inquiry(inquire(asked)),
    // The payer returns from a Payment Link only. The query is signed without a time: the link itself is the proof.
    complete: (asked: ProviderOperation) => inquiry(inquire(asked)),
    statement: makeStatement(yield* makeApi(account, { maxBodyBytes: largestPage }), links.linkNamed)
  }
})
