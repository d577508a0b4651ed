/**
 * Validates answers and errors of adapters against the contract. TypeScript does not hold at this boundary: an adapter may
 * be JavaScript, or may return data of its vendor unchecked. An invalid answer is an unknown outcome.
 */
import { Effect, Predicate } from "effect"
import { isCurrency } from "../domain/Money.ts"
import { declineCodes } from "../domain/Decline.ts"
import { disputeStatuses } from "../domain/Dispute.ts"
import type { Money } from "../domain/Money.ts"
import type { NextAction } from "../domain/NextAction.ts"
import type { Evidence, EvidenceSource, EvidenceSubject } from "../domain/Evidence.ts"
import { declaredAs } from "./asOfReceipt.ts"
import { isTime } from "./isTime.ts"
import { keptCode } from "./keptCode.ts"
import type { InquiryOutcome, Outcome } from "../domain/Outcome.ts"
import type { ProviderOperations } from "./Provider.ts"
import { isProviderError, isWebhookRefused } from "./ProviderError.ts"
import type { ProviderError } from "./ProviderError.ts"
import { readNextAction } from "./readNextAction.ts"

/**
 * The functions of an adapter as the engine calls them; also for test suites. They fail only with the errors of the
 * contract. Any other failure, such as an error without a required member, is a defect: it is unknown how far the request
 * got.
 */
export const onlyContractErrors = (operations: ProviderOperations): ProviderOperations => {
  // Called as methods: an adapter may be an object that uses `this`.
  const { cancel, capture, complete, inquire, refund, run, statement, webhook } = operations
  return {
    create: (operation) => judged(operations.create(operation)),
    ...(inquire && { inquire: (operation) => judged(inquire.call(operations, operation)) }),
    ...(capture && { capture: (operation) => judged(capture.call(operations, operation)) }),
    ...(cancel && { cancel: (operation) => judged(cancel.call(operations, operation)) }),
    ...(refund && { refund: (operation) => judged(refund.call(operations, operation)) }),
    ...(complete && { complete: (operation, query) => judged(complete.call(operations, operation, query)) }),
    ...(statement && { statement: (query) => judged(statement.call(operations, query)) }),
    ...(webhook && {
      webhook: declaredAs(webhook, (body: Uint8Array, headers: Headers, receivedAt: number) =>
        Effect.catch(webhook.call(operations, body, headers, receivedAt), (error) =>
          isWebhookRefused(error) ? Effect.fail(error) : Effect.die(error)
        )
      )
    }),
    ...(run && { run })
  }
}

interface Headers {
  readonly [name: string]: string
}

const judged = <A>(call: Effect.Effect<A, ProviderError>): Effect.Effect<A, ProviderError> =>
  Effect.catch(call, (error) => (isProviderError(error) ? Effect.fail(error) : Effect.die(error)))

/** Whether an answer is one of the contract. The engine treats any other answer as an unknown outcome. */
export const isAnswer = (value: unknown): value is InquiryOutcome => isOutcome(value) && answers.has(value._tag)

/**
 * The answer with the members of the contract only; `null`: it is not an answer of the contract. An unusable next action is
 * left out, since the payment is pending without it, too: see `nextActionProblem`.
 */
export const readAnswer = (value: unknown): InquiryOutcome | null => {
  const answer = Predicate.isObject(value) ? withUsableAction(value) : value
  return isAnswer(answer) ? defined(answer) : null
}

/** Why the next action of an outcome is not used, as the end of a sentence; `null`: it is usable, or absent. */
export const nextActionProblem = (outcome: Members): string | null => {
  const read = actionIn(outcome)
  return typeof read === "string" ? read : null
}

interface Members {
  readonly [member: string]: unknown
}

/** `null`: it has no next action. */
const actionIn = ({ _tag, nextAction }: Members): NextAction | string | null =>
  _tag !== "Pending" || isAbsent(nextAction) ? null : readNextAction(nextAction)

const withUsableAction = (outcome: Members): Members => {
  const read = actionIn(outcome)
  return read === null ? outcome : { ...outcome, nextAction: typeof read === "string" ? null : read }
}

/**
 * The evidence with the members of the contract only; `null`: it is not evidence. If money moved and the amount or the
 * reference cannot be read, the outcome is `Unreadable`, so that a review is opened.
 */
export const readEvidence = (value: unknown): Evidence | null => {
  if (!Predicate.isObject(value) || !isSubject(value["about"]) || !Predicate.isObject(value["outcome"])) return null
  const { about, eventId, occurredAt, source } = value
  const outcome = withUsableAction(value["outcome"])
  if (!isShortText(eventId) || !(isAbsent(occurredAt) || isTime(occurredAt))) return null
  const evidence = {
    // Boundary: the engine sets the source of a provider's report.
    source: (source ?? "webhook") as EvidenceSource,
    about,
    eventId: keptCode(eventId),
    occurredAt: occurredAt ?? null
  }
  if (isOutcome(outcome)) return { ...evidence, outcome: defined(outcome) }
  return moneyTags.has(outcome["_tag"]) && isShortText(outcome["vendorCode"])
    ? { ...evidence, outcome: { _tag: "Unreadable" } }
    : null
}

type Check = (value: unknown) => boolean

const isAmount: Check = (value) => isAbsent(value) || isMoney(value)

/** The members of each outcome besides `reference` and `vendorCode`. */
const members: { readonly [tag in Outcome["_tag"]]: { readonly [member: string]: Check } } = {
  Succeeded: { amount: isAmount },
  Authorized: { amount: isAmount },
  Pending: {
    nextAction: (value) => isAbsent(value) || typeof readNextAction(value) !== "string",
    awaitingFinality: (value) => isAbsent(value) || typeof value === "boolean"
  },
  Declined: { code: (value) => codes.has(value), retry: (value) => retryClasses.has(value) },
  NotExecuted: { reason: (value) => notExecutedReasons.has(value) },
  Unknown: { reason: (value) => unknownReasons.has(value) },
  NotFound: {},
  Expired: {},
  Canceled: {},
  Detected: {
    amount: isAmount,
    asset: (value) => isAbsent(value) || typeof value === "string"
  },
  Retracted: {},
  Captured: { amount: isAmount },
  CaptureFailed: {},
  RefundPending: {},
  RefundSucceeded: { amount: isAmount },
  RefundFailed: {},
  Unreadable: {},
  Disputed: { amount: isAmount, status: (value) => isAbsent(value) || disputeWords.has(value) },
  NotBooked: {}
}

/** The same as lists, because every answer of a provider is validated. */
const checks = new Map(Object.entries(members).map(([tag, ofTag]) => [tag, Object.entries(ofTag)]))

const answers: ReadonlySet<Outcome["_tag"]> = new Set<InquiryOutcome["_tag"]>([
  "Succeeded",
  "Authorized",
  "Pending",
  "Declined",
  "NotExecuted",
  "Unknown",
  "NotFound",
  "Expired",
  "Canceled"
])

const moneyTags: ReadonlySet<unknown> = new Set<Outcome["_tag"]>([
  "Succeeded",
  "Authorized",
  "Captured",
  "RefundSucceeded",
  "Disputed"
])

const isTag = (tag: unknown): tag is Outcome["_tag"] => typeof tag === "string" && Object.hasOwn(members, tag)

const isOutcome = (value: unknown): value is Outcome =>
  Predicate.isObject(value) &&
  isTag(value["_tag"]) &&
  isShortText(value["reference"]) &&
  isShortText(value["vendorCode"]) &&
  checks.get(value["_tag"])?.every(([member, isValid]) => isValid(value[member])) === true

/** Only the members that are defined and present: JavaScript may use `null` for an absent value. */
const defined = <O extends Outcome>(outcome: O): O => {
  const given: { [member: string]: unknown } = {}
  for (const [member, value] of Object.entries(outcome)) {
    const isKept = member !== "vendorCode" || keptCode(outcome.vendorCode) !== null
    if (isKept && isMember(outcome._tag, member) && !isAbsent(value)) given[member] = value
  }
  // Boundary: the same outcome, without members that are absent or unknown.
  return given as unknown as O
}

const isMember = (tag: Outcome["_tag"], member: string): boolean =>
  member === "_tag" || member === "reference" || member === "vendorCode" || Object.hasOwn(members[tag], member)

const isSubject = (about: unknown): about is EvidenceSubject =>
  Predicate.isObject(about) &&
  (typeof about["operation"] === "string" ||
    (typeof about["provider"] === "string" && typeof about["providerReference"] === "string"))

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
const disputeWords: ReadonlySet<unknown> = new Set(disputeStatuses)

export const isMoney = (value: unknown): value is Money =>
  Predicate.isObject(value) &&
  Number.isSafeInteger(value["minorUnits"]) &&
  Number(value["minorUnits"]) >= 0 &&
  typeof value["currency"] === "string" &&
  isCurrency(value["currency"])

const isShortText = (value: unknown): value is string | null | undefined =>
  isAbsent(value) || (typeof value === "string" && value.length <= 500)

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null
