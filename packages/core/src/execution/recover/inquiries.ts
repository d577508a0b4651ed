/** Inquires about an operation and applies the answer; an operation that stays open is checked again later. */
import { Effect } from "effect"
import { abandonment } from "../../domain/abandonment.ts"
import { changed, derived, replace } from "../../domain/transition/change.ts"
import type { Changed } from "../../domain/transition/change.ts"
import type { Ids } from "../../domain/Ids.ts"
import { isOpen } from "../../domain/Operation.ts"
import { ownOrigin } from "../../domain/origins.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { questioned } from "../../domain/books/reviews.ts"
import { fromAnswer } from "../../domain/Evidence.ts"
import type { Evidence } from "../../domain/Evidence.ts"
import { expired } from "../../domain/Outcome.ts"
import type { ProviderRegistry, RunningProvider } from "../../provider/ProviderRegistry.ts"
import type { ReturnAddressOf } from "../../provider/ReturnAddress.ts"
import type { Ended } from "../../resilience/Ended.ts"
import type { ProviderGuard } from "../../resilience/ProviderGuard.ts"
import type { DueOperation, PaymentStore } from "../../store/PaymentStore.ts"
import { afterCheck, delayAfterEnd, needsOperator } from "../conclude/checkSchedule.ts"
import type { CheckResult } from "../conclude/checkSchedule.ts"
import { aboutCharge, chargesToConfirm } from "./chargeInquiry.ts"
import { awaitInstance } from "./absentInstance.ts"
import type { AbsenceServices } from "./absentInstance.ts"
import { recordOf } from "../Executor.ts"
import type { Executor } from "../Executor.ts"
import { newOperation, planned } from "../begin/newRecords.ts"
import { isCommitted } from "../conclude/PaymentWriter.ts"
import type { PaymentWriter } from "../conclude/PaymentWriter.ts"
import { providerOperation } from "../send/providerOperation.ts"
import { ask, questionFor } from "./Question.ts"
import { timings } from "../timings.ts"
import { isSupported } from "../send/isSupported.ts"

export interface InquiryServices extends AbsenceServices {
  readonly store: PaymentStore["Service"]
  readonly registry: ProviderRegistry["Service"]
  readonly guard: ProviderGuard["Service"]
  readonly executor: Executor["Service"]
  readonly writer: PaymentWriter["Service"]
  readonly ids: Ids["Service"]
  readonly returnAddress: ReturnAddressOf
}

/** Whether it is no longer open. A hold is checked as long as its payment waits for it. */
export const hasEnded = ({ operation, record }: DueOperation): boolean =>
  !isOpen(operation) &&
  (operation.status !== "authorized" || record.attempts[operation.attemptSeq - 1]?.isOverpayment === true)

/** Of an operation that is open, or a hold. */
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
  if (question === null || question.isReplay) return yield* endChecks(services, operation, asBooked)
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

const checkEndedAgain = Effect.fnUntraced(function* (
  services: InquiryServices,
  operation: Operation,
  isAnswered: boolean
) {
  const { registry, store } = services
  const checks = operation.checks + 1
  const delay = delayAfterEnd(operation, registry.declared(operation.provider, operation.kind), isAnswered)
  if (delay === undefined) return yield* endChecks(services, { ...operation, checks }, asBooked)
  yield* store.reschedule(operation, checks, (yield* store.now) + delay)
})

/** A check that broke, as where the database failed, has had no answer. */
export const checkBroke = (services: InquiryServices, due: DueOperation) =>
  hasEnded(due) ? checkEndedAgain(services, due.operation, false) : checkAgain(services, due, "inquired")

/** The payment after the evidence; `null`: there was none, or it was about nothing known. */
const recordAfter = (executor: Executor["Service"], evidence: Evidence | null) =>
  evidence === null ? Effect.succeed(null) : Effect.map(executor.advance(evidence), recordOf)

const isUnmapped = (ended: Ended): boolean => ended._tag === "Unknown" && ended.reason === "unmapped"

/** What has changed since it was claimed, or is to be canceled, is not sent again. */
const isUnchanged = (store: PaymentStore["Service"], { operation, record: known }: DueOperation) =>
  Effect.map(
    store.get(operation.paymentId),
    (record) =>
      record?.operations.length === known.operations.length &&
      record.operations.some(({ id, status }) => id === operation.id && status === operation.status)
  )

/** Schedules the next check. If no check is left and the outcome is unknown, opens a review. */
const checkAgain = Effect.fnUntraced(function* (
  services: InquiryServices,
  { operation, record }: DueOperation,
  result: CheckResult
) {
  const { registry, store } = services
  const declared = registry.declared(operation.provider, operation.kind)
  const { checks, nextCheckAt } = afterCheck(record, operation, result, declared, yield* store.now)
  if (nextCheckAt === null && needsOperator(record, operation, result)) {
    return yield* endChecks(services, { ...operation, checks }, (over, latest, now) =>
      questioned(over, "inquiries_exhausted", latest, now)
    )
  }
  yield* store.reschedule(operation, checks, nextCheckAt)
})

/**
 * The engine checks the operation no more. In one commit with the review that this opens, so that nothing is left open
 * that neither the engine nor an operator looks at.
 */
const endChecks = Effect.fnUntraced(function* (
  { store, writer }: InquiryServices,
  operation: Operation,
  reviewed: (over: PaymentRecord, latest: Operation, now: number) => PaymentRecord
) {
  while (true) {
    const record = yield* store.get(operation.paymentId)
    const latest = record?.operations.find(({ id }) => id === operation.id)
    if (record === null || latest?.status !== operation.status) return
    const over = replace(record, { operations: [{ ...latest, checks: operation.checks, nextCheckAt: null }] })
    const now = yield* store.now
    const after = reviewed(over, latest, now)
    if (derived(after, now).payment.reviews === record.payment.reviews) {
      return yield* store.reschedule(operation, operation.checks, null)
    }
    if (yield* write(writer, record, changed(after, now, {}, null))) return
  }
})

/** The review of what was not confirmed by now follows from the books. */
const asBooked = (over: PaymentRecord): PaymentRecord => over

/**
 * Closes what its payer has left: whether the attempt was given up. `abandonedAfterMs`: after how long it may be, where
 * the provider has just answered that nothing was paid.
 */
const closeAbandoned = Effect.fnUntraced(function* (
  { executor, ids, registry, store, writer }: InquiryServices,
  { operation, record }: DueOperation,
  abandonedAfterMs: number | null
) {
  const now = yield* store.now
  const canCancel = isSupported(registry, operation.provider, "cancel", record)
  switch (abandonment(record, operation, { canCancel, abandonedAfterMs }, now, timings.closeAfterExpiry)) {
    case "wait":
      return false
    case "give_up":
      yield* executor.advance(fromAnswer("inquiry", operation.id, expired()))
      return true
    case "review": {
      const reviewed = questioned(record, "close_failed", operation, now)
      // Unchanged: the question stands already, or was answered.
      if (reviewed !== record) yield* write(writer, record, changed(reviewed, now, {}, null))
      return false
    }
    case "close": {
      const { attemptSeq, minorUnits, paymentId, provider } = operation
      const what = { attemptSeq, kind: "cancel", purpose: "expiry" } as const
      const origin = ownOrigin(record, what)
      const asked = { ...what, paymentId, provider, minorUnits, owner: executor.owner, origin, now }
      const closing = planned(newOperation(ids, asked))
      yield* write(writer, record, changed({ ...record, operations: [...record.operations, closing] }, now, {}, null))
      return false
    }
  }
})

const write = (writer: PaymentWriter["Service"], record: PaymentRecord, change: Changed) =>
  Effect.map(writer.write(record, change, { cause: null, binding: null }), isCommitted)
