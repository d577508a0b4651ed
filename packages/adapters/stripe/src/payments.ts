/**
 * Creates and their inquiries. With a token it is one request, a PaymentIntent that is confirmed at once; without one, a
 * Checkout Session, whose PaymentIntent is there only when the shopper has tried to pay.
 *
 * The reference is the PaymentIntent's id (`pi_…`), or the session's (`cs_…`) until it is paid. After a lost answer there is
 * none: the engine sends the same request again, under the same key. Where no answer comes at all, an inquiry looks for our
 * id in the metadata of what was made about that time.
 */
import { type Inquiry, Outcome, type ProviderError, type ProviderOperation } from "@paymux/core"
import type { ProviderHttp } from "@paymux/provider-kit"
import { Effect } from "effect"
import type { Client, Created } from "./client.ts"
import { declinedBy, errorOutcome, inquiryErrorOutcome, intentAnswer } from "./errors.ts"
import { checkAmount, intentForm, sessionForm, type Token, tokenOf } from "./method.ts"
import * as Wire from "./wire.ts"

export const makePayments = (client: Client, instance: string, payWithinMinutes: number) => {
  const create = Effect.fnUntraced(function* (operation: ProviderOperation) {
    yield* checkAmount(operation)
    const token = tokenOf(operation, instance)
    if (token === "unreadable") return Outcome.notExecuted({ reason: "adapter_fault", vendorCode: "token" })
    return token === null ? yield* openPage(operation) : yield* charge(operation, token)
  })

  const charge = Effect.fnUntraced(function* (operation: ProviderOperation, token: Token) {
    const answer = yield* client.createIntent(operation, intentForm(operation, token))
    if (answer.status !== 200) return yield* errorOutcome(answer)
    return Outcome.ofInquiry(intentAnswer(yield* answer.decode(Wire.PaymentIntent)))
  })

  const openPage = Effect.fnUntraced(function* (operation: ProviderOperation) {
    const answer = yield* client.createSession(operation, sessionForm(operation, payWithinMinutes))
    if (answer.status !== 200) return yield* errorOutcome(answer)
    return Outcome.ofInquiry(sessionAnswer(yield* answer.decode(Wire.Session)))
  })

  const inquire = Effect.fnUntraced(function* (operation: ProviderOperation): Effect.fn.Return<Inquiry, NoAnswer> {
    const { reference } = operation
    const found = reference ?? (yield* lookUp(operation))
    if (typeof found !== "string") return found
    const answer = yield* isSession(found) ? client.session(found) : client.intent(found)
    if (answer.status !== 200) return yield* inquiryErrorOutcome(answer)
    return isSession(found)
      ? sessionAnswer(yield* answer.decode(Wire.Session))
      : intentAnswer(yield* answer.decode(Wire.PaymentIntent))
  })

  /** The id of what was made for the operation. */
  const lookUp = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<string | Inquiry, NoAnswer> {
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
    return Outcome.unknown({ reason: "unmapped", vendorCode: "too_many_to_look_through" })
  })

  return { create, inquire }
}

type NoAnswer = ProviderError | ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown

/** A thousand: what an inquiry has the time for. */
const mostPages = 10

/** From a minute before it was committed, for clocks that differ, to ten after: whatever was sent was sent by then. */
const timeOf = ({ createdAt }: ProviderOperation): Created => {
  const second = Math.floor(createdAt / 1000)
  return { gte: second - 60, lte: second + 600 }
}

export const isSession = (reference: string): boolean => reference.startsWith("cs_")

/** While the page is open a declined card is no end: the shopper may take another one. */
const sessionAnswer = (session: Wire.Session): Inquiry => {
  const { id: reference, payment_intent: intent, status } = session
  const tried = typeof intent === "object" && intent !== null ? intent : null
  const answer = tried === null ? null : intentAnswer(tried)
  if (answer?._tag === "Succeeded" || answer?._tag === "Authorized") return answer
  switch (status) {
    case "open":
      return shown(session)
    case "complete":
      return answer ?? Outcome.pending({ reference })
    case "expired":
      // What was begun in the last minute goes on, whatever was declined before it.
      if (tried !== null && tried.status !== "requires_payment_method" && tried.status !== "canceled") {
        return answer ?? Outcome.pending({ reference })
      }
      // Nobody can pay any more: of a shopper who was declined and left, this is why.
      return tried?.last_payment_error === null || tried?.last_payment_error === undefined
        ? Outcome.expired({ reference })
        : declinedBy(tried.last_payment_error, reference)
    default:
      return Outcome.unknown({ reason: "unmapped", reference, vendorCode: "session_status" })
  }
}

const shown = ({ expires_at, id: reference, url }: Wire.Session): Outcome.Outcome =>
  url === null || url === undefined
    ? Outcome.unknown({ reason: "unreadable", reference })
    : Outcome.pending({ reference, nextAction: { type: "redirect", url, expiresAt: expires_at * 1000 } })
