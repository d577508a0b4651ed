/**
 * The breaker port on opossum: it keeps the rolling window, decides when the failure rate is too high, and times the
 * open period.
 *
 * - A call is fired into opossum when its result is known, not when it is admitted. Calls in flight, calls released and
 *   declines therefore weigh nothing in the rate, and a permit that is lost leaves nothing behind.
 * - Admission by generation and the probe's place are kept here: opossum lets a success from before the trip close a
 *   half-open circuit, and a probe that never ends blocks it for good.
 * - A closed circuit is a new one. opossum would keep the failures of the outage in its window, so that one failure
 *   after the recovery opened it again.
 * - No `timeout` and no `abortController`: the latter is one per circuit, and one timed-out call would abort the others.
 *
 * opossum reads the system's clock and timers, not Effect's: the open period and the window do not follow a `TestClock`.
 * Its timers do not keep a process alive, and end with the layer's scope.
 */
import { Clock, Effect, Layer, PubSub } from "effect"
import CircuitBreaker from "opossum"
import { BreakerOpen, Breakers, breakerDefaults } from "./Breaker.ts"
import type {
  Breaker,
  BreakerCause,
  BreakerKey,
  BreakerPermit,
  BreakerResult,
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
        get: (key) => Effect.sync(() => find(key)),
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

/** A stay in one state. Its identity is the generation that a permit was admitted in. */
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
  const stayIn = (state: BreakerState, cause: BreakerCause | null): Stay => ({
    state,
    cause,
    since: clock.currentTimeMillisUnsafe(),
    sinceNanos: clock.monotonicTimeNanosUnsafe()
  })
  const move = (to: BreakerState, cause: BreakerCause): void => {
    const from = stay.state
    stay = stayIn(to, cause)
    probe = undefined
    publish({ key, from, to, cause, at: stay.since })
  }
  const newCircuit = () => {
    const circuit = circuitOf(key, settings)
    circuit.on("halfOpen", () => move("half_open", "open_time_over"))
    return circuit
  }

  let circuit = newCircuit()
  let stay = stayIn("closed", null)
  let probe: Probe | undefined

  const open = (cause: BreakerCause): void => {
    circuit.open()
    move("open", cause)
  }
  const close = (cause: BreakerCause): void => {
    circuit.shutdown()
    circuit = newCircuit()
    move("closed", cause)
  }

  const closedPermit = (): BreakerPermit => {
    const admittedIn = stay
    return permit((result) => {
      if (stay !== admittedIn || result === "ignored" || result === "released") return
      circuit.fire(result).catch(() => undefined)
      if (circuit.opened) move("open", "failure_rate")
    })
  }
  const probePermit = (now: bigint): BreakerPermit => {
    const own: Probe = { leaseEndsNanos: now + nanos(settings.probeLeaseMs) }
    probe = own
    return permit((result) => {
      if (probe !== own) return
      switch (result) {
        case "success":
          return close("probe_succeeded")
        case "ignored":
          return close("probe_answered")
        case "failure":
          return open("probe_failed")
        case "released":
          probe = undefined
          return
        default:
          return result satisfies never
      }
    })
  }
  const admit = Effect.suspend((): Effect.Effect<BreakerPermit, BreakerOpen> => {
    switch (stay.state) {
      case "closed":
        return Effect.succeed(closedPermit())
      case "open":
        return refused(stay.sinceNanos + nanos(settings.openMs) - clock.monotonicTimeNanosUnsafe())
      case "half_open": {
        const now = clock.monotonicTimeNanosUnsafe()
        return probe === undefined || now >= probe.leaseEndsNanos
          ? Effect.succeed(probePermit(now))
          : refused(nanos(PROBING_RETRY_MS))
      }
      default:
        return stay.state satisfies never
    }
  })

  return {
    admit,
    state: Effect.sync(() => stay.state),
    forceOpen: (cause) =>
      Effect.sync(() => {
        if (stay.state === "open") stay = { ...stay, cause }
        else open(cause)
      }),
    snapshot: () => ({ key, state: stay.state, cause: stay.cause, since: stay.since }),
    shutdown: () => circuit.shutdown()
  }
}

/** While the probe is out nobody knows how long it takes; a second is the order of a provider's answer. */
const PROBING_RETRY_MS = 1000

const permit = (settle: (end: BreakerResult | "released") => void): BreakerPermit => {
  let ended = false
  const end = (how: BreakerResult | "released") =>
    Effect.sync(() => {
      if (ended) return
      ended = true
      settle(how)
    })
  return { report: end, release: end("released") }
}

const refused = (inNanos: bigint): Effect.Effect<never, BreakerOpen> =>
  Effect.fail(new BreakerOpen({ retryAfterMs: Math.max(1, Math.ceil(Number(inNanos) / 1e6)) }))

const nanos = (ms: number): bigint => BigInt(Math.round(ms * 1e6))

const circuitOf = (key: BreakerKey, settings: BreakerSettings) =>
  new CircuitBreaker(countResult, {
    name: `${key.provider} ${key.operation}`,
    timeout: false,
    // opossum opens above its threshold; ours is reached when it is met.
    errorThresholdPercentage: settings.failurePercent - 1e-9,
    volumeThreshold: settings.minimumCalls,
    rollingCountTimeout: settings.windowMs,
    rollingCountBuckets: settings.windowBuckets,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
    resetTimeout: settings.openMs
  })

/** Throws rather than rejects: opossum then counts, and opens, before `fire` returns. */
const countResult = (result: "success" | "failure"): Promise<void> => {
  if (result === "failure") throw FAILED
  return ANSWERED
}
const FAILED = new Error("The call counted as a failure.")
const ANSWERED = Promise.resolve()
