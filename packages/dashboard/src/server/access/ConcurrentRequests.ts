/**
 * How many requests of the control API run at once in this process. They share the event loop and the database's connections
 * with payments, so a busy dashboard must wait for itself, and never make a payment wait.
 */
import { ApiProblem } from "@paymux/http"
import { Effect, Semaphore } from "effect"

export interface ConcurrencyLimits {
  readonly running: number
  /** More than these are refused. */
  readonly waiting: number
}

/** Less than half of the ten connections that a process has to PostgreSQL by default. */
export const concurrencyLimits: ConcurrencyLimits = { running: 4, waiting: 64 }

/** Runs a request as soon as fewer than `running` others do. */
export const makeConcurrentRequests = ({ running, waiting }: ConcurrencyLimits) => {
  const permits = Semaphore.makeUnsafe(running)
  const state = { entered: 0 }
  return <A, E, R>(handled: Effect.Effect<A, E, R>): Effect.Effect<A, E | ApiProblem, R> =>
    Effect.suspend<A, E | ApiProblem, R>(() => {
      if (state.entered >= running + waiting) return Effect.fail(tooMany)
      state.entered += 1
      return Effect.ensuring(
        permits.withPermit(handled),
        Effect.sync(() => {
          state.entered -= 1
        })
      )
    })
}

const tooMany = new ApiProblem({
  code: "overloaded",
  detail: "Too many requests of the dashboard are waiting: try again."
})
