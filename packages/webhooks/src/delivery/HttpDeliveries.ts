/** Sends due deliveries over HTTP. Claims, endpoints and events are read for many deliveries at a time. */
import type { EventId, PaymentEvent, PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { eventBody } from "@paymux/core/wire"
import { Clock, Effect } from "effect"
import * as ClaimedQueue from "./ClaimedQueue.ts"
import * as ConcurrencyLimiter from "./ConcurrencyLimiter.ts"
import type { ConcurrencyLimits } from "./ConcurrencyLimiter.ts"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { ClaimedDelivery, DueEndpoint } from "./Delivery.ts"
import { canceled, postponed } from "./DeliveryResult.ts"
import type { EndedAttempt } from "./DeliveryResults.ts"
import { WebhookEndpoints } from "../endpoint/Endpoints.ts"
import type { EndpointTarget } from "../endpoint/Endpoints.ts"
import type { EndpointSecretUnreadable } from "../endpoint/SecretBox.ts"
import { makeHttpAttempt } from "./HttpAttempt.ts"
import type { EventBody } from "./HttpAttempt.ts"
import { readEvents } from "./readEvents.ts"
import type { Worker } from "./Worker.ts"
import { WebhookHttp } from "../WebhookHttp.ts"

interface HttpDeliveriesOptions extends ConcurrencyLimits {
  readonly worker: Worker
  /** The time limit of an attempt, ms. */
  readonly timeout: number
  /** The version of Paymux, for the `user-agent` header. */
  readonly version: string
}

interface HttpDeliveries {
  /** Claims due deliveries and starts attempts, without waiting for their end. */
  readonly start: Effect.Effect<void, StoreUnavailable, PaymentStore>
  /** Marks the claims of all queued deliveries for release, so that other processes can send them. */
  readonly giveBackAll: () => void
}

interface Waiting {
  readonly delivery: ClaimedDelivery
  readonly event: EventBody
}

interface Lane {
  endpoint: DueEndpoint
  readonly queue: ClaimedQueue.ClaimedQueue<Waiting>
}

export const make = Effect.fnUntraced(function* (options: HttpDeliveriesOptions) {
  const { concurrency, timeout, version, worker } = options
  const attemptOverHttp = makeHttpAttempt({ userAgent: `Paymux/${version}`, timeout, http: yield* WebhookHttp })
  const clock = yield* Clock.Clock
  const deliveries = yield* WebhookDeliveries
  const endpoints = yield* WebhookEndpoints
  const limiter = ConcurrencyLimiter.make(options)
  const turns = ConcurrencyLimiter.makeTurns()
  const lanes = new Map<string, Lane>()
  /** The endpoints as read in the last round, so that queued deliveries use the current URL and secret. */
  let targets: ReadonlyMap<string, EndpointTarget | EndpointSecretUnreadable> = new Map()

  /**
   * Removes the queued deliveries of an endpoint that requested a pause or answered 410. The next round ends their
   * claims.
   */
  const stopSending = (id: string): void => giveBack(lanes.get(id)?.queue.removeAll() ?? [])

  const giveBack = (removed: ReadonlyArray<Waiting>): void => worker.giveBack(removed.map(({ delivery }) => delivery))

  const tryOne = ({ delivery, event }: Waiting) => {
    const target = targets.get(delivery.endpointId)
    const ending =
      target === undefined
        ? inactive(delivery)
        : "endpoint" in target
          ? attemptOverHttp(delivery, event, target)
          : notSendable(delivery)
    return Effect.map(worker.attempt(delivery, ending), (ended) => {
      if (ended === null || ended.result === null) return null
      const { how, pausedUntil } = ended.result
      if (how === "gone" || pausedUntil !== null) stopSending(delivery.endpointId)
      return how === "succeeded"
    })
  }

  const laneOf = (endpoint: DueEndpoint): Lane => {
    const kept = lanes.get(endpoint.id)
    if (kept !== undefined) {
      kept.endpoint = endpoint
      return kept
    }
    const slots: ClaimedQueue.Slots = {
      room: (now) => limiter.room(lane.endpoint, now),
      isQuick: (now) => !limiter.isSlow(lane.endpoint, now),
      begin: (now) => limiter.begin(lane.endpoint, now)
    }
    const queue = ClaimedQueue.make(slots, () => clock.currentTimeMillisUnsafe(), worker.run, tryOne)
    const lane: Lane = { endpoint, queue }
    lanes.set(endpoint.id, lane)
    return lane
  }

  /** Returns the queues of the endpoints with due deliveries, and drops queues without a due or queued delivery. */
  const lanesOf = (due: ReadonlyArray<DueEndpoint>): ReadonlyArray<Lane> => {
    const found = due.map(laneOf)
    const kept = new Set(due.map(({ id }) => id))
    for (const [id, { queue }] of lanes) if (queue.waiting() === 0 && !kept.has(id)) lanes.delete(id)
    limiter.keep(new Set(lanes.keys()))
    return found
  }

  const kindOf = (endpoint: DueEndpoint, now: number): "slow" | "quick" =>
    limiter.isSlow(endpoint, now) ? "slow" : "quick"

  /**
   * The number of deliveries to claim per endpoint. The limit of all slow endpoints, and that of all others, is divided
   * equally, so that one endpoint that hangs does not use it up.
   */
  const limitsOf = (due: ReadonlyArray<Lane>, now: number) => {
    const wanting = due.flatMap(({ endpoint, queue }) => {
      const wanted = queue.wanted(now)
      return wanted > 0 ? [{ id: endpoint.id, wanted, kind: kindOf(endpoint, now) }] : []
    })
    const sharing = Map.groupBy(wanting, ({ kind }) => kind)
    const planned = { slow: 0, quick: 0 }
    for (const { endpoint, queue } of lanes.values()) {
      planned[kindOf(endpoint, now)] += queue.waiting()
    }
    return wanting.flatMap(({ id, kind, wanted }) => {
      const left = limiter.left(kind === "slow", now) - planned[kind]
      const share = Math.max(1, Math.floor(concurrency / (sharing.get(kind)?.length ?? 1)))
      const limit = Math.min(wanted, left, share)
      if (limit <= 0) return []
      planned[kind] += limit
      return [{ id, limit }]
    })
  }

  const findTargets = Effect.fnUntraced(function* (claimed: ReadonlyArray<ClaimedDelivery>) {
    const waiting = [...lanes].flatMap(([id, { queue }]) => (queue.waiting() > 0 ? [id] : []))
    const ids = [...new Set([...claimed.map(({ endpointId }) => endpointId), ...waiting])]
    targets = ids.length === 0 ? new Map<string, never>() : yield* endpoints.targets(ids)
    for (const target of targets.values()) {
      if (!("endpoint" in target)) yield* Effect.logError("Webhook delivery failed and will be retried", target)
    }
  })

  const enqueue = Effect.fnUntraced(function* (claimed: ReadonlyArray<ClaimedDelivery>, now: number) {
    yield* findTargets(claimed)
    const bodies = yield* bodiesOf(yield* readEvents(claimed))
    const byEndpoint = Map.groupBy(claimed, ({ endpointId }) => endpointId)
    for (const [id, own] of byEndpoint) {
      const sendable: Array<Waiting> = []
      for (const delivery of own) {
        const event = bodies.get(delivery.eventId)
        // An event that could not be read is claimed again after its lease has expired.
        if (event === undefined) worker.drop([delivery])
        else if (event === null) worker.end(missing(delivery, now))
        else sendable.push({ delivery, event })
      }
      lanes.get(id)?.queue.add(sendable, now)
    }
  })

  const start = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    giveBack([...lanes.values()].flatMap(({ queue }) => queue.removeLate(now)))
    yield* worker.release
    const due = lanesOf(turns.order(yield* deliveries.dueEndpoints(now), limiter.running))
    const claimed = yield* deliveries.claim({ ...worker.claimAt(now, timeout), endpoints: limitsOf(due, now) })
    worker.hold(claimed)
    yield* Effect.onError(enqueue(claimed, now), () => Effect.sync(() => worker.giveBack(claimed)))
    const served = new Set(claimed.map(({ endpointId }) => endpointId))
    for (const { endpoint } of due) if (served.has(endpoint.id)) turns.took(endpoint.id)
    for (const { queue } of [...due, ...lanes.values()]) queue.start(now)
  })

  return {
    start,
    giveBackAll: () => giveBack([...lanes.values()].flatMap(({ queue }) => queue.removeAll()))
  } satisfies HttpDeliveries
})

/**
 * Serializes each event once; `null` if the event was not found. An event that cannot be serialized is logged and
 * omitted, so that it does not block others.
 */
const bodiesOf = Effect.fnUntraced(function* (events: ReadonlyMap<EventId, PaymentEvent | null>) {
  const bodies = new Map<EventId, EventBody | null>()
  for (const [id, event] of events) {
    yield* Effect.sync(() => bodies.set(id, event === null ? null : { id, body: eventBody(event) })).pipe(
      Effect.catchCause((cause) => Effect.logError("Webhook delivery failed and will be retried", cause))
    )
  }
  return bodies
})

const ended = (delivery: ClaimedDelivery, settlement: EndedAttempt["settlement"]): EndedAttempt => ({
  delivery,
  settlement,
  result: null
})

const inactive = (delivery: ClaimedDelivery) =>
  Effect.map(Clock.currentTimeMillis, (now) => ended(delivery, canceled(delivery, "endpoint_inactive", now)))

const missing = (delivery: ClaimedDelivery, now: number) => ended(delivery, canceled(delivery, "event_missing", now))

/** The result if the endpoint's secret cannot be decrypted. A fault of the server does not use up an attempt. */
const notSendable = (delivery: ClaimedDelivery) =>
  Effect.map(Clock.currentTimeMillis, (now) => ended(delivery, postponed(delivery, "not_sendable", now, postponement)))

const postponement = 60_000
