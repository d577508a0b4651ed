/** Captures, cancels and refunds, and what became of them: Coinbase takes each on, and does it a little later. */
import { type InquiryOutcome, Outcome, type ProviderOperation } from "@paymux/core"
import type { ProviderHttp } from "@paymux/provider-kit"
import { Clock, Effect } from "effect"
import type { Client } from "./client.ts"
import { actionErrorOutcome, errorTypeOf, inquiryErrorOutcome, ofReplay } from "./errors.ts"
import { captureBody, operationOfAction, refundBody, voidBody } from "./method.ts"
import type { CoinbaseOptions } from "./options.ts"
import { type NoAnswer, readWhole } from "./payments.ts"
import {
  actionAnswer,
  balancesOf,
  canceledWithMoney,
  has,
  hasMoney,
  latestOf,
  sessionAnswer,
  tooLate,
  voidAnswer
} from "./state.ts"
import * as Wire from "./wire.ts"

type Later = ProviderOperation & { readonly kind: "capture" | "cancel" | "refund" }

export const makeLater = (client: Client, options: CoinbaseOptions) => {
  const capture = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.SendOutcome, NoAnswer> {
    const id = operation.original?.reference ?? null
    const body = captureBody(operation)
    if (id === null || body === null) return nothingSent
    const answer = yield* client.act(operation, id, "captures", body)
    return answer.status === 200 ? yield* captured(operation, answer) : yield* actionErrorOutcome(answer)
  })

  const refund = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.SendOutcome, NoAnswer> {
    const id = operation.original?.reference ?? null
    const body = refundBody(operation, options)
    if (id === null || body === null) return nothingSent
    const answer = yield* client.act(operation, id, "refunds", body)
    return answer.status === 200 ? yield* refunded(operation, answer) : yield* actionErrorOutcome(answer)
  })

  /** An unpaid session is canceled, a hold is voided: by two endpoints, so the session is read first. */
  const cancel = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<Outcome.SendOutcome, NoAnswer> {
    const id = operation.original?.reference ?? null
    if (id === null) return nothingSent
    const session = yield* read(id)
    if ("_tag" in session) return Outcome.ofInquiry(session)
    const step = nextStep(session, operation, yield* Clock.currentTimeMillis)
    if (step === "cancel") return yield* close(operation, id)
    if (step !== "void") return step
    const answer = yield* client.act(operation, id, "voids", voidBody(operation))
    return answer.status === 200 ? voidAnswer(yield* answer.decode(Wire.Void)) : yield* actionErrorOutcome(answer)
  })

  const close = Effect.fnUntraced(function* (
    operation: ProviderOperation,
    id: string
  ): Effect.fn.Return<Outcome.SendOutcome, NoAnswer> {
    const answer = yield* client.cancelSession(id)
    if (answer.status === 200) {
      const session = yield* answer.decode(Wire.Session)
      if (session.status !== "canceled") return Outcome.unknown({ reason: "unmapped", vendorCode: "session_status" })
      return hasMoney(session) ? canceledWithMoney() : Outcome.succeeded()
    }
    const type = yield* errorTypeOf(answer)
    // The payer was faster, or it was canceled elsewhere: the session says which.
    if (answer.status !== 400 || type === null) return yield* actionErrorOutcome(answer)
    const session = yield* read(id)
    const step = "_tag" in session ? null : nextStep(session, operation, yield* Clock.currentTimeMillis)
    if (step === "void") return tooLate("authorized")
    return step === null || step === "cancel" ? yield* actionErrorOutcome(answer) : step
  })

  const read = Effect.fnUntraced(function* (id: string): Effect.fn.Return<Wire.Session | InquiryOutcome, NoAnswer> {
    const answer = yield* client.session(id)
    return answer.status === 200
      ? yield* readWhole(client, yield* answer.decode(Wire.Session))
      : yield* actionErrorOutcome(answer)
  })

  const perform = { capture, cancel, refund }

  /** By Coinbase's id; where its answer was lost, by our name in a list, or by the same request under the same key. */
  const inquire = Effect.fnUntraced(function* (operation: Later): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    const { kind, original, reference } = operation
    const id = original?.reference ?? null
    // Nothing can have been sent: there was nothing to act on.
    if (id === null) return Outcome.notFound()
    if (reference === null) return yield* unanswered(operation, id)
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

  /**
   * What is listed under our name is the answer, however old. That nothing is proves nothing: then the same request is sent
   * again under the same key, for as long as Coinbase keeps that. In this order, so that nothing is done twice by a key that
   * was not kept.
   */
  const unanswered = Effect.fnUntraced(function* (
    operation: Later,
    session: string
  ): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    const found = yield* listed(operation, session)
    if (found !== null) return found
    const age = (yield* Clock.currentTimeMillis) - operation.createdAt
    return age < keyLifetime ? ofReplay(yield* perform[operation.kind](operation)) : tooOld
  })

  /** `null`: it is not found, or not yet. A missing list proves nothing: nothing is sent again then. */
  const listed = Effect.fnUntraced(function* (
    operation: Later,
    session: string
  ): Effect.fn.Return<InquiryOutcome | null, NoAnswer> {
    const ofOurs = <A extends Wire.Action>(actions: ReadonlyArray<A>) =>
      latestOf(actions.filter((action) => operationOfAction(action) === operation.id))
    const answer = yield* client.list(session, lists[operation.kind])
    if (answer.status !== 200) return yield* notThere(answer)
    switch (operation.kind) {
      case "capture": {
        const found = ofOurs((yield* answer.decode(Wire.Captures)).captures)
        return found === undefined ? null : actionAnswer(found.captureId, found, operation)
      }
      case "refund": {
        const found = ofOurs((yield* answer.decode(Wire.Refunds)).refunds)
        return found === undefined ? null : actionAnswer(found.refundId, found, operation)
      }
      case "cancel": {
        const found = ofOurs((yield* answer.decode(Wire.Voids)).voids)
        return found === undefined ? null : voidAnswer(found)
      }
    }
  })

  return { capture, cancel, refund, inquire }
}

const lists = { capture: "captures", cancel: "voids", refund: "refunds" } as const

/**
 * How a session is given up: by one of two requests, or not at all. What is on its way is not stopped: the payer's
 * authorization, and an automatic capture.
 */
const nextStep = (
  session: Wire.Session,
  operation: ProviderOperation,
  now: number
): "cancel" | "void" | Outcome.SendOutcome => {
  const answer = sessionAnswer(session, operation.captureMethod, now)
  const pending = session.voids?.find(({ status }) => status === "pending")
  if (pending !== undefined) return voidAnswer(pending)
  switch (answer._tag) {
    case "Canceled":
    case "Expired":
    // It cannot be authorized again.
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
  Effect.map(inquiryErrorOutcome(answer), (found): InquiryOutcome =>
    found._tag === "NotFound" ? Outcome.unknown({ reason: "unmapped", vendorCode: "not_found" }) : found
  )

/** ms; a little less than the 24 hours that Coinbase keeps a key. */
const keyLifetime = 23.75 * 60 * 60_000

const tooOld = Outcome.unknown({ reason: "in_progress", vendorCode: "key_expired" })

/** There is no session to act on, or no amount to say. */
const nothingSent: Outcome.SendOutcome = Outcome.notExecuted({ reason: "adapter_fault" })
