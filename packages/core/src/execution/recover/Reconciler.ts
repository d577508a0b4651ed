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

const make = Effect.fnUntraced(function* ({ every, reviewAbsentAfter, share }: ReconcilerOptions) {
  const inbox = yield* Inbox
  const services: ReconcileServices = { ...(yield* reconcileServices), reviewAbsentAfter }
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
  const startOperations = yield* startDueWork({ ...store, run: (due) => settleOperation(services, due) }, options)
  const startKept = yield* startDueWork(keptWork(services, inbox), { ...options, share: Math.min(share, mostKept) })
  return Reconciler.of({ tick: Effect.andThen(Effect.andThen(startKept, startReports), startOperations) })
})

/** Webhooks that were kept while their instance was not configured, of instances that are: in the mode of their payments. */
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

/** Of one instance at once: after a long absence there are a thousand, beside the work of its payments. */
const mostKept = 10

/** ms. What was scheduled by a clock that was ahead may wait a minute. */
const clockLooks = 10_000
