/** Calls the listener of the embedding program with due events, in order per payment. */
import { Clock, Effect } from "effect"
import type { EventId, PaymentEvent } from "@paymux/core/store"
import * as CallLimiter from "./CallLimiter.ts"
import * as ClaimedQueue from "./ClaimedQueue.ts"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { ClaimedDelivery, OrderedTries } from "./Delivery.ts"
import { canceled } from "./DeliveryResult.ts"
import { listenerTimeout, makeListenerAttempt } from "./ListenerAttempt.ts"
import type { EventListener } from "./ListenerAttempt.ts"
import { readEvents } from "./readEvents.ts"
import type { Worker } from "./Worker.ts"

interface Waiting {
  readonly delivery: ClaimedDelivery
  readonly event: PaymentEvent
}

export const make = Effect.fnUntraced(function* (listener: EventListener, endpointId: string, worker: Worker) {
  const clock = yield* Clock.Clock
  const deliveries = yield* WebhookDeliveries
  const limiter = CallLimiter.make()
  const attempt = makeListenerAttempt(listener)
  const call = ({ delivery, event }: Waiting) => Effect.as(worker.attempt(delivery, attempt(delivery, event)), null)
  const queueOf = (tries: OrderedTries) =>
    ClaimedQueue.make<Waiting>(
      {
        room: (now) => limiter.room(tries, now),
        isQuick: () => tries === "first",
        begin: (now) => limiter.begin(tries, now)
      },
      () => clock.currentTimeMillisUnsafe(),
      worker.run,
      call
    )
  const queues = { first: queueOf("first"), further: queueOf("further") }

  const giveBack = (removed: ReadonlyArray<Waiting>): void => worker.giveBack(removed.map(({ delivery }) => delivery))

  const itemsOf = (
    claimed: ReadonlyArray<ClaimedDelivery>,
    events: ReadonlyMap<EventId, PaymentEvent | null>,
    now: number
  ): ReadonlyArray<Waiting> =>
    claimed.flatMap((delivery) => {
      const event = events.get(delivery.eventId)
      if (event !== undefined && event !== null) return [{ delivery, event }]
      // An event that could not be read is claimed again after its lease has expired.
      if (event === undefined) worker.drop([delivery])
      else worker.end({ delivery, settlement: canceled(delivery, "event_missing", now), result: null })
      return []
    })

  const start = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    giveBack(Object.values(queues).flatMap((queue) => queue.removeLate(now)))
    yield* worker.release
    for (const tries of ["first", "further"] as const) {
      const queue = queues[tries]
      const limit = Math.min(queue.wanted(now), mostClaimed)
      if (limit > 0) {
        const claim = { ...worker.claimAt(now, listenerTimeout), endpointId, limit, tries }
        const claimed = yield* deliveries.claimOrdered(claim)
        worker.hold(claimed)
        queue.add(itemsOf(claimed, yield* readEvents(claimed), now), now)
      }
      queue.start(now)
    }
  })
  return {
    start,
    giveBackAll: () => giveBack(Object.values(queues).flatMap((queue) => queue.removeAll()))
  }
})

const mostClaimed = 64
