/**
 * The breaker port on Effect's `Clock` alone, for simulations: what a `TestClock` or a virtual clock says is the time.
 *
 * The window is a ring of buckets, each a slice of the clock. Nothing runs on its own: an open breaker whose time is
 * over becomes half open, and says so with the time at which that came true, when it is next looked at.
 *
 * @example
 * ```ts
 * import { ClockBreaker } from "@paymux/test-suites"
 *
 * const breakers = ClockBreaker.layer({ openMs: 5_000 })
 * ```
 */
import { BreakerOpen, breakerDefaults, Breakers, permitOf } from "@paymux/core/engine"
import type {
  Breaker,
  BreakerCause,
  BreakerKey,
  BreakerPermit,
  BreakerSettings,
  BreakerSnapshot,
  BreakerState,
  BreakerTransition
} from "@paymux/core/engine"
import { Clock, Effect, Layer, PubSub, Result } from "effect"

export const layer = (settings: Partial<BreakerSettings> = {}): Layer.Layer<Breakers> =>
  Layer.effect(
    Breakers,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const transitions = yield* PubSub.sliding<BreakerTransition>(1024)
      const publish = (transition: BreakerTransition) => void PubSub.publishUnsafe(transitions, transition)
      const complete = { ...breakerDefaults, ...settings }
      const breakers = new Map<string, ClockBreaker>()
      const nameOf = (key: BreakerKey) => JSON.stringify([key.provider, key.operation])
      const find = (key: BreakerKey): ClockBreaker => {
        const name = nameOf(key)
        let breaker = breakers.get(name)
        if (breaker === undefined) breakers.set(name, (breaker = make(key, complete, clock, publish)))
        return breaker
      }
      return {
        get: find,
        stateOf: (key) => breakers.get(nameOf(key))?.snapshot().state ?? "closed",
        subscribe: PubSub.subscribe(transitions),
        snapshot: Effect.sync(() => [...breakers.values()].map((breaker) => breaker.snapshot()))
      }
    })
  )

interface ClockBreaker extends Breaker {
  readonly snapshot: () => BreakerSnapshot
}

/** A stay in one state. Its identity is the generation that a permit was admitted in. */
interface Stay {
  readonly state: BreakerState
  readonly cause: BreakerCause | null
  /** ms UTC, for people. */
  readonly since: number
  /** Monotonic ms, for the rules: a wall clock that is set moves no period. */
  readonly from: number
}

const make = (
  key: BreakerKey,
  settings: BreakerSettings,
  clock: Clock.Clock,
  publish: (transition: BreakerTransition) => void
): ClockBreaker => {
  const elapsed = () => Number(clock.monotonicTimeNanosUnsafe() / 1000n) / 1000
  const results = rollingCount(settings)
  let stay: Stay = { state: "closed", cause: null, since: clock.currentTimeMillisUnsafe(), from: elapsed() }
  let probe: { readonly leaseEnds: number } | undefined

  const move = (state: BreakerState, cause: BreakerCause, late = 0): void => {
    const from = stay.state
    stay = { state, cause, since: clock.currentTimeMillisUnsafe() - late, from: elapsed() - late }
    probe = undefined
    results.clear()
    publish({ key, from, to: state, cause, at: stay.since })
  }
  const current = (): Stay => {
    const late = elapsed() - stay.from - settings.openMs
    if (stay.state === "open" && late >= 0) move("half_open", "open_time_over", late)
    return stay
  }

  const closedPermit = (): BreakerPermit => {
    const admittedIn = stay
    return permitOf((result) => {
      if (current() !== admittedIn || result === "ignored" || result === "released") return
      const { calls, failures } = results.add(elapsed(), result === "failure")
      if (calls >= settings.minimumCalls && failures * 100 >= settings.failurePercent * calls) {
        move("open", "failure_rate")
      }
    })
  }
  const probePermit = (): BreakerPermit => {
    const own = { leaseEnds: elapsed() + settings.probeLeaseMs }
    probe = own
    return permitOf((result) => {
      if (probe !== own) return
      switch (result) {
        case "success":
          return move("closed", "probe_succeeded")
        case "ignored":
          return move("closed", "probe_answered")
        case "failure":
          return move("open", "probe_failed")
        case "released":
          probe = undefined
          return
        default:
          return result satisfies never
      }
    })
  }

  return {
    admit: (): Result.Result<BreakerPermit, BreakerOpen> => {
      const { from, state } = current()
      switch (state) {
        case "closed":
          return Result.succeed(closedPermit())
        case "open":
          return refused(from + settings.openMs - elapsed())
        case "half_open":
          return probe === undefined || elapsed() >= probe.leaseEnds
            ? Result.succeed(probePermit())
            : refused(PROBING_RETRY_MS)
        default:
          return state satisfies never
      }
    },
    state: () => current().state,
    forceOpen: (cause) => {
      if (current().state === "open") stay = { ...stay, cause }
      else move("open", cause)
    },
    snapshot: () => {
      const { cause, since, state } = current()
      return { key, state, cause, since }
    }
  }
}

const PROBING_RETRY_MS = 1000

/** Calls and failures of the last `windowMs`, to the precision of one bucket. */
const rollingCount = ({ windowBuckets, windowMs }: BreakerSettings) => {
  const width = windowMs / windowBuckets
  let buckets: Array<{ readonly slice: number; calls: number; failures: number }> = []
  return {
    clear: () => void (buckets = []),
    add: (now: number, failed: boolean): { readonly calls: number; readonly failures: number } => {
      const slice = Math.floor(now / width)
      buckets = buckets.filter((bucket) => bucket.slice > slice - windowBuckets)
      let latest = buckets.at(-1)
      if (latest?.slice !== slice) buckets.push((latest = { slice, calls: 0, failures: 0 }))
      latest.calls += 1
      if (failed) latest.failures += 1
      return buckets.reduce(
        (sum, bucket) => ({ calls: sum.calls + bucket.calls, failures: sum.failures + bucket.failures }),
        { calls: 0, failures: 0 }
      )
    }
  }
}

const refused = (inMs: number): Result.Result<never, BreakerOpen> =>
  Result.fail(new BreakerOpen({ retryAfterMs: Math.max(1, Math.ceil(inMs)) }))
