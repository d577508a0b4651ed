/** Acme's words to those of the contract, codes as data. What is not listed is unknown, never a decline. */
import { type DeclineCode, type InquiryOutcome, Outcome, type ProviderError, type RetryClass } from "@paymux/core"
import { HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
import { Effect, Option } from "effect"
import { nextAction } from "./method.ts"
import * as Wire from "./wire.ts"

/** Every decline code that Acme publishes, with what may help: nothing, another provider, or the same one later. */
export const declines: { readonly [code: string]: { readonly code: DeclineCode; readonly retry: RetryClass } } = {
  account_closed: { code: "account_closed", retry: "never" },
  do_not_honor: { code: "do_not_honor", retry: "other_provider" },
  insufficient_funds: { code: "insufficient_funds", retry: "same_later" },
  issuer_down: { code: "issuer_unavailable", retry: "other_provider" },
  over_limit: { code: "limit_exceeded", retry: "same_later" },
  payer_rejected: { code: "customer_canceled", retry: "same_later" },
  suspected_fraud: { code: "suspected_fraud", retry: "never" }
}

/** Errors of which Acme documents that nothing was executed. */
export const proofCodes = ["payment_not_started"]

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
      return declined(decline_code ?? "none", id)
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

/** An answer that is no 200. */
export const errorOutcome = (
  answer: ProviderHttp.Answer
): Effect.Effect<Outcome.NotExecuted | Outcome.Declined | Outcome.Unknown, ProviderError> =>
  Effect.gen(function* () {
    const body = yield* Effect.option(answer.decode(Wire.ErrorBody))
    const code = Option.getOrUndefined(body)?.error.code
    if (code !== undefined && proofCodes.includes(code)) {
      return Outcome.notExecuted({ reason: "proof_code", vendorCode: code })
    }
    // What Acme says of an amount that is more than there is: a definite no of a capture or refund.
    if (answer.status === 422 && code === "amount_exceeds") {
      return Outcome.declined({ code: "processing_error", retry: "never", vendorCode: code })
    }
    return yield* HttpOutcome.ofStatus(answer, code)
  })

export const declined = (vendorCode: string, reference: string): Outcome.Declined | Outcome.Unknown => {
  const mapped = Object.hasOwn(declines, vendorCode) ? declines[vendorCode] : undefined
  return mapped === undefined
    ? Outcome.unknown({ reason: "unmapped", reference, vendorCode })
    : Outcome.declined({ ...mapped, reference, vendorCode })
}
