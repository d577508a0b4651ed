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
    yield* Effect.forEach(due, settle, { concurrency: 16, discard: true })
    return due.length
  }).pipe(Effect.catch((error) => Effect.as(Effect.logWarning("Due operations could not be claimed", error), 0)))

  const settle = ({ operation, record }: DueOperation) =>
    Effect.catchCause(reconcile(record, operation), (cause) =>
      Effect.logWarning(`Operation ${operation.id} could not be reconciled`, cause)
    )

  const reconcile = Effect.fnUntraced(function* (record: PaymentRecord, operation: Operation) {
    // A live owner's send is its own business, whatever the clock says.
    if (!isInFlight(operation.status)) return yield* store.reschedule(operation.id, operation.checks, null)
    if (operation.status === "sending" && live.get(record.payment.id) !== null) {
      const now = yield* Clock.currentTimeMillis
      return yield* store.reschedule(operation.id, operation.checks, now + timings.orphanGrace)
    }
    if (operation.status === "sending") yield* executor.advance(evidence(operation, lostOwner))
    const question = questionFor(record, operation, registry.get(operation.provider), yield* Clock.currentTimeMillis)
    const found = question === null ? null : yield* ask(operation, question)
    const advanced = found === null ? null : yield* executor.advance(found)
    const settled = advanced?._tag === "Applied" && !isOpen(advanced.record, operation)
    if (!settled) yield* again(record, operation, question !== null)
  })

  const ask = Effect.fnUntraced(function* (operation: Operation, question: Question) {
    const admission = yield* Effect.catch(guard.admit(operation.provider, "inquire"), () => Effect.succeed(null))
    if (admission === null) return null
    const result = yield* Effect.ensuring(admission.call(question, timings.inquiry), admission.release)
    return inquiryEvidence(operation, result)
  })

  /** Looks again later; when there is no later, an operator is asked to look. */
  const again = Effect.fnUntraced(function* (record: PaymentRecord, operation: Operation, canAsk: boolean) {
    const now = yield* Clock.currentTimeMillis
    const costly = registry.get(operation.provider)?.declared(operation.kind).costlyInquiry ?? false
    const checks = operation.checks + 1
    // Nobody to ask: a webhook may still tell, for a while.
    const wait = operation.status === "sending" ? timings.holdBeforeReview : null
    const delay = canAsk ? nextInquiryDelay(record.payment.method.rail, costly, checks) : wait
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

type Question = Effect.Effect<Inquiry, ProviderError>

/** `null`: nobody can be asked. */
const questionFor = (
  record: PaymentRecord,
  operation: Operation,
  running: RunningProvider | null,
  now: number
): Question | null => {
  if (running === null) return null
  const { declared, operations } = running
  const asked = providerOperation(record.payment, operation)
  const { canInquire, idempotency } = declared(operation.kind)
  if (canInquire && operations.inquire !== undefined) return operations.inquire(asked)
  const replays =
    (idempotency.by === "header" || idempotency.by === "body") && now - operation.createdAt < idempotency.lifetimeMs
  return replays && operation.kind === "create" && operation.status !== "pending" ? operations.create(asked) : null
}

/** Anything but an answer leaves the outcome as unknown as it was (row 16). */
const inquiryEvidence = (operation: Operation, result: CallResult): Evidence | null =>
  result._tag === "Answered" && result.answer._tag !== "Unknown"
    ? fromAnswer("inquiry", operation.id, result.answer)
    : null

const isOpen = (record: PaymentRecord, { id }: Operation): boolean =>
  record.operations.some((operation) => operation.id === id && isInFlight(operation.status))
