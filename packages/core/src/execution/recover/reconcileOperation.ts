/** Reconciles one due operation: sends it if it is planned, or inquires about its open or unconfirmed outcome. */
import { Effect } from "effect"
import { fromAnswer } from "../../domain/Evidence.ts"
import { Ids } from "../../domain/Ids.ts"
import { unknown } from "../../domain/Outcome.ts"
import { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import { ReturnAddress } from "../../provider/ReturnAddress.ts"
import { ProviderGuard } from "../../resilience/ProviderGuard.ts"
import { PaymentStore } from "../../store/PaymentStore.ts"
import type { DueOperation } from "../../store/PaymentStore.ts"
import { spanned } from "../../telemetry/spans.ts"
import { liveId, LivePayments } from "../begin/LivePayments.ts"
import { recordOf } from "../conclude/advance.ts"
import { PaymentWriter } from "../conclude/PaymentWriter.ts"
import { Executor } from "../Executor.ts"
import { timings } from "../timings.ts"
import { awaitInstance, instanceReturned } from "./absentInstance.ts"
import { checkBroke, hasEnded } from "./checks.ts"
import { inquire, inquireAfterEnd } from "./inquiries.ts"

export const reconcileServices = Effect.gen(function* () {
  return {
    store: yield* PaymentStore,
    registry: yield* ProviderRegistry,
    guard: yield* ProviderGuard,
    executor: yield* Executor,
    writer: yield* PaymentWriter,
    live: yield* LivePayments,
    ids: yield* Ids,
    returnAddress: yield* ReturnAddress
  }
})

export interface ReconcileServices extends Effect.Success<typeof reconcileServices> {
  readonly reviewAbsentAfter: number
}

/** Reconciles one operation. A failed check is logged and counted, so that repeated failures end in a review. */
export const settleOperation = (services: ReconcileServices, due: DueOperation) => {
  const { operation } = due
  return reconcile(services, due).pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(
        Effect.logWarning(`Operation ${operation.id} could not be reconciled`, cause),
        checkBroke(services, due)
      )
    ),
    Effect.catchCause((cause) =>
      Effect.logWarning(`Operation ${operation.id} stays due; it is checked again when its claim ends`, cause)
    ),
    spanned("paymux.reconcile.operation", () => ({
      "paymux.payment.id": operation.paymentId,
      "paymux.operation.id": operation.id,
      "paymux.operation": operation.kind,
      "paymux.provider": operation.provider
    })),
    Effect.annotateLogs("payment_id", operation.paymentId)
  )
}

const reconcile = Effect.fnUntraced(function* (services: ReconcileServices, claimed: DueOperation) {
  const { executor, live, registry, store } = services
  const isAbsent = registry.serving(claimed.operation.provider, claimed.record.payment.livemode) === null
  const due = isAbsent ? claimed : yield* instanceReturned(services, claimed)
  if (due === null) return
  const { operation } = due
  if (isAbsent && operation.status === "planned") return yield* awaitInstance(services, due)
  if (operation.status === "planned") return yield* sendPlanned(services, due)
  if (hasEnded(due)) return yield* inquireAfterEnd(services, due)
  if (operation.status !== "sending") return yield* inquire(services, due)
  // Postpones an operation that this engine is still sending, regardless of its age.
  if (live.get(liveId(operation)) !== null) {
    const now = yield* store.now
    return yield* store.reschedule(operation, operation.checks, now + timings.orphanGrace)
  }
  // The engine that sent the operation has stopped. The provider may have executed the request, so the outcome is
  // unknown.
  const lost = yield* executor.advance(fromAnswer("inquiry", operation.id, unknown({ reason: "timeout" })))
  const record = recordOf(lost)
  if (record === null) return
  const latest = record.operations.find(({ id }) => id === operation.id)
  // Inquires only if no other evidence has decided the operation since.
  if (latest?.status === "unknown") yield* inquire(services, { record, operation: latest })
})

const sendPlanned = Effect.fnUntraced(function* (
  { executor, store }: ReconcileServices,
  { operation, record }: DueOperation
) {
  if (yield* executor.claimAndSend(record, operation)) return
  const now = yield* store.now
  yield* store.reschedule(operation, operation.checks, now + timings.absentProvider)
})
