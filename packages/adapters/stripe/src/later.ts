/** Captures, cancels and refunds, and what became of them. */
import { type InquiryOutcome, Outcome, type ProviderError, type ProviderOperation } from "@paymux/core"
import type { ProviderHttp } from "@paymux/provider-kit"
import { Effect } from "effect"
import type { Client } from "./client.ts"
import { changeAnswer, laterErrorOutcome, readErrorOutcome, refundAnswer, tooLate } from "./errors.ts"
import { checkAmount, refundForm } from "./method.ts"
import { isSession, isUnderWay, mostPages, triedOn } from "./payments.ts"
import * as Wire from "./wire.ts"

type NoAnswer = ProviderError | ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown

export const makeLater = (client: Client) => {
  const capture = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.SendOutcome, NoAnswer> {
    yield* checkAmount(operation)
    const found = yield* paymentOf(operation)
    if (found._tag !== "Intent") return found._tag === "Answer" ? Outcome.ofInquiry(found.answer) : notPaid(found)
    const form = { amount_to_capture: operation.amount.minorUnits }
    const answer = yield* client.captureIntent(operation, found.id, form)
    return yield* changed("capture", answer)
  })

  const cancel = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.SendOutcome, NoAnswer> {
    const found = yield* paymentOf(operation)
    switch (found._tag) {
      case "Answer":
        return Outcome.ofInquiry(found.answer)
      case "Intent":
        return yield* changed("cancel", yield* client.cancelIntent(operation, found.id))
      case "Session": {
        if (found.session.status === "expired") return endOf(found.session)
        const answer = yield* client.expireSession(operation, found.session.id)
        if (answer.status === 400) return yield* notExpired(found.session.id, answer)
        if (answer.status !== 200) return yield* laterErrorOutcome(answer)
        const { id, status } = yield* answer.decode(Wire.Session)
        return status === "expired"
          ? Outcome.succeeded({ reference: id })
          : Outcome.unknown({ reason: "unmapped", vendorCode: "session_status" })
      }
    }
  })

  /** It was paid, or has ended, in the last moment; what else is refused is not known. */
  const notExpired = Effect.fnUntraced(function* (
    id: string,
    refusal: ProviderHttp.Answer
  ): Effect.fn.Return<Outcome.SendOutcome, NoAnswer> {
    const answer = yield* client.session(id)
    const session = answer.status === 200 ? yield* answer.decode(Wire.Session) : null
    switch (session?.status) {
      case "complete":
        return tooLate(session.status)
      case "expired":
        return endOf(session)
      default:
        return yield* laterErrorOutcome(refusal)
    }
  })

  const refund = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.SendOutcome, NoAnswer> {
    yield* checkAmount(operation)
    const found = yield* paymentOf(operation)
    if (found._tag !== "Intent") return found._tag === "Answer" ? Outcome.ofInquiry(found.answer) : notPaid(found)
    const answer = yield* client.createRefund(operation, refundForm(operation, found.id))
    return answer.status === 200 ? refundAnswer(yield* answer.decode(Wire.Refund)) : yield* laterErrorOutcome(answer)
  })

  const inquire = Effect.fnUntraced(function* (
    operation: ProviderOperation & { readonly kind: "capture" | "cancel" | "refund" }
  ): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    const { kind, reference } = operation
    if (kind === "refund" && reference !== null) {
      const answer = yield* client.refund(reference)
      return answer.status === 200 ? refundAnswer(yield* answer.decode(Wire.Refund)) : yield* readErrorOutcome(answer)
    }
    const found = yield* paymentOf(operation)
    switch (found._tag) {
      case "Answer":
        // Nothing can have been sent: there was nothing to act on.
        return found.answer._tag === "NotExecuted" ? Outcome.notFound() : found.answer
      case "Session":
        if (found.session.status !== "expired") return Outcome.notFound()
        return kind === "cancel" ? endOf(found.session) : tooLate("expired")
      case "Intent": {
        if (kind === "refund") return yield* refundNamed(operation.id, found.id)
        const answer = yield* client.intent(found.id)
        return answer.status === 200
          ? changeAnswer(kind, yield* answer.decode(Wire.PaymentIntent))
          : yield* readErrorOutcome(answer)
      }
    }
  })

  /** Ours among those of the PaymentIntent. */
  const refundNamed = Effect.fnUntraced(function* (
    name: string,
    intent: string
  ): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    let after: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const answer = yield* client.refundsOf(intent, after)
      if (answer.status !== 200) return yield* readErrorOutcome(answer)
      const { data, has_more } = yield* answer.decode(Wire.Refunds)
      const refund = data.find(({ metadata }) => metadata?.["paymux_operation"] === name)
      if (refund !== undefined) return refundAnswer(refund)
      const last = data.at(-1)
      if (!has_more || last === undefined) return Outcome.notFound()
      after = last.id
    }
    return Outcome.unknown({ reason: "in_progress", vendorCode: "too_many_to_look_through" })
  })

  /** The object of an operation: a PaymentIntent, or an unpaid page. */
  const paymentOf = Effect.fnUntraced(function* ({ original }: ProviderOperation): Effect.fn.Return<Found, NoAnswer> {
    const reference = original?.reference ?? null
    if (reference === null) return { _tag: "Answer", answer: Outcome.notExecuted({ reason: "adapter_fault" }) }
    if (!isSession(reference)) return { _tag: "Intent", id: reference }
    const answer = yield* client.session(reference)
    if (answer.status !== 200) return { _tag: "Answer", answer: yield* readErrorOutcome(answer) }
    const session = yield* answer.decode(Wire.Session)
    const { payment_intent: intent, status } = session
    const id = typeof intent === "string" ? intent : intent?.id
    return status === "complete" && id !== undefined ? { _tag: "Intent", id } : { _tag: "Session", session }
  })

  return { capture, cancel, refund, inquire }
}

type Found =
  | { readonly _tag: "Intent"; readonly id: string }
  | { readonly _tag: "Session"; readonly session: Wire.Session }
  | { readonly _tag: "Answer"; readonly answer: InquiryOutcome }

/** Of the cancel of a page that has expired. */
const endOf = (session: Wire.Session): Outcome.SendOutcome => {
  const { id: reference } = session
  const tried = triedOn(session)
  if (tried?.status === "succeeded" || tried?.status === "requires_capture") return tooLate(tried.status)
  return isUnderWay(tried) ? Outcome.pending({ reference }) : Outcome.succeeded({ reference })
}

const notPaid = ({ session }: Extract<Found, { readonly _tag: "Session" }>) =>
  tooLate(session.status === "expired" ? "expired" : "not_paid")

/** The answer to a capture or cancel: the PaymentIntent as it is now. */
const changed = Effect.fnUntraced(function* (kind: "capture" | "cancel", answer: ProviderHttp.Answer) {
  if (answer.status !== 200) return yield* laterErrorOutcome(answer)
  return Outcome.ofInquiry(changeAnswer(kind, yield* answer.decode(Wire.PaymentIntent)))
})
