/**
 * The webhook delivery worker. It runs in the background while its layer is open, woken by each new event and by
 * polling.
 *
 * When the layer closes, running attempts get a grace period. A delivery whose attempt does not end in time, or is lost
 * in a crash, is claimed again once its lease expires: endpoints receive each event at least once, under one id.
 */
import { Ids } from "@paymux/core"
import { PaymentWriter, whenClockSetBack } from "@paymux/core/engine"
import { clockTolerance } from "@paymux/core/store"
import type { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { Clock, Context, Effect, FiberSet, Layer, Queue } from "effect"
import { WebhookDeliveries } from "./Deliveries.ts"
import * as DeliveryResults from "./DeliveryResults.ts"
import type { WebhookEndpoints } from "../endpoint/Endpoints.ts"
import { fanOut } from "./FanOut.ts"
import * as HttpDeliveries from "./HttpDeliveries.ts"
import * as ListenerEndpoint from "../endpoint/ListenerEndpoint.ts"
import { listenerTimeout } from "./ListenerAttempt.ts"
import type { EventListener } from "./ListenerAttempt.ts"
import * as ListenerCalls from "./ListenerCalls.ts"
import { makeIsBusy } from "./loopLoad.ts"
import { pruneOnce } from "./Pruning.ts"
import * as Worker from "./Worker.ts"
import { defaultTimeout, leaseBeyondTimeout } from "./Worker.ts"
import type { WebhookHttp } from "../WebhookHttp.ts"

export interface SenderOptions {
  /** The version of Paymux, for the `user-agent` header. */
  readonly version: string
  /** The poll interval, ms. Default: 1000. */
  readonly poll?: number
  /**
   * The delay after the worker is woken, ms, so that one query serves many events under load. Default: 25; four times
   * as long while the event loop is busy.
   */
  readonly gather?: number
  /** The time limit of one attempt, ms. Default: 15,000. */
  readonly timeout?: number
  /**
   * The maximum number of concurrent attempts, in total and per endpoint. Default: 64 and 8. Slow endpoints get fewer,
   * see `ConcurrencyLimiter`.
   */
  readonly concurrency?: number
  readonly concurrencyPerEndpoint?: number
  /** The duration, ms, of uninterrupted failures after which an endpoint is disabled. Default: 5 days. */
  readonly disableAfter?: number
  /** The retention of finished deliveries, successful or not, ms. Default: 30 days; `null` keeps them forever. */
  readonly keepDeliveriesFor?: number | null
  /**
   * Whether the process is busy, so that fewer deliveries are sent at a time. Default: measured by the utilization of
   * the event loop.
   */
  readonly isBusy?: () => boolean
  /** The grace period for running attempts when the layer closes, ms. Default: 3000. */
  readonly grace?: number
  /** The listener of the embedding program. */
  readonly listener?: EventListener
}

export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Wakes the worker for deliveries that are not announced by a new event, such as a resend. Returns immediately. */
    readonly nudge: Effect.Effect<void>
  }
>()("@paymux/webhooks/Sender") {
  static readonly layer = (
    options: SenderOptions
  ): Layer.Layer<
    WebhookSender,
    StoreUnavailable,
    PaymentStore | PaymentWriter | Ids | WebhookEndpoints | WebhookDeliveries | WebhookHttp
  > => Layer.effect(WebhookSender, make(options))
}

const make = Effect.fnUntraced(function* (options: SenderOptions) {
  const {
    concurrency = 64,
    concurrencyPerEndpoint = 8,
    disableAfter = 5 * 86_400_000,
    gather = 25,
    grace = 3000,
    isBusy = makeIsBusy(),
    keepDeliveriesFor = 30 * 86_400_000,
    poll = 1000,
    listener,
    timeout = defaultTimeout,
    version
  } = options
  const deliveries = yield* WebhookDeliveries
  const listening = listener === undefined ? null : yield* ListenerEndpoint.make(listener, poll)
  const nudges = yield* Queue.sliding<void>(1)
  const nudge = Effect.asVoid(Queue.offer(nudges, undefined))
  const results = yield* DeliveryResults.make(disableAfter)
  const tries = yield* FiberSet.make<void>()
  const run = yield* FiberSet.runtime(tries)()
  const worker = Worker.make({
    owner: (yield* Ids).engine(),
    run,
    release: deliveries.release,
    end: (attempt) => {
      results.add(attempt)
      Queue.offerUnsafe(nudges, undefined)
    }
  })
  const http = yield* HttpDeliveries.make({ worker, timeout, concurrency, concurrencyPerEndpoint, version })
  const calls =
    listener === undefined || listening === null ? null : yield* ListenerCalls.make(listener, listening.id, worker)
  // This finalizer is added after `FiberSet.make`, so that it runs before the set interrupts the remaining attempts.
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      http.giveBackAll()
      calls?.giveBackAll()
      yield* logged(worker.release)
      yield* Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(tries)), grace)
      yield* logged(results.store)
    })
  )

  let fanOutLimit = fanOutBatch
  const startFanOut = Effect.gen(function* () {
    const fanned = yield* fanOut(fanOutLimit)
    if (fanned.events === fanOutLimit) yield* nudge
    if (fanned.events === 0) return
    const each = Math.max(1, fanned.deliveries / fanned.events)
    fanOutLimit = Math.max(1, Math.min(fanOutBatch, Math.floor(mostFannedOut / each)))
    yield* pauseAfter(fanned.deliveries)
  })
  // Runs each step separately: an event that cannot be decoded must not block those fanned out before it.
  const work = Effect.gen(function* () {
    yield* logged(Effect.flatMap(results.store, pauseAfter))
    if (listening !== null) yield* logged(listening.stay)
    yield* logged(startFanOut)
    if (calls !== null) yield* logged(calls.start)
    yield* logged(http.start)
  })

  const longestLease = Math.max(timeout, listenerTimeout) + leaseBeyondTimeout
  yield* whenClockSetBack(Clock.currentTimeMillis, Math.max(poll, 10_000), (now) =>
    correctAll(deliveries, now, longestLease)
  )
  yield* Queue.take(nudges).pipe(
    Effect.timeoutOption(poll),
    Effect.andThen(
      Effect.suspend(() => (gather > 0 ? Effect.sleep(isBusy() ? gather * busyFactor : gather) : Effect.void))
    ),
    // Uninterruptible, so that no claim is lost between the database and the start of its attempt.
    Effect.andThen(Effect.uninterruptible(work)),
    Effect.forever,
    Effect.forkScoped
  )
  if (keepDeliveriesFor !== null) {
    yield* logged(pruneOnce(keepDeliveriesFor)).pipe(
      Effect.andThen(Effect.sleep(pruneEvery)),
      Effect.forever,
      Effect.forkScoped
    )
  }
  yield* (yield* PaymentWriter).onEvent(nudge)
  yield* nudge
  return WebhookSender.of({ nudge })
})

/**
 * Corrects due times and claims that were set while the clock was ahead. A claim is ended only after the longest lease,
 * since its worker may still be sending.
 */
const correctAll = Effect.fnUntraced(function* (
  deliveries: WebhookDeliveries["Service"],
  now: number,
  longestLease: number
) {
  let count = 0
  do {
    count = yield* deliveries.correctDueTimes(now, correctedAtOnce)
  } while (count >= correctedAtOnce)
  const ahead = yield* deliveries.claimsAhead(now + longestLease + clockTolerance)
  if (ahead.length === 0) return
  yield* Effect.sleep(longestLease)
  yield* deliveries.release(ahead)
})

/** The number of rows per statement, so that no statement takes long. */
const correctedAtOnce = 1_000

/** Logs a failure and continues. The work is retried once the database is available or the lease expires. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  effect.pipe(
    Effect.asVoid,
    Effect.catchCause((cause) => Effect.logError("Webhook delivery failed and will be retried", cause))
  )

/** Yields after a step with many deliveries, so that payments continue between the steps of a large round. */
const pauseAfter = (deliveries: number) => (deliveries < many ? Effect.void : Effect.yieldNow)
const many = 16

const fanOutBatch = 100
/**
 * The maximum number of deliveries that a fan-out round adds, so that no insert takes long. The number is estimated
 * from the endpoints of the previous events. At least one event is fanned out.
 */
const mostFannedOut = 256
/**
 * The factor by which rounds are less frequent while the event loop is busy. A round has at most `concurrency`
 * deliveries, so payments get more time.
 */
const busyFactor = 4
/** The interval between deletions of old deliveries, ms. */
const pruneEvery = 3_600_000
