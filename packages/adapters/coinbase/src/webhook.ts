/**
 * Coinbase's webhooks: one event per body, of which nothing is read before its signature is verified.
 *
 * What is ours is told by the ids that we gave: the create's is the session's `externalReferenceId`, that of a capture, void
 * or refund is in its metadata. Only who has the API key can write them. The session is told as it was when the event was
 * made, so what an event says is read from its own action.
 */
import {
  type Evidence,
  type EvidenceClaim,
  type Money,
  type OperationId,
  type Outcome,
  WebhookRefused
} from "@paymux/core"
import { Effect, Option, type Redacted, Schema } from "effect"
import { shortCode } from "./errors.ts"
import { captureMethodOf, operationNamed, operationOfAction } from "./method.ts"
import { verify } from "./signature.ts"
import { balancesOf, canceledWithMoney, ended, failed, hasMoney } from "./state.ts"
import * as Wire from "./wire.ts"

export const readWebhook = (instance: string, secrets: ReadonlyArray<Redacted.Redacted>) =>
  Effect.fnUntraced(function* (
    body: Uint8Array,
    headers: { readonly [name: string]: string }
  ): Effect.fn.Return<ReadonlyArray<Evidence>, WebhookRefused> {
    yield* verify({ secrets, body, headers })
    const event = yield* Effect.mapError(
      decodeEvent(new TextDecoder().decode(body)),
      () => new WebhookRefused({ reason: "malformed" })
    )
    const data = Option.getOrNull(decodeData(event.data))
    const told = data === null ? [] : tellingsOf(instance, event.eventType, data)
    // Nothing: it is acknowledged, and an inquiry tells.
    return told.map((telling) => ({
      source: "webhook",
      ...telling,
      eventId: event.eventId.slice(0, 500),
      occurredAt: Wire.readTime(event.timestamp)
    }))
  })

type Telling = Pick<Evidence, "about" | "claim" | "reference" | "vendorCode">

const prefix = "acceptance.payment_session."

/** None: of a type or a shape that is not known, about what is not ours, or nothing that is decided. */
const tellingsOf = (instance: string, type: string, data: Wire.EventData): ReadonlyArray<Telling> => {
  const { authorization, capture, paymentSession: session, refund, void: release } = data
  const create = operationNamed(session.externalReferenceId)
  if (create === null || !type.startsWith(prefix)) return []
  const ofCreate = (claim: EvidenceClaim, vendorCode: string | null = null): Telling => ({
    about: { operation: create },
    claim,
    reference: session.paymentSessionId,
    vendorCode
  })
  switch (type.slice(prefix.length)) {
    case "created":
      return [ofCreate({ kind: "pending", nextAction: null, awaitingFinality: false })]
    case "canceled":
      return ofEnd(session, ofCreate)
    case "authorization_pending":
      return [ofCreate(moving)]
    case "authorization_succeeded":
      return authorization ? ofAuthorization(session, authorization).map((claim) => ofCreate(claim)) : []
    case "authorization_failed":
      return authorization ? ofFailure(authorization, ofCreate) : []
    case "capture_pending":
      // Of ours its answer says so.
      return capture && operationOfAction(capture) === null ? [ofCreate(moving)] : []
    case "capture_succeeded":
      return capture ? ofCapture(session, capture, ofCreate) : []
    case "capture_failed":
      return capture ? ofFailedCapture(session, capture, ofCreate) : []
    case "void_succeeded":
      return release ? ofVoid(session, release, ofCreate) : []
    case "void_failed":
      return release ? about(operationOfAction(release), refused, release.voidId, release) : []
    case "refund_pending":
    case "refund_succeeded":
    case "refund_failed":
      return refund ? ofRefund(instance, session, refund) : []
    default:
      return []
  }
}

const moving: EvidenceClaim = { kind: "pending", nextAction: null, awaitingFinality: true }
const refused: EvidenceClaim = { kind: "declined", code: "processing_error", retry: "same_later" }
/** Money moved, and nobody can read how much. */
const unreadable: EvidenceClaim = { kind: "unreadable" }

/** Of an event about one of our own actions; nothing where it has no such mark. */
const about = (
  operation: OperationId | null,
  claim: EvidenceClaim,
  reference: string,
  action: Wire.Action
): ReadonlyArray<Telling> =>
  operation === null ? [] : [{ about: { operation }, claim, reference, vendorCode: shortCode(action.error?.code) }]

const ofEnd = (
  session: Wire.Summary,
  ofCreate: (claim: EvidenceClaim, vendorCode?: string) => Telling
): ReadonlyArray<Telling> => {
  const { expiries, paymentSessionId, updatedAt } = session
  return hasMoney(session)
    ? [ofCreate({ kind: "unknown", reason: "unmapped" }, canceledWithMoney().vendorCode)]
    : [ofCreate(claimOfEnd(ended(updatedAt, expiries?.authorizationExpiresAt, paymentSessionId)))]
}

const ofAuthorization = (session: Wire.Summary, { amount, status }: Wire.Action): ReadonlyArray<EvidenceClaim> => {
  const held = Wire.money(amount, Wire.currencyOf(session.asset))
  if (status !== "succeeded") return []
  switch (captureMethodOf(session)) {
    case "manual":
      return [held === null ? unreadable : { kind: "authorized", amount: held }]
    case "automatic":
      return [moving]
    case null:
      return []
  }
}

/** By a code that is not known nothing is told: an inquiry sees how it ends. */
const ofFailure = (
  authorization: Wire.Action,
  ofCreate: (claim: EvidenceClaim, vendorCode: string | null) => Telling
): ReadonlyArray<Telling> => {
  const answer = failed(authorization, "", false)
  return answer._tag === "Declined"
    ? [ofCreate({ kind: "declined", code: answer.code, retry: answer.retry }, answer.vendorCode ?? null)]
    : []
}

/**
 * One without our mark was made by Coinbase itself, or by hand: it is the payment's money all the same. By hand there may be
 * several, so what was captured in all is reported, where that is more; where it cannot be read, one of them says nothing.
 */
const ofCapture = (
  session: Wire.Summary,
  capture: Wire.Capture,
  ofCreate: (claim: EvidenceClaim) => Telling
): ReadonlyArray<Telling> => {
  const amount = Wire.money(capture.amount, Wire.currencyOf(session.asset))
  const captured = (sum: Money.Money | null): EvidenceClaim =>
    sum === null ? unreadable : { kind: "captured", amount: sum }
  const ours = operationOfAction(capture)
  if (ours !== null) return about(ours, captured(amount), capture.captureId, capture)
  const all = balancesOf(session)?.captured ?? null
  if (all === null && captureMethodOf(session) !== "automatic") return [ofCreate(unreadable)]
  const isMore = amount !== null && all !== null && all.minorUnits > amount.minorUnits
  return [ofCreate(captured(isMore ? all : amount))]
}

/** What Coinbase could not capture by itself is held: it is ours to capture, or to let go. */
const ofFailedCapture = (
  session: Wire.Summary,
  capture: Wire.Capture,
  ofCreate: (claim: EvidenceClaim, vendorCode: string | null) => Telling
): ReadonlyArray<Telling> => {
  const ours = operationOfAction(capture)
  if (ours !== null) return about(ours, { kind: "capture_failed" }, capture.captureId, capture)
  const vendorCode = shortCode(capture.error?.code)
  const balances = balancesOf(session)
  const isHeld = balances !== null && balances.captured.minorUnits === 0 && balances.capturable.minorUnits > 0
  return [
    ...(isHeld ? [ofCreate({ kind: "authorized", amount: balances.capturable }, vendorCode)] : []),
    // Were it told as captured before, an operator would have to hear of it.
    ofCreate({ kind: "capture_failed" }, vendorCode)
  ]
}

const ofVoid = (
  session: Wire.Summary,
  release: Wire.Void,
  ofCreate: (claim: EvidenceClaim) => Telling
): ReadonlyArray<Telling> => {
  const ours = operationOfAction(release)
  if (ours !== null) return about(ours, { kind: "canceled" }, release.voidId, release)
  // What was left over of a capture is no end of the payment.
  if (balancesOf(session)?.captured.minorUnits !== 0) return []
  return [ofCreate(claimOfEnd(ended(release.createdAt, session.expiries?.captureExpiresAt, session.paymentSessionId)))]
}

const claimOfEnd = ({ _tag }: Outcome.Expired | Outcome.Canceled): EvidenceClaim =>
  _tag === "Expired" ? { kind: "expired" } : { kind: "canceled" }

/** One that somebody made elsewhere has no mark, and is known by no operation. */
const ofRefund = (instance: string, session: Wire.Summary, refund: Wire.Refund): ReadonlyArray<Telling> => {
  const claim = claimOfRefund(session, refund)
  const ours = operationOfAction(refund)
  if (claim === null) return []
  return ours === null
    ? [{ about: { provider: instance, providerReference: refund.refundId }, claim, reference: null, vendorCode: null }]
    : about(ours, claim, refund.refundId, refund)
}

const claimOfRefund = (session: Wire.Summary, { amount, status }: Wire.Refund): EvidenceClaim | null => {
  switch (status) {
    case "pending":
      return { kind: "refund_pending" }
    case "failed":
      return { kind: "refund_failed" }
    case "succeeded": {
      const given = Wire.money(amount, Wire.currencyOf(session.asset))
      return given === null ? unreadable : { kind: "refund_succeeded", amount: given }
    }
    default:
      return null
  }
}

const decodeEvent = Schema.decodeUnknownEffect(Schema.fromJsonString(Wire.Event))
const decodeData = Schema.decodeUnknownOption(Wire.EventData)
