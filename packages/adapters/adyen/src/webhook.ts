/**
 * Adyen's webhooks: several items in one body, each with an HMAC of its own over eight of its fields. The others (`live`,
 * `reason`, `eventDate`, `additionalData`) anybody could have written, and nothing is read from them. No time is signed, so an
 * old item passes: what is applied once is told by its event code, PSP reference and success.
 *
 * One item that is not right refuses the body. Test and live have different keys, and `merchantAccountCode` is signed.
 */
import { type Evidence, type EvidenceClaim, type Money, WebhookRefused } from "@paymux/core"
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
    return items
      .filter(({ merchantAccountCode }) => merchantAccountCode === merchantAccount)
      .flatMap((item) => evidenceOf(item, instance))
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
  const told = named === null ? null : tellingOf(item, named, instance)
  if (told === null) return []
  return [
    {
      source: "webhook",
      ...told,
      vendorCode: null,
      eventId: `${item.eventCode}:${item.pspReference}:${item.success}`,
      occurredAt: null
    }
  ]
}

type Telling = Pick<Evidence, "about" | "claim" | "reference">

/** `null`: it says nothing that matters here, or is of a type that is not known. */
const tellingOf = (item: Wire.Item, named: Named, instance: string): Telling | null => {
  const isDone = item.success === "true"
  const amount = Wire.ofAmount(item.amount)
  if (amount === null) return null
  switch (item.eventCode) {
    case "AUTHORISATION":
      return named.kind === "create" ? ofAuthorisation(item, named, amount) : null
    case "CAPTURE":
      return ofCapture(item, named, isDone ? { kind: "captured", amount } : captureFailed)
    case "CAPTURE_FAILED":
      return isDone ? ofCapture(item, named, captureFailed) : null
    // The second is of what was canceled by our reference.
    case "CANCELLATION":
    case "TECHNICAL_CANCEL":
      return ofCancel(item, named, instance)
    case "EXPIRE":
      return isDone && named.kind === "create"
        ? { about: { operation: named.operation }, claim: { kind: "expired" }, reference: null }
        : null
    case "REFUND":
    case "CANCEL_OR_REFUND":
      return ofRefund(item, named, instance, isDone ? { kind: "refund_succeeded", amount } : refundFailed)
    case "REFUND_FAILED":
    case "REFUNDED_REVERSED":
      return isDone ? ofRefund(item, named, instance, refundFailed) : null
    case "CHARGEBACK":
    case "NOTIFICATION_OF_CHARGEBACK":
      return { about: { operation: named.operation }, claim: { kind: "disputed" }, reference: null }
    default:
      return null
  }
}

const captureFailed: EvidenceClaim = { kind: "capture_failed" }
const refundFailed: EvidenceClaim = { kind: "refund_failed" }

/** Why it was refused is not signed: only that it was is believed. A link's payer may try again. */
const ofAuthorisation = (item: Wire.Item, { isHeld, isLink, operation }: Named, amount: Money.Money): Telling => {
  const about = { operation }
  const reference = item.pspReference
  if (item.success === "true") {
    return { about, claim: { kind: isHeld ? "authorized" : "succeeded", amount }, reference }
  }
  return isLink
    ? { about, claim: { kind: "pending", nextAction: null, awaitingFinality: false }, reference: null }
    : { about, claim: { kind: "declined", code: "generic_decline", retry: "same_later" }, reference }
}

/**
 * Whether Adyen hands back the capture's own reference or the payment's is published in two ways: both are taken. What is said
 * of the payment is true of its capture.
 */
const ofCapture = (item: Wire.Item, { kind, operation }: Named, claim: EvidenceClaim): Telling | null => {
  if (kind === "capture") return { about: { operation }, claim, reference: nameOf(item.pspReference) }
  return kind === "create" ? { about: { operation }, claim, reference: nameOf(item.originalReference) } : null
}

const ofCancel = (item: Wire.Item, { kind, operation }: Named, instance: string): Telling | null => {
  const reference = nameOf(item.pspReference)
  if (item.success === "true") {
    return kind === "create" || kind === "cancel"
      ? { about: { operation }, claim: { kind: "canceled" }, reference: kind === "cancel" ? reference : null }
      : null
  }
  const claim: EvidenceClaim = { kind: "declined", code: "processing_error", retry: "never" }
  if (kind === "cancel") return { about: { operation }, claim, reference }
  return kind === "create" ? aboutModification(item, instance, claim) : null
}

const ofRefund = (
  item: Wire.Item,
  { kind, operation }: Named,
  instance: string,
  claim: EvidenceClaim
): Telling | null => {
  if (kind === "refund") return { about: { operation }, claim, reference: nameOf(item.pspReference) }
  return kind === "create" ? aboutModification(item, instance, claim) : null
}

/** By Adyen's name of what was asked of a payment, which its answer gave. */
const aboutModification = (item: Wire.Item, instance: string, claim: EvidenceClaim): Telling | null =>
  item.pspReference === ""
    ? null
    : { about: { provider: instance, providerReference: item.pspReference }, claim, reference: null }

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
