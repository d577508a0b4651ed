/**
 * From event rows to deliveries. The deliveries are written before their events are marked: a crash in between, or two
 * workers at once, does the same work again and finds it done.
 */
import { PaymentStore } from "@paymux/core"
import type { PaymentEvent, StoreUnavailable } from "@paymux/core"
import { Clock, Effect } from "effect"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { NewDelivery } from "./Deliveries.ts"
import { WebhookEndpoints } from "./Endpoints.ts"
import type { WebhookEndpoint } from "./Endpoints.ts"

/** Fans out the oldest events that were not yet, at most `limit`, and returns how many they were. */
export const fanOut: (
  limit: number
) => Effect.Effect<number, StoreUnavailable, PaymentStore | WebhookEndpoints | WebhookDeliveries> = Effect.fnUntraced(
  function* (limit) {
    const store = yield* PaymentStore
    const endpoints = yield* WebhookEndpoints
    const deliveries = yield* WebhookDeliveries
    const events = yield* store.undispatchedEvents(limit)
    if (events.length === 0) return 0
    const activeByTenant = new Map<string, ReadonlyArray<WebhookEndpoint>>()
    const wanted: Array<NewDelivery> = []
    for (const event of events) {
      const tenant = JSON.stringify([event.account, event.livemode])
      const active = activeByTenant.get(tenant) ?? (yield* endpoints.active(event))
      activeByTenant.set(tenant, active)
      wanted.push(...deliveriesOf(event, active))
    }
    const now = yield* Clock.currentTimeMillis
    yield* deliveries.add(wanted, now)
    yield* store.markDispatched(
      events.map(({ id }) => id),
      now
    )
    return events.length
  }
)

const deliveriesOf = (event: PaymentEvent, active: ReadonlyArray<WebhookEndpoint>): ReadonlyArray<NewDelivery> =>
  active
    .filter(({ events }) => events === null || events.includes(event.type))
    .map(({ id }) => ({ eventId: event.id, endpointId: id, account: event.account, livemode: event.livemode }))
