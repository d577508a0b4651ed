/** One try to tell the program itself of an event, by a call. */
import type { Tenant } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { eventBody } from "@paymux/core/wire"
import type { EventJson } from "@paymux/core/wire"
import { Clock, Data, Effect } from "effect"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { ClaimedDelivery, Settlement } from "./Delivery.ts"
import { nextProcessDelay } from "./RetrySchedule.ts"
import { canceled } from "./Verdict.ts"

/** Who is told of the events of an account and mode in the program itself. */
export interface ProcessListener {
  readonly tenant: Tenant
  /** At least once for each event, and of a payment in order: the next event waits until this one succeeded. */
  readonly tell: (event: EventJson) => Effect.Effect<void, EventNotTaken>
}

/** The program's own code threw, or took too long. */
export class EventNotTaken extends Data.TaggedError("EventNotTaken")<{ readonly cause: unknown }> {}

export const makeProcessTry = ({ tell }: ProcessListener) =>
  Effect.fnUntraced(function* (delivery: ClaimedDelivery) {
    const store = yield* PaymentStore
    const deliveries = yield* WebhookDeliveries
    const event = yield* store.findEvent(delivery.eventId)
    if (event === null) {
      return yield* deliveries.settle(delivery, canceled(delivery, "event_missing", yield* Clock.currentTimeMillis))
    }
    // Boundary: `eventBody` writes what `EventJson` describes.
    const json = JSON.parse(eventBody(event)) as EventJson
    const failure = yield* tell(json).pipe(
      Effect.timeoutOrElse({ duration: processTimeout, orElse: () => new EventNotTaken({ cause: "timeout" }) }),
      Effect.as(null),
      Effect.catch((failed) => Effect.succeed(failed))
    )
    const now = yield* Clock.currentTimeMillis
    const attempts = delivery.attempts + 1
    const delay = failure === null ? null : nextProcessDelay(attempts - delivery.attemptsBefore)
    if (failure !== null && delay !== null) {
      yield* Effect.logWarning(
        `onEvent failed for ${event.id} (${event.type} of ${event.paymentId}), try ${attempts}; again in ${delay / 1000} s`,
        failure.cause
      )
    }
    const settlement: Settlement = {
      status: delay === null ? "delivered" : "pending",
      attempts,
      deliverAt: now + (delay ?? 0),
      lastAt: now,
      lastStatus: null,
      lastError: failure === null ? null : failure.cause === "timeout" ? "timeout" : "listener_failed",
      lastAnswer: null
    }
    return yield* deliveries.settle(delivery, settlement)
  })

/** ms that a call may take. It is not ended then: nothing can end it. It counts as failed. */
export const processTimeout = 30_000
