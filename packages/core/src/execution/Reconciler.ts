/**
 * Settles what was left open: it claims operations whose next check has come, asks their provider, and carries the
 * answer through the one door.
 *
 * It sends nothing that could move money, except the same request under the same key where that is how the provider is
 * asked (`inquiry.by: "replay"`, or idempotency without an inquiry). A lost, stuck or doubled claim does no harm: every
 * write is a compare-and-set.
 */
import { Context, Effect, Layer } from "effect"
import { abandonment, expiryAhead } from "../domain/abandonment.ts"
import { changed, derived, replace } from "../domain/change.ts"
import type { Changed } from "../domain/change.ts"
import { Ids } from "../domain/Ids.ts"
import { nextInquiryDelay } from "../domain/InquirySchedule.ts"
import { isOpen } from "../domain/Operation.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import { questioned } from "../domain/reviews.ts"
import type { Evidence, EvidenceClaim } from "../provider/Evidence.ts"
import type { Inquiry } from "../provider/Outcome.ts"
import type { ProviderError } from "../provider/ProviderError.ts"
import { ProviderRegistry } from "../provider/ProviderRegistry.ts"
import { ReturnAddress } from "../provider/ReturnAddress.ts"
import { ProviderGuard } from "../resilience/ProviderGuard.ts"
import type { CallResult } from "../resilience/ProviderGuard.ts"
import { PaymentStore } from "../store/PaymentStore.ts"
import type { DueOperation } from "../store/PaymentStore.ts"
import { spanned } from "../telemetry/spans.ts"
import { Executor } from "./Executor.ts"
import { Inbox } from "./Inbox.ts"
import { liveId, LivePayments } from "./LivePayments.ts"
import { newOperation, planned } from "./newOperation.ts"
import { PaymentWriter } from "./PaymentWriter.ts"
import { providerOperation } from "./providerOperation.ts"
import { questionFor } from "./Question.ts"
import { timings } from "./timings.ts"

export interface ReconcilerOptions {
  /** How often due work is looked for, in ms. */
  readonly every: number
  /** How many operations are claimed at once. */
  readonly batch: number
}

const defaults: ReconcilerOptions = { every: 1000, batch: 50 }

export class Reconciler extends Context.Service<
  Reconciler,
  {
    /** Claims what is due now and settles it; answers how many operations were claimed. */
    readonly tick: Effect.Effect<number>
  }
>()("@paymux/core/execution/Reconciler") {
  /** With the process that ticks for as long as the layer lives. */
  static readonly layer = (options: Partial<ReconcilerOptions> = {}) =>
    Layer.effect(Reconciler, make({ ...defaults, ...options }))
}

const make = Effect.fnUntraced(function* (options: ReconcilerOptions) {
  const store = yield* PaymentStore
  const registry = yield* ProviderRegistry
  const guard = yield* ProviderGuard
  const executor = yield* Executor
  const writer = yield* PaymentWriter
  const live = yield* LivePayments
  const inbox = yield* Inbox
  const ids = yield* Ids
  const returnAddress = yield* ReturnAddress

  const tick = Effect.gen(function* () {
    const told = yield* inbox.tick(options.batch)
    const now = yield* store.now
    const due = yield* store.claimDue({
      owner: executor.owner,
      now,
      until: now + timings.inquiry + timings.orphanGrace,
      limit: options.batch
    })
    if (due.length > 0) yield* settleAll(due)
    return Math.max(told, due.length)
  }).pipe(Effect.catchCause((cause) => Effect.as(Effect.logWarning("Due operations could not be claimed", cause), 0)))

  const settleAll = (due: ReadonlyArray<DueOperation>) =>
    Effect.forEach(due, settle, { concurrency: "unbounded", discard: true }).pipe(
      spanned("paymux.reconcile", () => ({ "paymux.operations": due.length }))
    )

  const settle = ({ operation, record }: DueOperation) =>
    reconcile(record, operation).pipe(
      // What breaks counts as a look: it ends in a review, and not in a look every few seconds for ever.
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logWarning(`Operation ${operation.id} could not be reconciled`, cause),
          again(record, operation, "asked")
        )
      ),
      Effect.catchCause((cause) => Effect.logWarning(`Operation ${operation.id} is left to the next look`, cause)),
      spanned("paymux.reconcile.operation", () => ({
        "paymux.payment.id": operation.paymentId,
        "paymux.operation.id": operation.id,
        "paymux.operation": operation.kind,
        "paymux.provider": operation.provider
      })),
      Effect.annotateLogs("payment_id", operation.paymentId)
    )

  const reconcile = Effect.fnUntraced(function* (record: PaymentRecord, operation: Operation) {
    if (operation.status === "planned") return yield* sendPlanned(record, operation)
    if (hasEnded(record, operation)) return yield* lookBack(record, operation)
    // A live owner's send is its own business, whatever the clock says.
    if (operation.status === "sending" && live.get(liveId(operation)) !== null) {
      const now = yield* store.now
      return yield* store.reschedule(operation, operation.checks, now + timings.orphanGrace)
    }
    if (operation.status !== "sending") return yield* look(record, operation)
    const lost = yield* executor.advance(evidence(operation, lostOwner))
    if (lost._tag === "Unmatched") return
    const unknown = lost.record.operations.find(({ id }) => id === operation.id)
    // Somebody may have told of it meanwhile.
    if (unknown?.status === "unknown") yield* look(lost.record, unknown)
  })

  /** Asks the provider what became of it. */
  const look = Effect.fnUntraced(function* (record: PaymentRecord, operation: Operation) {
    const running = registry.serving(operation.provider, record.payment.livemode)
    if (running === null) return yield* again(record, operation, "nobody there")
    const asked = providerOperation(record, operation, returnAddress)
    const now = yield* store.now
    const question = questionFor(operation, asked, running, record, now)
    if (question === null) {
      // Of what has just become unknown, a webhook may still tell.
      if (operation.nextCheckAt !== null && operation.nextCheckAt > now) return
      yield* closeAbandoned(record, operation, "not asked")
      return yield* again(record, operation, "nobody can be asked")
    }
    if (question.isReplay && !(yield* isStill(operation, record))) return
    const result = yield* ask(operation, question.effect)
    running.forget(operation.id)
    if (result === null) return yield* again(record, operation, "nobody there")
    const found = question.evidenceOf(result)
    const advanced = found === null ? null : yield* executor.advance(found)
    if (advanced === null || advanced._tag === "Unmatched") {
      return yield* again(record, operation, isUnread(result) ? "not understood" : "asked")
    }
    const latest = advanced.record.operations.find(({ id }) => id === operation.id)
    if (latest === undefined || latest.nextCheckAt === null || hasEnded(advanced.record, latest)) return
    if (found?.claim.kind === "pending" && (yield* closeAbandoned(advanced.record, latest, "asked"))) return
    yield* again(advanced.record, { ...latest, checks: operation.checks }, "asked")
  })

  /**
   * Inquires about an operation that has ended: money that was reported about it is to be confirmed, or "not found" was
   * final and may have been wrong.
   */
  const lookBack = Effect.fnUntraced(function* (record: PaymentRecord, operation: Operation) {
    const running = registry.serving(operation.provider, record.payment.livemode)
    const now = yield* store.now
    const question =
      running === null
        ? null
        : questionFor(operation, providerOperation(record, operation, returnAddress), running, record, now)
    if (question === null || question.isReplay) return yield* endLook(operation, unasked)
    const result = yield* ask(operation, question.effect)
    if (result === null) return yield* store.reschedule(operation, operation.checks, now + timings.absentProvider)
    const found = question.evidenceOf(result)
    const advanced = found === null ? null : yield* executor.advance(found)
    const latest = advanced === null || advanced._tag === "Unmatched" ? null : advanced.record
    const standing = latest?.operations.find(({ id }) => id === operation.id)
    if (standing !== undefined && standing.status !== operation.status) return
    const checks = operation.checks + 1
    const delay = lookBackDelay(
      operation,
      registry.declared(operation.provider, operation.kind).lookBackMs,
      found !== null
    )
    if (delay === undefined) return yield* endLook({ ...operation, checks }, unasked)
    yield* store.reschedule(operation, checks, now + delay)
  })

  /** What somebody has told of since it was claimed, or asked to cancel, is not sent again. */
  const isStill = (operation: Operation, known: PaymentRecord) =>
    Effect.map(
      store.get(operation.paymentId),
      (record) =>
        record?.operations.length === known.operations.length &&
        record.operations.some(({ id, status }) => id === operation.id && status === operation.status)
    )

  const sendPlanned = Effect.fnUntraced(function* (record: PaymentRecord, operation: Operation) {
    if (yield* executor.takeUp(record, operation)) return
    const now = yield* store.now
    yield* store.reschedule(operation, operation.checks, now + timings.absentProvider)
  })

  /** Whether the payer's time is over and something was done about it. */
  const closeAbandoned = Effect.fnUntraced(function* (
    record: PaymentRecord,
    operation: Operation,
    look: "asked" | "not asked"
  ) {
    const now = yield* store.now
    const { payment } = record
    const ability = {
      canCancel: registry.serving(operation.provider, payment.livemode)?.supports("cancel") ?? false,
      // It counts only where the provider itself has just said that nothing was paid.
      abandonedAfterMs: look === "asked" ? registry.declared(operation.provider, operation.kind).abandonedAfterMs : null
    }
    switch (abandonment(record, operation, ability, now, timings.closeAfterExpiry)) {
      case "wait":
        return false
      case "give_up":
        yield* executor.advance(evidence(operation, { kind: "expired" }))
        return true
      case "review":
        yield* write(record, closeFailed(record, operation, now))
        return false
      case "close": {
        const { attemptSeq, minorUnits, paymentId, provider } = operation
        const asked = { paymentId, attemptSeq, provider, minorUnits, owner: executor.owner, now }
        const closing = planned(yield* newOperation(ids, { ...asked, kind: "cancel", purpose: "expiry" }))
        yield* write(record, changed({ ...record, operations: [...record.operations, closing] }, now, {}, null))
        return false
      }
    }
  })

  /** `null`: breaker or bulkhead refused, nothing was asked. */
  const ask = Effect.fnUntraced(function* (operation: Operation, question: Effect.Effect<Inquiry, ProviderError>) {
    const admission = yield* Effect.catch(guard.admit(operation.provider, "inquire"), () => Effect.succeed(null))
    if (admission === null) return null
    return yield* Effect.ensuring(admission.call(question, timings.inquiry), admission.release)
  })

  /** Looks again later. What stays unknown when there is no later, an operator is asked to look at. */
  const again = Effect.fnUntraced(function* (record: PaymentRecord, operation: Operation, look: Look) {
    const now = yield* store.now
    const { costlyInquiry } = registry.declared(operation.provider, operation.kind)
    const checks = operation.checks + (look === "nobody there" ? 0 : 1)
    const scheduled = nextInquiryDelay(record.payment.method.rail, costlyInquiry, checks)
    const delay = delayAfter(look, operation, scheduled)
    const expiry = expiryAhead(record, now, timings.closeAfterExpiry)
    const next = delay === null ? expiry : Math.min(now + delay, expiry ?? Number.POSITIVE_INFINITY)
    if (next === null && needsOperator(record, operation, look)) yield* endLook({ ...operation, checks }, exhausted)
    else yield* store.reschedule(operation, checks, next)
  })

  /**
   * Nobody looks after the operation any more. In one commit with what an operator is then asked, so that nothing is left
   * open that neither the engine nor a person looks at.
   */
  const endLook = Effect.fnUntraced(function* (
    operation: Operation,
    askedOf: (over: PaymentRecord, latest: Operation, now: number) => PaymentRecord
  ) {
    while (true) {
      const record = yield* store.get(operation.paymentId)
      const latest = record?.operations.find(({ id }) => id === operation.id)
      if (record === null || latest?.status !== operation.status) return
      const over = replace(record, { operations: [{ ...latest, checks: operation.checks, nextCheckAt: null }] })
      const now = yield* store.now
      const asked = askedOf(over, latest, now)
      if (derived(asked, now).payment.reviews === record.payment.reviews) {
        return yield* store.reschedule(operation, operation.checks, null)
      }
      if (yield* write(record, changed(asked, now, {}, null))) return
    }
  })

  const write = (record: PaymentRecord, change: Changed | null) =>
    change === null
      ? Effect.succeed(false)
      : Effect.map(writer.write(record, change, { cause: null, binding: null }), (written) => written !== null)

  if (store.singleEngine) yield* Effect.flatMap(store.now, (now) => store.releaseOrphans(executor.owner, now))
  yield* tick.pipe(
    Effect.repeat({ while: (claimed) => claimed === options.batch }),
    Effect.andThen(Effect.sleep(options.every)),
    Effect.forever,
    Effect.forkScoped
  )
  return Reconciler.of({ tick })
})

/** ms until the next look; `undefined`: it was the last. */
const lookBackDelay = (
  { checks, status }: Operation,
  lookBackMs: ReadonlyArray<number>,
  isAnswered: boolean
): number | undefined => {
  if (status !== "not_executed" && status !== "declined") return isAnswered ? undefined : timings.confirmAgain[checks]
  const next = lookBackMs[checks + 1]
  return next === undefined ? undefined : next - (lookBackMs[checks] ?? 0)
}

/** A hold is looked after as long as its payment waits for it. */
const hasEnded = ({ attempts }: PaymentRecord, operation: Operation): boolean =>
  !isOpen(operation) && (operation.status !== "authorized" || attempts[operation.attemptSeq - 1]?.surplus === true)

/** What was not confirmed by now: its review is derived. */
const unasked = (over: PaymentRecord): PaymentRecord => over

/** What stays unknown. */
const exhausted = (over: PaymentRecord, latest: Operation, now: number): PaymentRecord =>
  questioned(over, "inquiries_exhausted", latest, now)

/** `null`: the question stands already, or was answered. */
const closeFailed = (record: PaymentRecord, operation: Operation, now: number): Changed | null => {
  const asked = questioned(record, "close_failed", operation, now)
  return asked === record ? null : changed(asked, now, {}, null)
}

/** The engine that sent it is gone: what it sent by then may have been executed (row 17). */
const lostOwner: EvidenceClaim = { kind: "unknown", reason: "timeout" }

const evidence = (operation: Operation, claim: EvidenceClaim): Evidence => ({
  source: "inquiry",
  about: { operation: operation.id },
  claim,
  reference: null,
  vendorCode: null,
  eventId: null,
  occurredAt: null
})

/**
 * - `nobody there`: not configured, or it refuses calls at the moment; that is no answer and counts for nothing.
 * - `not understood`: it answered in a word that its adapter does not know, and will answer the same again.
 */
type Look = "asked" | "not understood" | "nobody there" | "nobody can be asked"

const isUnread = (result: CallResult): boolean =>
  result._tag === "Answered" && result.answer._tag === "Unknown" && result.answer.reason === "unmapped"

const delayAfter = (look: Look, operation: Operation, scheduled: number | null): number | null => {
  switch (look) {
    case "asked":
      if (operation.status === "authorized") return timings.holdCheck
      return scheduled ?? (operation.status === "pending" ? timings.longCheck : null)
    case "not understood":
      return operation.status === "authorized" ? timings.holdCheck : scheduled
    case "nobody there":
      return timings.absentProvider
    case "nobody can be asked":
      // The provider has it: its webhook is waited for, a week.
      return operation.status === "pending" && operation.checks < 7 ? timings.longCheck : null
  }
}

/** Never for a payer who walked away: only where nobody knows what happened, or the provider does not come back to it. */
const needsOperator = ({ payment: { state } }: PaymentRecord, { kind, status }: Operation, look: Look): boolean => {
  if (status === "unknown" || (status === "pending" && look === "not understood")) return true
  const isLeft = kind === "create" && state.status === "pending" && state.nextAction !== null
  return status === "pending" && !isLeft
}
