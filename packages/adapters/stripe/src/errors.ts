/** Stripe's errors and statuses to the words of the contract. What is not listed is unknown, never a decline. */
import {
  Currency,
  type InquiryOutcome,
  invalidRequest,
  type Money,
  type NextAction,
  Outcome,
  type ProviderError,
  type ProviderOperation,
  rateLimited
} from "@paymux/core"
import { Codes, type ProviderHttp } from "@paymux/provider-kit"
import { Effect, Option } from "effect"
import { closedByUs } from "./client.ts"
import { codes, laterCodes, readCodes } from "./codes.ts"
import { advised } from "./declines.ts"
import { wordOf } from "./messages.ts"
import * as Wire from "./wire.ts"

/** The outcome of a PaymentIntent. One that is pending without an action is to be closed: the payer cannot continue. */
export const intentAnswer = (intent: Wire.PaymentIntent): InquiryOutcome => {
  const { amount_capturable, amount_received, cancellation_reason, currency, id: reference, status } = intent
  const isFailed = intent.last_payment_error !== null && intent.last_payment_error !== undefined
  switch (status) {
    case "succeeded":
      return withAmount(Outcome.succeeded, reference, amount_received, currency)
    case "requires_capture":
      return withAmount(Outcome.authorized, reference, amount_capturable, currency)
    case "processing":
      return Outcome.pending({ reference })
    case "requires_action": {
      const nextAction = nextActionOf(intent)
      // Only Stripe's script in the shopper's browser can follow any other: it cannot be shown here, and is closed.
      return nextAction === null
        ? Outcome.pending({ reference, vendorCode: shortCode(intent.next_action?.type) ?? status })
        : Outcome.pending({ reference, nextAction })
    }
    case "requires_payment_method":
      return isFailed
        ? declinedBy(intent.last_payment_error, reference)
        : Outcome.unknown({ reason: "unmapped", reference, vendorCode: status })
    case "canceled":
      if (cancellation_reason === "automatic" || cancellation_reason === "expired") {
        return Outcome.expired({ reference, vendorCode: cancellation_reason })
      }
      // Closed because it was declined: that is why it ended.
      return isFailed && cancellation_reason === closedByUs
        ? closedAfter(declinedBy(intent.last_payment_error, reference))
        : Outcome.canceled({ reference })
    default:
      return Outcome.unknown({ reason: "unmapped", reference, vendorCode: shortCode(status) ?? "status" })
  }
}

/** Stripe sets no time for a 3-D Secure page: ours is half an hour, after which the PaymentIntent is canceled. */
const nextActionOf = ({ created, next_action }: Wire.PaymentIntent): NextAction | null => {
  const url = next_action?.type === "redirect_to_url" ? (next_action.redirect_to_url?.url ?? null) : null
  return url === null ? null : { type: "redirect", url, expiresAt: (created + 30 * 60) * 1000 }
}

/**
 * Of an attempt that took nothing. `decline_code` says it best; one that is new beside `card_declined` is a decline all the
 * same, because that is what `card_declined` says.
 */
export const declinedBy = (
  { advice_code, code, decline_code, network_advice_code }: Wire.PaymentError,
  reference: string | undefined,
  table: Codes.Table = codes
): Outcome.Declined | Outcome.Unknown => {
  const details = reference === undefined ? {} : { reference }
  const vendorCode = shortCode(decline_code) ?? shortCode(code) ?? "card_error"
  const found = Codes.declinedBy(table, decline_code) ?? Codes.declinedBy(table, code)
  return found === null
    ? Outcome.unknown({ reason: "unmapped", vendorCode, ...details })
    : { ...found, ...details, vendorCode, retry: advised(found.retry, advice_code, network_advice_code) }
}

/** Why a PaymentIntent failed that can never be paid again: also where Stripe names no code, or one that is not listed. */
export const closedAfter = (why: Outcome.Declined | Outcome.Unknown): Outcome.Declined =>
  why._tag === "Declined"
    ? why
    : Outcome.declined({
        code: "generic_decline",
        retry: "same_later",
        vendorCode: why.vendorCode ?? "card_error",
        ...(why.reference !== undefined && { reference: why.reference })
      })

/** In the place of a vendor's code: money moved, and its amount cannot be read. */
export const unreadableAmount = "amount_unreadable"

/** Without an amount it would count as the whole. `unmapped`, because that is reported to an operator while it is pending, too. */
const withAmount = <A>(
  outcome: (reported: { readonly reference: string; readonly amount: Money.Money }) => A,
  reference: string,
  minorUnits: unknown,
  currency: unknown
): A | Outcome.Unknown => {
  const amount = amountOf(minorUnits, currency)
  return amount === null
    ? Outcome.unknown({ reason: "unmapped", reference, vendorCode: unreadableAmount })
    : outcome({ reference, amount })
}

/** What a PaymentIntent shows of its capture or cancel, of which Stripe keeps no record of their own. */
export const changeAnswer = (kind: "capture" | "cancel", intent: Wire.PaymentIntent): InquiryOutcome => {
  const { id: reference, status } = intent
  switch (status) {
    case "succeeded":
      return kind === "capture" ? intentAnswer(intent) : tooLate(status)
    case "canceled":
      return kind === "cancel" ? Outcome.succeeded({ reference }) : tooLate(status)
    case "processing":
      return kind === "capture" ? Outcome.pending({ reference }) : Outcome.notFound()
    case "requires_capture":
    case "requires_action":
    case "requires_confirmation":
    case "requires_payment_method":
      return Outcome.notFound()
    default:
      return Outcome.unknown({ reason: "unmapped", vendorCode: shortCode(status) ?? "status" })
  }
}

/** Asked of a payment that is over: a definite no. */
export const tooLate = (vendorCode: string): Outcome.Declined =>
  Outcome.declined({ code: "processing_error", retry: "never", vendorCode })

export const refundAnswer = ({ amount, currency, failure_reason, id: reference, status }: Wire.Refund) => {
  switch (status) {
    case "succeeded":
      return withAmount(Outcome.succeeded, reference, amount, currency)
    case "pending":
    case "requires_action":
      return Outcome.pending({ reference })
    case "failed":
    case "canceled":
      return Outcome.declined({
        code: "processing_error",
        retry: "same_later",
        reference,
        vendorCode: shortCode(failure_reason) ?? status
      })
    default:
      return Outcome.unknown({ reason: "unmapped", reference, vendorCode: shortCode(status) ?? "no_status" })
  }
}

/** An answer to a create that is no 200. */
export const createErrorOutcome = (answer: ProviderHttp.Answer, operation: ProviderOperation) =>
  refusedOutcome(answer, codes, operation)

/** The same, to a capture, cancel or refund. */
export const laterErrorOutcome = (answer: ProviderHttp.Answer) => refusedOutcome(answer, laterCodes)

/** The same, to a request that only reads. */
export const readErrorOutcome = (answer: ProviderHttp.Answer) => refusedOutcome(answer, readCodes)

/** The same, to an inquiry: Stripe itself says that it has no such object. */
export const inquiryErrorOutcome = (answer: ProviderHttp.Answer): Effect.Effect<InquiryOutcome, ProviderError> =>
  Effect.gen(function* () {
    const { code } = yield* errorOf(answer)
    return answer.status === 404 && code === "resource_missing" ? Outcome.notFound() : yield* readErrorOutcome(answer)
  })

/** `create`: the operation, if it is a create. */
const refusedOutcome = Effect.fnUntraced(function* (
  answer: ProviderHttp.Answer,
  table: Codes.Table,
  create: ProviderOperation | null = null
): Effect.fn.Return<Outcome.Declined | Outcome.Unknown, ProviderError> {
  const error = yield* errorOf(answer)
  const { code, decline_code, type } = error
  // In any other error it is the payment, whose state is no part of the answer.
  const intent = create === null ? null : error.payment_intent
  const details: Pick<Outcome.Details, "reference"> =
    intent === null || intent === undefined ? {} : { reference: intent.id }
  const word = create === null ? null : wordOf(error, create)
  const found = [decline_code, word, code, type].map(shortCode)
  const vendorCode = found.find((each) => each !== null) ?? `http_${answer.status}`
  // No error proves then that nothing was done, whatever its code.
  if (hasProceeded(intent)) return Outcome.unknown({ reason: "unmapped", vendorCode, ...details })
  // A rate limit, as the SDK reads it (`Error.js`).
  if (answer.status === 400 && code === "rate_limit") return yield* Effect.fail(rateLimited(null))
  const outcome = yield* Codes.outcome(table, answer, found, details)
  if (outcome._tag === "Declined") return declinedBy(error, details.reference, table)
  // Not every 402 is a card error (github.com/stripe/stripe-node#737): of this type, it means what a 400 means.
  const isInvalid = answer.status === 402 && type === "invalid_request_error" && outcome.reason === "unmapped"
  return create !== null && isInvalid ? yield* Effect.fail(invalidRequest(vendorCode)) : { ...outcome, ...details }
})

/** Whether a PaymentIntent has collected or holds money, or may do so without another request of ours. */
const hasProceeded = (intent: Wire.Refusal["payment_intent"]): boolean => {
  if (intent === null || intent === undefined) return false
  const { amount_received: received, status } = intent
  const isAtRest = status === null || status === undefined || atRest.has(status)
  return !isAtRest || (received !== undefined && received !== null && received !== 0)
}

const atRest: ReadonlySet<string> = new Set(["requires_payment_method", "requires_confirmation", "canceled"])

/** Stripe's code or type of an error, for an operator. */
export const errorCode = (answer: ProviderHttp.Answer): Effect.Effect<string | undefined> =>
  Effect.map(errorOf(answer), ({ code, type }) => shortCode(code) ?? shortCode(type) ?? undefined)

const errorOf = (answer: ProviderHttp.Answer): Effect.Effect<(typeof Wire.ErrorBody.Type)["error"]> =>
  Effect.map(Effect.option(answer.decode(Wire.ErrorBody)), (body) => Option.getOrUndefined(body)?.error ?? {})

/** A code is a word; whatever is longer or other may repeat what was sent. */
const shortCode = (code: string | null | undefined): string | null =>
  typeof code === "string" && /^[\w.-]{1,100}$/.test(code) ? code : null

/** `null`: Stripe named none, or one that is none. */
export const amountOf = (minorUnits: unknown, currency: unknown): Money.Money | null => {
  const code = typeof currency === "string" ? currency.toUpperCase() : ""
  const isAmount = typeof minorUnits === "number" && Number.isSafeInteger(minorUnits) && minorUnits >= 0
  return isAmount && Currency.isCurrency(code) ? { minorUnits, currency: code } : null
}
