/**
 * Validates answers and errors of adapters against the contract. TypeScript does not hold at this boundary: an adapter
 * may be JavaScript, or may return data of its vendor unchecked. After an invalid answer, the outcome is unknown.
 */
import { Effect, Predicate } from "effect"
import { isCurrency } from "../domain/Money.ts"
import { declineCodes } from "../domain/Decline.ts"
import { disputeStatuses } from "../domain/Dispute.ts"
import type { Money } from "../domain/Money.ts"
import type { Evidence, EvidenceSource, EvidenceSubject } from "../domain/Evidence.ts"
import { declaredAs } from "./asOfReceipt.ts"
import { isTime } from "./isTime.ts"
import { keptCode } from "./keptCode.ts"
import type { InquiryOutcome, Outcome } from "../domain/Outcome.ts"
import { presentMembers } from "./presentMembers.ts"
import type { ProviderOperations } from "./Provider.ts"
import { isProviderError, isWebhookRefused } from "./ProviderError.ts"
import { readNextAction } from "./readNextAction.ts"
import type { SignedMoney } from "./Statement.ts"

/**
 * Wraps the functions of an adapter, for the engine and for test suites, so that they fail only with errors of the
 * contract. Any other failure, such as an error without a required member, is a defect: it is unknown how far the
 * request got.
 */
export const onlyContractErrors = (operations: ProviderOperations): ProviderOperations => {
  const judged =
    <Given extends Array<unknown>, A, E>(
      call: (...given: Given) => Effect.Effect<A, E>,
      isOfContract: (error: unknown) => boolean = isProviderError
    ) =>
    (...given: Given): Effect.Effect<A, E> =>
      // Called as a method: an adapter may be an object that uses `this`.
      Effect.catch(call.apply(operations, given), (error) =>
        isOfContract(error) ? Effect.fail(error) : Effect.die(error)
      )
  const { cancel, capture, complete, create, inquire, refund, run, statement, webhook } = operations
  return presentMembers<ProviderOperations>({
    create: judged(create),
    inquire: inquire && judged(inquire),
    capture: capture && judged(capture),
    cancel: cancel && judged(cancel),
    refund: refund && judged(refund),
    complete: complete && judged(complete),
    statement: statement && judged(statement),
    webhook: webhook && declaredAs(webhook, judged(webhook, isWebhookRefused)),
    run
  })
}

/** Whether a value that an adapter returned is valid by the contract. With any other value, the outcome is unknown. */
export const isAnswer = (value: unknown): value is InquiryOutcome =>
  Predicate.isObject(value) && nextActionProblem(value) === null && readAnswer(value) !== null

/**
 * Reads the outcome that an adapter returned, with only the members of the contract; `null`: it is invalid. An unusable
 * next action is left out, since the payment is pending without it, too: see `nextActionProblem`.
 */
export const readAnswer = (value: unknown): InquiryOutcome | null => {
  const outcome = Predicate.isObject(value) ? readOutcome(value) : null
  return outcome !== null && isAnswerTag(outcome) ? outcome : null
}

/**
 * The reason why the next action of an outcome is not used, as the end of a sentence; `null`: it is usable, or absent.
 */
export const nextActionProblem = ({ _tag, nextAction }: Members): string | null => {
  const read = _tag !== "Pending" || Predicate.isNullish(nextAction) ? null : readNextAction(nextAction)
  return typeof read === "string" ? read : null
}

/**
 * Reads evidence that an adapter reported, with only the members of the contract; `null`: it is invalid. If money moved
 * and the amount or the reference cannot be read, the outcome is `Unreadable`, so that a review is opened.
 */
export const readEvidence = (value: unknown): Evidence | null => {
  if (!Predicate.isObject(value) || !isSubject(value["about"]) || !Predicate.isObject(value["outcome"])) return null
  const { about, eventId, occurredAt = null, outcome, source } = value
  if (!isShortText(eventId) || !isTime(occurredAt)) return null
  const evidence = {
    // Not validated: the engine sets the source of a provider's report.
    source: (source ?? "webhook") as EvidenceSource,
    about,
    eventId: keptCode(eventId),
    occurredAt
  }
  const read = readOutcome(outcome)
  if (read !== null) return { ...evidence, outcome: read }
  return moneyTags.has(outcome["_tag"]) && isShortText(outcome["vendorCode"])
    ? { ...evidence, outcome: { _tag: "Unreadable" } }
    : null
}

/**
 * Reads an outcome, with only the members of the contract; `null`: a member violates the contract, or the kind of
 * outcome is not in the contract.
 */
const readOutcome = (outcome: Members): Outcome | null => {
  const { _tag } = outcome
  const readers = readersOf.get(_tag)
  if (readers === undefined) return null
  const read: { [member: string]: unknown } = { _tag }
  for (const [member, readMember] of readers) {
    const value = readMember(outcome[member])
    if (value === invalid) return null
    if (!Predicate.isNullish(value)) read[member] = value
  }
  // Type boundary: each member was read as the contract defines it.
  return read as unknown as Outcome
}

interface Members {
  readonly [member: string]: unknown
}

const isSubject = (about: unknown): about is EvidenceSubject =>
  Predicate.isObject(about) &&
  (typeof about["operation"] === "string" ||
    (typeof about["provider"] === "string" && typeof about["providerReference"] === "string"))

const isShortText = (value: unknown): value is string | null | undefined =>
  Predicate.isNullish(value) || (typeof value === "string" && value.length <= 500)

export const isSignedMoney = (value: unknown): value is SignedMoney =>
  Predicate.isObject(value) &&
  Number.isSafeInteger(value["minorUnits"]) &&
  typeof value["currency"] === "string" &&
  isCurrency(value["currency"])

export const isMoney = (value: unknown): value is Money => isSignedMoney(value) && value.minorUnits >= 0

const isAnswerTag = (outcome: Outcome): outcome is InquiryOutcome => answers.has(outcome._tag)

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

/** Reads a member of an outcome. Returns its value; `null` or `undefined` if the member is left out; or `invalid`. */
type ReadMember = (value: unknown) => unknown

/** The result of reading a member that violates the contract. */
const invalid = Symbol("invalid")

const valid =
  (isValid: (value: unknown) => boolean): ReadMember =>
  (value) =>
    isValid(value) ? value : invalid

const oneOf = (words: ReadonlyArray<unknown>): ReadMember => {
  const known = new Set(words)
  return valid((value) => known.has(value))
}

/** Makes a member optional: JavaScript may use `null` for an absent value. */
const optional =
  (read: ReadMember): ReadMember =>
  (value) =>
    Predicate.isNullish(value) ? null : read(value)

const readUsableAction: ReadMember = (value) => {
  const read = readNextAction(value)
  return typeof read === "string" ? null : read
}

const ofAmount = { amount: optional(valid(isMoney)) }

/** The members of each outcome, in addition to `reference` and `vendorCode`. */
const members: { readonly [tag in Outcome["_tag"]]: { readonly [member: string]: ReadMember } } = {
  Succeeded: ofAmount,
  Authorized: ofAmount,
  Pending: { nextAction: optional(readUsableAction), awaitingFinality: optional(valid(Predicate.isBoolean)) },
  Declined: { code: oneOf(declineCodes), retry: oneOf(["never", "other_provider", "same_later"]) },
  NotExecuted: { reason: oneOf(["adapter_fault", "not_sent", "proof_code"]) },
  Unknown: {
    reason: oneOf([
      "timeout",
      "reset",
      "reset_reused",
      "unreadable",
      "server_error",
      "duplicate",
      "in_progress",
      "unmapped"
    ])
  },
  NotFound: {},
  Expired: {},
  Canceled: {},
  Detected: { ...ofAmount, asset: optional(valid(Predicate.isString)) },
  Retracted: {},
  Captured: ofAmount,
  CaptureFailed: {},
  RefundPending: {},
  RefundSucceeded: ofAmount,
  RefundFailed: {},
  Unreadable: {},
  Disputed: { ...ofAmount, status: optional(oneOf(disputeStatuses)) },
  NotBooked: {}
}

/**
 * The readers of each outcome's members, as lists by tag. Lists are faster, and every result of a provider is read with
 * them.
 */
const readersOf: ReadonlyMap<unknown, ReadonlyArray<readonly [string, ReadMember]>> = new Map(
  Object.entries(members).map(([tag, ofTag]) => [
    tag,
    Object.entries({
      reference: valid(isShortText),
      vendorCode: optional((value) => (isShortText(value) ? keptCode(value) : invalid)),
      ...ofTag
    })
  ])
)
