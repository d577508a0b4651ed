/** One attempt to deliver an event to the program itself, by calling its listener. Its result is stored later. */
import type { Tenant } from "@paymux/core"
import type { PaymentEvent } from "@paymux/core/store"
import { eventBody } from "@paymux/core/wire"
import type { EventJson } from "@paymux/core/wire"
import { Clock, Data, Effect } from "effect"
import type { ClaimedDelivery, Settlement } from "./Delivery.ts"
import type { EndedAttempt } from "./DeliveryResults.ts"
import { nextListenerDelay } from "./RetrySchedule.ts"

/** The program's own listener for the events of an account and mode. */
export interface EventListener {
  readonly tenant: Tenant
  /** Called at least once per event, in order per payment: the next event waits until this one succeeds. */
  readonly handle: (event: EventJson) => Effect.Effect<void, EventListenerFailed>
}

/** The program's listener threw or timed out. */
export class EventListenerFailed extends Data.TaggedError("EventListenerFailed")<{ readonly cause: unknown }> {}

export const makeListenerAttempt = ({ handle }: EventListener) =>
  Effect.fnUntraced(function* (delivery: ClaimedDelivery, event: PaymentEvent) {
    // Boundary: `eventBody` writes the shape of `EventJson`.
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

/** Time limit of a call in ms. The call then counts as failed; it cannot be aborted. */
export const listenerTimeout = 30_000
