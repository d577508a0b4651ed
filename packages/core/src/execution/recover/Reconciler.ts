/**
 * Settles what was left open: it claims operations whose next check has come, asks their provider, and applies the answer.
 * It also applies the reports of providers that wait, and reads webhooks that were kept for an instance until it returned. Each
 * provider instance has its own share of each.
 *
 * It sends nothing that could move money, except the same request under the same key where that is how the provider is
 * asked (`inquiry.by: "replay"`, or idempotency without an inquiry). A lost, stuck or doubled claim does no harm: every
 * write is a compare-and-set.
 */
import { Context, Effect, Layer } from "effect"
import { Ids } from "../../domain/Ids.ts"
import { fromAnswer } from "../../domain/Evidence.ts"
import { unknown } from "../../domain/Outcome.ts"
import { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import { ReturnAddress } from "../../provider/ReturnAddress.ts"
import { ProviderGuard } from "../../resilience/ProviderGuard.ts"
import { PaymentStore } from "../../store/PaymentStore.ts"
import type { KeptWebhook } from "../../store/KeptWebhookStore.ts"
import type { DueOperation } from "../../store/PaymentStore.ts"
import { spanned } from "../../telemetry/spans.ts"
import { startDueWork } from "./dueWork.ts"
import type { DueWork } from "./dueWork.ts"
import { correctDueTimes } from "./correctDueTimes.ts"
import { CreationOrder } from "../begin/CreationOrder.ts"
import { continueOrder } from "../records/paymentList.ts"
import { whenClockSetBack } from "./whenClockSetBack.ts"
import { awaitInstance, instanceReturned } from "./absentInstance.ts"
import { Executor, recordOf } from "../Executor.ts"
import { Inbox } from "./inbox/Inbox.ts"
import { checkBroke, hasEnded, inquire, inquireAfterEnd } from "./inquiries.ts"
import type { InquiryServices } from "./inquiries.ts"
import { liveId, LivePayments } from "../begin/LivePayments.ts"
import { PaymentWriter } from "../conclude/PaymentWriter.ts"
import { timings } from "../timings.ts"

export interface ReconcilerOptions {
  /** How often due work is looked for, in ms. */
  readonly every: number
  /** How many operations, and how many reports, of each provider instance are in progress at once. */
  readonly share: number
  /** How long an instance may be missing from the configuration before each of its open operations is reviewed, in ms. */
  readonly reviewAbsentAfter: number
}

const defaults: ReconcilerOptions = { every: 1000, share: 50, reviewAbsentAfter: 24 * 60 * 60_000 }

export class Reconciler extends Context.Service<
  Reconciler,
  {
    /** Claims what is due now and starts it. */
    readonly tick: Effect.Effect<void>
  }
>()("@paymux/core/execution/Reconciler") {
  /** With the process that ticks for as long as the layer lives. */
  static readonly layer = (options: Partial<ReconcilerOptions> = {}) =>
    Layer.effect(Reconciler, make({ ...defaults, ...options }))
}

interface Services extends InquiryServices {
  readonly live: LivePayments["Service"]
}

const make = Effect.fnUntraced(function* ({ every, reviewAbsentAfter, share }: ReconcilerOptions) {
  const inbox = yield* Inbox
  const services: Services = {
    store: yield* PaymentStore,
    registry: yield* ProviderRegistry,
    guard: yield* ProviderGuard,
    executor: yield* Executor,
    writer: yield* PaymentWriter,
    live: yield* LivePayments,
    ids: yield* Ids,
    returnAddress: yield* ReturnAddress,
    reviewAbsentAfter
  }
  const { executor, store } = services
  if (store.singleEngine) yield* Effect.flatMap(store.now, (now) => store.releaseOrphans(executor.owner, now))
  const order = yield* CreationOrder
  // Before the first payment. If the database does not answer, the first look does it.
  yield* Effect.ignore(continueOrder(order, store))
  yield* whenClockSetBack(store.now, Math.max(every, clockLooks), (now) =>
    Effect.andThen(continueOrder(order, store), correctDueTimes(store, services.registry, now))
  )
  const options = { owner: executor.owner, now: store.now, every, share }
  const startReports = yield* startDueWork({ ...store.inbox, run: inbox.applyClaimed }, options)
  const startOperations = yield* startDueWork({ ...store, run: (due) => settle(services, due) }, options)
  const startKept = yield* startDueWork(keptWork(services, inbox), { ...options, share: Math.min(share, mostKept) })
  return Reconciler.of({ tick: Effect.andThen(Effect.andThen(startKept, startReports), startOperations) })
})

/** Webhooks that were kept while their instance was not configured, of instances that are: in the mode of their payments. */
const keptWork = ({ registry, store }: Services, inbox: Inbox["Service"]): DueWork<KeptWebhook> => ({
  dueProviders: (now) =>
    Effect.map(store.keptWebhooks.dueInstances(now), (due) =>
      due.flatMap(({ livemode, provider }) =>
        registry.serving(provider, livemode)?.operations.webhook === undefined ? [] : [provider]
      )
    ),
  claimDue: (claim) =>
    store.keptWebhooks.claimDue({ ...claim, livemode: registry.get(claim.provider)?.provider.mode === "live" }),
  run: inbox.readClaimed
})

/** Of one instance at once: after a long absence there are a thousand, beside the work of its payments. */
const mostKept = 10

/** ms. What was scheduled by a clock that was ahead may wait a minute. */
const clockLooks = 10_000

const settle = (services: Services, due: DueOperation) => {
  const { operation } = due
  return reconcile(services, due).pipe(
    // A check that breaks is counted: it ends in a review, and not in a check every few seconds for ever.
    Effect.catchCause((cause) =>
      Effect.andThen(
        Effect.logWarning(`Operation ${operation.id} could not be reconciled`, cause),
        checkBroke(services, due)
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
}

const reconcile = Effect.fnUntraced(function* (services: Services, claimed: DueOperation) {
  const { executor, live, registry, store } = services
  const isAbsent = registry.serving(claimed.operation.provider, claimed.record.payment.livemode) === null
  const due = isAbsent ? claimed : yield* instanceReturned(services, claimed)
  if (due === null) return
  const { operation } = due
  if (isAbsent && operation.status === "planned") return yield* awaitInstance(services, due)
  if (operation.status === "planned") return yield* sendPlanned(services, due)
  if (hasEnded(due)) return yield* inquireAfterEnd(services, due)
  if (operation.status !== "sending") return yield* inquire(services, due)
  // The send of a live owner is in progress, whatever its age.
  if (live.get(liveId(operation)) !== null) {
    const now = yield* store.now
    return yield* store.reschedule(operation, operation.checks, now + timings.orphanGrace)
  }
  // The engine that sent it has stopped: the request may have been executed.
  const lost = yield* executor.advance(fromAnswer("inquiry", operation.id, unknown({ reason: "timeout" })))
  const record = recordOf(lost)
  if (record === null) return
  const latest = record.operations.find(({ id }) => id === operation.id)
  // Other evidence may have come meanwhile.
  if (latest?.status === "unknown") yield* inquire(services, { record, operation: latest })
})

const sendPlanned = Effect.fnUntraced(function* ({ executor, store }: Services, { operation, record }: DueOperation) {
  if (yield* executor.claimAndSend(record, operation)) return
  const now = yield* store.now
  yield* store.reschedule(operation, operation.checks, now + timings.absentProvider)
})
