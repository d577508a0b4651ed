/**
 * The worker that delivers: in the background for as long as its layer lives, woken by each event row and by a poll.
 *
 * A try that has begun when the layer closes gets a few seconds. One that does not end in them, or in a crash, is taken
 * up by whoever comes after its lease: endpoints hear of an event at least once, under one id.
 */
import { eventBody, Ids, PaymentStore, PaymentWriter } from "@paymux/core"
import { Clock, Context, Effect, FiberSet, Layer, Queue, Random } from "effect"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { ClaimedDelivery } from "./Deliveries.ts"
import { WebhookEndpoints } from "./Endpoints.ts"
import { fanOut } from "./FanOut.ts"
import { sign } from "./Signature.ts"
import { canceled, postponed, verdict } from "./Verdict.ts"
import type { TryResult } from "./Verdict.ts"
import { WebhookHttp } from "./WebhookHttp.ts"
import type { WebhookRequest } from "./WebhookHttp.ts"

export interface SenderOptions {
  /** Of Paymux: told to receivers in `user-agent`. */
  readonly version: string
  /** ms between two looks without a nudge. Default 1000. */
  readonly poll?: number
  /** ms after a nudge in which further events join the same look. Default 25: under load, one look serves many. */
  readonly gather?: number
  /** ms for one try as a whole. Default 15,000. */
  readonly timeout?: number
  /** Tries at one time, over all endpoints and to one. Default 64 and 8. */
  readonly concurrency?: number
  readonly concurrencyPerEndpoint?: number
  /** ms that tries get to end when the layer closes. Default 3000. */
  readonly grace?: number
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
    never,
    PaymentStore | PaymentWriter | Ids | WebhookEndpoints | WebhookDeliveries | WebhookHttp
  > => Layer.effect(WebhookSender, make(options))
}

const make = Effect.fnUntraced(function* (options: SenderOptions) {
  const {
    concurrency = 64,
    concurrencyPerEndpoint = 8,
    gather = 25,
    grace = 3000,
    poll = 1000,
    timeout = 15_000
  } = options
  const deliveries = yield* WebhookDeliveries
  const owner = yield* (yield* Ids).engine
  const nudges = yield* Queue.sliding<void>(1)
  const nudge = Effect.asVoid(Queue.offer(nudges, undefined))
  const running = makeRunning()
  const tries = yield* FiberSet.make<void>()
  // After `FiberSet.make`, so that it runs before what that leaves behind: the interruption of all that are left.
  yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(tries)), grace))
  const tryOne = makeTry(`Paymux/${options.version}`, timeout)

  const start = Effect.fnUntraced(function* (delivery: ClaimedDelivery) {
    const { endpointId } = delivery
    running.begin(endpointId)
    const ended = Effect.suspend(() => {
      running.end(endpointId)
      return nudge
    })
    yield* FiberSet.run(tries, Effect.ensuring(logged(tryOne(delivery)), ended))
  })

  const startDue = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const due = [...(yield* deliveries.dueEndpoints(now))].sort((a, b) => running.to(a) - running.to(b))
    for (const endpointId of due) {
      const limit = Math.min(concurrencyPerEndpoint - running.to(endpointId), concurrency - running.total())
      if (limit <= 0) continue
      const claim = { endpointId, owner, now, until: now + timeout + leaseBeyondTimeout, limit }
      yield* Effect.forEach(yield* deliveries.claim(claim), start, { discard: true })
    }
  })

  const work = Effect.gen(function* () {
    const events = yield* fanOut(fanOutBatch)
    if (events === fanOutBatch) yield* nudge
    yield* startDue
  })

  yield* Queue.take(nudges).pipe(
    Effect.timeoutOption(poll),
    Effect.andThen(gather > 0 ? Effect.sleep(gather) : Effect.void),
    // A claim must not be lost between the database and the start of its try.
    Effect.andThen(Effect.uninterruptible(logged(work))),
    Effect.forever,
    Effect.forkScoped
  )
  yield* (yield* PaymentWriter).onEvent(nudge)
  yield* nudge
  return WebhookSender.of({ nudge })
})

/** One try of a delivery, from reading what it is about to writing down how it ended. */
const makeTry = (userAgent: string, timeout: number) =>
  Effect.fnUntraced(function* (delivery: ClaimedDelivery) {
    const store = yield* PaymentStore
    const endpoints = yield* WebhookEndpoints
    const deliveries = yield* WebhookDeliveries
    const startedAt = yield* Clock.currentTimeMillis
    const event = yield* store.findEvent(delivery.eventId)
    if (event === null) return yield* deliveries.settle(delivery, canceled(delivery, "event_missing", startedAt))
    const target = yield* endpoints.target(delivery.endpointId).pipe(
      // Ours to mend: the receiver loses no try over it.
      Effect.tapError(() => deliveries.settle(delivery, postponed(delivery, "not_sendable", startedAt, postponement)))
    )
    if (target === null) return yield* deliveries.settle(delivery, canceled(delivery, "endpoint_inactive", startedAt))
    const body = eventBody(event)
    const signature = sign({ id: event.id, timestampSeconds: Math.floor(startedAt / 1000), body, key: target.key })
    const headers = { "content-type": "application/json", "user-agent": userAgent, ...signature }
    const result = yield* postOnce({ url: target.endpoint.url, headers, body }, timeout)
    const { disable, settlement } = verdict(delivery, result, yield* Clock.currentTimeMillis, yield* Random.next)
    const settled = yield* deliveries.settle(delivery, settlement)
    if (settled && disable) yield* endpoints.disable(delivery.endpointId, "gone")
    return settled
  })

const postOnce = Effect.fnUntraced(function* (request: WebhookRequest, timeout: number) {
  const http = yield* WebhookHttp
  return yield* http.post(request).pipe(
    Effect.map((answer): TryResult => ({ _tag: "Answered", ...answer })),
    Effect.catchTag("WebhookHttpError", ({ code }) => Effect.succeed<TryResult>({ _tag: "Failed", error: code })),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.succeed<TryResult>({ _tag: "Failed", error: "timeout" })
    })
  )
})

/** The database comes back, or a lease lapses: the work is found again either way. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  effect.pipe(
    Effect.asVoid,
    Effect.catchCause((cause) => Effect.logError("Webhooks: this is tried again later", cause))
  )

/** How many tries run, over all and to each endpoint. */
const makeRunning = () => {
  const byEndpoint = new Map<string, number>()
  let total = 0
  const to = (endpointId: string): number => byEndpoint.get(endpointId) ?? 0
  return {
    to,
    total: () => total,
    begin: (endpointId: string): void => {
      total++
      byEndpoint.set(endpointId, to(endpointId) + 1)
    },
    end: (endpointId: string): void => {
      total--
      if (to(endpointId) > 1) byEndpoint.set(endpointId, to(endpointId) - 1)
      else byEndpoint.delete(endpointId)
    }
  }
}

const fanOutBatch = 100
/** ms that a lease outlives the deadline of its try, for the reads and writes around it. */
const leaseBeyondTimeout = 15_000
const postponement = 60_000
