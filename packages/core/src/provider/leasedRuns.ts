/**
 * Runs each provider's background process in one of many processes at a time.
 *
 * A lease decides which process runs it; it is renewed while the process runs, and released when it ends. A process
 * that stalled past its lease stops when it notices, and its writes until then are rejected by their fencing token. The
 * store of a single engine needs no lease. A background process that fails is restarted in both cases.
 */
import { Cause, Context, Effect } from "effect"
import { clockTolerance } from "../domain/clockTolerance.ts"
import { Ids } from "../domain/Ids.ts"
import { PaymentStore } from "../store/PaymentStore.ts"
import type { HeldLease } from "../store/PaymentStore.ts"

/** The lease that protects the running fiber's writes; `null` outside of a leased process. */
export const CurrentLease = Context.Reference<HeldLease | null>("@paymux/core/CurrentLease", {
  defaultValue: () => null
})

export const leasedRuns = Effect.gen(function* () {
  const store = yield* PaymentStore
  const owner = (yield* Ids).engine()

  /** The number of consecutive times that each lease was refused. */
  const refusals = new Map<string, number>()
  /**
   * Acquires a lease. A process that owns a lease renews it, so no lease should be valid for longer than one renewal
   * allows. A longer lease was acquired while a clock was ahead, and is ignored after several refusals.
   */
  const acquire = Effect.fnUntraced(function* (name: string) {
    const refused = refusals.get(name) ?? 0
    const now = yield* store.now
    const until = now + leaseTimes.lease
    const isOverdue = refused * leaseTimes.wait >= leaseTimes.lease + clockTolerance
    const fence = yield* store.leases.hold(name, {
      owner,
      now,
      until,
      ...(isOverdue && { latest: until + clockTolerance })
    })
    refusals.set(name, fence === null ? refused + 1 : 0)
    return fence
  })

  /** Renews the lease until it is lost, or cannot be renewed in time. */
  const renewed = Effect.fnUntraced(function* (name: string, fence: number) {
    let until = (yield* store.now) + leaseTimes.lease
    while ((yield* store.now) < until) {
      yield* Effect.sleep(leaseTimes.renew)
      const now = yield* store.now
      const claim = { owner, now, until: now + leaseTimes.lease }
      const held = yield* Effect.catch(store.leases.hold(name, claim), () => Effect.succeed("away" as const))
      if (held === "away") continue
      if (held !== fence) return
      until = claim.until
    }
  })

  const turn = Effect.fnUntraced(function* (name: string, run: Effect.Effect<never>) {
    const fence = yield* acquire(name)
    if (fence === null) return
    yield* Effect.raceFirst(Effect.provideService(run, CurrentLease, { name, fence }), renewed(name, fence)).pipe(
      Effect.ensuring(Effect.ignore(store.leases.release(name, owner)))
    )
  })

  return (provider: string, run: Effect.Effect<never>): Effect.Effect<void> => {
    const once = store.singleEngine ? run : turn(`provider:${provider}`, run)
    const logged = Effect.catchCause(once, (cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.logError(`The background process of ${provider} failed and is restarted`, cause)
    )
    return Effect.forever(Effect.andThen(logged, Effect.sleep(leaseTimes.wait)))
  }
})

/** The times of a lease in ms: its duration, the interval of renewals, and the pause before another try. */
const leaseTimes = { lease: 30_000, renew: 10_000, wait: 5_000 } as const
