/** The results of attempts that have ended, until they are stored: those of many attempts at a time. */
import type { StoreUnavailable } from "@paymux/core/store"
import { Clock, Effect } from "effect"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { EndedDelivery } from "./Delivery.ts"
import * as EndpointHealth from "./EndpointHealth.ts"
import type { EndpointResult } from "./EndpointHealth.ts"

export interface EndedAttempt extends EndedDelivery {
  /** What it says about the endpoint; `null`: nothing. */
  readonly result: EndpointResult | null
}

/** Results that cannot be stored are kept while their claims stand. Then the deliveries are sent again. */
export const make = Effect.fnUntraced(function* (disableAfter: number) {
  const deliveries = yield* WebhookDeliveries
  let ended: Array<EndedAttempt> = []

  /** Returns their number. */
  const store = Effect.suspend(() => {
    if (ended.length === 0) return Effect.succeed(0)
    const some = ended
    ended = []
    return deliveries.settle(some).pipe(
      Effect.tapError(() =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          ended = [...some.filter(({ delivery }) => delivery.until > now), ...ended]
        })
      ),
      Effect.flatMap((settled) => Effect.as(updateEndpoints(some, settled, disableAfter), some.length))
    )
  })
  return { add: (attempt: EndedAttempt): void => void ended.push(attempt), store }
})

const updateEndpoints = Effect.fnUntraced(function* (
  ended: ReadonlyArray<EndedAttempt>,
  settled: ReadonlySet<number>,
  disableAfter: number
): Effect.fn.Return<void, StoreUnavailable, EndpointHealth.Services> {
  const results = ended.flatMap(({ delivery, result }) => (result !== null && settled.has(delivery.id) ? [result] : []))
  for (const own of Map.groupBy(results, ({ endpoint }) => endpoint.id).values()) {
    yield* EndpointHealth.update(own, disableAfter)
  }
})
