/**
 * Adyen's webhooks: several items in one body, each with an HMAC of its own over eight of its fields. The others (`live`,
 * `reason`, `eventDate`, `additionalData`) anybody could have written, and nothing is read from them. No time is signed, so an
 * old item passes: the event code, PSP reference and success identify what was applied already.
 *
 * One item that is not right refuses the body. Test and live have different keys, and `merchantAccountCode` is signed.
 */
import { type Evidence, Outcome, WebhookRefused } from "@paymux/core"
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
    // A webhook of the company reports its other accounts, too. Refused, it would hold up what comes after it.
    const reported = items
      .filter(({ merchantAccountCode }) => merchantAccountCode === merchantAccount)
      .flatMap((item) => evidenceOf(item, instance))
    return reported
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
  const reports = named === null ? [] : reportsOf(item, named, instance)
  return reports.map((report) => ({
    source: "webhook",
    ...report,
    // If one item reports several things, the engine keeps each under an id of its own.
    eventId: `${item.eventCode}:${item.pspReference}:${item.success}`,
    occurredAt: null
  }))
}

type Report = Pick<Evidence, "about" | "outcome">

/** Empty: the item changes nothing here, or is of an unknown type. */
const reportsOf = (item: Wire.Item, named: Named, instance: string): ReadonlyArray<Report> => {
  const isDone = item.success === "true"
  switch (item.eventCode) {
    case "AUTHORISATION":
      return named.kind === "create" ? [ofAuthorisation(item, named)] : []
    case "CAPTURE":
      return ofCapture(item, named, instance, isDone ? moved("Captured", item) : Outcome.captureFailed())
    case "CAPTURE_FAILED":
      return isDone ? ofCapture(item, named, instance, Outcome.captureFailed()) : []
    // The second is of what was canceled by our reference.
    case "CANCELLATION":
    case "TECHNICAL_CANCEL":
      return isDone ? ofCancel(item, named) : ofRefusedCancel(item, named, instance)
    case "EXPIRE":
      return isDone && named.kind === "create" ? holdEnded(named, Outcome.expired()) : []
    case "OFFER_CLOSED":
      return isDone && named.kind === "create" ? ofAbandoned(named) : []
    case "REFUND":
    case "CANCEL_OR_REFUND":
      return ofRefund(item, named, instance, isDone ? moved("RefundSucceeded", item) : Outcome.refundFailed())
    case "REFUND_FAILED":
    case "REFUNDED_REVERSED":
      return isDone ? ofRefund(item, named, instance, Outcome.refundFailed()) : []
    case "CHARGEBACK":
    case "NOTIFICATION_OF_CHARGEBACK":
      return [about(named, Outcome.disputed())]
    default:
      return []
  }
}

/** By our operation; `reference`: the provider's name for it, absent or empty if it is missing. */
const about = ({ operation }: Named, outcome: Outcome.Outcome, reference?: string | null): Report => ({
  about: { operation },
  outcome: reference === undefined || reference === null || reference === "" ? outcome : { ...outcome, reference }
})

/** Without an amount it would be the whole one: an unreadable amount needs a review. */
const moved = (_tag: "Succeeded" | "Authorized" | "Captured" | "RefundSucceeded", item: Wire.Item): Outcome.Outcome => {
  const amount = Wire.ofAmountRounded(item.amount)
  return amount === null ? Outcome.unreadable() : { _tag, amount }
}

/** The payer left it unfinished. A link can be tried again. Neither a hold nor a completed payment ends by it. */
const ofAbandoned = (named: Named): ReadonlyArray<Report> =>
  named.isLink ? [] : [about(named, Outcome.declined({ code: "customer_timeout", retry: "same_later" }))]

/** The refusal is signed, its reason is not. The payer of a link may try again. */
const ofAuthorisation = (item: Wire.Item, named: Named): Report => {
  if (item.success === "true") {
    return about(named, moved(named.isHeld ? "Authorized" : "Succeeded", item), item.pspReference)
  }
  return named.isLink
    ? about(named, Outcome.pending())
    : about(named, Outcome.declined({ code: "generic_decline", retry: "same_later" }), item.pspReference)
}

/**
 * Adyen documents both the capture's own reference and the payment's as what is returned: both are accepted. Under the
 * payment's name, Adyen's name of the capture identifies it, so that an older report does not complete a failed capture.
 */
const ofCapture = (
  item: Wire.Item,
  named: Named,
  instance: string,
  outcome: Outcome.Outcome
): ReadonlyArray<Report> => {
  if (named.kind === "capture") return [about(named, outcome, item.pspReference)]
  if (named.kind !== "create") return []
  if (!named.isHeld) return [about(named, outcome, item.originalReference)]
  const report = aboutModification(item, instance, outcome)
  // That money was taken back must not be lost, whatever reference reports it.
  return item.eventCode === "CAPTURE_FAILED" ? [...report, about(named, outcome, item.pspReference)] : report
}

/** A full refund of a payment that is not captured yet may be reported as a cancellation. */
const ofCancel = (item: Wire.Item, named: Named): ReadonlyArray<Report> => {
  switch (named.kind) {
    case "create":
      return holdEnded(named, Outcome.canceled())
    case "cancel":
      return [about(named, Outcome.canceled(), item.pspReference)]
    case "refund":
      return [about(named, Outcome.refundSucceeded(), item.pspReference)]
    case "capture":
      return []
  }
}

/**
 * An automatically captured payment counts as paid once it is authorized. If it then ends without a capture, its money
 * never comes: before it was paid the first report ends it, and afterwards the second opens a review.
 */
const holdEnded = (named: Named, outcome: Outcome.Outcome): ReadonlyArray<Report> =>
  named.isHeld ? [about(named, outcome)] : [about(named, outcome), about(named, Outcome.captureFailed())]

const ofRefusedCancel = (item: Wire.Item, named: Named, instance: string): ReadonlyArray<Report> => {
  const outcome = Outcome.declined({ code: "processing_error", retry: "same_later" })
  if (named.kind === "cancel") return [about(named, outcome, item.pspReference)]
  return named.kind === "create" ? aboutModification(item, instance, outcome) : []
}

const ofRefund = (item: Wire.Item, named: Named, instance: string, outcome: Outcome.Outcome): ReadonlyArray<Report> => {
  if (named.kind === "refund") return [about(named, outcome, item.pspReference)]
  return named.kind === "create" ? aboutModification(item, instance, outcome) : []
}

/** By Adyen's name of the modification, which its answer gave. */
const aboutModification = (item: Wire.Item, instance: string, outcome: Outcome.Outcome): ReadonlyArray<Report> =>
  item.pspReference === "" ? [] : [{ about: { provider: instance, providerReference: item.pspReference }, outcome }]

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
