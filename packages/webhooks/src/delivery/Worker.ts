/** The shared state of all attempts of a process: fibers, claims, and results that are not stored yet. */
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { ClaimedDelivery, DeliveryClaim } from "./Delivery.ts"
import type { EndedAttempt } from "./DeliveryResults.ts"

export interface Worker {
  /** Runs attempts in the background. */
  readonly run: (attempts: Effect.Effect<void>) => void
  /** The claim at `now` (ms UTC), for attempts of at most `timeout` ms. */
  readonly claimAt: (now: number, timeout: number) => Omit<DeliveryClaim, "endpoints">
  readonly hold: (claimed: ReadonlyArray<ClaimedDelivery>) => void
  readonly drop: (claimed: ReadonlyArray<ClaimedDelivery>) => void
  /** Marks claims that the next `release` ends. */
  readonly giveBack: (claimed: ReadonlyArray<ClaimedDelivery>) => void
  /** Ends the claims that were given back. If it fails, the next call ends them. */
  readonly release: Effect.Effect<void, StoreUnavailable>
  /** Keeps a result until it is stored. */
  readonly end: (attempt: EndedAttempt) => void
  /** Makes an attempt and keeps its result. Without a result, the delivery is sent again once its lease has expired. */
  readonly attempt: (
    delivery: ClaimedDelivery,
    attempt: Effect.Effect<EndedAttempt>
  ) => Effect.Effect<EndedAttempt | null>
}

export interface WorkerOptions {
  readonly owner: string
  readonly run: (attempts: Effect.Effect<void>) => void
  readonly end: (attempt: EndedAttempt) => void
  readonly release: (claims: ReadonlyArray<ClaimedDelivery>) => Effect.Effect<void, StoreUnavailable>
}

export const make = ({ end, owner, release, run }: WorkerOptions): Worker => {
  /** The end of each lease, by the id of its delivery. */
  const held = new Map<number, number>()
  let returned: ReadonlyArray<ClaimedDelivery> = []
  // The delivery may have been claimed again in the meantime.
  const dropOne = ({ id, until }: ClaimedDelivery) => {
    if (held.get(id) === until) held.delete(id)
  }
  const ended = (attempt: EndedAttempt) => {
    dropOne(attempt.delivery)
    end(attempt)
  }
  return {
    run,
    claimAt: (now, timeout) => ({
      owner,
      now,
      until: now + timeout + leaseBeyondTimeout,
      except: [...held].flatMap(([id, until]) => (until <= now ? [id] : []))
    }),
    hold: (claimed) => {
      for (const { id, until } of claimed) held.set(id, until)
    },
    drop: (claimed) => claimed.forEach(dropOne),
    giveBack: (claimed) => {
      claimed.forEach(dropOne)
      returned = [...returned, ...claimed]
    },
    release: Effect.suspend(() => {
      const claims = returned
      // Attempts that end meanwhile may add claims.
      return Effect.tap(release(claims), () => Effect.sync(() => (returned = returned.slice(claims.length))))
    }),
    end: ended,
    attempt: (delivery, attempt) =>
      attempt.pipe(
        Effect.tap((result) => Effect.sync(() => ended(result))),
        Effect.catchCause((cause) =>
          Effect.as(Effect.logError("Webhook delivery failed and will be retried", cause), null)
        ),
        Effect.ensuring(Effect.sync(() => dropOne(delivery)))
      )
  }
}

/** The time limit of an attempt over HTTP, in ms. */
export const defaultTimeout = 15_000
/** How long a lease outlives its attempt's time limit in ms, for the wait before it and the reads and writes around it. */
export const leaseBeyondTimeout = 15_000
