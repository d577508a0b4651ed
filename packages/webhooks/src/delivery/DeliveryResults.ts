/** Buffers the results of delivery attempts, and stores many at a time. */
import type { StoreUnavailable } from "@paymux/core/store"
import { Clock, Effect, Result } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { EndedDelivery } from "./Delivery.ts"
import * as EndpointHealth from "./EndpointHealth.ts"
import type { EndpointResult } from "./EndpointHealth.ts"

export interface EndedAttempt extends EndedDelivery {
  /** The result for the endpoint's health; `null` if no request was sent. */
  readonly result: EndpointResult | null
}

/**
 * Creates the buffer. Results that cannot be stored are retried until their claims expire; then the deliveries are sent
 * again.
 */
export const make = Effect.fnUntraced(function* (disableAfter: number) {
  const deliveries = yield* WebhookDeliveries
  let ended: Array<EndedAttempt> = []
  /** Results that the database rejected. They are retried one by one, so that they do not block others. */
  let refused: Array<EndedAttempt> = []

  const storeSet = (set: ReadonlyArray<EndedAttempt>) =>
    Effect.flatMap(deliveries.settle(set), (settled) => updateEndpoints(set, settled, disableAfter))

  /** Stores the buffered results, and returns their number. */
  const store = Effect.gen(function* () {
    const count = ended.length + refused.length
    const sets = [...setsOf(ended), ...refused.map((attempt) => [attempt])]
    ended = []
    refused = []
    const refusals: Array<Refusal> = []
    for (let set = sets.shift(); set !== undefined; set = sets.shift()) {
      const stored = yield* Effect.result(storeSet(set))
      if (Result.isSuccess(stored)) continue
      const now = yield* Clock.currentTimeMillis
      const stands = ({ delivery }: EndedAttempt) => delivery.until > now
      if (!isRefusal(stored.failure)) {
        ended = [...[...set, ...sets.flat()].filter(stands), ...ended]
        return yield* Effect.fail(stored.failure)
      }
      if (set.length > 1) {
        sets.unshift(...set.map((attempt) => [attempt]))
        continue
      }
      refused.push(...set.filter(stands))
      refusals.push(...set.map((attempt) => ({ attempt, cause: stored.failure.cause })))
    }
    yield* logRefusals(refusals)
    return count
  })
  return { add: (attempt: EndedAttempt): void => void ended.push(attempt), store }
})

/**
 * Splits attempts into sets that contain each delivery at most once. A delivery has two results if another process
 * ended its claim and it was claimed again; the database accepts the result of the current claim.
 */
const setsOf = (attempts: ReadonlyArray<EndedAttempt>): ReadonlyArray<ReadonlyArray<EndedAttempt>> => {
  const sets: Array<Map<number, EndedAttempt>> = []
  for (const attempt of attempts) {
    const { id } = attempt.delivery
    const set = sets.find((others) => !others.has(id))
    if (set === undefined) sets.push(new Map([[id, attempt]]))
    else set.set(id, attempt)
  }
  return sets.map((set) => [...set.values()])
}

/** Whether the database is reachable but rejected the statement: a single result may be the cause. */
const isRefusal = ({ cause }: StoreUnavailable): boolean => isSqlError(cause) && !cause.isRetryable

interface Refusal {
  readonly attempt: EndedAttempt
  readonly cause: unknown
}

/** Logs all rejected results in one line, since there can be many, for example if the disk is full. */
const logRefusals = (refusals: ReadonlyArray<Refusal>) => {
  const [first] = refusals
  if (first === undefined) return Effect.void
  const { endpointId, eventId } = first.attempt.delivery
  return Effect.logError(
    `Webhooks: results that cannot be stored: ${refusals.length}; the first is of event ${eventId} at endpoint ${endpointId}. ` +
      "They are tried again until their leases end, and the events are then sent again",
    first.cause
  )
}

/** Updates the health of each endpoint separately, so that a failure does not affect the other endpoints. */
const updateEndpoints = Effect.fnUntraced(function* (
  ended: ReadonlyArray<EndedAttempt>,
  settled: ReadonlySet<number>,
  disableAfter: number
): Effect.fn.Return<void, never, EndpointHealth.Services> {
  const results = ended.flatMap(({ delivery, result }) => (result !== null && settled.has(delivery.id) ? [result] : []))
  for (const [id, own] of Map.groupBy(results, ({ endpoint }) => endpoint.id)) {
    yield* EndpointHealth.update(own, disableAfter).pipe(
      Effect.catchTag("StoreUnavailable", ({ cause }) =>
        Effect.logError(
          `Webhooks: cannot store the state of endpoint ${id}; the results of its last attempts are ignored`,
          cause
        )
      )
    )
  }
})
