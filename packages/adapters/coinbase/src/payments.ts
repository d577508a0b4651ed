/**
 * Creates and their inquiries. A create is one request: it opens a session, whose page the payer is sent to. It cannot be paid
 * before that, and only the response has the page's address.
 *
 * The reference is the session's id. Where no answer came at all, an inquiry looks for our own id among the sessions.
 */
import { type InquiryOutcome, Outcome, type ProviderError, type ProviderOperation } from "@paymux/core"
import type { ProviderHttp } from "@paymux/provider-kit"
import { Clock, Effect } from "effect"
import type { Client } from "./client.ts"
import { createErrorOutcome, inquiryErrorOutcome } from "./errors.ts"
import { sessionBody } from "./method.ts"
import type { CoinbaseOptions } from "./options.ts"
import { isLapsed, sessionAnswer } from "./state.ts"
import * as Wire from "./wire.ts"

export type NoAnswer = ProviderError | ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown

export const makePayments = (client: Client, options: CoinbaseOptions) => {
  const create = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.SendOutcome, NoAnswer> {
    const body = sessionBody(operation, options)
    if (body === null) return Outcome.notExecuted({ reason: "adapter_fault", vendorCode: "amount" })
    const answer = yield* client.createSession(operation, body)
    if (answer.status !== 200) return yield* createErrorOutcome(answer)
    const session = yield* answer.decode(Wire.Session)
    return Outcome.ofInquiry(sessionAnswer(session, operation.captureMethod, yield* Clock.currentTimeMillis))
  })

  const inquire = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    const found = operation.reference === null ? yield* lookUp(operation) : yield* read(operation.reference)
    if ("_tag" in found) return found
    const now = yield* Clock.currentTimeMillis
    // It can be captured no more, and only we can release it. Whether that works is seen at the next inquiry.
    if (isLapsed(found, now)) yield* Effect.ignore(client.release(found.paymentSessionId))
    return sessionAnswer(found, operation.captureMethod, now)
  })

  const read = Effect.fnUntraced(function* (id: string): Effect.fn.Return<Wire.Session | InquiryOutcome, NoAnswer> {
    const answer = yield* client.session(id)
    if (answer.status !== 200) return yield* inquiryErrorOutcome(answer)
    return yield* readWhole(client, yield* answer.decode(Wire.Session))
  })

  const lookUp = Effect.fnUntraced(function* ({
    id
  }: ProviderOperation): Effect.fn.Return<Wire.Session | InquiryOutcome, NoAnswer> {
    let pageToken: string | null = null
    for (let page = 0; page < mostPages; page++) {
      const answer: ProviderHttp.Answer = yield* client.sessions(pageToken)
      if (answer.status !== 200) return yield* inquiryErrorOutcome(answer)
      const { nextPageToken = null, paymentSessions }: typeof Wire.Sessions.Type = yield* answer.decode(Wire.Sessions)
      const found = paymentSessions.find(({ externalReferenceId }) => externalReferenceId === id)
      if (found !== undefined) return yield* readWhole(client, found)
      if (nextPageToken === null || nextPageToken === "") return Outcome.notFound()
      pageToken = nextPageToken
    }
    return Outcome.unknown({ reason: "in_progress", vendorCode: "too_many_to_look_through" })
  })

  return { create, inquire }
}

/** A thousand sessions: what an inquiry has the time for. On a later page it may still be. */
const mostPages = 10

/** With the lists of its actions, if the session came without them. */
export const readWhole = Effect.fnUntraced(function* (
  client: Client,
  session: Wire.Session
): Effect.fn.Return<Wire.Session | InquiryOutcome, NoAnswer> {
  const { authorizations, captures, paymentSessionId, status, voids } = session
  if (status === "created" || status === "canceled") return session
  // One list stands for all: Coinbase omits empty ones.
  if (authorizations !== null && authorizations !== undefined) return session
  const authorized = yield* client.list(paymentSessionId, "authorizations")
  if (authorized.status !== 200) return yield* inquiryErrorOutcome(authorized)
  const captured = captures === undefined ? yield* client.list(paymentSessionId, "captures") : null
  if (captured !== null && captured.status !== 200) return yield* inquiryErrorOutcome(captured)
  const voided = voids === undefined ? yield* client.list(paymentSessionId, "voids") : null
  if (voided !== null && voided.status !== 200) return yield* inquiryErrorOutcome(voided)
  return {
    ...session,
    ...(yield* authorized.decode(Wire.Authorizations)),
    ...(captured !== null && (yield* captured.decode(Wire.Captures))),
    ...(voided !== null && (yield* voided.decode(Wire.Voids)))
  }
})
