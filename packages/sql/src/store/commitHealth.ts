/** The health of commits of payments, for health checks. */
import { StoreUnavailable } from "@paymux/core/store"
import type { LeaseStore } from "@paymux/core/store"
import { Cause, Clock, Effect, Exit } from "effect"

export interface CommitHealth {
  /** Runs a commit, and records its success or failure for the health check. */
  readonly watched: <A>(commit: Effect.Effect<A, StoreUnavailable>) => Effect.Effect<A, StoreUnavailable>
  /**
   * Runs `probe`, a small commit. The probe may succeed although commits of payments fail, as on a disk that is nearly
   * full: after a failed commit, this check fails as well, for ten seconds or until a commit succeeds.
   */
  readonly ready: (probe: Effect.Effect<unknown, StoreUnavailable>) => Effect.Effect<void, StoreUnavailable>
}

/**
 * The time after a failed commit for which the check fails, ms; then traffic is admitted again, to show whether commits
 * succeed.
 */
const failingFor = 10_000

export const commitHealth = (): CommitHealth => {
  /** The commits that failed since the last success. */
  const failed = { count: 0, seen: 0, seenAt: 0 }
  const failing = Effect.map(Clock.currentTimeMillis, (now) => {
    if (failed.count === 0) return false
    if (failed.count !== failed.seen) {
      failed.seen = failed.count
      failed.seenAt = now
    }
    return now - failed.seenAt < failingFor
  })
  return {
    watched: (commit) =>
      Effect.onExitPrimitive(commit, (exit) => {
        if (Exit.isSuccess(exit)) failed.count = 0
        else if (!Cause.hasInterruptsOnly(exit.cause)) failed.count += 1
        return undefined
      }),
    ready: (probe) =>
      Effect.flatMap(failing, (isFailing) =>
        isFailing
          ? Effect.fail(new StoreUnavailable({ cause: new Error("The last commit of a payment failed") }))
          : Effect.asVoid(probe)
      )
  }
}

/**
 * Makes a commit that writes on both databases: it takes a lease that no process holds. An update that changes nothing
 * would write nothing, and so would not check the disk.
 */
export const holdProbed = ({ hold }: LeaseStore): Effect.Effect<number | null, StoreUnavailable> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => hold("paymux/health", { owner: "health", now, until: now }))
