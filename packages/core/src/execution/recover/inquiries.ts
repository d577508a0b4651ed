/** Inquires about an operation and applies the answer; an operation that stays open is checked again later. */
import { Effect } from "effect"
import type { Evidence } from "../../domain/Evidence.ts"
import type { Ids } from "../../domain/Ids.ts"
import type { Operation } from "../../domain/Operation.ts"
import { isUnconfirmed, unconfirmedCharges } from "../../domain/books/reversal.ts"
import { takesMoney } from "../../domain/transition/reportedMoney.ts"
import type { Executor } from "../Executor.ts"
import type { PaymentWriter } from "../conclude/PaymentWriter.ts"
import { recordOf } from "../conclude/advance.ts"
import { ask, questionFor } from "./Question.ts"
import { closeAbandoned } from "./abandonedAttempts.ts"
import { checkAgain, checkEndedAgain, endChecks, hasEnded, reviewedByBooks } from "./checks.ts"
import { awaitInstance } from "./absentInstance.ts"
import type { AbsenceServices } from "./absentInstance.ts"
import { providerOperation } from "../send/providerOperation.ts"
import { timings } from "../timings.ts"
import type { ProviderRegistry, RunningProvider } from "../../provider/ProviderRegistry.ts"
import type { ReturnAddressOf } from "../../provider/ReturnAddress.ts"
import type { Ended } from "../../resilience/Ended.ts"
import type { ProviderGuard } from "../../resilience/ProviderGuard.ts"
import type { DueOperation, PaymentStore } from "../../store/PaymentStore.ts"

export interface InquiryServices extends AbsenceServices {
  readonly store: PaymentStore["Service"]
  readonly registry: ProviderRegistry["Service"]
  readonly guard: ProviderGuard["Service"]
  readonly executor: Executor["Service"]
  readonly writer: PaymentWriter["Service"]
  readonly ids: Ids["Service"]
  readonly returnAddress: ReturnAddressOf
}

/** Inquires about an open operation, or a hold. */
export const inquire = Effect.fnUntraced(function* (services: InquiryServices, due: DueOperation) {
  const { operation, record } = due
  const { executor, guard, registry, store } = services
  const running = registry.serving(operation.provider, record.payment.livemode)
  if (running === null) return yield* awaitInstance(services, due)
  const now = yield* store.now
  const question = questionAbout(services, due, running, now)
  if (question === null) {
    // It has just become unknown, and a webhook may still come.
    if (operation.nextCheckAt !== null && operation.nextCheckAt > now) return
    yield* closeAbandoned(services, due, null)
    return yield* checkAgain(services, due, "unsupported")
  }
  const isCurrent = question.isReplay ? isUnchanged(store, due) : Effect.succeed(true)
  const result = yield* ask(guard, running.provider.id, "inquire", question.effect, isCurrent)
  running.forget(operation.id)
  if (result._tag === "Outdated") return
  if (result._tag === "NotAdmitted") return yield* checkAgain(services, due, "unavailable")
  const evidence = question.evidenceOf(result)
  const after = yield* recordAfter(executor, evidence)
  if (after === null) {
    return yield* checkAgain(services, due, isUnmapped(result) ? "unmapped" : "inquired")
  }
  const latest = after.operations.find(({ id }) => id === operation.id)
  // What is planned again has its time already.
  if (latest === undefined || latest.nextCheckAt === null || latest.status === "planned") return
  const open: DueOperation = { record: after, operation: latest }
  if (hasEnded(open)) return
  if (evidence?.outcome._tag === "Pending") {
    // Only the answer of this inquiry shows that nothing was paid.
    const { abandonedAfterMs } = registry.declared(latest.provider, latest.kind)
    if (yield* closeAbandoned(services, open, abandonedAfterMs)) return
  }
  yield* checkAgain(services, { record: after, operation: { ...latest, checks: operation.checks } }, "inquired")
})

/**
 * Of an operation that has ended: money that was reported about it is to be confirmed, or "not found" was final and may
 * have been wrong.
 */
export const inquireAfterEnd = Effect.fnUntraced(function* (services: InquiryServices, due: DueOperation) {
  const { operation, record } = due
  const { executor, guard, registry, store } = services
  const running = registry.serving(operation.provider, record.payment.livemode)
  const now = yield* store.now
  // As an inquiry that failed: the instance may be configured again.
  if (running === null) return yield* checkEndedAgain(services, operation, false)
  const charges = chargesToConfirm(due, running)
  // In turn, so that a charge which cannot be confirmed does not block the others.
  const charge = charges[operation.checks % charges.length] ?? null
  const question = questionAbout(services, due, running, now, charge)
  if (question === null || question.isReplay) return yield* endChecks(services, operation, reviewedByBooks)
  const result = yield* ask(guard, running.provider.id, "inquire", question.effect)
  if (result._tag === "NotAdmitted" || result._tag === "Outdated")
    return yield* store.reschedule(operation, operation.checks, now + timings.absentProvider)
  const answer = question.evidenceOf(result)
  const evidence = charge === null ? answer : aboutCharge(operation, charge, answer)
  const after = yield* recordAfter(executor, evidence)
  const latest = after?.operations.find(({ id }) => id === operation.id)
  if (latest !== undefined && latest.status !== operation.status) return
  if (after !== null && latest !== undefined) {
    const left = chargesToConfirm({ record: after, operation: latest }, running)
    if (left.length > 0 && (charge === null || !left.includes(charge)))
      return yield* store.reschedule(operation, 0, yield* store.now)
  }
  // A refund that was settled by a report under its charge, and that its provider is still executing, may be a second one.
  const isUnderWay = operation.kind === "refund" && evidence?.outcome._tag === "Pending"
  yield* checkEndedAgain(services, operation, evidence !== null && !isUnderWay)
})

/** `charge`: the reference of a charge to inquire about; `null`: the operation's own reference. */
const questionAbout = (
  { returnAddress }: InquiryServices,
  { operation, record }: DueOperation,
  running: RunningProvider,
  now: number,
  charge: string | null = null
) => {
  const subject = charge === null ? operation : { ...operation, reference: charge }
  return questionFor(
    operation,
    providerOperation(record, subject, running.provider, returnAddress),
    running,
    record,
    now
  )
}

/** The payment after the evidence; `null`: no evidence, or evidence about an unknown payment. */
const recordAfter = (executor: Executor["Service"], evidence: Evidence | null) =>
  evidence === null ? Effect.succeed(null) : Effect.map(executor.advance(evidence), recordOf)

const isUnmapped = (ended: Ended): boolean => ended._tag === "Unknown" && ended.reason === "unmapped"

/** Whether the operation is as it was when it was claimed: a changed or canceled one is not sent again. */
const isUnchanged = (store: PaymentStore["Service"], { operation, record: known }: DueOperation) =>
  Effect.map(
    store.get(operation.paymentId),
    (record) =>
      record?.operations.length === known.operations.length &&
      record.operations.some(({ id, status }) => id === operation.id && status === operation.status)
  )

/** The references of the charges to inquire about, in order; empty: inquire about the operation itself. */
export const chargesToConfirm = (
  { operation, record }: DueOperation,
  { declared }: Pick<RunningProvider, "declared">
): ReadonlyArray<string> => {
  const attempt = record.attempts[operation.attemptSeq - 1]
  if (operation.kind !== "create" || attempt === undefined || !declared("create").chargesByReference) return []
  return isUnconfirmed(record, attempt) ? [] : unconfirmedCharges(record, attempt)
}

/**
 * The answer as evidence about this charge: it does not show which charge is the payment's own. `null`: the provider shows no money
 * under this reference, which proves nothing about the operation.
 */
export const aboutCharge = ({ provider }: Operation, charge: string, evidence: Evidence | null): Evidence | null => {
  if (evidence === null || !takesMoney(evidence.outcome)) return null
  const { reference = charge, ...outcome } = evidence.outcome
  return reference === charge ? { ...evidence, about: { provider, providerReference: charge }, outcome } : null
}
