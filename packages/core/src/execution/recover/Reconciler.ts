/**
 * Reconciles open operations with their providers: claims operations whose next check is due, inquires at their
 * providers, and applies the answers. The reconciler also applies waiting reports from providers, and reads webhooks
 * that were stored while their provider instance was not configured. Each provider instance has its own share of each
 * kind of work.
 *
 * The reconciler sends nothing that moves money, except planned operations, and repeated sends with the same
 * idempotency key if these are the provider's inquiry (`inquiry.by: "replay"`, or idempotency without an inquiry). A
 * lost, stuck or duplicate claim is harmless, because every write is a compare-and-set.
 */
import { Context, Effect, Layer } from "effect"
import type { KeptWebhook } from "../../store/KeptWebhookStore.ts"
import { startDueWork } from "./dueWork.ts"
import type { DueWork } from "./dueWork.ts"
import { correctDueTimes } from "./correctDueTimes.ts"
import { CreationOrder } from "../begin/CreationOrder.ts"
import { continueOrder } from "../records/paymentList.ts"
import { whenClockSetBack } from "./whenClockSetBack.ts"
import { Inbox } from "./inbox/Inbox.ts"
import { reconcileServices, settleOperation } from "./reconcileOperation.ts"
import type { ReconcileServices } from "./reconcileOperation.ts"

export interface ReconcilerOptions {
  /** The polling interval, ms. */
  readonly every: number
  /** The number of operations, and of reports, that are in progress at once for each provider instance. */
  readonly share: number
  /**
   * The time, ms, for which a provider instance may be missing from the configuration before its open operations are
   * put in review.
   */
  readonly reviewAbsentAfter: number
}

const defaults: ReconcilerOptions = { every: 1000, share: 50, reviewAbsentAfter: 24 * 60 * 60_000 }

export class Reconciler extends Context.Service<
  Reconciler,
  {
    /** Claims the work that is due now and starts it. */
    readonly tick: Effect.Effect<void>
  }
>()("@paymux/core/execution/Reconciler") {
  /** Polls for due work while the layer lives. */
  static readonly layer = (options: Partial<ReconcilerOptions> = {}) =>
    Layer.effect(Reconciler, make({ ...defaults, ...options }))
}

const make = Effect.fnUntraced(function* ({ every, reviewAbsentAfter, share }: ReconcilerOptions) {
  const inbox = yield* Inbox
  const services: ReconcileServices = { ...(yield* reconcileServices), reviewAbsentAfter }
  const { executor, store } = services
  if (store.singleEngine) yield* Effect.flatMap(store.now, (now) => store.releaseOrphans(executor.owner, now))
  const order = yield* CreationOrder
  // Makes new payment ids sort after the newest stored payment, before this engine creates one. If the database does
  // not answer, the first poll does this.
  yield* Effect.ignore(continueOrder(order, store))
  yield* whenClockSetBack(store.now, Math.max(every, clockLooks), (now) =>
    Effect.andThen(continueOrder(order, store), correctDueTimes(store, services.registry, now))
  )
  const options = { owner: executor.owner, now: store.now, every, share }
  const startReports = yield* startDueWork({ ...store.inbox, run: inbox.applyClaimed }, options)
  const startOperations = yield* startDueWork({ ...store, run: (due) => settleOperation(services, due) }, options)
  const startKept = yield* startDueWork(keptWork(services, inbox), { ...options, share: Math.min(share, mostKept) })
  return Reconciler.of({ tick: Effect.andThen(Effect.andThen(startKept, startReports), startOperations) })
})

/**
 * The due work of reading webhooks that were stored while their provider instance was not configured. They are due once
 * the instance is configured in the mode of its payments.
 */
const keptWork = ({ registry, store }: ReconcileServices, inbox: Inbox["Service"]): DueWork<KeptWebhook> => ({
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

/**
 * The maximum number of stored webhooks of a provider instance that are read concurrently: after a long absence, a
 * thousand of them would compete with the payments of the instance.
 */
const mostKept = 10

/**
 * The minimum interval between checks for a clock correction, ms. Work that a fast clock scheduled may wait a minute
 * longer.
 */
const clockLooks = 10_000
