/**
 * Inquires about operations at their providers and applies the answers. An operation that stays open is checked again
 * later.
 */
import { Effect } from "effect"
import type { Evidence } from "../../domain/Evidence.ts"
import type { Ids } from "../../domain/Ids.ts"
import type { Operation } from "../../domain/Operation.ts"
import { isUnconfirmed, unconfirmedCharges } from "../../domain/books/reversal.ts"
import { takesMoney } from "../../domain/transition/reportedMoney.ts"
import type { Executor } from "../Executor.ts"
import type { PaymentWriter } from "../conclude/PaymentWriter.ts"
import { recordOf } from "../conclude/advance.ts"
import { ask, inquiryFor } from "./Inquiry.ts"
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

/** Inquires about an open operation, or about an authorization hold. */
export const inquire = Effect.fnUntraced(function* (services: InquiryServices, due: DueOperation) {
  const { operation, record } = due
  const { executor, guard, registry, store } = services
  const running = registry.serving(operation.provider, record.payment.livemode)
  if (running === null) return yield* awaitInstance(services, due)
  const now = yield* store.now
  const inquiry = inquiryAbout(services, due, running, now)
  if (inquiry === null) {
    // Returns if the next check is in the future: the outcome became unknown just now, and a webhook may still arrive.
    if (operation.nextCheckAt !== null && operation.nextCheckAt > now) return
    yield* closeAbandoned(services, due, null)
    return yield* checkAgain(services, due, "unsupported")
  }
  const isCurrent = inquiry.isReplay ? isUnchanged(store, due) : Effect.succeed(true)
  const result = yield* ask(guard, running.provider.id, "inquire", inquiry.effect, isCurrent)
  running.forget(operation.id)
  if (result._tag === "Outdated") return
  if (result._tag === "NotAdmitted") return yield* checkAgain(services, due, "unavailable")
  const evidence = inquiry.evidenceOf(result)
  const after = yield* recordAfter(executor, evidence)
  if (after === null) {
    return yield* checkAgain(services, due, isUnmapped(result) ? "unmapped" : "inquired")
  }
  const latest = after.operations.find(({ id }) => id === operation.id)
  // Returns if the operation is planned again, since its due time is already set.
  if (latest === undefined || latest.nextCheckAt === null || latest.status === "planned") return
  const open: DueOperation = { record: after, operation: latest }
  if (hasEnded(open)) return
  if (evidence?.outcome._tag === "Pending") {
    // Looks for abandonment only after the answer of this inquiry, which shows that nothing was paid.
    const { abandonedAfterMs } = registry.declared(latest.provider, latest.kind)
    if (yield* closeAbandoned(services, open, abandonedAfterMs)) return
  }
  yield* checkAgain(services, { record: after, operation: { ...latest, checks: operation.checks } }, "inquired")
})

/**
 * Inquires about an ended operation, to confirm money that was reported about it, or to check a final "not found",
 * which may have been wrong.
 */
export const inquireAfterEnd = Effect.fnUntraced(function* (services: InquiryServices, due: DueOperation) {
  const { operation, record } = due
  const { executor, guard, registry, store } = services
  const running = registry.serving(operation.provider, record.payment.livemode)
  const now = yield* store.now
  // An instance that is not configured counts as a failed inquiry, because it may be configured again.
  if (running === null) return yield* checkEndedAgain(services, operation, false)
  const charges = chargesToConfirm(due, running)
  // Each check inquires about one of the charges in turn, so that a charge that cannot be confirmed does not block the
  // others.
  const charge = charges[operation.checks % charges.length] ?? null
  const inquiry = inquiryAbout(services, due, running, now, charge)
  if (inquiry === null || inquiry.isReplay) return yield* endChecks(services, operation, reviewedByBooks)
  const result = yield* ask(guard, running.provider.id, "inquire", inquiry.effect)
  if (result._tag === "NotAdmitted" || result._tag === "Outdated")
    return yield* store.reschedule(operation, operation.checks, now + timings.absentProvider)
  const answer = inquiry.evidenceOf(result)
  const evidence = charge === null ? answer : aboutCharge(operation, charge, answer)
  const after = yield* recordAfter(executor, evidence)
  const latest = after?.operations.find(({ id }) => id === operation.id)
  if (latest !== undefined && latest.status !== operation.status) return
  if (after !== null && latest !== undefined) {
    const left = chargesToConfirm({ record: after, operation: latest }, running)
    if (left.length > 0 && (charge === null || !left.includes(charge)))
      return yield* store.reschedule(operation, 0, yield* store.now)
  }
  // `Pending` does not confirm an ended refund: the report that ended it contained only the charge's reference, and may
  // be about another refund.
  const isUnderWay = operation.kind === "refund" && evidence?.outcome._tag === "Pending"
  yield* checkEndedAgain(services, operation, evidence !== null && !isUnderWay)
})

/**
 * Creates the inquiry about an operation. `charge` is the reference of the charge to inquire about; `null` for the
 * operation's own reference.
 */
const inquiryAbout = (
  { returnAddress }: InquiryServices,
  { operation, record }: DueOperation,
  running: RunningProvider,
  now: number,
  charge: string | null = null
) => {
  const subject = charge === null ? operation : { ...operation, reference: charge }
  return inquiryFor(
    operation,
    providerOperation(record, subject, running.provider, returnAddress),
    running,
    record,
    now
  )
}

/** Applies evidence and returns the payment after it; `null` without evidence, or if it is about an unknown payment. */
const recordAfter = (executor: Executor["Service"], evidence: Evidence | null) =>
  evidence === null ? Effect.succeed(null) : Effect.map(executor.advance(evidence), recordOf)

const isUnmapped = (ended: Ended): boolean => ended._tag === "Unknown" && ended.reason === "unmapped"

/** Whether the operation is unchanged since it was claimed. A changed or canceled operation is not sent again. */
const isUnchanged = (store: PaymentStore["Service"], { operation, record: known }: DueOperation) =>
  Effect.map(
    store.get(operation.paymentId),
    (record) =>
      record?.operations.length === known.operations.length &&
      record.operations.some(({ id, status }) => id === operation.id && status === operation.status)
  )

/** The references of the charges to inquire about, in order; empty to inquire about the operation itself. */
const chargesToConfirm = (
  { operation, record }: DueOperation,
  { declared }: Pick<RunningProvider, "declared">
): ReadonlyArray<string> => {
  const attempt = record.attempts[operation.attemptSeq - 1]
  if (operation.kind !== "create" || attempt === undefined || !declared("create").chargesByReference) return []
  return isUnconfirmed(record, attempt) ? [] : unconfirmedCharges(record, attempt)
}

/**
 * Converts the answer to an inquiry about one charge to evidence about this charge only, since it need not be the
 * payment's own charge. `null` if the provider reports no money for the charge's reference: this proves nothing about
 * the operation.
 */
const aboutCharge = ({ provider }: Operation, charge: string, evidence: Evidence | null): Evidence | null => {
  if (evidence === null || !takesMoney(evidence.outcome)) return null
  const { reference = charge, ...outcome } = evidence.outcome
  return reference === charge ? { ...evidence, about: { provider, providerReference: charge }, outcome } : null
}
