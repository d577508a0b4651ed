/** Converts Acme's statuses and errors to outcomes. A status or code that is not known is unknown, never a decline. */
import { type InquiryOutcome, Outcome, type ProviderError } from "@paymux/core"
import { Codes, type ProviderHttp } from "@paymux/provider-kit"
import { Effect, Option } from "effect"
import { codes, inquiryCodes, proofCodes } from "./codes.ts"
import { nextAction } from "./method.ts"
import * as Wire from "./wire.ts"

export const paymentAnswer = ({
  action,
  amount_captured,
  currency,
  decline_code,
  id,
  status,
  amount
}: Wire.Payment): InquiryOutcome => {
  switch (status) {
    case "pending":
      return Outcome.pending({ reference: id, ...nextAction(action ?? null) })
    case "authorized":
      return Outcome.authorized({ reference: id, amount: { minorUnits: amount, currency } })
    case "captured":
      return Outcome.succeeded({ reference: id, amount: { minorUnits: amount_captured, currency } })
    case "declined":
      return (
        Codes.declinedBy(codes, decline_code, { reference: id }) ??
        Outcome.unknown({ reason: "unmapped", reference: id, vendorCode: decline_code ?? "none" })
      )
    case "canceled":
      return Outcome.canceled({ reference: id })
    case "expired":
      return Outcome.expired({ reference: id })
    default:
      return Outcome.unknown({ reason: "unmapped", reference: id, vendorCode: status })
  }
}

/** What a payment shows of its capture or cancel, of which Acme keeps no record of their own. */
export const changeAnswer = (kind: "capture" | "cancel", payment: Wire.Payment): InquiryOutcome => {
  const { id, status } = payment
  switch (status) {
    case "pending":
    case "authorized":
      return Outcome.notFound()
    case "captured":
      return kind === "capture" ? paymentAnswer(payment) : tooLate(status)
    case "canceled":
      return kind === "cancel" ? Outcome.succeeded({ reference: id }) : tooLate(status)
    case "declined":
    case "expired":
      return tooLate(status)
    default:
      return Outcome.unknown({ reason: "unmapped", vendorCode: status })
  }
}

/** Done to a payment that is over: a definite no. */
const tooLate = (vendorCode: string): Outcome.Declined =>
  Outcome.declined({ code: "processing_error", retry: "never", vendorCode })

export const refundAnswer = ({ amount, currency, id, status }: Wire.Refund): Outcome.SendOutcome => {
  switch (status) {
    case "pending":
      return Outcome.pending({ reference: id })
    case "succeeded":
      return Outcome.succeeded({ reference: id, amount: { minorUnits: amount, currency } })
    case "failed":
      return Outcome.declined({ code: "processing_error", retry: "same_later", reference: id, vendorCode: status })
    default:
      return Outcome.unknown({ reason: "unmapped", reference: id, vendorCode: status })
  }
}

/** The answer to a create, capture, cancel or refund that is not a 200. */
export const errorOutcome = Effect.fnUntraced(function* (
  answer: ProviderHttp.Answer
): Effect.fn.Return<Outcome.NotExecuted | Outcome.Declined | Outcome.Unknown, ProviderError> {
  const code = yield* codeOf(answer)
  if (code !== undefined && proofCodes.includes(code)) {
    return Outcome.notExecuted({ reason: "proof_code", vendorCode: code })
  }
  return yield* Codes.outcome(codes, answer, [code])
})

/** The answer to an inquiry that is not a 200: it proves nothing about the operation. */
export const inquiryErrorOutcome = Effect.fnUntraced(function* (
  answer: ProviderHttp.Answer
): Effect.fn.Return<InquiryOutcome, ProviderError> {
  return yield* Codes.outcome(inquiryCodes, answer, [yield* codeOf(answer)])
})

const codeOf = (answer: ProviderHttp.Answer) =>
  Effect.map(Effect.option(answer.decode(Wire.ErrorBody)), (body) => Option.getOrUndefined(body)?.error.code)
