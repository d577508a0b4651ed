/** The shared state of all delivery attempts of a process: fibers, claims, and results that are not stored yet. */
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { ClaimedDelivery, DeliveryClaim } from "./Delivery.ts"
import type { EndedAttempt } from "./DeliveryResults.ts"

export interface Worker {
  /** Runs the attempts in the background. */
  readonly run: (attempts: Effect.Effect<void>) => void
  /** Creates a claim request at `now` (ms UTC), for attempts of at most `timeout` ms. */
  readonly claimAt: (now: number, timeout: number) => Omit<DeliveryClaim, "endpoints">
  readonly hold: (claimed: ReadonlyArray<ClaimedDelivery>) => void
  readonly drop: (claimed: ReadonlyArray<ClaimedDelivery>) => void
  /** Marks claims to be ended by the next `release`. */
  readonly giveBack: (claimed: ReadonlyArray<ClaimedDelivery>) => void
  /** Ends the marked claims. If this fails, the next call ends them. */
  readonly release: Effect.Effect<void, StoreUnavailable>
  /** Buffers the result of an attempt until it is stored. */
  readonly end: (attempt: EndedAttempt) => void
  /**
   * Makes an attempt and buffers its result. If there is no result, the delivery is sent again once its lease has
   * expired.
   */
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
  /** The end of the lease of each delivery that this process is sending, by delivery id. */
  const held = new Map<number, number>()
  let returned: ReadonlyArray<ClaimedDelivery> = []
  // Forgets a claim only if it is the same one, since the delivery may have been claimed again in the meantime.
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
      // Removes only the claims that were ended: attempts that end meanwhile may add others.
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

/** The default time limit of an HTTP attempt, ms. */
export const defaultTimeout = 15_000
/**
 * The time by which a lease outlives the time limit of its attempt, ms: for the wait before the attempt, and for the
 * reads and writes around it.
 */
export const leaseBeyondTimeout = 15_000
