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
  /** Of one account, running and waiting: it must not take the places of the others. */
  readonly perAccount: number
}

/** Requests that read and write the database. Less than half of the ten connections of a process to PostgreSQL. */
export const databaseRequests: ConcurrencyLimits = { running: 4, waiting: 60, perAccount: 32 }

/** Requests that wait for another system, such as a provider: seconds, without a connection of the database. */
export const outsideRequests: ConcurrencyLimits = { running: 8, waiting: 0, perAccount: 2 }

/** Runs a request of an account as soon as fewer than `running` others do. */
export const makeConcurrentRequests = ({ perAccount, running, waiting }: ConcurrencyLimits) => {
  const permits = Semaphore.makeUnsafe(running)
  const entered = new Map<string, number>()
  const state = { entered: 0 }
  const enter = (account: string): boolean => {
    const own = entered.get(account) ?? 0
    if (state.entered >= running + waiting || own >= perAccount) return false
    state.entered += 1
    entered.set(account, own + 1)
    return true
  }
  const leave = (account: string) => {
    const own = entered.get(account) ?? 0
    state.entered -= 1
    if (own > 1) entered.set(account, own - 1)
    else entered.delete(account)
  }
  return <A, E, R>(account: string, handled: Effect.Effect<A, E, R>): Effect.Effect<A, E | ApiProblem, R> =>
    Effect.suspend<A, E | ApiProblem, R>(() =>
      enter(account)
        ? Effect.ensuring(
            permits.withPermit(handled),
            Effect.sync(() => leave(account))
          )
        : Effect.fail(tooMany)
    )
}

const tooMany = new ApiProblem({
  code: "overloaded",
  detail: "Too many requests of the dashboard are waiting: try again."
})
