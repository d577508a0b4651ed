/** Captures, cancels and refunds, and what became of them: Coinbase takes each on, and does it a little later. */
import { type Inquiry, Outcome, type ProviderOperation } from "@paymux/core"
import type { ProviderHttp } from "@paymux/provider-kit"
import { Clock, Effect } from "effect"
import type { Client } from "./client.ts"
import { errorOutcome, errorTypeOf, inquiryErrorOutcome, withoutProof } from "./errors.ts"
import { captureBody, refundBody, voidBody } from "./method.ts"
import type { CoinbaseOptions } from "./options.ts"
import { type NoAnswer, readWhole } from "./payments.ts"
import { actionAnswer, balancesOf, has, sessionAnswer, tooLate, voidAnswer } from "./state.ts"
import * as Wire from "./wire.ts"

type Later = ProviderOperation & { readonly kind: "capture" | "cancel" | "refund" }

export const makeLater = (client: Client, options: CoinbaseOptions) => {
  const capture = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.Outcome, NoAnswer> {
    const id = operation.original?.reference ?? null
    const body = captureBody(operation)
    if (id === null || body === null) return nothingSent
    const answer = yield* client.act(operation, id, "captures", body)
    return answer.status === 200 ? yield* captured(operation, answer) : yield* errorOutcome(answer)
  })

  const refund = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.Outcome, NoAnswer> {
    const id = operation.original?.reference ?? null
    const body = refundBody(operation, options)
    if (id === null || body === null) return nothingSent
    const answer = yield* client.act(operation, id, "refunds", body)
    return answer.status === 200 ? yield* refunded(operation, answer) : yield* errorOutcome(answer)
  })

  /** What nobody has paid is canceled, what is held is voided: by two endpoints, so the session is looked at first. */
  const cancel = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.Outcome, NoAnswer> {
    const id = operation.original?.reference ?? null
    if (id === null) return nothingSent
    const session = yield* read(id)
    if ("_tag" in session) return Outcome.ofInquiry(session)
    const step = nextStep(session, operation, yield* Clock.currentTimeMillis)
    if (step === "cancel") return yield* close(operation, id)
    if (step !== "void") return step
    const answer = yield* client.act(operation, id, "voids", voidBody(operation))
    return answer.status === 200 ? voidAnswer(yield* answer.decode(Wire.Void)) : yield* errorOutcome(answer)
  })

  const close = Effect.fnUntraced(function* (
    operation: ProviderOperation,
    id: string
  ): Effect.fn.Return<Outcome.Outcome, NoAnswer> {
    const answer = yield* client.cancelSession(id)
    if (answer.status === 200) {
      const { status } = yield* answer.decode(Wire.Session)
      return status === "canceled"
        ? Outcome.succeeded()
        : Outcome.unknown({ reason: "unmapped", vendorCode: "session_status" })
    }
    const type = yield* errorTypeOf(answer)
    // The payer was faster, or somebody has canceled it: the session says which.
    if (answer.status !== 400 || type === null) return yield* errorOutcome(answer)
    const session = yield* read(id)
    const step = "_tag" in session ? null : nextStep(session, operation, yield* Clock.currentTimeMillis)
    if (step === "void") return tooLate("authorized")
    return step === null || step === "cancel" ? yield* errorOutcome(answer) : step
  })

  const read = Effect.fnUntraced(function* (id: string): Effect.fn.Return<Wire.Session | Inquiry, NoAnswer> {
    const answer = yield* client.session(id)
    return answer.status === 200
      ? yield* readWhole(client, yield* answer.decode(Wire.Session))
      : yield* errorOutcome(answer)
  })

  const perform = { capture, cancel, refund }

  /** By Coinbase's id; where its answer was lost the same request under the same key is answered with it. */
  const inquire = Effect.fnUntraced(function* (operation: Later): Effect.fn.Return<Inquiry, NoAnswer> {
    const { kind, original, reference } = operation
    const id = original?.reference ?? null
    // Nothing can have been sent: there was nothing to act on.
    if (id === null) return Outcome.notFound()
    if (reference === null) {
      const age = (yield* Clock.currentTimeMillis) - operation.createdAt
      return age < keyLifetime ? withoutProof(yield* perform[kind](operation)) : tooOld
    }
    switch (kind) {
      case "capture": {
        const answer = yield* client.action(id, "captures", reference)
        return answer.status === 200 ? yield* captured(operation, answer) : yield* notThere(answer)
      }
      case "refund": {
        const answer = yield* client.action(id, "refunds", reference)
        return answer.status === 200 ? yield* refunded(operation, answer) : yield* notThere(answer)
      }
      case "cancel": {
        const answer = yield* client.action(id, "voids", reference)
        return answer.status === 200 ? voidAnswer(yield* answer.decode(Wire.Void)) : yield* notThere(answer)
      }
    }
  })

  return { capture, cancel, refund, inquire }
}

/**
 * How a session is given up: by one of two requests, or not at all. What is on its way is not stopped: the payer's
 * authorization, and a capture that Coinbase makes by itself.
 */
const nextStep = (
  session: Wire.Session,
  operation: ProviderOperation,
  now: number
): "cancel" | "void" | Outcome.Outcome => {
  const answer = sessionAnswer(session, operation.captureMethod, now)
  const pending = session.voids?.find(({ status }) => status === "pending")
  if (pending !== undefined) return voidAnswer(pending)
  switch (answer._tag) {
    case "Canceled":
    case "Expired":
    // Nobody can authorize it again.
    case "Declined":
      return Outcome.succeeded()
    case "Succeeded":
      return tooLate("captured")
    case "Authorized":
      return has(session.captures, "pending") ? tooLate("capture_pending") : "void"
    case "Pending":
      return answer.nextAction === undefined ? tooLate("moving") : "cancel"
    case "Unknown":
      // A failure by a code that is not known is a failure.
      return balancesOf(session)?.capturable.minorUnits === 0 && isFailed(session) ? Outcome.succeeded() : answer
    case "NotExecuted":
    case "NotFound":
      return Outcome.unknown({ reason: "unmapped" })
  }
}

const isFailed = ({ authorizations }: Wire.Session): boolean =>
  (authorizations ?? []).length > 0 && (authorizations ?? []).every(({ status }) => status === "failed")

const captured = (operation: ProviderOperation, answer: ProviderHttp.Answer) =>
  Effect.map(answer.decode(Wire.Capture), (capture) => actionAnswer(capture.captureId, capture, operation))

const refunded = (operation: ProviderOperation, answer: ProviderHttp.Answer) =>
  Effect.map(answer.decode(Wire.Refund), (refund) => actionAnswer(refund.refundId, refund, operation))

/** It was there when it was made: that it is not found is no answer. */
const notThere = (answer: ProviderHttp.Answer) =>
  Effect.map(inquiryErrorOutcome(answer), (found): Inquiry =>
    found._tag === "NotFound" ? Outcome.unknown({ reason: "unmapped", vendorCode: "not_found" }) : found
  )

/** ms; a little less than the 24 hours that Coinbase keeps a key. */
const keyLifetime = 23.75 * 60 * 60_000

const tooOld = Outcome.unknown({ reason: "in_progress", vendorCode: "key_expired" })

/** There is no session to act on, or no amount to say. */
const nothingSent: Outcome.Outcome = Outcome.notExecuted({ reason: "adapter_fault" })
