/**
 * Creates the deliveries of events, one per endpoint (fan-out). Deliveries are inserted before their events are marked
 * as dispatched, so a crash in between, or two workers at once, only repeats inserts that have no effect.
 */
import { PaymentStore } from "@paymux/core/store"
import type { PaymentEvent, StoreUnavailable } from "@paymux/core/store"
import { Clock, Effect } from "effect"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { NewDelivery } from "./Delivery.ts"
import { WebhookEndpoints } from "../endpoint/Endpoints.ts"
import { processUrl } from "../endpoint/WebhookEndpoint.ts"
import type { WebhookEndpoint } from "../endpoint/WebhookEndpoint.ts"

export interface FannedOut {
  readonly events: number
  readonly deliveries: number
}

/** Fans out at most `limit` of the oldest undispatched events. Returns the number of events and of deliveries. */
export const fanOut: (
  limit: number
) => Effect.Effect<FannedOut, StoreUnavailable, PaymentStore | WebhookEndpoints | WebhookDeliveries> =
  Effect.fnUntraced(function* (limit) {
    const store = yield* PaymentStore
    const endpoints = yield* WebhookEndpoints
    const deliveries = yield* WebhookDeliveries
    const events = yield* store.undispatchedEvents(limit)
    if (events.length === 0) return { events: 0, deliveries: 0 }
    const endpointsByTenant = new Map<string, ReadonlyArray<WebhookEndpoint>>()
    const wanted: Array<NewDelivery> = []
    for (const event of events) {
      const tenant = JSON.stringify([event.account, event.livemode])
      const subscribed = endpointsByTenant.get(tenant) ?? (yield* endpoints.list(event))
      endpointsByTenant.set(tenant, subscribed)
      wanted.push(...deliveriesOf(event, subscribed))
    }
    const now = yield* Clock.currentTimeMillis
    yield* deliveries.add(wanted, now)
    yield* store.markDispatched(
      events.map(({ id }) => id),
      now
    )
    return { events: events.length, deliveries: wanted.length }
  })

/**
 * Creates the deliveries of one event. Those to a disabled endpoint are stored as canceled, so that they can be resent
 * once it is enabled.
 */
const deliveriesOf = (event: PaymentEvent, endpoints: ReadonlyArray<WebhookEndpoint>): ReadonlyArray<NewDelivery> =>
  endpoints
    .filter(({ events }) => events === null || events.includes(event.type))
    .map(({ disabledAt, id, url }) => ({
      eventId: event.id,
      endpointId: id,
      account: event.account,
      livemode: event.livemode,
      happenedAt: event.createdAt,
      status: disabledAt === null ? "pending" : "canceled",
      order: url === processUrl ? { line: event.paymentId, place: event.sequence } : null
    }))
