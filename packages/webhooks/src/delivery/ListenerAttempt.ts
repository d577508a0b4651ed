/** Delivers an event to the embedding program, by calling its listener once. The result is stored later. */
import type { Tenant } from "@paymux/core"
import type { PaymentEvent } from "@paymux/core/store"
import { eventBody } from "@paymux/core/wire"
import type { EventJson } from "@paymux/core/wire"
import { Clock, Data, Effect } from "effect"
import type { ClaimedDelivery, Settlement } from "./Delivery.ts"
import type { EndedAttempt } from "./DeliveryResults.ts"
import { nextListenerDelay } from "./RetrySchedule.ts"

/** The listener that the embedding program registers for the events of an account and mode. */
export interface EventListener {
  readonly tenant: Tenant
  /**
   * Handles an event. Called at least once per event, in order per payment: the next event waits until this call
   * succeeds.
   */
  readonly handle: (event: EventJson) => Effect.Effect<void, EventListenerFailed>
}

/** The error of a listener call that threw or timed out. */
export class EventListenerFailed extends Data.TaggedError("EventListenerFailed")<{ readonly cause: unknown }> {}

export const makeListenerAttempt = ({ handle }: EventListener) =>
  Effect.fnUntraced(function* (delivery: ClaimedDelivery, event: PaymentEvent) {
    // Cast at a type boundary: `eventBody` writes the shape of `EventJson`.
    const json = JSON.parse(eventBody(event)) as EventJson
    const startedAt = yield* Clock.currentTimeMillis
    const failure = yield* handle(json).pipe(
      Effect.timeoutOrElse({ duration: listenerTimeout, orElse: () => new EventListenerFailed({ cause: "timeout" }) }),
      Effect.as(null),
      Effect.catch((failed) => Effect.succeed(failed))
    )
    const now = yield* Clock.currentTimeMillis
    const attempts = delivery.attempts + 1
    const delay = failure === null ? null : nextListenerDelay(attempts - delivery.attemptsBefore)
    if (failure !== null && delay !== null) {
      yield* Effect.logWarning(
        `onEvent failed for ${event.id} (${event.type} of ${event.paymentId}), attempt ${attempts}; retrying in ${delay / 1000} s`,
        failure.cause
      )
    }
    const settlement: Settlement = {
      status: delay === null ? "delivered" : "pending",
      attempts,
      deliverAt: now + (delay ?? 0),
      lastAt: now,
      duration: Math.max(0, now - startedAt),
      lastStatus: null,
      lastError: failure === null ? null : failure.cause === "timeout" ? "timeout" : "listener_failed",
      lastAnswer: null
    }
    return { delivery, settlement, result: null } satisfies EndedAttempt
  })

/** The time limit of a listener call, ms. After it the call counts as failed, although it cannot be aborted. */
export const listenerTimeout = 30_000
