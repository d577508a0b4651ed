/**
 * Applies one piece of evidence to a payment: the failover table and `transition` decide about it, and one
 * compare-and-set writes the change with its follow-ups. If another change is committed first, the payment is read
 * again and the decision repeated.
 */
import { Effect } from "effect"
import { isPlain } from "../../domain/books/balance.ts"
import type { Failure } from "../../domain/Decline.ts"
import { createOf } from "../../domain/Payment.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import type { Step, LateSuccess } from "../../domain/Step.ts"
import { transition } from "../../domain/transition/transition.ts"
import type { Evidence } from "../../domain/Evidence.ts"
import { details, unknown } from "../../domain/Outcome.ts"
import type { KeyBinding, StoreUnavailable } from "../../store/PaymentStore.ts"
import { nextCheckAt, retryAt } from "./checkSchedule.ts"
import { decideLast, failoverFacts } from "./Failover.ts"
import type { LastDecision } from "./Failover.ts"
import { withFollowUps, withRecheck } from "./followUps.ts"
import { liveId, LivePayments } from "../begin/LivePayments.ts"
import { nextAttempt, nextAttemptServices } from "./nextAttempt.ts"
import type { NextAttempt } from "./nextAttempt.ts"
import { isCommitted, PaymentWriter } from "./PaymentWriter.ts"
import type { PaymentResult } from "../PaymentResult.ts"
import type { Report } from "./Report.ts"
import type { Sending } from "../send/Sender.ts"
import { areOfAnother, conflictOf, otherReference, unmatchedReferences, withoutOutcome } from "./referenceConflict.ts"
import { lateSuccessOf } from "./lateSuccessOf.ts"

export const evidenceServices = Effect.gen(function* () {
  return { ...(yield* nextAttemptServices), writer: yield* PaymentWriter, live: yield* LivePayments }
})

export interface EvidenceServices extends Effect.Success<typeof evidenceServices> {
  readonly lateSuccess: LateSuccess
  /** The id of this engine process. */
  readonly owner: string
}

export interface Applied extends PaymentResult {
  /**
   * Whether the report changed the payment. `Gone`: the payment's row is not in the database, so nothing could be
   * written.
   */
  readonly _tag: "Applied" | "Unchanged" | "Gone"
  /** The next attempt, committed as `sending`, which the caller must send now; `null` without one. */
  readonly next: Sending | null
}

/**
 * A function that makes the decision about a report on the current payment. The usual one is `judge`, which uses the
 * failover table.
 */
type Judge = (services: EvidenceServices, record: PaymentRecord, report: Report, now: number) => LastDecision

/** Applies a report to the payment that it is about. */
export const applyEvidence = Effect.fnUntraced(function* (
  services: EvidenceServices,
  known: PaymentRecord,
  reported: Report,
  decide: Judge = judge
): Effect.fn.Return<Applied, StoreUnavailable> {
  let record = known
  let report = reported
  while (true) {
    const now = yield* services.store.now
    const decision = decide(services, record, report, now)
    const applied =
      decision._tag === "FailOver"
        ? yield* failOver(services, record, report, decision, now)
        : yield* writeReport(services, record, report, decision, null, now)
    if (applied !== null) return applied
    const reread = yield* services.store.get(record.payment.id)
    const operation = reread?.operations.find(({ id }) => id === reported.operation.id)
    if (reread === null || operation === undefined) return { _tag: "Gone", record, body: null, next: null }
    record = reread
    const unsettled = operation.unsettled || reported.operation.unsettled
    report = { ...reported, operation: unsettled === operation.unsettled ? operation : { ...operation, unsettled } }
  }
})

/** Applies a report that leads to another attempt, as `writeReport`. */
const failOver = Effect.fnUntraced(function* (
  services: EvidenceServices,
  record: PaymentRecord,
  report: Report,
  decision: LastDecision,
  now: number
): Effect.fn.Return<Applied | null, StoreUnavailable> {
  const next = yield* nextAttempt(services, record, report.operation, report.evidence, now)
  const written = writeReport(services, record, report, decision, next, now)
  if (next === null) return yield* written
  const { release } = next.admission
  const applied = yield* Effect.onError(written, () => Effect.sync(release))
  if (applied === null || applied.next === null) release()
  return applied
})

/**
 * Writes the change that follows from the report, with the next attempt if the change contains it; `null` if the payment
 * was changed concurrently.
 */
const writeReport = Effect.fnUntraced(function* (
  services: EvidenceServices,
  record: PaymentRecord,
  report: Report,
  decision: LastDecision,
  next: NextAttempt | null,
  now: number
): Effect.fn.Return<Applied | null, StoreUnavailable> {
  const { writer } = services
  const { operation } = report
  const evidence = asJudged(report.evidence, decision)
  const lateSuccess =
    record.payment.state.status === "failed"
      ? yield* lateSuccessOf(services.store, record.payment, services.lateSuccess)
      : services.lateSuccess
  const at = stepAt(services, record, operation, evidence, now)
  const step: Step = { ...at, lateSuccess, next, failure: failureOf(decision) }
  const change = transition(record, operation, evidence, step)
  const other = otherReference(change._tag === "Changed" ? change.record : record, operation, evidence)
  const create = createOf(record, operation.attemptSeq)
  if (other !== null && create !== undefined) yield* services.store.remember(create.id, other)
  if (change._tag === "Unchanged") return unchanged(record)
  const binding = bindingOf(services, next, report)
  const unmatched = unmatchedReferences(services, record, change.record, operation, evidence)
  if (unmatched.length > 0 && (yield* areOfAnother(services, unmatched, change.record, operation))) {
    return yield* applyConflict(services, record, report, binding, step)
  }
  const mayBeFoundLater = evidence.outcome._tag === "NotFound" || operation.unsettled
  const checked = mayBeFoundLater ? withRecheck(services, change, operation, now) : change
  const followed = isPlain(checked.record) ? checked : withFollowUps(services, checked, now)
  const written = yield* writer.write(record, followed, { cause: report, binding })
  if (!isCommitted(written)) {
    return written === "reference_taken" ? yield* applyConflict(services, record, report, binding, step) : null
  }
  if (mustBeRefunded(record, written.record, operation)) yield* logOverpayment(written.record, operation)
  const { body, record: after } = written
  // Returns the next attempt only if the change contains it, so that no other attempt is sent.
  const isBegun = next !== null && after.operations.some(({ id }) => id === next.operation.id)
  return { _tag: "Applied", record: after, body, next: isBegun ? { ...next, record: after } : null }
})

/**
 * The binding of the idempotency key, with which the response is stored. Only a provider's reply produces the response
 * to the caller; other evidence would produce other bytes.
 */
const bindingOf = (
  { live }: EvidenceServices,
  next: NextAttempt | null,
  { evidence, operation }: Report
): KeyBinding | null =>
  next === null && evidence.source === "reply" ? (live.get(liveId(operation))?.binding ?? null) : null

/** Builds the inputs of a transition: the provider's declarations and the schedule of checks. */
const stepAt = (
  { registry }: EvidenceServices,
  record: PaymentRecord,
  operation: Operation,
  evidence: Evidence,
  now: number
): Omit<Step, "lateSuccess" | "next" | "failure"> => {
  const declared = registry.declared(operation.provider, operation.kind)
  return {
    now,
    nextCheckAt: nextCheckAt(record, operation, evidence, declared, now),
    retryAt: retryAt(operation, now),
    reports: declared.reports,
    canInquire: declared.canInquire,
    cancelIsFinal: registry.declared(operation.provider, "create").cancelIsFinal
  }
}

/** Writes a reference conflict if evidence names the charge of another payment. */
const applyConflict = Effect.fnUntraced(function* (
  services: EvidenceServices,
  record: PaymentRecord,
  report: Report,
  binding: KeyBinding | null,
  step: Step
): Effect.fn.Return<Applied | null, StoreUnavailable> {
  const { evidence, operation } = report
  const { nextCheckAt } = stepAt(services, record, operation, withoutOutcome(evidence), step.now)
  const conflict = conflictOf(record, operation, evidence, { ...step, nextCheckAt })
  if (conflict === null) return unchanged(record)
  const written = yield* services.writer.write(record, conflict, { cause: report, binding })
  if (written === "reference_taken") return yield* Effect.die(new Error("A change without a reference conflicts"))
  return isCommitted(written) ? { ...written, _tag: "Applied", next: null } : null
})

const unchanged = (record: PaymentRecord): Applied => ({ _tag: "Unchanged", record, body: null, next: null })

/** Replaces the outcome of the evidence by `Unknown` if the decision leaves the attempt open. */
const asJudged = (evidence: Evidence, { _tag }: LastDecision): Evidence =>
  (_tag === "Inquire" || _tag === "Hold") && evidence.outcome._tag !== "Unknown"
    ? { ...evidence, outcome: unknown({ reason: "unmapped", ...details(evidence.outcome) }) }
    : evidence

const failureOf = (decision: LastDecision): Failure | null => {
  switch (decision._tag) {
    case "Fail":
      return decision.failure
    case "FailOver":
      return decision.otherwise
    case "Accept":
    case "Await":
    case "Inquire":
    case "Hold":
      return null
  }
}

/**
 * Whether the change makes the attempt an overpayment, and no review is open. The overpayment must then be logged here,
 * since the payment writer logs only reviews.
 */
const mustBeRefunded = (before: PaymentRecord, after: PaymentRecord, { attemptSeq }: Operation): boolean => {
  const wouldOverpay = ({ attempts }: PaymentRecord) => attempts[attemptSeq - 1]?.isOverpayment === true
  return !wouldOverpay(before) && wouldOverpay(after) && after.payment.reviews.length === 0
}

const logOverpayment = ({ payment }: PaymentRecord, { provider }: Operation) =>
  Effect.logError(`Payment ${payment.id}: overpayment at ${provider}; it is refunded after an inquiry confirms it`)

/** Makes the decision about a report by the failover table, with another send excluded. */
const judge: Judge = ({ owner, registry, router }, record, { answerTo, ended, operation }, now) => {
  const declared = registry.declared(operation.provider, operation.kind)
  const policy = router.policyOf(record.payment.routing)
  const isReply = answerTo === "send"
  // If another report changed the operation since its send, or another engine claimed it, the operation counts as
  // unsettled.
  const isOurs = operation.status === "sending" && operation.owner === owner
  const unsettled = operation.unsettled || (isReply && !isOurs)
  return decideLast(
    ended,
    failoverFacts(record, operation, declared, policy, { answerTo, now, unsettled, mayResend: false })
  )
}
