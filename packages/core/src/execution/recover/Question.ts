/** How the engine inquires about an operation, and what evidence the answer is. */
import { Effect, Result } from "effect"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { fromAnswer } from "../../domain/Evidence.ts"
import type { Evidence } from "../../domain/Evidence.ts"
import type { InquiryOutcome } from "../../domain/Outcome.ts"
import type { ProviderOperation } from "../../provider/Provider.ts"
import type { ProviderError } from "../../provider/ProviderError.ts"
import type { DeclaredOperation, RunningProvider } from "../../provider/ProviderRegistry.ts"
import type { Ended } from "../../resilience/Ended.ts"
import type { GuardedOperation, ProviderGuard } from "../../resilience/ProviderGuard.ts"
import { answersFirst } from "../conclude/Failover.ts"
import { timings } from "../timings.ts"

export interface Question {
  readonly effect: Effect.Effect<InquiryOutcome, ProviderError>
  /** The request itself is sent again: only while its operation is unknown. */
  readonly isReplay: boolean
  /** `null`: the answer is no evidence about the operation, whose outcome stays unknown. */
  readonly evidenceOf: (ended: Ended) => Evidence | null
}

/**
 * `null`: the provider cannot be asked. Where there is no inquiry, the same request under the same key is one, as long as the
 * provider answers it with the first result, and the payment may still be charged.
 */
export const questionFor = (
  operation: Operation,
  asked: ProviderOperation,
  { declared, operations, provider }: RunningProvider,
  record: Pick<PaymentRecord, "operations" | "payment">,
  now: number
): Question | null => {
  const { inquire, [operation.kind]: perform } = operations
  const { canInquire, idempotency } = declared(operation.kind)
  if (canInquire && inquire !== undefined) {
    return { effect: Effect.suspend(() => inquire(asked)), isReplay: false, evidenceOf: ofInquiry(operation) }
  }
  // A replay may be the first request to arrive, and a retired instance takes no new payments.
  const isCharge = operation.kind === "create" && provider.retired === true
  return !isCharge &&
    operation.status === "unknown" &&
    perform !== undefined &&
    mayReplay(idempotency, operation, record, now)
    ? { effect: Effect.suspend(() => perform(asked)), isReplay: true, evidenceOf: ofReplay(operation) }
    : null
}

/** Nothing was called: the provider admits no calls at the moment, or the operation changed before the call was admitted. */
export type NotCalled = { readonly _tag: "NotAdmitted" } | { readonly _tag: "Outdated" }

/**
 * Admits one call and makes it. A caller that is interrupted while it waits for admission releases its slot. `isCurrent`
 * is evaluated after admission: a webhook may arrive while the call waits.
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
          current
            ? Effect.gen(() => admission.call(call, timings.inquiry))
            : Effect.succeed<Ended | NotCalled>({ _tag: "Outdated" })
        )
    }),
    (admitted) => Effect.sync(() => Result.isSuccess(admitted) && admitted.success.release())
  )

/** An inquiry without a definite answer, or one that was not sent, is no evidence about the requests before it. */
const ofInquiry =
  (operation: Operation): Question["evidenceOf"] =>
  (ended) => {
    switch (ended._tag) {
      case "Succeeded":
      case "Authorized":
      case "Pending":
      case "Declined":
      case "NotFound":
      case "Expired":
      case "Canceled":
        return fromAnswer("inquiry", operation.id, ended)
      case "NotExecuted":
        return ended.reason === "proof_code" ? fromAnswer("inquiry", operation.id, ended) : null
      default:
        return null
    }
  }

/** Under a live key only the first send's own result counts; any other answer is about this send alone. */
const ofReplay =
  (operation: Operation): Question["evidenceOf"] =>
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
 * Whether the same request may be sent again to find out what became of it. The first to arrive may be this one: a create
 * that never arrived must not charge the payer after the payment's deadline, or after a cancel was requested.
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
