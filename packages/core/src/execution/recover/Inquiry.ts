/** Creates inquiries about operations, and the evidence from their answers. */
import { Effect, Result } from "effect"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { fromAnswer } from "../../domain/Evidence.ts"
import type { Evidence } from "../../domain/Evidence.ts"
import type { InquiryOutcome } from "../../domain/Outcome.ts"
import type { ProviderOperation } from "../../provider/Provider.ts"
import type { ProviderError } from "../../provider/ProviderError.ts"
import type { DeclaredOperation, RunningProvider } from "../../provider/ProviderRegistry.ts"
import { definiteAnswer } from "../../resilience/Ended.ts"
import type { Ended, NotCalled } from "../../resilience/Ended.ts"
import type { GuardedOperation, ProviderGuard } from "../../resilience/ProviderGuard.ts"
import { answersFirst } from "../conclude/Failover.ts"
import { timings } from "../timings.ts"

export interface Inquiry {
  readonly effect: Effect.Effect<InquiryOutcome, ProviderError>
  /**
   * Whether the inquiry resends the original request. This is only allowed while the outcome of the operation is
   * unknown.
   */
  readonly isReplay: boolean
  /** Converts an answer to evidence; `null` if the answer proves nothing, so that the outcome stays unknown. */
  readonly evidenceOf: (ended: Ended) => Evidence | null
}

/**
 * Creates the inquiry about an operation; `null` if the provider supports none. If the provider has no inquiry API, the
 * same request is sent again with its idempotency key, as long as the provider returns the first result and the payment
 * may still be charged.
 */
export const inquiryFor = (
  operation: Operation,
  asked: ProviderOperation,
  { declared, operations, provider }: RunningProvider,
  record: Pick<PaymentRecord, "operations" | "payment">,
  now: number
): Inquiry | null => {
  const { inquire, [operation.kind]: perform } = operations
  const { canInquire, idempotency } = declared(operation.kind)
  if (canInquire && inquire !== undefined) {
    return { effect: Effect.suspend(() => inquire(asked)), isReplay: false, evidenceOf: ofInquiry(operation) }
  }
  // At a retired provider instance, a create is not sent again in place of an inquiry: if the first send never arrived,
  // the provider would execute this one, and the instance takes no new payments.
  const isCharge = operation.kind === "create" && provider.retired === true
  return !isCharge &&
    operation.status === "unknown" &&
    perform !== undefined &&
    mayReplay(idempotency, operation, record, now)
    ? { effect: Effect.suspend(() => perform(asked)), isReplay: true, evidenceOf: ofReplay(operation) }
    : null
}

/**
 * Waits for admission at the provider and makes one call. The concurrency slot is also released on interruption.
 * `isCurrent` is evaluated after admission, because a webhook may arrive during the wait.
 */
export const ask = <E = never>(
  guard: ProviderGuard["Service"],
  provider: string,
  operation: GuardedOperation,
  call: Effect.Effect<InquiryOutcome, ProviderError>,
  isCurrent: Effect.Effect<boolean, E> = Effect.succeed(true)
): Effect.Effect<Ended | NotCalled, E> =>
  Effect.acquireUseRelease(
    guard.admit(provider, operation),
    Result.match({
      onFailure: () => Effect.succeed<Ended | NotCalled>({ _tag: "NotAdmitted" }),
      onSuccess: (admission) =>
        Effect.flatMap(isCurrent, (current) =>
          current ? admission.call(call, timings.inquiry) : Effect.succeed<Ended | NotCalled>({ _tag: "Outdated" })
        )
    }),
    (admitted) => Effect.sync(() => Result.isSuccess(admitted) && admitted.success.release())
  )

/**
 * Evidence from an inquiry's answer. An inquiry that was not sent, or has no definite answer, proves nothing about the
 * earlier sends.
 */
const ofInquiry =
  (operation: Operation): Inquiry["evidenceOf"] =>
  (ended) => {
    const isProof = ended._tag === "NotExecuted" && ended.reason === "proof_code"
    const answer = isProof ? ended : definiteAnswer(ended)
    return answer === null ? null : fromAnswer("inquiry", operation.id, answer)
  }

/**
 * Evidence from the answer to a repeated send. While the idempotency key is valid, a definite answer is the result of
 * the first send; any other answer is only about the repeated send, and gives no evidence.
 */
const ofReplay =
  (operation: Operation): Inquiry["evidenceOf"] =>
  (ended) => {
    switch (ended._tag) {
      case "Succeeded":
      case "Authorized":
      case "Pending":
      case "Declined":
        return fromAnswer("inquiry", operation.id, ended)
      default:
        return null
    }
  }

/**
 * Whether the same request may be sent again to find its outcome. If the first send never arrived, the provider
 * executes the repeated send, so a create is not repeated after the payment's deadline, or after a cancel was
 * requested.
 */
export const mayReplay = (
  idempotency: DeclaredOperation["idempotency"],
  operation: Operation,
  { operations, payment }: Pick<PaymentRecord, "operations" | "payment">,
  now: number
): boolean => {
  if (!answersFirst(idempotency, operation, now)) return false
  const isUnwanted = operations.some(({ attemptSeq, kind }) => kind === "cancel" && attemptSeq === operation.attemptSeq)
  return operation.kind !== "create" || (now <= payment.deadlineAt && !isUnwanted)
}
