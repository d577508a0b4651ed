/**
 * Adyen's webhooks: several items in one body, each with an HMAC of its own over eight of its fields. The others (`live`,
 * `reason`, `eventDate`, `additionalData`) anybody could have written, and nothing is read from them. No time is signed, so an
 * old item passes: the event code, PSP reference and success identify what was applied already.
 *
 * One item that is not right refuses the body, unless it is of a type that is not read. Test and live have different keys, and `merchantAccountCode` is signed.
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

  const verify = (item: Wire.AnyItem): Effect.Effect<void, WebhookRefused> =>
    WebhookSignature.hmacSha256Base64({
      secrets,
      signed: [signedFields(item).join(":")],
      signature: item.additionalData?.hmacSignature ?? undefined
    })

  return Effect.fnUntraced(function* (body: Uint8Array): Effect.fn.Return<ReadonlyArray<Evidence>, WebhookRefused> {
    const all = yield* parse(body)
    yield* Effect.forEach(all.filter(hasToBeSigned), verify, { discard: true })
    const items = yield* Effect.forEach(all.filter(isRead), decodeItem)
    // A webhook of the company reports its other accounts, too. Refused, it would hold up what comes after it.
    const reported = items
      .filter(({ merchantAccountCode }) => merchantAccountCode === merchantAccount)
      .flatMap((item) => evidenceOf(item, instance))
    return reported
  })
}

/** In the order in which they are signed; what is missing is empty. */
const signedFields = (item: Wire.AnyItem): ReadonlyArray<string> => [
  item.pspReference ?? "",
  item.originalReference ?? "",
  item.merchantAccountCode ?? "",
  item.merchantReference ?? "",
  String(item.amount?.value ?? ""),
  item.amount?.currency ?? "",
  item.eventCode,
  item.success ?? ""
]

const evidenceOf = (item: Wire.Item, instance: string): ReadonlyArray<Evidence> => {
  // The fields are signed with colons between: one that has a colon could be two.
  if (signedFields(item).some((field) => field.includes(":"))) return []
  const named = readReference(item.merchantReference ?? "")
  const reports = named === null ? [] : (readerOf(item.eventCode)?.(item, named, instance) ?? [])
  return reports.map((report) => ({
    source: "webhook",
    ...report,
    // If one item reports several things, the engine keeps each under an id of its own.
    eventId: `${item.eventCode}:${item.pspReference}:${item.success}`,
    occurredAt: null
  }))
}

type Report = Pick<Evidence, "about" | "outcome">

type Reader = (item: Wire.Item, named: Named, instance: string) => ReadonlyArray<Report>

const isDone = ({ success }: Wire.Item): boolean => success === "true"

const ofRefundItem: Reader = (item, named, instance) =>
  ofRefund(item, named, instance, isDone(item) ? moved("RefundSucceeded", item) : Outcome.refundFailed())

const ofFailedRefund: Reader = (item, named, instance) =>
  isDone(item) ? ofRefund(item, named, instance, Outcome.refundFailed()) : []

const ofCancellation: Reader = (item, named, instance) =>
  isDone(item) ? ofCancel(item, named) : ofRefusedCancel(item, named, instance)

/**
 * Every item about a dispute has its PSP reference. A second chargeback follows one that was reversed; what comes after it is
 * arbitration. An amount that cannot be read counts as the whole charge.
 */
const ofDispute =
  (status: "open" | "lost" | "won"): Reader =>
  (item, named) => {
    const amount = Wire.ofAmountRounded(item.amount)
    return [about(named, Outcome.disputed({ status, ...(amount !== null && { amount }) }), item.pspReference)]
  }

/** By event code; empty: the item changes nothing here. Of any other code nothing is read. */
const readers: { readonly [eventCode: string]: Reader } = {
  AUTHORISATION: (item, named) => (named.kind === "create" ? [ofAuthorisation(item, named)] : []),
  CAPTURE: (item, named, instance) =>
    ofCapture(item, named, instance, isDone(item) ? moved("Captured", item) : Outcome.captureFailed()),
  CAPTURE_FAILED: (item, named, instance) =>
    isDone(item) ? ofCapture(item, named, instance, Outcome.captureFailed()) : [],
  CANCELLATION: ofCancellation,
  // Of what was canceled by our reference.
  TECHNICAL_CANCEL: ofCancellation,
  EXPIRE: (item, named) => (isDone(item) && named.kind === "create" ? holdEnded(named, Outcome.expired()) : []),
  OFFER_CLOSED: (item, named) => (isDone(item) && named.kind === "create" ? ofAbandoned(named) : []),
  REFUND: ofRefundItem,
  CANCEL_OR_REFUND: ofRefundItem,
  REFUND_FAILED: ofFailedRefund,
  REFUNDED_REVERSED: ofFailedRefund,
  // A request for information and a notification of fraud are no disputes: they are not read.
  NOTIFICATION_OF_CHARGEBACK: ofDispute("open"),
  DISPUTE_OPENED_WITH_CHARGEBACK: ofDispute("open"),
  CHARGEBACK: ofDispute("open"),
  CHARGEBACK_REVERSED: ofDispute("won"),
  SECOND_CHARGEBACK: ofDispute("lost"),
  PREARBITRATION_WON: ofDispute("won"),
  PREARBITRATION_LOST: ofDispute("lost")
}

const readerOf = (eventCode: string): Reader | undefined =>
  Object.hasOwn(readers, eventCode) ? readers[eventCode] : undefined

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

const isRead = ({ eventCode }: Wire.AnyItem): boolean => readerOf(eventCode) !== undefined

/**
 * An item of a type that is not read may lack its signature (adyen-java issue 275, adyen-dotnet issue 543): refused, it would
 * hold up every payment that Adyen reports after it. One that has a signature is verified: its type may have been altered.
 */
const hasToBeSigned = (item: Wire.AnyItem): boolean =>
  isRead(item) || typeof item.additionalData?.hmacSignature === "string"

const parse = (body: Uint8Array): Effect.Effect<ReadonlyArray<Wire.AnyItem>, WebhookRefused> =>
  Effect.try({
    try: (): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)),
    catch: () => malformed
  }).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Wire.Notification)),
    Effect.map(({ notificationItems }) => notificationItems.map((each) => each.NotificationRequestItem)),
    Effect.mapError(() => malformed)
  )

const decodeItem = (item: Wire.AnyItem): Effect.Effect<Wire.Item, WebhookRefused> =>
  Effect.mapError(Schema.decodeUnknownEffect(Wire.Item)(item), () => malformed)

const malformed = new WebhookRefused({ reason: "malformed" })
