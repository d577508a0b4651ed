/**
 * Settles what was left open: it claims operations whose next check has come, asks their provider, and carries the
 * answer through the one door.
 *
 * It sends nothing that could move money, except the same request under the same key where that is how the provider is
 * asked (`inquiry.by: "replay"`, or idempotency without an inquiry). A lost, stuck or doubled claim does no harm: every
 * write is a compare-and-set.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { isInFlight } from "../domain/Attempt.ts"
import { nextInquiryDelay } from "../domain/InquirySchedule.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import { flagForReview } from "../domain/transition.ts"
import type { Evidence, EvidenceClaim } from "../provider/Evidence.ts"
import { fromAnswer } from "../provider/Evidence.ts"
import type { Inquiry } from "../provider/Outcome.ts"
import type { ProviderError } from "../provider/ProviderError.ts"
import { ProviderRegistry } from "../provider/ProviderRegistry.ts"
import type { RunningProvider } from "../provider/ProviderRegistry.ts"
import { ProviderGuard } from "../resilience/ProviderGuard.ts"
import type { CallResult } from "../resilience/ProviderGuard.ts"
import { PaymentStore } from "../store/PaymentStore.ts"
import type { DueOperation } from "../store/PaymentStore.ts"
import { Executor } from "./Executor.ts"
import { LivePayments } from "./LivePayments.ts"
import { PaymentWriter } from "./PaymentWriter.ts"
import { providerOperation } from "./providerOperation.ts"
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

  const tick = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const due = yield* store.claimDue({
      owner: executor.owner,
      now,
      until: now + timings.inquiry + timings.orphanGrace,
      limit: options.batch
    })
    yield* Effect.forEach(due, settle, { concurrency: "unbounded", discard: true })
    return due.length
  }).pipe(Effect.catchCause((cause) => Effect.as(Effect.logWarning("Due operations could not be claimed", cause), 0)))

  const settle = ({ operation, record }: DueOperation) =>
    reconcile(record, operation).pipe(
      // What breaks counts as a look: it ends in a review, and not in a look every few seconds for ever.
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logWarning(`Operation ${operation.id} could not be reconciled`, cause),
          again(record, operation, "asked")
        )
      ),
      Effect.catchCause((cause) => Effect.logWarning(`Operation ${operation.id} is left to the next look`, cause))
    )

  const reconcile = Effect.fnUntraced(function* (record: PaymentRecord, operation: Operation) {
    if (!isInFlight(operation.status)) return yield* store.reschedule(operation.id, operation.checks, null)
    // A live owner's send is its own business, whatever the clock says.
    if (operation.status === "sending" && live.get(record.payment.id) !== null) {
      const now = yield* Clock.currentTimeMillis
      return yield* store.reschedule(operation.id, operation.checks, now + timings.orphanGrace)
    }
    if (operation.status === "sending") yield* executor.advance(evidence(operation, lostOwner))
    const running = registry.serving(operation.provider, record.payment.livemode)
    if (running === null) return yield* again(record, operation, "nobody there")
    const question = questionFor(record, operation, running, yield* Clock.currentTimeMillis)
    if (question === null) return yield* again(record, operation, "nobody can be asked")
    const result = yield* ask(operation, question.effect)
    if (result === null) return yield* again(record, operation, "nobody there")
    const found = question.evidenceOf(operation, result)
    const advanced = found === null ? null : yield* executor.advance(found)
    const settled = advanced !== null && advanced._tag !== "Unmatched" && !isOpen(advanced.record, operation)
    if (!settled) yield* again(record, operation, "asked")
  })

  /** `null`: breaker or bulkhead refused, nothing was asked. */
  const ask = Effect.fnUntraced(function* (operation: Operation, question: Effect.Effect<Inquiry, ProviderError>) {
    const admission = yield* Effect.catch(guard.admit(operation.provider, "inquire"), () => Effect.succeed(null))
    if (admission === null) return null
    return yield* Effect.ensuring(admission.call(question, timings.inquiry), admission.release)
  })

  /** Looks again later; when there is no later, an operator is asked to look. */
  const again = Effect.fnUntraced(function* (record: PaymentRecord, operation: Operation, look: Look) {
    const now = yield* Clock.currentTimeMillis
    const { costlyInquiry } = registry.declared(operation.provider, operation.kind)
    const checks = operation.checks + (look === "nobody there" ? 0 : 1)
    const delay = delayAfter(look, operation, nextInquiryDelay(record.payment.method.rail, costlyInquiry, checks))
    yield* store.reschedule(operation.id, checks, delay === null ? null : now + delay)
    if (delay === null) yield* review(record)
  })

  /** Never for a payer who walked away: only where nobody knows what happened. */
  const review = Effect.fnUntraced(function* ({ payment: { id } }: PaymentRecord) {
    while (true) {
      const record = yield* store.get(id)
      if (record === null || !record.attempts.some((attempt) => attempt.status === "unknown")) return
      const change = flagForReview(record, "inquiries_exhausted", yield* Clock.currentTimeMillis)
      if (change === null || change._tag === "Unchanged") return
      if ((yield* writer.write(record, change, { cause: null, binding: null })) !== null) return
    }
  })

  if (store.singleEngine)
    yield* Effect.flatMap(Clock.currentTimeMillis, (now) => store.releaseOrphans(executor.owner, now))
  yield* tick.pipe(
    Effect.repeat({ while: (claimed) => claimed === options.batch }),
    Effect.andThen(Effect.sleep(options.every)),
    Effect.forever,
    Effect.forkScoped
  )
  return Reconciler.of({ tick })
})

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

/** `nobody there`: not configured, or it refuses calls at the moment; that is no answer and counts for nothing. */
type Look = "asked" | "nobody there" | "nobody can be asked"

const delayAfter = (look: Look, operation: Operation, scheduled: number | null): number | null => {
  switch (look) {
    case "asked":
      return scheduled
    case "nobody there":
      return timings.absentProvider
    case "nobody can be asked":
      // A webhook may still tell, for a while.
      return operation.status === "sending" ? timings.holdBeforeReview : null
  }
}

interface Question {
  readonly effect: Effect.Effect<Inquiry, ProviderError>
  /** `null`: the answer says nothing about the operation, which stays as unknown as it was (row 16). */
  readonly evidenceOf: (operation: Operation, result: CallResult) => Evidence | null
}

/** `null`: nobody can be asked. */
const questionFor = (
  record: PaymentRecord,
  operation: Operation,
  { declared, operations }: RunningProvider,
  now: number
): Question | null => {
  const asked = providerOperation(record.payment, operation)
  const { inquire } = operations
  const { canInquire, idempotency } = declared(operation.kind)
  if (canInquire && inquire !== undefined)
    return { effect: Effect.suspend(() => inquire(asked)), evidenceOf: ofInquiry }
  const replays =
    (idempotency.by === "header" || idempotency.by === "body") && now - operation.createdAt < idempotency.lifetimeMs
  return replays && operation.kind === "create" && operation.status !== "pending"
    ? { effect: Effect.suspend(() => operations.create(asked)), evidenceOf: ofReplay }
    : null
}

/** An inquiry that did not reach the provider proves nothing about what was sent before. */
const ofInquiry: Question["evidenceOf"] = (operation, result) => {
  if (result._tag !== "Answered" || result.answer._tag === "Unknown") return null
  const { answer } = result
  return answer._tag === "NotExecuted" && answer.reason !== "proof_code"
    ? null
    : fromAnswer("inquiry", operation.id, answer)
}

/** Under a live key only the first send's own result counts; any other answer is about this send alone. */
const ofReplay: Question["evidenceOf"] = (operation, result) => {
  if (result._tag !== "Answered") return null
  switch (result.answer._tag) {
    case "Succeeded":
    case "Authorized":
    case "Pending":
    case "Declined":
      return fromAnswer("inquiry", operation.id, result.answer)
    default:
      return null
  }
}

const isOpen = (record: PaymentRecord, { id }: Operation): boolean =>
  record.operations.some((operation) => operation.id === id && isInFlight(operation.status))
