/**
 * The delivery worker. It runs in the background while its layer is open, woken by each new event and by a poll.
 *
 * When the layer closes, running attempts get a grace period. A delivery whose attempt does not end in time, or is lost in
 * a crash, is claimed again once its lease expires: endpoints receive each event at least once, under one id.
 */
import { Ids } from "@paymux/core"
import { PaymentWriter, whenClockSetBack } from "@paymux/core/engine"
import { clockTolerance } from "@paymux/core/store"
import type { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { Clock, Context, Effect, FiberSet, Layer, Queue } from "effect"
import * as CallLimiter from "./CallLimiter.ts"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { ClaimedDelivery } from "./Delivery.ts"
import type { WebhookEndpoints } from "../endpoint/Endpoints.ts"
import { fanOut } from "./FanOut.ts"
import { makeHttpAttempt } from "./HttpAttempt.ts"
import * as ConcurrencyLimiter from "./ConcurrencyLimiter.ts"
import * as ListenerEndpoint from "../endpoint/ListenerEndpoint.ts"
import { makeListenerAttempt, listenerTimeout } from "./ListenerAttempt.ts"
import type { EventListener } from "./ListenerAttempt.ts"
import { pruneOnce } from "./Pruning.ts"
import type { WebhookHttp } from "../WebhookHttp.ts"

export interface SenderOptions {
  /** Paymux's version, sent in the `user-agent` header. */
  readonly version: string
  /** Poll interval in ms. Default 1000. */
  readonly poll?: number
  /** Delay in ms after a nudge, so that one query serves many events under load. Default 25. */
  readonly gather?: number
  /** Time limit of one attempt in ms. Default 15,000. */
  readonly timeout?: number
  /** Concurrent attempts in total and per endpoint. Default 64 and 8; slow endpoints get less, see `ConcurrencyLimiter`. */
  readonly concurrency?: number
  readonly concurrencyPerEndpoint?: number
  /** An endpoint is disabled after every attempt has failed for this many ms. Default 5 days. */
  readonly disableAfter?: number
  /** Retention of finished deliveries in ms, successful or not. Default 30 days; `null`: forever. */
  readonly keepDeliveriesFor?: number | null
  /** Grace period for running attempts when the layer closes, in ms. Default 3000. */
  readonly grace?: number
  /** The program's own listener. */
  readonly listener?: EventListener
}

export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Wakes the worker for deliveries that no new event announces, such as a resend. Returns immediately. */
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
    keepDeliveriesFor = 30 * 86_400_000,
    poll = 1000,
    listener,
    timeout = 15_000,
    version
  } = options
  const deliveries = yield* WebhookDeliveries
  const owner = (yield* Ids).engine()
  const listening = listener === undefined ? null : yield* ListenerEndpoint.make(listener, poll)
  const nudges = yield* Queue.sliding<void>(1)
  const nudge = Effect.asVoid(Queue.offer(nudges, undefined))
  const tries = yield* FiberSet.make<void>()
  // Added after `FiberSet.make`, so that it runs before the set's own finalizer interrupts the rest.
  yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(tries)), grace))

  /** The end of each lease, by the id of its delivery. */
  const inFlight = new Map<number, number>()
  const expired = (now: number) => [...inFlight].flatMap(([id, until]) => (until <= now ? [id] : []))
  const startAttempt = <E, R>({ id, until }: ClaimedDelivery, work: Effect.Effect<unknown, E, R>, end: () => void) => {
    inFlight.set(id, until)
    return FiberSet.run(
      tries,
      Effect.ensuring(
        logged(work),
        Effect.suspend(() => {
          inFlight.delete(id)
          end()
          return nudge
        })
      )
    )
  }

  const limiter = ConcurrencyLimiter.make({ concurrency, concurrencyPerEndpoint })
  const attemptOverHttp = makeHttpAttempt({ userAgent: `Paymux/${version}`, timeout, disableAfter })
  const turns = ConcurrencyLimiter.makeTurns()
  const startHttp = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const due = turns.order(yield* deliveries.dueEndpoints(now), limiter.running)
    for (const endpoint of due) {
      // An equal share for each at first, so that one that hangs has not used up the limit.
      const limit = Math.min(limiter.room(endpoint, now), Math.ceil(concurrency / due.length))
      if (limit <= 0) continue
      const until = now + timeout + leaseBeyondTimeout
      const claimed = yield* deliveries.claim({
        endpointId: endpoint.id,
        owner,
        now,
        until,
        limit,
        except: expired(now)
      })
      if (claimed.length > 0) turns.took(endpoint.id)
      for (const delivery of claimed) {
        yield* startAttempt(delivery, attemptOverHttp(delivery), limiter.begin(endpoint, now))
      }
    }
  })

  const calls = CallLimiter.make()
  const startCalls = Effect.fnUntraced(function* (listener: EventListener, endpointId: string) {
    const attemptInProcess = makeListenerAttempt(listener)
    const now = yield* Clock.currentTimeMillis
    const until = now + listenerTimeout + leaseBeyondTimeout
    for (const tries of ["first", "further"] as const) {
      const limit = calls.room(tries, now)
      if (limit <= 0) continue
      const claimed = yield* deliveries.claimOrdered({
        endpointId,
        owner,
        now,
        until,
        limit,
        tries,
        except: expired(now)
      })
      for (const delivery of claimed) {
        yield* startAttempt(delivery, attemptInProcess(delivery), calls.begin(tries, now))
      }
    }
  })

  const startFanOut = Effect.gen(function* () {
    const events = yield* fanOut(fanOutBatch)
    if (events === fanOutBatch) yield* nudge
  })
  // Each step separately: an event that cannot be decoded must not block those fanned out before it.
  const work = Effect.gen(function* () {
    if (listening !== null) yield* logged(listening.stay)
    yield* logged(startFanOut)
    if (listener !== undefined && listening !== null) yield* logged(startCalls(listener, listening.id))
    yield* logged(startHttp)
  })

  const longestLease = Math.max(timeout, listenerTimeout) + leaseBeyondTimeout
  yield* whenClockSetBack(Clock.currentTimeMillis, Math.max(poll, 10_000), (now) =>
    correctAll(deliveries, now, longestLease)
  )
  yield* Queue.take(nudges).pipe(
    Effect.timeoutOption(poll),
    Effect.andThen(gather > 0 ? Effect.sleep(gather) : Effect.void),
    // A claim must not be lost between the database and the start of its attempt.
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

/** What a clock set that was ahead. A claim ends after the time of an attempt, since its worker may be alive. */
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
  yield* deliveries.releaseClaims(ahead)
})

/** So that no statement takes long. */
const correctedAtOnce = 1_000

/** Logs a failure. The work is retried once the database is back or the lease expires. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  effect.pipe(
    Effect.asVoid,
    Effect.catchCause((cause) => Effect.logError("Webhook delivery failed and will be retried", cause))
  )

const fanOutBatch = 100
/** ms */
const pruneEvery = 3_600_000
/** How long a lease outlives its attempt's time limit in ms, for the reads and writes around it. */
const leaseBeyondTimeout = 15_000
