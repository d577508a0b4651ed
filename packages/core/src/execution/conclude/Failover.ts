/**
 * Decides whether another provider may be tried for a payment. No other code makes this decision.
 *
 * A timeout is not a failure. Another provider is tried only when it is proven that the first provider did nothing, or when
 * the first provider's decline is final and soft. Comments in the failover table (`table`) number its rows; `decide` adds
 * the rule for unsettled sends. Everything here is pure; the executor executes the decision.
 */
import { failure } from "../../domain/Decline.ts"
import type { DeclineCode, Failure } from "../../domain/Decline.ts"
import type { Operation, OperationKind } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import type { Rail } from "../../domain/PaymentMethod.ts"
import type { RequiredFact } from "../../provider/Capabilities.ts"
import type { Declined, Unknown } from "../../domain/Outcome.ts"
import type { AccountNotEnabled } from "../../provider/ProviderError.ts"
import type { DeclaredOperation } from "../../provider/ProviderRegistry.ts"
import type { OutcomeOrRefusal } from "../../resilience/Ended.ts"
import type { FailoverPolicy } from "../../routing/FailoverPolicy.ts"
import { timings } from "../timings.ts"

/** The inputs of the failover table: the provider's declarations, and the sends so far. */
export interface FailoverFacts {
  readonly kind: OperationKind
  readonly rail: Rail
  /** A reply to a send, or the answer of an inquiry, webhook, return or operator about the attempt as a whole. */
  readonly answerTo: "send" | "attempt"
  /** It is safe to send the same idempotency key again: idempotency by header, body or reference, inside the key's lifetime. */
  readonly resendIsSafe: boolean
  /** A resend returns the first send's result: idempotency by header or body, inside the idempotency key's lifetime. */
  readonly resendAnswersFirst: boolean
  readonly canInquire: boolean
  /** An earlier send of the attempt ended without a definite answer, for example in a crash. */
  readonly unsettled: boolean
  /** The limits on the number of sends, the time and the retry budget allow another send. */
  readonly mayResend: boolean
  readonly rateLimitIsNotExecuted: boolean
  readonly declineIsFinal: boolean
  readonly actionShown: boolean
  /** The policy allows one more candidate after a soft decline. */
  readonly softDeclineLeft: boolean
  /** Decline codes that the policy treats as hard declines. */
  readonly notOn: ReadonlyArray<DeclineCode>
  /** The operation is older than the declared age from which "not found" is final. */
  readonly notFoundIsFinal: boolean
}

export type Decision =
  /** The provider took or holds the money: the attempt is done. */
  | { readonly _tag: "Accept" }
  /** The provider has the operation; wait for terminal evidence. */
  | { readonly _tag: "Await" }
  /** The attempt is closed without money; another candidate may start. `otherwise`: the failure if no candidate is left. */
  | { readonly _tag: "FailOver"; readonly otherwise: Failure }
  /** The attempt and the payment are closed without money. */
  | { readonly _tag: "Fail"; readonly failure: Failure }
  /** Send again to the same provider with the same idempotency key, not before `afterMs`. */
  | { readonly _tag: "Resend"; readonly afterMs: number }
  /** The outcome is unknown: inquire at this provider, and hold the payment open. */
  | { readonly _tag: "Inquire" }
  /** The outcome is unknown, and inquiries are not supported: hold until a webhook or an operator reports the outcome. */
  | { readonly _tag: "Hold" }

/** A decision after the last send. */
export type LastDecision = Exclude<Decision, { readonly _tag: "Resend" }>

/** The failover decision if the operation cannot be sent again. */
export const decideLast = (ended: OutcomeOrRefusal, facts: FailoverFacts): LastDecision => {
  const decision = decide(ended, { ...facts, mayResend: false })
  return decision._tag === "Resend" ? { _tag: "Hold" } : decision
}

/** The rule over the table: once the result of a send is unknown, only a definite answer about *this attempt* closes it. */
export const decide = (ended: OutcomeOrRefusal, facts: FailoverFacts): Decision => {
  const decision = table(ended, facts)
  const closes = decision._tag === "FailOver" || decision._tag === "Fail"
  if (!closes || !facts.unsettled || settles(ended, facts)) return sameProviderOnly(decision, facts)
  // Row 18: send the operation again if a repeated send has no second effect.
  return facts.kind === "create" ? uncertain(facts) : resendOrUncertain(facts, 0)
}

/** Whether the answer settles the earlier sends of the operation, too. */
const settles = (ended: OutcomeOrRefusal, facts: FailoverFacts): boolean =>
  facts.answerTo === "attempt" || (ended._tag === "Declined" && facts.resendAnswersFirst)

const table = (ended: OutcomeOrRefusal, facts: FailoverFacts): Decision => {
  switch (ended._tag) {
    case "Succeeded":
    case "Authorized":
    case "Captured":
      return { _tag: "Accept" }
    case "NotExecuted": // rows 1, 2, 6
      return unavailable
    case "Unknown":
      return unknown(ended, facts)
    case "RateLimited": // row 7
      return rateLimited(ended.retryAfterMs ?? 0, facts)
    case "InvalidRequest": // row 8
      return { _tag: "Fail", failure: failure("request_rejected", false) }
    case "Misconfigured": // row 9
      return { _tag: "FailOver", otherwise: failure("provider_misconfigured", true) }
    case "AccountNotEnabled": // row 9a
      return accountNotEnabled(ended, facts)
    case "Declined": // rows 11, 12, 13
      return declined(ended, facts)
    case "Pending": // row 14
    case "Detected":
      return { _tag: "Await" }
    case "NotFound": // row 15
      return facts.notFoundIsFinal ? unavailable : uncertain(facts)
    case "Expired":
      return { _tag: "Fail", failure: failure("customer_timeout", true) }
    case "Canceled":
      return { _tag: "Fail", failure: failure("customer_canceled", true) }
    // These outcomes neither open nor close an attempt.
    case "Retracted":
    case "CaptureFailed":
    case "RefundPending":
    case "RefundSucceeded":
    case "RefundFailed":
    case "Unreadable":
    case "Disputed":
    case "NotBooked":
      return { _tag: "Await" }
  }
}

const unknown = ({ reason }: Unknown, facts: FailoverFacts): Decision => {
  switch (reason) {
    case "reset_reused": // row 3
    case "timeout": // row 4
    case "reset":
    case "unreadable":
    case "unmapped":
    case "server_error": // row 5
      return resendOrUncertain(facts, 0)
    case "duplicate": // row 10
    case "in_progress":
      return uncertain(facts)
  }
}

/** The provider did nothing, and a resend would not help. Only a create can fail over to another provider. */
const accountNotEnabled = ({ about }: Pick<AccountNotEnabled, "about">, { kind }: FailoverFacts): Decision => {
  const failed =
    about === "kind" || about === "payment"
      ? failure("account_not_enabled", false)
      : { ...failure("details_required", false), message: detailRequired(about) }
  return kind === "create" ? { _tag: "FailOver", otherwise: failed } : { _tag: "Fail", failure: failed }
}

const detailRequired = (fact: RequiredFact): string =>
  `The account at the provider requires ${fact}, which the payment does not have; nothing was charged.`

const unavailable: Decision = { _tag: "FailOver", otherwise: failure("provider_unavailable", true) }

const resendOrUncertain = (facts: FailoverFacts, afterMs: number): Decision =>
  facts.resendIsSafe && facts.mayResend ? { _tag: "Resend", afterMs } : uncertain(facts)

const uncertain = (facts: FailoverFacts): Decision => (facts.canInquire ? { _tag: "Inquire" } : { _tag: "Hold" })

const rateLimited = (retryAfterMs: number, facts: FailoverFacts): Decision => {
  if (!facts.rateLimitIsNotExecuted) return resendOrUncertain(facts, retryAfterMs)
  return facts.resendIsSafe && facts.mayResend ? { _tag: "Resend", afterMs: retryAfterMs } : unavailable
}

/** Declines caused by the payer and not by the acquirer: every provider would return the same decline. */
const payerSide: ReadonlySet<DeclineCode> = new Set(["insufficient_funds", "authentication_required"])

const declined = ({ code, retry }: Declined, facts: FailoverFacts): Decision => {
  const failed = failure(code, retry !== "never")
  const soft = retry === "other_provider" && !payerSide.has(code) && !facts.notOn.includes(code)
  const allowed = facts.declineIsFinal && !facts.actionShown && facts.softDeclineLeft && facts.rail !== "upi"
  return soft && allowed ? { _tag: "FailOver", otherwise: failed } : { _tag: "Fail", failure: failed }
}

/** Row 18: a capture, cancel or refund belongs to the provider that holds the payment. */
const sameProviderOnly = (decision: Decision, facts: FailoverFacts): Decision => {
  if (facts.kind === "create" || decision._tag !== "FailOver") return decision
  return facts.mayResend ? { _tag: "Resend", afterMs: 0 } : { _tag: "Fail", failure: decision.otherwise }
}

interface Sends {
  readonly answerTo: FailoverFacts["answerTo"]
  /** ms UTC */
  readonly now: number
  /** A send of this operation ended without a definite answer, here or before a crash. */
  readonly unsettled: boolean
  readonly mayResend: boolean
}

/** The inputs of the failover table for one operation. */
export const failoverFacts = (
  record: PaymentRecord,
  operation: Operation,
  declared: DeclaredOperation,
  policy: FailoverPolicy,
  sends: Sends
): FailoverFacts => {
  const age = sends.now - operation.createdAt
  const resendAnswersFirst = answersFirst(declared.idempotency, operation, sends.now)
  const declines = record.attempts.filter((attempt) => attempt.status === "declined").length
  return {
    kind: operation.kind,
    rail: record.payment.method.rail,
    answerTo: sends.answerTo,
    // A reference does not expire: the provider rejects a repeated send as a duplicate.
    resendIsSafe: resendAnswersFirst || declared.idempotency.by === "reference",
    resendAnswersFirst,
    canInquire: declared.canInquire,
    unsettled: sends.unsettled,
    mayResend: sends.mayResend,
    rateLimitIsNotExecuted: declared.rateLimitIsNotExecuted,
    declineIsFinal: declared.declineIsFinal,
    actionShown: record.attempts[operation.attemptSeq - 1]?.actionShown ?? false,
    softDeclineLeft: policy.on.includes("soft_decline") && declines === 0,
    notOn: policy.notOn,
    // "Not found" proves nothing for an operation that the provider has reported before.
    notFoundIsFinal:
      operation.status !== "pending" &&
      declared.notFoundIsFinalAfterMs !== null &&
      age >= declared.notFoundIsFinalAfterMs
  }
}

/**
 * Whether a repeated send with the same idempotency key returns the first result. The clocks of this engine and of the
 * provider may be wrong, so a key near the end of its declared lifetime counts as expired.
 */
export const answersFirst = (
  { by, lifetimeMs }: DeclaredOperation["idempotency"],
  { createdAt }: Pick<Operation, "createdAt">,
  now: number
): boolean => (by === "header" || by === "body") && now - createdAt < lifetimeMs - timings.keyMargin
