/**
 * Razorpay's webhooks: one event per body, signed over the body alone (`x-razorpay-signature`), verified before it is
 * read. No time is signed, so an old one passes: `x-razorpay-event-id` identifies what was applied already.
 *
 * A payment is identified by its order, which was kept before the payment was made. Its notes prove nothing: a page that opens
 * Razorpay's checkout with the public key id can write them. A QR code's notes and a refund's receipt take the secret key.
 *
 * Nothing is closed by a webhook: one try failed, or a code was closed, and another payment may be in the payer's hand. The
 * inquiry looks at all of them.
 */
import { Currency, type Evidence, Ids, type OperationId, Outcome, WebhookRefused } from "@paymux/core"
import { WebhookSignature } from "@paymux/provider-kit"
import { Effect, Option, type Redacted, Schema } from "effect"
import { isHold, noteOf } from "./notes.ts"
import { isTaken, moneyOf, standingOf } from "./statuses.ts"
import * as Wire from "./wire.ts"

interface Secrets {
  readonly webhookSecrets: ReadonlyArray<Redacted.Redacted>
  readonly keySecret: Redacted.Redacted
}

export const readWebhook = (instance: string, { keySecret, webhookSecrets: secrets }: Secrets) =>
  Effect.fnUntraced(function* (
    body: Uint8Array,
    headers: { readonly [name: string]: string }
  ): Effect.fn.Return<ReadonlyArray<Evidence>, WebhookRefused> {
    yield* WebhookSignature.hmacSha256Hex({ secrets, signed: [body], signature: headers["x-razorpay-signature"] })
    const text = new TextDecoder().decode(body)
    const { created_at, event, payload } = yield* Effect.mapError(decodeEvent(text), malformed)
    const reported = yield* Effect.catch(evidenceOf({ instance, keySecret }, event, payload), () =>
      // Razorpay disables a webhook after a day of rejected deliveries: events of other software must not cause that.
      namesOperation(text) ? Effect.fail(malformed()) : Effect.succeed(null)
    )
    if (reported === null) return []
    return [
      {
        ...reported,
        source: "webhook",
        eventId: eventIdOf(headers["x-razorpay-event-id"]),
        occurredAt: occurredAt(event, created_at)
      }
    ]
  })

/** Whether one of our ids is in the body: in the notes, receipt or reference id of what we made. */
const namesOperation = (text: string): boolean => (text.match(/\bop_\w+/g) ?? []).some((id) => Ids.isOperation(id))

/** ms UTC. The envelope of a Payment Link's event has the time at which the link was created. */
const occurredAt = (event: string, createdAt: unknown): number | null =>
  Number.isSafeInteger(createdAt) && !event.startsWith("payment_link.") ? Number(createdAt) * 1000 : null

interface Account {
  readonly instance: string
  readonly keySecret: Redacted.Redacted
}

type Report = Pick<Evidence, "about" | "outcome">

/** `null`: it reports nothing that matters here, or is of an unknown type. An inquiry reports. */
const evidenceOf = (
  account: Account,
  event: string,
  payload: unknown
): Effect.Effect<Report | null, Schema.SchemaError> => {
  switch (event) {
    case "payment.authorized":
    case "payment.captured":
    case "order.paid":
      return Effect.map(decodePayment(payload), ({ payment }) => ofPayment(account, event, payment.entity))
    case "payment.dispute.created":
    case "payment.dispute.under_review":
    case "payment.dispute.action_required":
    case "payment.dispute.won":
    case "payment.dispute.lost":
      return Effect.map(decodePayment(payload), ({ dispute, payment }) =>
        ofDispute(account, disputeStatuses[event], payment.entity, dispute)
      )
    case "refund.created":
    case "refund.processed":
    case "refund.failed":
      return Effect.map(decodeRefund(payload), ({ refund }) => ofRefund(account, event, refund.entity))
    case "payment_link.paid":
      return Effect.map(decodeLink(payload), (reported) => ofLink(account, reported))
    case "qr_code.credited":
      return Effect.map(decodeQr(payload), (reported) => ofQr(account, reported))
    default:
      return Effect.succeed(null)
  }
}

const decodeEvent = Schema.decodeUnknownEffect(Schema.fromJsonString(Wire.AnyEvent))
const decodePayment = Schema.decodeUnknownEffect(Wire.PaymentEvent)
const decodeRefund = Schema.decodeUnknownEffect(Wire.RefundEvent)
const decodeLink = Schema.decodeUnknownEffect(Wire.LinkEvent)
const decodeQr = Schema.decodeUnknownEffect(Wire.QrEvent)

const decodeDispute = Schema.decodeUnknownOption(Wire.Dispute)

/** A dispute that is only `closed` is of fraud that was explained, or of a refund: its money is not known. */
const disputeStatuses = {
  "payment.dispute.created": "open",
  "payment.dispute.under_review": "open",
  "payment.dispute.action_required": "open",
  "payment.dispute.won": "won",
  "payment.dispute.lost": "lost"
} as const

type PaymentEventName = "payment.authorized" | "payment.captured" | "order.paid"

/** One without an order is of a QR code, which `qr_code.credited` reports, or not ours. */
const ofPayment = ({ instance, keySecret }: Account, event: PaymentEventName, payment: Wire.Payment): Report | null => {
  const order = payment.order_id ?? null
  if (order === null || order === "" || isOfLink(payment)) return null
  const about = { provider: instance, providerReference: order }
  switch (event) {
    case "payment.authorized":
      // With automatic capture it is not held for us: the capture reports it.
      return isHold(payment.notes, order, keySecret)
        ? { about, outcome: Outcome.authorized({ reference: order, amount: moneyOf(payment) }) }
        : null
    case "payment.captured":
    case "order.paid":
      return standingOf(payment) === "given_back"
        ? null
        : { about, outcome: Outcome.captured({ reference: order, amount: moneyOf(payment) }) }
  }
}

/** A retrieval request, and a question about fraud, are no disputes. One that cannot be read is about the whole charge. */
const ofDispute = (
  { instance }: Account,
  status: "open" | "won" | "lost",
  payment: Wire.Payment,
  reported: unknown
): Report | null => {
  const order = payment.order_id ?? null
  if (order === null || order === "" || isOfLink(payment)) return null
  const about = { provider: instance, providerReference: order }
  const dispute = Option.getOrNull(decodeDispute(reported))?.entity
  if (dispute === undefined) return { about, outcome: Outcome.disputed({ status }) }
  const { amount, currency, id: reference, phase } = dispute
  if (phase === "retrieval" || phase === "fraud") return null
  const isReadable = Currency.isCurrency(currency) && Number.isSafeInteger(amount) && amount > 0
  const money = isReadable ? { amount: { minorUnits: amount, currency } } : {}
  return { about, outcome: Outcome.disputed({ reference, status, ...money }) }
}

type RefundEventName = "refund.created" | "refund.processed" | "refund.failed"

const ofRefund = ({ instance }: Account, event: RefundEventName, refund: Wire.Refund): Report => ({
  about: operationNamed(refund.receipt ?? null) ?? { provider: instance, providerReference: refund.id },
  outcome: refundOutcome(event, refund)
})

/** An event is about one moment: its name counts, and not the status that the refund has by now. */
const refundOutcome = (event: RefundEventName, refund: Wire.Refund): Outcome.Outcome => {
  const { id: reference } = refund
  switch (event) {
    case "refund.created":
      return Outcome.refundPending({ reference })
    case "refund.processed":
      return Outcome.refundSucceeded({ reference, amount: moneyOf(refund) })
    case "refund.failed":
      return Outcome.refundFailed({ reference })
  }
}

/**
 * The payment of a Payment Link has the link's id, without its prefix, as description. `payment_link.paid` reports it under
 * the link; a payer can write a description, so this one only skips the event.
 */
export const isOfLink = ({ description }: Pick<Wire.Payment, "description">): boolean =>
  /^#[A-Za-z0-9]{14}$/.test(description ?? "")

const ofLink = ({ instance }: Account, { payment, payment_link }: typeof Wire.LinkEvent.Type): Report | null => {
  const { id: reference, reference_id } = payment_link.entity
  const about = operationNamed(reference_id ?? null) ?? { provider: instance, providerReference: reference }
  const paid = payment?.entity
  return paid !== undefined && paid !== null && isTaken(paid)
    ? { about, outcome: Outcome.captured({ reference, amount: moneyOf(paid) }) }
    : null
}

/** Only that it was paid. Razorpay does not report an expired one. */
const ofQr = ({ instance }: Account, { payment, qr_code }: typeof Wire.QrEvent.Type): Report | null => {
  const { id: reference, notes } = qr_code.entity
  const about = operationNamed(noteOf(notes, "paymux_operation")) ?? {
    provider: instance,
    providerReference: reference
  }
  const paid = payment?.entity
  return paid !== undefined && paid !== null && isTaken(paid)
    ? { about, outcome: Outcome.captured({ reference, amount: moneyOf(paid) }) }
    : null
}

/** Our own id of its subject; `null`: of another system. */
const operationNamed = (name: string | null): { readonly operation: OperationId } | null =>
  name !== null && Ids.isOperation(name) ? { operation: name } : null

/** The signature does not cover it: one that cannot be an id of Razorpay's counts as none. */
const eventIdOf = (id: string | undefined): string | null => (id !== undefined && /^[\w-]{1,100}$/.test(id) ? id : null)

const malformed = () => new WebhookRefused({ reason: "malformed" })
