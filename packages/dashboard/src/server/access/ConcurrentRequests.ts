/**
 * How many requests of the control API run at once in this process. They share the event loop and the database's connections
 * with payments, so a busy dashboard must wait for itself, and never make a payment wait.
 *
 * Requests wait only for their own kind: a slow receiver of webhooks does not hold up refunds, and neither of these holds up
 * reads.
 */
import type { Tenant } from "@paymux/core"
import { ApiProblem } from "@paymux/http"
import { Effect, Semaphore } from "effect"

export interface ConcurrencyLimits {
  readonly running: number
  /** More than these are refused. */
  readonly waiting: number
  /** Of one account and mode, running and waiting: it must not take the places of the others. */
  readonly perTenant: number
}

/** Requests that read and write the database. Less than half of the ten connections of a process to PostgreSQL. */
const databaseRequests: ConcurrencyLimits = { running: 4, waiting: 60, perTenant: 24 }

/**
 * Captures, cancels and refunds of one mode. A provider takes seconds, so they wait their turn. Few run at once: each needs the
 * database before and after.
 */
const moneyRequests: ConcurrencyLimits = { running: 6, waiting: 48, perTenant: 24 }

/**
 * Requests of one mode that wait for another system and move no money, such as a test event. That may take long, so the next
 * is refused at once.
 */
const outsideRequests: ConcurrencyLimits = { running: 8, waiting: 0, perTenant: 2 }

/**
 * Runs a request of an account and mode as soon as fewer than `running` others do.
 *
 * @internal Exported for its own test.
 */
export const makeConcurrentRequests = ({ perTenant, running, waiting }: ConcurrencyLimits) => {
  const permits = Semaphore.makeUnsafe(running)
  const entered = new Map<string, number>()
  const state = { entered: 0 }
  const enter = (tenant: string): boolean => {
    const own = entered.get(tenant) ?? 0
    if (state.entered >= running + waiting || own >= perTenant) return false
    state.entered += 1
    entered.set(tenant, own + 1)
    return true
  }
  const leave = (tenant: string) => {
    const own = entered.get(tenant) ?? 0
    state.entered -= 1
    if (own > 1) entered.set(tenant, own - 1)
    else entered.delete(tenant)
  }
  return <A, E, R>(
    { account, livemode }: Tenant,
    handled: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | ApiProblem, R> =>
    Effect.suspend<A, E | ApiProblem, R>(() => {
      const tenant = `${account} ${livemode}`
      return enter(tenant)
        ? Effect.ensuring(
            permits.withPermit(handled),
            Effect.sync(() => leave(tenant))
          )
        : Effect.fail(tooMany)
    })
}

/**
 * Waits until it is the only request that begins in this turn of the event loop. A page sends ten at once, and the answer of
 * each takes some milliseconds: payments go on between them.
 */
export const makeTurns = (): Effect.Effect<void> => Semaphore.makeUnsafe(1).withPermit(Effect.yieldNow)

/** What a handler waits for. */
export type RequestKind = "database" | "money" | "outside"

/** The limits of a process. Test mode has places of its own beside live mode, where the wait may be long. */
export const makeRequestLimits = () => {
  const database = makeConcurrentRequests(databaseRequests)
  const ofMode = () => ({
    database,
    money: makeConcurrentRequests(moneyRequests),
    outside: makeConcurrentRequests(outsideRequests)
  })
  const [live, test] = [ofMode(), ofMode()]
  return <A, E, R>(kind: RequestKind, tenant: Tenant, handled: Effect.Effect<A, E, R>) =>
    (tenant.livemode ? live : test)[kind](tenant, handled)
}

const tooMany = new ApiProblem({
  code: "overloaded",
  detail: "Too many requests of the dashboard are waiting: try again."
})
