/** The facts of one operation, as the failover table wants them. Pure. */
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import type { DeclaredOperation } from "../provider/ProviderRegistry.ts"
import type { FailoverPolicy } from "../routing/RoutingConfig.ts"
import type { FailoverFacts } from "./Failover.ts"
import { answersFirst } from "./idempotency.ts"

export interface Sends {
  readonly answerTo: FailoverFacts["answerTo"]
  /** ms UTC */
  readonly now: number
  /** A send of this operation ended without a definite answer, here or before a crash. */
  readonly unsettled: boolean
  readonly mayResend: boolean
}

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
    // A reference never expires: the provider refuses the repeat as a duplicate.
    resendIsSafe: resendAnswersFirst || declared.idempotency.by === "reference",
    resendAnswersFirst,
    canInquire: declared.canInquire,
    unsettled: sends.unsettled,
    mayResend: sends.mayResend,
    rateLimitIsNotExecuted: declared.rateLimitIsNotExecuted,
    declineIsFinal: declared.declineIsFinal,
    actionShown: record.attempts[operation.attemptSeq - 1]?.actionShown ?? false,
    softDeclineLeft: policy.on.includes("soft_decline") && declines === 0,
    // What the provider once had is not proven undone because it cannot find it.
    notFoundIsFinal:
      operation.status !== "pending" &&
      declared.notFoundIsFinalAfterMs !== null &&
      age >= declared.notFoundIsFinalAfterMs
  }
}
