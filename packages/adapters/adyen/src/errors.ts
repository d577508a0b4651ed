/** Adyen's words to those of the contract, as data. What is not listed is unknown, never a decline. */
import {
  accountNotEnabled,
  type InquiryOutcome,
  invalidRequest,
  misconfigured,
  type NextAction,
  Outcome,
  type ProviderError,
  type ProviderOperation
} from "@paymux/core"
import { Codes, type ProviderHttp } from "@paymux/provider-kit"
import { Effect, Option } from "effect"
import { otherCodes, refusalCodes } from "./codes.ts"
import { keptLink } from "./names.ts"
import * as Wire from "./wire.ts"

/** What `/payments` and `/payments/details` say of a payment: HTTP 200 carries declines. */
export const paymentOutcome = (
  payment: Wire.Payment,
  { captureMethod }: Pick<ProviderOperation, "captureMethod">,
  own: { readonly reference: string; readonly expiresAt: number; readonly deadlineAt: number }
): Outcome.SendOutcome => {
  const reference = payment.pspReference ?? own.reference
  switch (payment.resultCode) {
    case "Authorised": {
      // Nothing could be asked of it later without its name; the webhook brings it.
      if (typeof payment.pspReference !== "string") return Outcome.unknown({ reason: "unreadable", reference })
      const amount = payment.amount ? Wire.ofAmount(payment.amount) : undefined
      // Left out it would be the whole amount.
      if (amount === null) return Outcome.unknown({ reason: "unreadable", reference, vendorCode: "amount" })
      const reported = { reference, ...(amount !== undefined && { amount }) }
      return captureMethod === "manual" ? Outcome.authorized(reported) : Outcome.succeeded(reported)
    }
    case "Refused":
    case "Error":
    case "Cancelled":
      return refused(payment, reference)
    case "Pending":
    case "Received":
      return Outcome.pending({ reference })
    // The last three need Adyen's component, and were not asked for: the payer cannot continue. There is nothing to show, and
    // no time to wait for; so the engine cancels it.
    case "RedirectShopper":
    case "ChallengeShopper":
    case "IdentifyShopper":
    case "PresentToShopper": {
      const nextAction = redirectOf(payment, own.expiresAt) ?? { type: "wait", expiresAt: own.deadlineAt }
      return Outcome.pending({ reference, nextAction, vendorCode: payment.resultCode })
    }
    // PartiallyAuthorised took some of the money. What is new is not guessed.
    default:
      return Outcome.unknown({ reason: "unmapped", reference, vendorCode: shortCode(payment.resultCode) })
  }
}

/** A redirect that needs a form to be posted cannot be followed as a link. */
const redirectOf = ({ action }: Wire.Payment, expiresAt: number): NextAction | null => {
  const { method = null, type, url } = action ?? {}
  return type === "redirect" && typeof url === "string" && /^https?:\/\//.test(url) && (method ?? "GET") === "GET"
    ? { type: "redirect", url, expiresAt }
    : null
}

const refused = ({ refusalReasonCode, resultCode }: Wire.Payment, reference: string) => {
  const reason = String(refusalReasonCode ?? "")
  if (reason === "" || reason === "0") {
    const code = resultCode === "Cancelled" ? "customer_canceled" : "generic_decline"
    return Outcome.declined({ code, retry: "same_later", reference, vendorCode: resultCode })
  }
  return (
    Codes.declinedBy(refusalCodes, reason, { reference }) ??
    Outcome.unknown({ reason: "unmapped", reference, vendorCode: shortCode(reason) })
  )
}

/** What became of a payment link. That it was used says neither by which payment, nor that its money is held or taken. */
export const linkOutcome = ({ expiresAt, id, status, url }: Wire.Link, ownExpiry: number): InquiryOutcome => {
  const reference = keptLink(id)
  switch (status) {
    case "active": {
      const until = Date.parse(expiresAt ?? "")
      const nextAction: NextAction = { type: "redirect", url, expiresAt: Number.isNaN(until) ? ownExpiry : until }
      return Outcome.pending({ reference, nextAction })
    }
    case "paymentPending":
      return Outcome.pending({ reference })
    case "expired":
      return Outcome.expired({ reference })
    case "completed":
    case "paid":
      return Outcome.unknown({ reason: "in_progress", reference, vendorCode: status })
    default:
      return Outcome.unknown({ reason: "unmapped", reference, vendorCode: shortCode(status) })
  }
}

/** The header that proves that nothing was done; no code of Adyen's has this name. */
export const transientError = "transient-error"

/** An answer that is no success. `codes`: of the endpoint. */
export const errorOutcome = Effect.fnUntraced(function* (
  answer: ProviderHttp.Answer,
  codes: Codes.Table = otherCodes
): Effect.fn.Return<Outcome.Declined | Outcome.NotExecuted | Outcome.Unknown, ProviderError> {
  const { errorCode = null, errorType } =
    Option.getOrUndefined(yield* Effect.option(answer.decode(Wire.ErrorBody))) ?? {}
  const code = errorCode === null ? `http_${answer.status}` : shortCode(String(errorCode))
  if (answer.status >= 500 && answer.header(transientError) === "true") {
    return Outcome.notExecuted({ reason: "proof_code", vendorCode: transientError })
  }
  const refusal = refusedByType(answer.status, errorType, code, Codes.meaningOf(codes, code))
  return yield* refusal === null ? Codes.outcome(codes, answer, [code]) : Effect.fail(refusal)
})

/**
 * What `errorType` decides: a 5xx, and a 4xx whose code is not in the table. `null`: nothing.
 *
 * Adyen "may return a 500 status code also when the request is incorrect" (docs.adyen.com, HTTP status codes), such as with 905, and the
 * type `configuration` means that "the request is referencing an incorrect or missing configuration" (docs.adyen.com/errors). The type
 * `internal`, any other and none prove nothing.
 */
const refusedByType = (
  status: number,
  errorType: string | null | undefined,
  code: string,
  meaning: Codes.Meaning | null
): ProviderError | null => {
  const isServerError = status >= 500
  // 429 has the type `security`, and 409 says nothing about the first request.
  if (isServerError ? isOpen(meaning) : meaning !== null || [401, 409, 429].includes(status)) return null
  switch (errorType) {
    case "validation":
      return invalidRequest(code)
    case "configuration":
      return meaning === null ? accountNotEnabled(code, "payment") : accountFault(code, meaning)
    case "security":
      return accountFault(code, meaning)
    default:
      return null
  }
}

const isOpen = (meaning: Codes.Meaning | null): boolean =>
  meaning?.class === "undecided" || meaning?.class === "duplicate"

const accountFault = (code: string, meaning: Codes.Meaning | null): ProviderError =>
  meaning?.class === "account_not_enabled" ? accountNotEnabled(code, meaning.about) : misconfigured(code)

/** Codes are words and numbers; whatever is longer may repeat what was sent. */
const shortCode = (code: string): string => (/^\w{1,32}$/.test(code) ? code : "unreadable")
