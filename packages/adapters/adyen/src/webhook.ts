/**
 * Adyen's webhooks: several items in one body, each with an HMAC of its own over eight of its fields. The others (`live`,
 * `reason`, `eventDate`, `additionalData`) anybody could have written, and nothing is read from them. No time is signed, so an
 * old item passes: what is applied once is told by its event code, PSP reference and success.
 *
 * One item that is not right refuses the body. Test and live have different keys, and `merchantAccountCode` is signed.
 */
import { type Evidence, type EvidenceClaim, WebhookRefused } from "@paymux/core"
import { WebhookSignature } from "@paymux/provider-kit"
import { Effect, Schema } from "effect"
import { type Named, readReference } from "./names.ts"
import type { AdyenOptions } from "./options.ts"
import * as Wire from "./wire.ts"

export const readWebhook = (
  instance: string,
  { hmacKeys, merchantAccount }: Pick<AdyenOptions, "hmacKeys" | "merchantAccount">
) => {
  const secrets = hmacKeys.map(WebhookSignature.hexSecret)

  const verify = (item: Wire.Item): Effect.Effect<void, WebhookRefused> =>
    WebhookSignature.hmacSha256Base64({
      secrets,
      signed: [signedFields(item).join(":")],
      signature: item.additionalData?.hmacSignature ?? undefined
    })

  return Effect.fnUntraced(function* (body: Uint8Array): Effect.fn.Return<ReadonlyArray<Evidence>, WebhookRefused> {
    const { notificationItems } = yield* parse(body)
    const items = notificationItems.map(({ NotificationRequestItem }) => NotificationRequestItem)
    yield* Effect.forEach(items, verify, { discard: true })
    // A webhook of the company tells of its other accounts, too. Refused, it would hold up what comes after it.
    const told = items
      .filter(({ merchantAccountCode }) => merchantAccountCode === merchantAccount)
      .flatMap((item) => evidenceOf(item, instance))
    return told
  })
}

/** In the order in which they are signed; what is missing is empty. */
const signedFields = (item: Wire.Item): ReadonlyArray<string> => [
  item.pspReference,
  item.originalReference ?? "",
  item.merchantAccountCode,
  item.merchantReference ?? "",
  String(item.amount.value),
  item.amount.currency,
  item.eventCode,
  item.success
]

const evidenceOf = (item: Wire.Item, instance: string): ReadonlyArray<Evidence> => {
  // The fields are signed with colons between: one that has a colon could be two.
  if (signedFields(item).some((field) => field.includes(":"))) return []
  const named = readReference(item.merchantReference ?? "")
  const told = named === null ? [] : tellingsOf(item, named, instance)
  return told.map((telling) => ({
    source: "webhook",
    ...telling,
    vendorCode: null,
    // What one item tells beside the first, the engine keeps under an id of its own.
    eventId: `${item.eventCode}:${item.pspReference}:${item.success}`,
    occurredAt: null
  }))
}

type Telling = Pick<Evidence, "about" | "claim" | "reference">

/** None: it says nothing that matters here, or is of a type that is not known. */
const tellingsOf = (item: Wire.Item, named: Named, instance: string): ReadonlyArray<Telling> => {
  const isDone = item.success === "true"
  switch (item.eventCode) {
    case "AUTHORISATION":
      return named.kind === "create" ? [ofAuthorisation(item, named)] : []
    case "CAPTURE":
      return ofCapture(item, named, instance, isDone ? moved("captured", item) : captureFailed)
    case "CAPTURE_FAILED":
      return isDone ? ofCapture(item, named, instance, captureFailed) : []
    // The second is of what was canceled by our reference.
    case "CANCELLATION":
    case "TECHNICAL_CANCEL":
      return isDone ? ofCancel(item, named) : ofRefusedCancel(item, named, instance)
    case "EXPIRE":
      return isDone && named.kind === "create" ? holdEnded(named, { kind: "expired" }) : []
    case "OFFER_CLOSED":
      return isDone && named.kind === "create" ? ofAbandoned(named) : []
    case "REFUND":
    case "CANCEL_OR_REFUND":
      return ofRefund(item, named, instance, isDone ? moved("refund_succeeded", item) : refundFailed)
    case "REFUND_FAILED":
    case "REFUNDED_REVERSED":
      return isDone ? ofRefund(item, named, instance, refundFailed) : []
    case "CHARGEBACK":
    case "NOTIFICATION_OF_CHARGEBACK":
      return [{ about: { operation: named.operation }, claim: { kind: "disputed" }, reference: null }]
    default:
      return []
  }
}

const captureFailed: EvidenceClaim = { kind: "capture_failed" }
const refundFailed: EvidenceClaim = { kind: "refund_failed" }

/** Without an amount it would be the whole one: what cannot be read, an operator looks at. */
const moved = (kind: "succeeded" | "authorized" | "captured" | "refund_succeeded", item: Wire.Item): EvidenceClaim => {
  const amount = Wire.ofAmountRounded(item.amount)
  return amount === null ? { kind: "unreadable" } : { kind, amount }
}

/** The payer left it unfinished; of a link another try may follow. No hold ends by it, and no payment that was made. */
const ofAbandoned = ({ isLink, operation }: Named): ReadonlyArray<Telling> =>
  isLink
    ? []
    : [
        {
          about: { operation },
          claim: { kind: "declined", code: "customer_timeout", retry: "same_later" },
          reference: null
        }
      ]

/** Why it was refused is not signed: only that it was is believed. A link's payer may try again. */
const ofAuthorisation = (item: Wire.Item, { isHeld, isLink, operation }: Named): Telling => {
  const about = { operation }
  const reference = item.pspReference
  if (item.success === "true") return { about, claim: moved(isHeld ? "authorized" : "succeeded", item), reference }
  return isLink
    ? { about, claim: { kind: "pending", nextAction: null, awaitingFinality: false }, reference: null }
    : { about, claim: { kind: "declined", code: "generic_decline", retry: "same_later" }, reference }
}

/**
 * Whether Adyen hands back the capture's own reference or the payment's is published in two ways: both are taken. By the
 * payment's name, Adyen's name of the capture tells which is meant: one that has failed is not done by an older word.
 */
const ofCapture = (
  item: Wire.Item,
  { isHeld, kind, operation }: Named,
  instance: string,
  claim: EvidenceClaim
): ReadonlyArray<Telling> => {
  if (kind === "capture") return [{ about: { operation }, claim, reference: nameOf(item.pspReference) }]
  if (kind !== "create") return []
  const ofPayment = { about: { operation }, claim, reference: nameOf(item.originalReference) }
  if (!isHeld) return [ofPayment]
  const ofItself = aboutModification(item, instance, claim)
  // That money was taken back must not be lost, whatever it is told by.
  return item.eventCode === "CAPTURE_FAILED"
    ? [...ofItself, { ...ofPayment, reference: nameOf(item.pspReference) }]
    : ofItself
}

/** Of what is given back as a whole while it is not captured, Adyen might say that it was canceled. */
const ofCancel = (item: Wire.Item, named: Named): ReadonlyArray<Telling> => {
  const { kind, operation } = named
  const reference = nameOf(item.pspReference)
  switch (kind) {
    case "create":
      return holdEnded(named, { kind: "canceled" })
    case "cancel":
      return [{ about: { operation }, claim: { kind: "canceled" }, reference }]
    case "refund":
      return [{ about: { operation }, claim: { kind: "refund_succeeded", amount: null }, reference }]
    case "capture":
      return []
  }
}

/**
 * A payment that is captured by itself is taken for paid once it is authorized. If it then ends without having been captured,
 * its money never comes: before it was paid the first claim ends it, and afterwards the second puts it before an operator.
 */
const holdEnded = ({ isHeld, operation }: Named, claim: EvidenceClaim): ReadonlyArray<Telling> => {
  const about = { operation }
  const ended: Telling = { about, claim, reference: null }
  return isHeld ? [ended] : [ended, { about, claim: captureFailed, reference: null }]
}

const ofRefusedCancel = (item: Wire.Item, { kind, operation }: Named, instance: string): ReadonlyArray<Telling> => {
  const claim: EvidenceClaim = { kind: "declined", code: "processing_error", retry: "same_later" }
  if (kind === "cancel") return [{ about: { operation }, claim, reference: nameOf(item.pspReference) }]
  return kind === "create" ? aboutModification(item, instance, claim) : []
}

const ofRefund = (
  item: Wire.Item,
  { kind, operation }: Named,
  instance: string,
  claim: EvidenceClaim
): ReadonlyArray<Telling> => {
  if (kind === "refund") return [{ about: { operation }, claim, reference: nameOf(item.pspReference) }]
  return kind === "create" ? aboutModification(item, instance, claim) : []
}

/** By Adyen's name of what was asked of a payment, which its answer gave. */
const aboutModification = (item: Wire.Item, instance: string, claim: EvidenceClaim): ReadonlyArray<Telling> =>
  item.pspReference === ""
    ? []
    : [{ about: { provider: instance, providerReference: item.pspReference }, claim, reference: null }]

const nameOf = (reference: string | null | undefined): string | null =>
  reference === undefined || reference === "" ? null : reference

const parse = (body: Uint8Array): Effect.Effect<typeof Wire.Notification.Type, WebhookRefused> =>
  Effect.mapError(
    Effect.flatMap(
      Effect.try({
        try: (): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)),
        catch: () => malformed
      }),
      decode
    ),
    () => malformed
  )

const decode = Schema.decodeUnknownEffect(Wire.Notification)
const malformed = new WebhookRefused({ reason: "malformed" })
