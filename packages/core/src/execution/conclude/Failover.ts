/**
 * Decides whether another provider may be tried for a payment. No other code makes this decision.
 *
 * A timeout is not a failure. Another provider is tried only when it is proven that the first provider did nothing, or
 * when the first provider's decline is final and soft. The rows of the failover table (`table`) are numbered in
 * comments, as in its tests; `decide` adds the rule for sends without a definite answer. Everything here is pure; the
 * executor executes the decision.
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
  /**
   * The scope of the evidence: `send` for the reply to one send, `attempt` for an answer (inquiry, webhook, return,
   * operator) about the whole attempt.
   */
  readonly answerTo: "send" | "attempt"
  /**
   * Whether the same idempotency key can be sent again safely: the provider has idempotency by header, body or
   * reference, and the key has not expired.
   */
  readonly resendIsSafe: boolean
  /**
   * Whether a repeated send returns the first send's result: the provider has idempotency by header or body, and the
   * key has not expired.
   */
  readonly resendAnswersFirst: boolean
  readonly canInquire: boolean
  /** Whether an earlier send of the attempt ended without a definite answer ("unsettled"), for example in a crash. */
  readonly unsettled: boolean
  /** Whether the limits on the number of sends, on the time and on the retry budget allow another send. */
  readonly mayResend: boolean
  readonly rateLimitIsNotExecuted: boolean
  readonly declineIsFinal: boolean
  readonly actionShown: boolean
  /** Whether the policy allows another provider after a soft decline. */
  readonly softDeclineLeft: boolean
  /** The decline codes that the policy treats as hard declines. */
  readonly notOn: ReadonlyArray<DeclineCode>
  /** Whether the operation is so old that "not found" is final, by the provider's declaration. */
  readonly notFoundIsFinal: boolean
}

export type Decision =
  /** A decision: the provider took or holds the money, so the attempt is done. */
  | { readonly _tag: "Accept" }
  /** A decision: the provider has the operation, so the engine waits for its final result. */
  | { readonly _tag: "Await" }
  /**
   * A decision: the attempt is closed without money, and another provider may be tried. `otherwise` is the failure if
   * no provider is left.
   */
  | { readonly _tag: "FailOver"; readonly otherwise: Failure }
  /** A decision: the attempt and the payment are closed without money. */
  | { readonly _tag: "Fail"; readonly failure: Failure }
  /** A decision: the request is sent again to the same provider with the same idempotency key, not before `afterMs`. */
  | { readonly _tag: "Resend"; readonly afterMs: number }
  /** A decision: the outcome is unknown. The engine inquires at this provider, and the payment stays open. */
  | { readonly _tag: "Inquire" }
  /**
   * A decision: the outcome is unknown, and inquiries are not supported. The payment stays open until a webhook or an
   * operator reports the outcome.
   */
  | { readonly _tag: "Hold" }

/** A decision after the last send of an operation: any decision except `Resend`. */
export type LastDecision = Exclude<Decision, { readonly _tag: "Resend" }>

/** The failover decision if the operation cannot be sent again. */
export const decideLast = (ended: OutcomeOrRefusal, facts: FailoverFacts): LastDecision => {
  const decision = decide(ended, { ...facts, mayResend: false })
  return decision._tag === "Resend" ? { _tag: "Hold" } : decision
}

/**
 * Decides by the failover table and one more rule: after a send with an unknown result, only a definite answer about
 * *this attempt* closes the attempt.
 */
export const decide = (ended: OutcomeOrRefusal, facts: FailoverFacts): Decision => {
  const decision = table(ended, facts)
  const closes = decision._tag === "FailOver" || decision._tag === "Fail"
  if (!closes || !facts.unsettled || settles(ended, facts)) return sameProviderOnly(decision, facts)
  // Failover table, row 18: the operation is sent again if a repeated send has no second effect.
  return facts.kind === "create" ? uncertain(facts) : resendOrUncertain(facts, 0)
}

/** Whether the answer is also definite about the earlier sends of the operation. */
const settles = (ended: OutcomeOrRefusal, facts: FailoverFacts): boolean =>
  facts.answerTo === "attempt" || (ended._tag === "Declined" && facts.resendAnswersFirst)

const table = (ended: OutcomeOrRefusal, facts: FailoverFacts): Decision => {
  switch (ended._tag) {
    case "Succeeded":
    case "Authorized":
    case "Captured":
      return { _tag: "Accept" }
    case "NotExecuted": // failover table, rows 1, 2, 6: the operation was provably not executed
      return unavailable
    case "Unknown":
      return unknown(ended, facts)
    case "RateLimited": // failover table, row 7: the rate limit was reached
      return rateLimited(ended.retryAfterMs ?? 0, facts)
    case "InvalidRequest": // failover table, row 8: the provider refused our request as invalid
      return { _tag: "Fail", failure: failure("request_rejected", false) }
    case "Misconfigured": // failover table, row 9: the provider refused our credentials
      return { _tag: "FailOver", otherwise: failure("provider_misconfigured", true) }
    case "AccountNotEnabled": // failover table, row 9a: the merchant's account is not enabled
      return accountNotEnabled(ended, facts)
    case "Declined": // failover table, rows 11, 12, 13: the provider declined, hard or soft
      return declined(ended, facts)
    case "Pending": // failover table, row 14: the provider has the operation, its result is open
    case "Detected":
      return { _tag: "Await" }
    case "NotFound": // failover table, row 15: "not found" is final only after a declared time
      return facts.notFoundIsFinal ? unavailable : uncertain(facts)
    case "Expired":
      return { _tag: "Fail", failure: failure("customer_timeout", true) }
    case "Canceled":
      return { _tag: "Fail", failure: failure("customer_canceled", true) }
    // These outcomes are about captures, refunds and disputes: they neither open nor close an attempt.
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
    case "reset_reused": // failover table, row 3: a reused connection was reset
    case "timeout": // failover table, row 4: no usable answer arrived
    case "reset":
    case "unreadable":
    case "unmapped":
    case "server_error": // failover table, row 5: a 5xx response is handled like row 4
      return resendOrUncertain(facts, 0)
    case "duplicate": // failover table, row 10: the provider has this request already
    case "in_progress":
      return uncertain(facts)
  }
}

/**
 * The decision if the merchant's account at the provider is not enabled for the payment: the provider did nothing, and
 * a repeated send would not help. Only a create can fail over to another provider.
 */
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

/**
 * Failover table, row 18: a capture, cancel or refund belongs to the provider that has the payment, so it never fails
 * over.
 */
const sameProviderOnly = (decision: Decision, facts: FailoverFacts): Decision => {
  if (facts.kind === "create" || decision._tag !== "FailOver") return decision
  return facts.mayResend ? { _tag: "Resend", afterMs: 0 } : { _tag: "Fail", failure: decision.otherwise }
}

interface Sends {
  readonly answerTo: FailoverFacts["answerTo"]
  /** The current time, ms UTC. */
  readonly now: number
  /** Whether a send of this operation ended without a definite answer, here or before a crash. */
  readonly unsettled: boolean
  readonly mayResend: boolean
}

/** Collects the inputs of the failover table for one operation. */
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
    // A reference as idempotency key does not expire: the provider always rejects a repeated send as a duplicate.
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
    // "Not found" is never final for an operation that the provider has reported before.
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
