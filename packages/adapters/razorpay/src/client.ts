/** Razorpay's API, one function for each operation of the contract. It sends once: the engine decides what is sent again. */
import { type InquiryOutcome, Outcome, type ProviderContext, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { makeAfterwards } from "./afterwards.ts"
import { type Account, inquiry, makeApi, type NoAnswer, operation } from "./api.ts"
import type { Choices } from "./method.ts"
import { makeOrders } from "./orders.ts"
import { isQrId, makeQrCodes } from "./qrCodes.ts"

export const makeClient = Effect.fnUntraced(function* (
  { qr, ...account }: Account & Pick<Choices, "qr">,
  context: Pick<ProviderContext, "checkpoint">
) {
  const api = yield* makeApi(account)
  const orders = makeOrders(api, account.keySecret, context)
  const codes = makeQrCodes(api, context)
  const { capture, inquireCapture, inquireRefund, refund } = makeAfterwards(api, (reference) =>
    isQrId(reference) ? codes.paymentsBy(reference) : orders.paymentsOn(reference)
  )

  /** What was made once is told by its reference, whatever is configured by now. */
  const isOfQrCode = ({ id, method, reference }: ProviderOperation): boolean =>
    reference === null
      ? qr === "qr_code" && method.rail === "upi" && method.flow === "qr"
      : isQrId(reference) || reference === id

  const create = (asked: ProviderOperation): Effect.Effect<InquiryOutcome, NoAnswer> =>
    isOfQrCode(asked) ? codes.create(asked) : orders.create(asked)

  const inquire = (asked: ProviderOperation): Effect.Effect<InquiryOutcome, NoAnswer> => {
    switch (asked.kind) {
      case "create":
        return isOfQrCode(asked) ? codes.inquire(asked) : orders.inquire(asked)
      case "capture":
        return inquireCapture(asked)
      case "cancel":
        return codes.inquireCancel(asked)
      case "refund":
        return inquireRefund(asked)
    }
  }

  return {
    create: (asked: ProviderOperation) => operation(Effect.map(create(asked), Outcome.ofInquiry)),
    capture: (asked: ProviderOperation) => operation(capture(asked)),
    cancel: (asked: ProviderOperation) => operation(codes.cancel(asked)),
    refund: (asked: ProviderOperation) => operation(refund(asked)),
    inquire: (asked: ProviderOperation) => inquiry(inquire(asked))
  }
})
