/** Adyen's words to those of the contract, as data. What is not listed is unknown, never a decline. */
import {
  type DeclineCode,
  invalidRequest,
  misconfigured,
  type InquiryOutcome,
  type NextAction,
  Outcome,
  type ProviderError,
  type ProviderOperation,
  type RetryClass
} from "@paymux/core"
import { HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
import { Effect, Option } from "effect"
import { keptLink } from "./names.ts"
import * as Wire from "./wire.ts"

interface Decline {
  readonly code: DeclineCode
  readonly retry: RetryClass
}

const never = (code: DeclineCode): Decline => ({ code, retry: "never" })
const later = (code: DeclineCode): Decline => ({ code, retry: "same_later" })
/** The acquirer or the issuer could not be reached: another road may lead there. */
const elsewhere = (code: DeclineCode): Decline => ({ code, retry: "other_provider" })

/**
 * `refusalReasonCode`: all that Adyen publishes, but for 0 and 30, which come with a success. `never` is for what is wrong with
 * the card itself, at every provider: not for the date that was typed, for this one transaction, or for a risk engine's view.
 */
export const refusals: { readonly [code: string]: Decline | undefined } = {
  "2": later("do_not_honor"),
  "3": later("do_not_honor"),
  "4": elsewhere("processing_error"),
  "5": never("lost_or_stolen"),
  "6": later("expired_card"),
  "7": later("processing_error"),
  "8": never("invalid_number"),
  "9": elsewhere("issuer_unavailable"),
  "10": later("not_permitted"),
  "11": later("authentication_failed"),
  "12": later("insufficient_funds"),
  "14": later("suspected_fraud"),
  "15": later("customer_canceled"),
  "16": later("customer_canceled"),
  "17": later("incorrect_pin"),
  "18": later("limit_exceeded"),
  "19": later("incorrect_pin"),
  "20": later("suspected_fraud"),
  "21": later("processing_error"),
  "22": later("suspected_fraud"),
  "23": later("not_permitted"),
  "24": later("incorrect_cvc"),
  "25": later("not_permitted"),
  // Its holder stopped this merchant's payments at the bank.
  "26": never("not_permitted"),
  "27": later("do_not_honor"),
  "28": later("limit_exceeded"),
  "29": later("limit_exceeded"),
  "31": later("suspected_fraud"),
  "32": later("do_not_honor"),
  "33": later("unsupported"),
  "34": later("not_permitted"),
  "35": later("not_permitted"),
  "36": later("authentication_required"),
  "37": later("unsupported"),
  "38": later("authentication_required"),
  "39": later("authentication_failed"),
  "40": later("unsupported"),
  "41": later("unsupported"),
  "42": later("authentication_failed"),
  "43": later("unsupported"),
  "44": later("unsupported"),
  "45": later("unsupported"),
  "46": later("not_permitted")
}

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
  const isReported = typeof refusalReasonCode === "string" && refusalReasonCode !== "" && refusalReasonCode !== "0"
  if (!isReported) {
    const code = resultCode === "Cancelled" ? "customer_canceled" : "generic_decline"
    return Outcome.declined({ ...later(code), reference, vendorCode: resultCode })
  }
  const vendorCode = shortCode(refusalReasonCode)
  const decline = Object.hasOwn(refusals, refusalReasonCode) ? refusals[refusalReasonCode] : undefined
  return decline === undefined
    ? Outcome.unknown({ reason: "unmapped", reference, vendorCode })
    : Outcome.declined({ ...decline, reference, vendorCode })
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

/** "Request already processed or in progress": it says nothing about the request that came first. */
const alreadyProcessed = "704"

/** An answer that is no success. */
export const errorOutcome = (
  answer: ProviderHttp.Answer
): Effect.Effect<Outcome.NotExecuted | Outcome.Unknown, ProviderError> =>
  Effect.gen(function* () {
    const body = Option.getOrNull(yield* Effect.option(answer.decode(Wire.ErrorBody)))
    const code = body?.errorCode ?? null
    const vendorCode = code === null ? `http_${answer.status}` : shortCode(code)
    if ([409, 422].includes(answer.status) && (answer.status === 409 || code === alreadyProcessed)) {
      return Outcome.unknown({ reason: "duplicate", vendorCode })
    }
    if (answer.status >= 500 && answer.header(transientError) === "true") {
      return Outcome.notExecuted({ reason: "proof_code", vendorCode: transientError })
    }
    // The type decides, not the class of the status: 500 with 905 is a fault of the configuration, and nothing was done.
    // A limit of requests has the type "security", and is none.
    switch (answer.status === 429 ? null : body?.errorType) {
      case "validation":
        return yield* Effect.fail(invalidRequest(vendorCode))
      case "configuration":
      case "security":
        return yield* Effect.fail(misconfigured(vendorCode))
      default:
        return yield* HttpOutcome.ofStatus(answer, vendorCode)
    }
  })

/** What is wrong with the card's fields (422), by `errorCode`: Adyen checks them before it asks an acquirer. */
const cardErrors: { readonly [code: string]: Decline | undefined } = {
  "101": never("invalid_number"),
  "103": later("incorrect_cvc"),
  "129": later("expired_card")
}

/** An answer to `/payments` that is no success. */
export const paymentError = (
  answer: ProviderHttp.Answer
): Effect.Effect<Outcome.Declined | Outcome.NotExecuted | Outcome.Unknown, ProviderError> =>
  Effect.gen(function* () {
    const body = answer.status === 422 ? Option.getOrNull(yield* Effect.option(answer.decode(Wire.ErrorBody))) : null
    const code = body?.errorCode ?? ""
    const decline = Object.hasOwn(cardErrors, code) ? cardErrors[code] : undefined
    return decline === undefined ? yield* errorOutcome(answer) : Outcome.declined({ ...decline, vendorCode: code })
  })

/** Codes are words and numbers; whatever is longer may repeat what was sent. */
const shortCode = (code: string): string => (/^\w{1,32}$/.test(code) ? code : "unreadable")
