/**
 * The worker that delivers: in the background for as long as its layer lives, woken by each event row and by a poll.
 *
 * A try that has begun when the layer closes gets a few seconds. One that does not end in them, or in a crash, is taken
 * up by whoever comes after its lease: endpoints hear of an event at least once, under one id.
 */
import { Ids } from "@paymux/core"
import { PaymentWriter } from "@paymux/core/engine"
import type { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { Clock, Context, Effect, FiberSet, Layer, Queue } from "effect"
import * as Calls from "./Calls.ts"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { WebhookEndpoints } from "./Endpoints.ts"
import { fanOut } from "./FanOut.ts"
import { makeHttpTry } from "./HttpTry.ts"
import * as Lanes from "./Lanes.ts"
import * as ProcessEndpoint from "./ProcessEndpoint.ts"
import { makeProcessTry, processTimeout } from "./ProcessTry.ts"
import type { ProcessListener } from "./ProcessTry.ts"
import { pruneOnce } from "./Pruning.ts"
import type { WebhookHttp } from "./WebhookHttp.ts"

export interface SenderOptions {
  /** Of Paymux: told to receivers in `user-agent`. */
  readonly version: string
  /** ms between two looks without a nudge. Default 1000. */
  readonly poll?: number
  /** ms after a nudge in which further events join the same look. Default 25: under load, one look serves many. */
  readonly gather?: number
  /** ms for one try as a whole. Default 15,000. */
  readonly timeout?: number
  /** Tries at one time, over all endpoints and to one. Default 64 and 8; for those that hang or fail see `Lanes`. */
  readonly concurrency?: number
  readonly concurrencyPerEndpoint?: number
  /** ms for which every try to an endpoint must have failed before it is disabled. Default 5 days. */
  readonly disableAfter?: number
  /** ms for which deliveries are kept after they ended, well or not. Default 30 days; `null`: for ever. */
  readonly keepDeliveriesFor?: number | null
  /** ms that tries get to end when the layer closes. Default 3000. */
  readonly grace?: number
  /** The program itself, told by a call. */
  readonly process?: ProcessListener
}

export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** There may be something to deliver that no event row tells of, as after a re-send. It returns at once. */
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
    process,
    timeout = 15_000,
    version
  } = options
  const deliveries = yield* WebhookDeliveries
  const owner = yield* (yield* Ids).engine
  const listening = process === undefined ? null : yield* ProcessEndpoint.make(process, poll)
  const nudges = yield* Queue.sliding<void>(1)
  const nudge = Effect.asVoid(Queue.offer(nudges, undefined))
  const tries = yield* FiberSet.make<void>()
  // After `FiberSet.make`, so that it runs before what that leaves behind: the interruption of all that are left.
  yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(tries)), grace))

  const startTry = <E, R>(work: Effect.Effect<unknown, E, R>, end: () => void) =>
    FiberSet.run(
      tries,
      Effect.ensuring(
        logged(work),
        Effect.suspend(() => {
          end()
          return nudge
        })
      )
    )

  const lanes = Lanes.make({ concurrency, concurrencyPerEndpoint })
  const tryOverHttp = makeHttpTry({ userAgent: `Paymux/${version}`, timeout, disableAfter })
  const turns = Lanes.makeTurns()
  const startHttp = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const due = turns.order(yield* deliveries.dueEndpoints(now), lanes.running)
    for (const endpoint of due) {
      // An equal share for each at first: whoever turns out to hang has not taken what the others need.
      const limit = Math.min(lanes.room(endpoint, now), Math.ceil(concurrency / due.length))
      if (limit <= 0) continue
      const until = now + timeout + leaseBeyondTimeout
      const claimed = yield* deliveries.claim({ endpointId: endpoint.id, owner, now, until, limit })
      if (claimed.length > 0) turns.took(endpoint.id)
      for (const delivery of claimed) yield* startTry(tryOverHttp(delivery), lanes.begin(endpoint, now))
    }
  })

  const calls = Calls.make()
  const startCalls = Effect.fnUntraced(function* (listener: ProcessListener, endpointId: string) {
    const tryInProcess = makeProcessTry(listener)
    const now = yield* Clock.currentTimeMillis
    const until = now + processTimeout + leaseBeyondTimeout
    for (const tries of ["first", "further"] as const) {
      const limit = calls.room(tries, now)
      if (limit <= 0) continue
      const claimed = yield* deliveries.claimInLine({ endpointId, owner, now, until, limit, tries })
      for (const delivery of claimed) yield* startTry(tryInProcess(delivery), calls.begin(tries, now))
    }
  })

  const startFanOut = Effect.gen(function* () {
    const events = yield* fanOut(fanOutBatch)
    if (events === fanOutBatch) yield* nudge
  })
  // Each by itself: an event that cannot be read keeps none waiting that were fanned out before it.
  const work = Effect.gen(function* () {
    if (listening !== null) yield* logged(listening.stay)
    yield* logged(startFanOut)
    if (process !== undefined && listening !== null) yield* logged(startCalls(process, listening.id))
    yield* logged(startHttp)
  })

  yield* Queue.take(nudges).pipe(
    Effect.timeoutOption(poll),
    Effect.andThen(gather > 0 ? Effect.sleep(gather) : Effect.void),
    // A claim must not be lost between the database and the start of its try.
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

/** The database comes back, or a lease lapses: the work is found again either way. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  effect.pipe(
    Effect.asVoid,
    Effect.catchCause((cause) => Effect.logError("Webhooks: this is tried again later", cause))
  )

const fanOutBatch = 100
/** ms */
const pruneEvery = 3_600_000
/** ms that a lease outlives the deadline of its try, for the reads and writes around it. */
const leaseBeyondTimeout = 15_000
