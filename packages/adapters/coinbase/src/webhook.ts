/**
 * Coinbase's webhooks: one event per body, of which nothing is read before its signature is verified.
 *
 * Our payments are identified by the ids that we sent: the create's is the session's `externalReferenceId`, that of a capture, void
 * or refund is in its metadata. Only a client with the API key can write them. The session is sent as it was when the event was
 * made, so what an event says is read from its own action.
 */
import { type Evidence, type Money, type OperationId, Outcome, WebhookRefused } from "@paymux/core"
import { Effect, Option, type Redacted, Schema } from "effect"
import { shortCode } from "./errors.ts"
import { captureMethodOf, operationNamed, operationOfAction } from "./method.ts"
import { verify } from "./signature.ts"
import { balancesOf, canceledWithMoney, ended, failed, hasMoney } from "./state.ts"
import * as Wire from "./wire.ts"

export const readWebhook = (instance: string, secrets: ReadonlyArray<Redacted.Redacted>) =>
  Effect.fnUntraced(function* (
    body: Uint8Array,
    headers: { readonly [name: string]: string },
    receivedAt: number
  ): Effect.fn.Return<ReadonlyArray<Evidence>, WebhookRefused> {
    yield* verify({ secrets, body, headers, receivedAt })
    const event = yield* Effect.mapError(
      decodeEvent(new TextDecoder().decode(body)),
      () => new WebhookRefused({ reason: "malformed" })
    )
    const data = Option.getOrNull(decodeData(event.data))
    const reported = data === null ? [] : evidenceOf(instance, event.eventType, data)
    // Nothing: it is acknowledged, and an inquiry reports.
    return reported.map((report) => ({
      source: "webhook",
      ...report,
      eventId: event.eventId.slice(0, 500),
      occurredAt: Wire.readTime(event.timestamp)
    }))
  })

type Report = Pick<Evidence, "about" | "outcome">

/** A report about the create, under the session's id. */
type OfCreate = (outcome: Outcome.Outcome) => Report

const prefix = "acceptance.payment_session."

/** None: of a type or a shape that is not known, about what is not ours, or nothing that is decided. */
const evidenceOf = (instance: string, type: string, data: Wire.EventData): ReadonlyArray<Report> => {
  const { authorization, capture, paymentSession: session, refund, void: release } = data
  const create = operationNamed(session.externalReferenceId)
  if (create === null || !type.startsWith(prefix)) return []
  const ofCreate: OfCreate = (outcome) => ({
    about: { operation: create },
    outcome: { ...outcome, reference: session.paymentSessionId }
  })
  switch (type.slice(prefix.length)) {
    case "created":
      return [ofCreate(Outcome.pending())]
    case "canceled":
      return ofEnd(session, ofCreate)
    case "authorization_pending":
      return [ofCreate(moving)]
    case "authorization_succeeded":
      return authorization ? ofAuthorization(session, authorization).map(ofCreate) : []
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

const moving = Outcome.pending({ awaitingFinality: true })
const refused = Outcome.declined({ code: "processing_error", retry: "same_later" })

/** Of an event about one of our own actions; nothing where it has no such mark. */
const about = (
  operation: OperationId | null,
  outcome: Outcome.Outcome,
  reference: string,
  action: Wire.Action
): ReadonlyArray<Report> =>
  operation === null ? [] : [{ about: { operation }, outcome: { ...outcome, ...codeOf(action), reference } }]

const codeOf = ({ error }: Wire.Action): { readonly vendorCode?: string } => {
  const vendorCode = shortCode(error?.code)
  return vendorCode === null ? {} : { vendorCode }
}

const ofEnd = (session: Wire.Summary, ofCreate: OfCreate): ReadonlyArray<Report> => {
  const { expiries, paymentSessionId, updatedAt } = session
  return [
    ofCreate(
      hasMoney(session) ? canceledWithMoney() : ended(updatedAt, expiries?.authorizationExpiresAt, paymentSessionId)
    )
  ]
}

const ofAuthorization = (session: Wire.Summary, { amount, status }: Wire.Action): ReadonlyArray<Outcome.Outcome> => {
  const held = Wire.money(amount, Wire.currencyOf(session.asset))
  if (status !== "succeeded") return []
  switch (captureMethodOf(session)) {
    case "manual":
      return [held === null ? Outcome.unreadable() : Outcome.authorized({ amount: held })]
    case "automatic":
      return [moving]
    case null:
      return []
  }
}

/** A failure by an unknown code reports nothing: an inquiry sees how it ends. */
const ofFailure = (authorization: Wire.Action, ofCreate: OfCreate): ReadonlyArray<Report> => {
  const answer = failed(authorization, "", false)
  return answer._tag === "Declined" ? [ofCreate(answer)] : []
}

/**
 * One without our mark was made by Coinbase itself, or by hand: it is the payment's money all the same. By hand there may be
 * several, so what was captured in all is reported, where that is more; where it cannot be read, one of them says nothing.
 */
const ofCapture = (session: Wire.Summary, capture: Wire.Capture, ofCreate: OfCreate): ReadonlyArray<Report> => {
  const amount = Wire.money(capture.amount, Wire.currencyOf(session.asset))
  const captured = (sum: Money.Money | null): Outcome.Outcome =>
    sum === null ? Outcome.unreadable() : Outcome.captured({ amount: sum })
  const ours = operationOfAction(capture)
  if (ours !== null) return about(ours, captured(amount), capture.captureId, capture)
  const all = balancesOf(session)?.captured ?? null
  if (all === null && captureMethodOf(session) !== "automatic") return [ofCreate(Outcome.unreadable())]
  const isMore = amount !== null && all !== null && all.minorUnits > amount.minorUnits
  return [ofCreate(captured(isMore ? all : amount))]
}

/** What Coinbase could not capture automatically is held: it is ours to capture, or to release. */
const ofFailedCapture = (session: Wire.Summary, capture: Wire.Capture, ofCreate: OfCreate): ReadonlyArray<Report> => {
  const ours = operationOfAction(capture)
  if (ours !== null) return about(ours, Outcome.captureFailed(), capture.captureId, capture)
  const code = codeOf(capture)
  const balances = balancesOf(session)
  const isHeld = balances !== null && balances.captured.minorUnits === 0 && balances.capturable.minorUnits > 0
  return [
    ...(isHeld ? [ofCreate(Outcome.authorized({ amount: balances.capturable, ...code }))] : []),
    // If it was reported as captured before, a review would open.
    ofCreate(Outcome.captureFailed(code))
  ]
}

const ofVoid = (session: Wire.Summary, release: Wire.Void, ofCreate: OfCreate): ReadonlyArray<Report> => {
  const ours = operationOfAction(release)
  if (ours !== null) return about(ours, Outcome.canceled(), release.voidId, release)
  // What was left over of a capture is no end of the payment.
  if (balancesOf(session)?.captured.minorUnits !== 0) return []
  return [ofCreate(ended(release.createdAt, session.expiries?.captureExpiresAt, session.paymentSessionId))]
}

/** One that was made elsewhere has no id of ours, and belongs to no operation. */
const ofRefund = (instance: string, session: Wire.Summary, refund: Wire.Refund): ReadonlyArray<Report> => {
  const outcome = refundOutcome(session, refund)
  const ours = operationOfAction(refund)
  if (outcome === null) return []
  return ours === null
    ? [{ about: { provider: instance, providerReference: refund.refundId }, outcome }]
    : about(ours, outcome, refund.refundId, refund)
}

const refundOutcome = (session: Wire.Summary, { amount, status }: Wire.Refund): Outcome.Outcome | null => {
  switch (status) {
    case "pending":
      return Outcome.refundPending()
    case "failed":
      return Outcome.refundFailed()
    case "succeeded": {
      const given = Wire.money(amount, Wire.currencyOf(session.asset))
      return given === null ? Outcome.unreadable() : Outcome.refundSucceeded({ amount: given })
    }
    default:
      return null
  }
}

const decodeEvent = Schema.decodeUnknownEffect(Schema.fromJsonString(Wire.Event))
const decodeData = Schema.decodeUnknownOption(Wire.EventData)
