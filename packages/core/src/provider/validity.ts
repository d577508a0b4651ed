/**
 * Whether what an adapter answers or fails with has the shape of the contract. TypeScript does not hold at this boundary:
 * an adapter may be JavaScript, or may hand on what its vendor sent. What is not valid is ignored: the outcome is unknown.
 */
import { Effect, Predicate } from "effect"
import { isCurrency } from "../domain/Currency.ts"
import { declineCodes } from "../domain/Decline.ts"
import type { Evidence, EvidenceClaim, EvidenceSubject } from "./Evidence.ts"
import { keptCode } from "./keptCode.ts"
import type { Inquiry } from "./Outcome.ts"
import type { ProviderOperations } from "./Provider.ts"
import { isProviderError, isWebhookRefused } from "./ProviderError.ts"
import type { ProviderError } from "./ProviderError.ts"

/**
 * What the engine calls in place of an adapter's own functions; for suites that try adapters as the engine does. They fail
 * with nothing but the errors of the contract. What else an adapter fails with, an error of the contract that lacks a part
 * among it, is a defect: how far the request got is not known then.
 */
export const onlyContractErrors = (operations: ProviderOperations): ProviderOperations => {
  // Called on what they are part of: an adapter may be an object with a `this`.
  const { cancel, capture, complete, inquire, refund, run, webhook } = operations
  return {
    create: (operation) => judged(operations.create(operation)),
    ...(inquire && { inquire: (operation) => judged(inquire.call(operations, operation)) }),
    ...(capture && { capture: (operation) => judged(capture.call(operations, operation)) }),
    ...(cancel && { cancel: (operation) => judged(cancel.call(operations, operation)) }),
    ...(refund && { refund: (operation) => judged(refund.call(operations, operation)) }),
    ...(complete && { complete: (operation, query) => judged(complete.call(operations, operation, query)) }),
    ...(webhook && {
      webhook: (body, headers) =>
        Effect.catch(webhook.call(operations, body, headers), (error) =>
          isWebhookRefused(error) ? Effect.fail(error) : Effect.die(error)
        )
    }),
    ...(run && { run })
  }
}

const judged = <A>(call: Effect.Effect<A, ProviderError>): Effect.Effect<A, ProviderError> =>
  Effect.catch(call, (error) => (isProviderError(error) ? Effect.fail(error) : Effect.die(error)))

/** Whether an answer is one of the contract. The engine takes any other for an outcome that is unknown. */
export const isInquiry = (value: unknown): value is Inquiry => {
  if (!Predicate.isObject(value) || !isShortText(value["reference"]) || !isShortText(value["vendorCode"])) return false
  switch (value["_tag"]) {
    case "Succeeded":
    case "Authorized":
      return isAbsent(value["amount"]) || isMoney(value["amount"])
    case "Pending":
      return isAbsent(value["nextAction"]) || isNextAction(value["nextAction"])
    case "Declined":
      return isDecline(value)
    case "NotExecuted":
      return notExecutedReasons.has(value["reason"])
    case "Unknown":
      return unknownReasons.has(value["reason"])
    case "NotFound":
    case "Expired":
    case "Canceled":
      return true
    default:
      return false
  }
}

/**
 * The evidence with `null` for whatever was left out; `null`: it is none. Of money that moved by an amount, or under a
 * reference, that cannot be read, what is left is that somebody has to look.
 */
export const readEvidence = (value: unknown): Evidence | null => {
  if (!isEvidence(value)) return unreadable(value)
  const { claim, eventId, occurredAt, reference, vendorCode } = value
  return {
    source: value.source,
    about: value.about,
    claim: completed(claim),
    reference: reference ?? null,
    vendorCode: keptCode(vendorCode),
    eventId: keptCode(eventId),
    occurredAt: occurredAt ?? null
  }
}

const unreadable = (value: unknown): Evidence | null => {
  if (!Predicate.isObject(value) || !isSubject(value["about"]) || !Predicate.isObject(value["claim"])) return null
  const { about, claim, eventId, occurredAt, vendorCode } = value
  const isRest = isShortText(eventId) && isShortText(vendorCode) && (isAbsent(occurredAt) || isTime(occurredAt))
  if (!isRest || !moneyKinds.has(claim["kind"])) return null
  return {
    // Written by the engine for whatever a provider reports.
    source: "webhook",
    about,
    claim: { kind: "unreadable" },
    reference: null,
    vendorCode: null,
    eventId: typeof eventId === "string" ? keptCode(eventId) : null,
    occurredAt: null
  }
}

const moneyKinds: ReadonlySet<unknown> = new Set(["succeeded", "authorized", "captured", "refund_succeeded"])

const completed = (claim: EvidenceClaim): EvidenceClaim => {
  switch (claim.kind) {
    case "succeeded":
    case "authorized":
    case "captured":
    case "refund_succeeded":
      return { kind: claim.kind, amount: claim.amount ?? null }
    case "detected":
      return { kind: claim.kind, amount: claim.amount ?? null, asset: claim.asset ?? null }
    case "pending":
      return {
        kind: claim.kind,
        nextAction: claim.nextAction ?? null,
        awaitingFinality: claim.awaitingFinality ?? false
      }
    default:
      return claim
  }
}

const isEvidence = (value: unknown): value is Evidence =>
  Predicate.isObject(value) &&
  isSubject(value["about"]) &&
  isClaim(value["claim"]) &&
  isShortText(value["reference"]) &&
  isShortText(value["vendorCode"]) &&
  isShortText(value["eventId"]) &&
  (isAbsent(value["occurredAt"]) || isTime(value["occurredAt"]))

const isSubject = (about: unknown): about is EvidenceSubject =>
  Predicate.isObject(about) &&
  (typeof about["operation"] === "string" ||
    (typeof about["provider"] === "string" && typeof about["providerReference"] === "string"))

const isClaim = (claim: unknown): boolean => {
  if (!Predicate.isObject(claim)) return false
  switch (claim["kind"]) {
    case "declined":
      return isDecline(claim)
    case "pending":
      return isAbsent(claim["nextAction"]) || isNextAction(claim["nextAction"])
    case "not_executed":
      return notExecutedReasons.has(claim["reason"])
    case "unknown":
      return unknownReasons.has(claim["reason"])
    default:
      return claimKinds.has(claim["kind"]) && (isAbsent(claim["amount"]) || isMoney(claim["amount"]))
  }
}

const claimKinds: ReadonlySet<unknown> = new Set([
  "succeeded",
  "authorized",
  "canceled",
  "expired",
  "not_found",
  "detected",
  "retracted",
  "captured",
  "capture_failed",
  "refund_pending",
  "refund_succeeded",
  "refund_failed",
  "disputed",
  "unreadable"
])
const notExecutedReasons: ReadonlySet<unknown> = new Set(["adapter_fault", "not_sent", "proof_code"])
const unknownReasons: ReadonlySet<unknown> = new Set([
  "timeout",
  "reset",
  "reset_reused",
  "unreadable",
  "server_error",
  "duplicate",
  "in_progress",
  "unmapped"
])
const retryClasses: ReadonlySet<unknown> = new Set(["never", "other_provider", "same_later"])
const codes: ReadonlySet<unknown> = new Set(declineCodes)

const isDecline = (value: { readonly [key: string]: unknown }): boolean =>
  codes.has(value["code"]) && retryClasses.has(value["retry"])

const isMoney = (value: unknown): boolean =>
  Predicate.isObject(value) &&
  Number.isSafeInteger(value["minorUnits"]) &&
  Number(value["minorUnits"]) >= 0 &&
  typeof value["currency"] === "string" &&
  isCurrency(value["currency"])

const isNextAction = (value: unknown): boolean => {
  if (!Predicate.isObject(value) || !isTime(value["expiresAt"])) return false
  switch (value["type"]) {
    case "upi_intent":
      return typeof value["uri"] === "string"
    case "upi_qr":
      return typeof value["payload"] === "string" || typeof value["image"] === "string"
    case "redirect":
      return typeof value["url"] === "string"
    case "stablecoin_transfer":
      return (
        [value["address"], value["uri"], value["amount"]].every((part) => typeof part === "string") &&
        (isAbsent(value["image"]) || typeof value["image"] === "string")
      )
    case "wait":
      return true
    default:
      return false
  }
}

/** ms UTC up to the year 9999, or `null`. */
const isTime = (value: unknown): boolean =>
  value === null || (Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 253_402_300_800_000)

const isShortText = (value: unknown): boolean => isAbsent(value) || (typeof value === "string" && value.length <= 500)

const isAbsent = (value: unknown): boolean => value === undefined || value === null
