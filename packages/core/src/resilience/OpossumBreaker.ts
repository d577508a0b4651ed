/**
 * The breaker port on opossum: it keeps the rolling window, decides when the failure rate is too high, and times the
 * open period.
 *
 * - A call is fired into opossum when its result is known, not when it is admitted. Calls in flight, released calls and
 *   declines therefore do not count in the rate, and a lost permit has no effect.
 * - This file tracks the state in which a call was admitted, and the probe: in opossum, a success from before the
 *   circuit opened closes a half-open circuit, and a probe that never ends blocks it forever.
 * - A closed circuit is a new one. opossum would keep the failures of the outage in its window, so that one failure
 *   after the recovery would open it again.
 * - No `timeout` and no `abortController`: the latter is one per circuit, and one timed-out call would abort the
 *   others.
 *
 * opossum reads the system's clock and timers, not Effect's: the open period and the window do not follow a
 * `TestClock`. Its timers do not keep a process alive, and end with the layer's scope.
 */
import { Clock, Effect, Layer, PubSub, Result } from "effect"
import CircuitBreaker from "opossum"
import { BreakerOpen, Breakers, breakerDefaults, permitOf } from "./Breaker.ts"
import type {
  Breaker,
  BreakerCause,
  BreakerKey,
  BreakerPermit,
  BreakerSettings,
  BreakerSnapshot,
  BreakerState,
  BreakerTransition
} from "./Breaker.ts"

export const layer = (settings: Partial<BreakerSettings> = {}): Layer.Layer<Breakers> =>
  Layer.effect(
    Breakers,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const transitions = yield* PubSub.sliding<BreakerTransition>(1024)
      const publish = (transition: BreakerTransition) => void PubSub.publishUnsafe(transitions, transition)
      const complete = { ...breakerDefaults, ...settings }
      const operationsByProvider = new Map<string, Map<string, OpossumBreaker>>()

      const find = (key: BreakerKey): OpossumBreaker => {
        let operations = operationsByProvider.get(key.provider)
        if (operations === undefined) operationsByProvider.set(key.provider, (operations = new Map()))
        let breaker = operations.get(key.operation)
        if (breaker === undefined) operations.set(key.operation, (breaker = make(key, complete, clock, publish)))
        return breaker
      }
      const all = () => [...operationsByProvider.values()].flatMap((operations) => [...operations.values()])

      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const breaker of all()) breaker.shutdown()
        })
      )
      return {
        get: find,
        stateOf: ({ operation, provider }) =>
          operationsByProvider.get(provider)?.get(operation)?.snapshot().state ?? "closed",
        subscribe: PubSub.subscribe(transitions),
        snapshot: Effect.sync(() => all().map((breaker) => breaker.snapshot()))
      }
    })
  )

interface OpossumBreaker extends Breaker {
  readonly snapshot: () => BreakerSnapshot
  readonly shutdown: () => void
}

/**
 * One period in one state, such as one open period. A permit keeps the object of the period in which it was admitted:
 * when the state has changed since, the result of its call does not count.
 */
interface Stay extends Omit<BreakerSnapshot, "key"> {
  /**
   * The start of the period on the monotonic clock, so that a change of the wall clock does not move the retry time.
   */
  readonly sinceNanos: bigint
}

/** The probe of a half-open breaker. Object identity distinguishes it from a later probe. */
interface Probe {
  readonly leaseEndsNanos: bigint
}

const make = (
  key: BreakerKey,
  settings: BreakerSettings,
  clock: Clock.Clock,
  publish: (transition: BreakerTransition) => void
): OpossumBreaker => {
  const now = () => clock.monotonicTimeNanosUnsafe()
  const stayIn = (state: BreakerState, cause: BreakerCause | null): Stay => ({
    state,
    cause,
    since: clock.currentTimeMillisUnsafe(),
    sinceNanos: now()
  })
  let stay = stayIn("closed", null)
  let probe: Probe | null = null
  const move = (to: BreakerState, cause: BreakerCause): void => {
    const from = stay.state
    stay = stayIn(to, cause)
    probe = null
    publish({ key, from, to, cause, at: stay.since })
  }
  const begin = () => opossumOf(key, settings).on("halfOpen", () => move("half_open", "open_time_over"))
  let circuit = begin()
  const open = (cause: BreakerCause): void => {
    circuit.open()
    move("open", cause)
  }
  const close = (cause: BreakerCause): void => {
    circuit.shutdown()
    circuit = begin()
    move("closed", cause)
  }
  const closedPermit = (admittedIn: Stay): BreakerPermit =>
    permitOf((result) => {
      if (stay !== admittedIn || result === "ignored" || result === "released") return
      circuit.fire(result).catch(() => undefined)
      if (circuit.opened) move("open", "failure_rate")
    })
  const probePermit = (own: Probe): BreakerPermit => {
    probe = own
    return permitOf((result) => {
      if (probe !== own) return
      if (result === "released") probe = null
      else if (result === "failure") open("probe_failed")
      else close(result === "success" ? "probe_succeeded" : "probe_answered")
    })
  }
  return {
    admit: () => {
      switch (stay.state) {
        case "closed":
          return Result.succeed(closedPermit(stay))
        case "open":
          return refused(stay.sinceNanos + nanos(settings.openMs) - now())
        case "half_open": {
          const at = now()
          return probe === null || at >= probe.leaseEndsNanos
            ? Result.succeed(probePermit({ leaseEndsNanos: at + nanos(settings.probeLeaseMs) }))
            : refused(nanos(PROBING_RETRY_MS))
        }
      }
    },
    state: () => stay.state,
    forceOpen: (cause) => {
      if (stay.state === "open") stay = { ...stay, cause }
      else open(cause)
    },
    snapshot: () => ({ key, state: stay.state, cause: stay.cause, since: stay.since }),
    shutdown: () => circuit.shutdown()
  }
}

/**
 * The retry time that is returned while a probe is in flight, ms. Its end is unknown; a call to a provider typically
 * takes a second.
 */
const PROBING_RETRY_MS = 1000

const refused = (inNanos: bigint): Result.Result<never, BreakerOpen> =>
  Result.fail(new BreakerOpen({ retryAfterMs: Math.max(1, Math.ceil(Number(inNanos) / 1e6)) }))

const nanos = (ms: number): bigint => BigInt(Math.round(ms * 1e6))

const opossumOf = (key: BreakerKey, settings: BreakerSettings) =>
  new CircuitBreaker(countResult, {
    name: `${key.provider} ${key.operation}`,
    timeout: false,
    // The threshold is lowered slightly, because opossum opens above its threshold and ours opens at the threshold.
    errorThresholdPercentage: settings.failurePercent - 1e-9,
    volumeThreshold: settings.minimumCalls,
    rollingCountTimeout: settings.windowMs,
    rollingCountBuckets: settings.windowBuckets,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
    resetTimeout: settings.openMs
  })

/**
 * The failure passed to opossum. It is thrown instead of rejected: opossum then counts, and opens, before `fire`
 * returns.
 */
const countResult = (result: "success" | "failure"): Promise<void> => {
  if (result === "failure") throw FAILED
  return ANSWERED
}
const FAILED = new Error("The call counted as a failure.")
const ANSWERED = Promise.resolve()
