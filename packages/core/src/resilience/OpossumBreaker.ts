/**
 * The breaker port on opossum: it keeps the rolling window, decides when the failure rate is too high, and times the
 * open period.
 *
 * - A call is fired into opossum when its result is known, not when it is admitted. Calls in flight, released calls and
 *   declines therefore do not count in the rate, and a lost permit has no effect.
 * - This file tracks the generation of admissions and the probe: in opossum, a success from before the circuit opened closes
 *   a half-open circuit, and a probe that never ends blocks it forever.
 * - A closed circuit is a new one. opossum would keep the failures of the outage in its window, so that one failure after
 *   the recovery would open it again.
 * - No `timeout` and no `abortController`: the latter is one per circuit, and one timed-out call would abort the others.
 *
 * opossum reads the system's clock and timers, not Effect's: the open period and the window do not follow a `TestClock`.
 * Its timers do not keep a process alive, and end with the layer's scope.
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

/** A period in one state. Its identity is the generation in which a permit was admitted. */
interface Stay {
  readonly state: BreakerState
  readonly cause: BreakerCause | null
  /** ms UTC */
  readonly since: number
  /** Monotonic, so that a wall clock that is set does not move the retry time. */
  readonly sinceNanos: bigint
}

interface Probe {
  readonly leaseEndsNanos: bigint
}

const make = (
  key: BreakerKey,
  settings: BreakerSettings,
  clock: Clock.Clock,
  publish: (transition: BreakerTransition) => void
): OpossumBreaker => {
  const circuit = circuitOf(key, settings, clock, publish)
  const admit = (): Result.Result<BreakerPermit, BreakerOpen> => {
    const { sinceNanos, state } = circuit.stay
    switch (state) {
      case "closed":
        return Result.succeed(closedPermit(circuit))
      case "open":
        return refused(sinceNanos + nanos(settings.openMs) - clock.monotonicTimeNanosUnsafe())
      case "half_open": {
        const now = clock.monotonicTimeNanosUnsafe()
        return circuit.probe === null || now >= circuit.probe.leaseEndsNanos
          ? Result.succeed(probePermit(circuit, now + nanos(settings.probeLeaseMs)))
          : refused(nanos(PROBING_RETRY_MS))
      }
      default:
        return state satisfies never
    }
  }
  return {
    admit,
    state: () => circuit.stay.state,
    forceOpen: (cause) => {
      if (circuit.stay.state === "open") circuit.stay = { ...circuit.stay, cause }
      else circuit.open(cause)
    },
    snapshot: () => ({ key, state: circuit.stay.state, cause: circuit.stay.cause, since: circuit.stay.since }),
    shutdown: circuit.shutdown
  }
}

/** opossum's circuit, with the state and the probe that this file tracks. */
interface Circuit {
  stay: Stay
  /** The probe of a half-open circuit. */
  probe: Probe | null
  readonly count: (result: "success" | "failure") => void
  readonly open: (cause: BreakerCause) => void
  readonly close: (cause: BreakerCause) => void
  readonly shutdown: () => void
}

const circuitOf = (
  key: BreakerKey,
  settings: BreakerSettings,
  clock: Clock.Clock,
  publish: (transition: BreakerTransition) => void
): Circuit => {
  const stayIn = (state: BreakerState, cause: BreakerCause | null): Stay => ({
    state,
    cause,
    since: clock.currentTimeMillisUnsafe(),
    sinceNanos: clock.monotonicTimeNanosUnsafe()
  })
  const move = (to: BreakerState, cause: BreakerCause): void => {
    const from = circuit.stay.state
    circuit.stay = stayIn(to, cause)
    circuit.probe = null
    publish({ key, from, to, cause, at: circuit.stay.since })
  }
  const begin = () => opossumOf(key, settings).on("halfOpen", () => move("half_open", "open_time_over"))
  let opossum = begin()
  const circuit: Circuit = {
    stay: stayIn("closed", null),
    probe: null,
    count: (result) => {
      opossum.fire(result).catch(() => undefined)
      if (opossum.opened) move("open", "failure_rate")
    },
    open: (cause) => {
      opossum.open()
      move("open", cause)
    },
    close: (cause) => {
      opossum.shutdown()
      opossum = begin()
      move("closed", cause)
    },
    shutdown: () => opossum.shutdown()
  }
  return circuit
}

const closedPermit = (circuit: Circuit): BreakerPermit => {
  const admittedIn = circuit.stay
  return permitOf((result) => {
    if (circuit.stay !== admittedIn || result === "ignored" || result === "released") return
    circuit.count(result)
  })
}

const probePermit = (circuit: Circuit, leaseEndsNanos: bigint): BreakerPermit => {
  const own: Probe = { leaseEndsNanos }
  circuit.probe = own
  return permitOf((result) => {
    if (circuit.probe !== own) return
    switch (result) {
      case "success":
        return circuit.close("probe_succeeded")
      case "ignored":
        return circuit.close("probe_answered")
      case "failure":
        return circuit.open("probe_failed")
      case "released":
        circuit.probe = null
        return
      default:
        return result satisfies never
    }
  })
}

/** The duration of a probe in flight is unknown; a second is typical for a provider. */
const PROBING_RETRY_MS = 1000

const refused = (inNanos: bigint): Result.Result<never, BreakerOpen> =>
  Result.fail(new BreakerOpen({ retryAfterMs: Math.max(1, Math.ceil(Number(inNanos) / 1e6)) }))

const nanos = (ms: number): bigint => BigInt(Math.round(ms * 1e6))

const opossumOf = (key: BreakerKey, settings: BreakerSettings) =>
  new CircuitBreaker(countResult, {
    name: `${key.provider} ${key.operation}`,
    timeout: false,
    // opossum opens above its threshold; ours opens at the threshold.
    errorThresholdPercentage: settings.failurePercent - 1e-9,
    volumeThreshold: settings.minimumCalls,
    rollingCountTimeout: settings.windowMs,
    rollingCountBuckets: settings.windowBuckets,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
    resetTimeout: settings.openMs
  })

/** It throws instead of rejecting: opossum then counts, and opens, before `fire` returns. */
const countResult = (result: "success" | "failure"): Promise<void> => {
  if (result === "failure") throw FAILED
  return ANSWERED
}
const FAILED = new Error("The call counted as a failure.")
const ANSWERED = Promise.resolve()
