/**
 * Creates and their inquiries. With a token it is one request, a PaymentIntent that is confirmed at once; without one, a
 * Checkout Session, whose PaymentIntent is there only when the shopper has tried to pay.
 *
 * The reference is the PaymentIntent's id (`pi_…`), or the session's (`cs_…`) until it is paid. After a lost answer there is
 * none: the engine sends the same request again, under the same key. Where no answer comes at all, an inquiry looks for our
 * id in the metadata of what was made about that time.
 */
import { Ids, type InquiryOutcome, Outcome, type ProviderError, type ProviderOperation } from "@paymux/core"
import type { ProviderHttp } from "@paymux/provider-kit"
import { Effect } from "effect"
import type { Client, Created } from "./client.ts"
import { closedAfter, createErrorOutcome, declinedBy, inquiryErrorOutcome, intentAnswer } from "./errors.ts"
import { intentForm, isTaken, type PageOptions, sessionForm, type Token, tokenOf } from "./method.ts"
import { operationIn } from "./operationIn.ts"
import * as Wire from "./wire.ts"

export const makePayments = (client: Client, instance: string, page: PageOptions) => {
  const create = Effect.fnUntraced(function* (operation: ProviderOperation) {
    // Another provider may take it.
    if (!isTaken(operation)) return Outcome.notExecuted({ reason: "adapter_fault", vendorCode: "amount" })
    const token = tokenOf(operation, instance)
    if (token === "unreadable") return Outcome.notExecuted({ reason: "adapter_fault", vendorCode: "token" })
    return token === null ? yield* openPage(operation) : yield* charge(operation, token)
  })

  const charge = Effect.fnUntraced(function* (operation: ProviderOperation, token: Token) {
    const answer = yield* client.createIntent(operation, intentForm(operation, token))
    if (answer.status !== 200) return yield* refusedOutcome(answer, operation)
    return Outcome.ofInquiry(yield* closing(yield* answer.decode(Wire.PaymentIntent)))
  })

  /** A 402 without a code, or with one that is not listed, is a decline as soon as its PaymentIntent is canceled. */
  const refusedOutcome = Effect.fnUntraced(function* (answer: ProviderHttp.Answer, operation: ProviderOperation) {
    const outcome = yield* createErrorOutcome(answer, operation)
    const isUnlisted = answer.status === 402 && outcome._tag === "Unknown" && outcome.reference !== undefined
    return isUnlisted && (yield* isClosed(outcome.reference)) ? closedAfter(outcome) : outcome
  })

  const openPage = Effect.fnUntraced(function* (operation: ProviderOperation) {
    const { returnUrl } = operation
    // Stripe requires one. Only an engine that is embedded without a return address has none.
    if (returnUrl === null) return Outcome.notExecuted({ reason: "adapter_fault", vendorCode: "return_url" })
    const answer = yield* client.createSession(operation, sessionForm(operation, returnUrl, page))
    if (answer.status !== 200) return yield* createErrorOutcome(answer, operation)
    return Outcome.ofInquiry(sessionAnswer(yield* answer.decode(Wire.Session)))
  })

  const inquire = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    const { reference } = operation
    const found = reference ?? (yield* lookUp(operation))
    if (typeof found !== "string") return found
    const answer = yield* isSession(found) ? client.session(found) : client.intent(found)
    if (answer.status !== 200) return yield* inquiryErrorOutcome(answer)
    if (isSession(found)) return sessionAnswer(yield* answer.decode(Wire.Session))
    const intent = yield* answer.decode(Wire.PaymentIntent)
    const named = operationIn(intent.metadata)
    return named === null || named === operation.id ? yield* closing(intent) : Outcome.notFound()
  })

  /**
   * Closes a payment that the payer may not continue. A declined one could be confirmed again by anyone who saw the address
   * that the shopper came back to, for the client secret is in it; a decline is reported as such, closed or not. A step that
   * only Stripe's script can show is a decline as soon as it is closed; until then it is pending, and looked at again.
   */
  const closing = Effect.fnUntraced(function* (intent: Wire.PaymentIntent): Effect.fn.Return<InquiryOutcome> {
    const answer = intentAnswer(intent)
    const isDeclined = answer._tag === "Declined" && intent.status === "requires_payment_method"
    const isStuck = answer._tag === "Pending" && intent.status === "requires_action" && answer.nextAction === undefined
    const isFailed = intent.status === "requires_payment_method" && intent.last_payment_error !== null
    const isUnlisted = answer._tag === "Unknown" && isFailed && intent.last_payment_error !== undefined
    if (!isDeclined && !isStuck && !isUnlisted) return answer
    const closed = yield* isClosed(intent.id)
    if (isDeclined || !closed) return answer
    if (isUnlisted) return closedAfter(answer)
    const { vendorCode = "requires_action" } = answer
    return Outcome.declined({
      code: "authentication_required",
      retry: "same_later",
      reference: intent.id,
      vendorCode
    })
  })

  /** Closes it; `false`: that is not confirmed. */
  const isClosed = (id: string) => Effect.orElseSucceed(close(id), () => false)

  const close = Effect.fnUntraced(function* (id: string) {
    const answer = yield* client.closeIntent(id)
    return answer.status === 200 && (yield* answer.decode(Wire.PaymentIntent)).status === "canceled"
  })

  /** The id of what was made for the operation. */
  const lookUp = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<string | InquiryOutcome, NoAnswer> {
    const list = tokenOf(operation, instance) === null ? client.sessionsOf : client.intentsOf
    const created = timeOf(operation)
    let after: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const answer = yield* list(created, after)
      if (answer.status !== 200) return yield* inquiryErrorOutcome(answer)
      const { data, has_more } = yield* answer.decode(Wire.Named)
      const found = data.find(({ metadata }) => metadata?.["paymux_operation"] === operation.id)
      if (found !== undefined) return found.id
      after = data.at(-1)?.id
      if (!has_more || after === undefined) return Outcome.notFound()
    }
    return Outcome.unknown({ reason: "in_progress", vendorCode: "too_many_to_look_through" })
  })

  return { create, inquire }
}

type NoAnswer = ProviderError | ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown

/** A thousand: what an inquiry has the time for. */
export const mostPages = 10

/**
 * Whatever was sent was sent by its deadline; a minute on both sides, for clocks that differ. A derived name may have been sent
 * before its operation was created here: Stripe keeps the key for a day, and lists the newest first.
 */
const timeOf = ({ createdAt, deadlineAt, id }: ProviderOperation): Created => ({
  gte: Math.floor(createdAt / 1000) - (Ids.isDerived(id) ? 86_400 : 60),
  lte: Math.ceil(deadlineAt / 1000) + 60
})

export const isSession = (reference: string): boolean => reference.startsWith("cs_")

/** While the page is open a declined card is no end: the shopper may take another one. */
const sessionAnswer = (session: Wire.Session): InquiryOutcome => {
  const { id: reference, status } = session
  const tried = triedOn(session)
  const answer = tried === null ? null : intentAnswer(tried)
  const isPaid = tried?.status === "succeeded" || tried?.status === "requires_capture"
  if (answer !== null && isPaid) return answer
  switch (status) {
    case "open":
      return shown(session)
    case "complete":
      return answer ?? Outcome.pending({ reference })
    case "expired":
      if (answer !== null && isUnderWay(tried)) return answer
      // It can no longer be paid: the reason of a shopper who was declined and left.
      return tried?.last_payment_error === null || tried?.last_payment_error === undefined
        ? Outcome.expired({ reference })
        : declinedBy(tried.last_payment_error, reference)
    default:
      return Outcome.unknown({ reason: "unmapped", reference, vendorCode: "session_status" })
  }
}

/** What was begun in the last minute of a page goes on, whatever was declined before it. */
export const isUnderWay = (tried: Wire.PaymentIntent | null): boolean =>
  tried !== null && tried.status !== "requires_payment_method" && tried.status !== "canceled"

/** `null`: no shopper has tried to pay on it. */
export const triedOn = ({ payment_intent: intent }: Wire.Session): Wire.PaymentIntent | null =>
  typeof intent === "object" ? intent : null

const shown = ({ expires_at, id: reference, url }: Wire.Session): Outcome.SendOutcome =>
  url === null || url === undefined
    ? Outcome.unknown({ reason: "unreadable", reference })
    : Outcome.pending({ reference, nextAction: { type: "redirect", url, expiresAt: expires_at * 1000 } })
