/**
 * Load shedding: a limit on the requests for new payments and operations that are before their first commit. Nothing is
 * written up to that commit, so a rejected request has no effect; after it, a request is always completed.
 *
 * The number of these requests grows when the load exceeds our own CPU and database. Waiting for a provider is not
 * counted: bulkheads bound it, and a slow provider must not block requests to the others. If calls in flight use the
 * slots of a bulkhead, its provider causes the queue before it. If payments before their first commit use them, Paymux
 * causes it.
 *
 * A burst is accepted, because it is processed quickly. A standing queue delays every request and completes no more of
 * them: if the queue persists, or a burst is too large, a lower limit applies until no request was rejected for a
 * while. If commits are slow, that limit is the number of requests that pass in a short wait (`Pace`). The idea is that
 * of CoDel (RFC 8289), which Facebook applied to the queues of its servers (Maurer, "Fail at Scale", ACM Queue 13/8).
 *
 * @example
 * ```ts
 * const created = Effect.flatMap(LoadShedder, ({ admit }) => admit(writeThePayment))
 * ```
 */
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { Overloaded, paymentError } from "../domain/PaymentError.ts"
import type { PaymentError } from "../domain/PaymentError.ts"
import { bulkheadDefaults } from "./Bulkhead.ts"

export interface LoadSheddingSettings {
  /** The number of concurrent requests that are accepted without overload. */
  readonly burst: number
  /**
   * The minimum limit of concurrent requests during overload: enough to share a commit. If commits are slow, the limit
   * is higher, up to `burst`.
   */
  readonly sustained: number
  /** The number of concurrent requests from which they count as a queue. */
  readonly queue: number
  /** The time after which a persisting queue is overload, ms. */
  readonly patience: number
  /** The time without a rejection after which overload ends, ms; also the `Retry-After` of rejected requests. */
  readonly calmAfter: number
}

export const loadSheddingDefaults: LoadSheddingSettings = {
  burst: 256,
  sustained: 64,
  queue: 128,
  patience: 100,
  calmAfter: 1000
}

/**
 * Counts the calls to one provider that wait for a slot of its bulkhead, and the calls that are being sent. The counts
 * distinguish a queue that the provider causes from a queue that Paymux causes.
 */
export interface Places {
  /** Runs an effect that waits for a slot, and counts it as waiting. */
  readonly inLine: <A, E, R>(wait: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Records that the holder of a slot has begun to send: from then on the provider causes the queue. */
  readonly sends: () => void
  /** Records that a holder that had begun to send releases its slot. */
  readonly leaves: () => void
}

/** The number of requests in progress below which a commit counts as not delayed by a queue. */
const few = 8

/** The number of requests to admit for each rejected one, until rejections count as rare and overload ends. */
const owedPerRefusal = 10

export class LoadShedder extends Context.Service<
  LoadShedder,
  {
    /**
     * Decides whether a new request is rejected. Call it once per request, and reject the request then: a rejection
     * extends overload.
     */
    readonly refuses: () => boolean
    /** Runs the work before the first commit as a counted request, or fails with `Overloaded` without starting it. */
    readonly admit: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | PaymentError, R>
    /**
     * Runs the first commit of an admitted request: it is counted and not rejected. Its time is measured only if it
     * wrote, because a commit without a write ends before the disk is flushed.
     */
    readonly counted: <A, E, R>(
      work: Effect.Effect<A, E, R>,
      hasWritten: (result: A) => boolean
    ) => Effect.Effect<A, E, R>
    readonly at: (provider: string) => Places
    /** The number of requests in progress, and of rejections since the start. */
    readonly standing: () => { readonly waiting: number; readonly refused: number }
  }
>()("@paymux/core/resilience/LoadShedder") {
  static readonly layer = (settings: Partial<LoadSheddingSettings> = {}): Layer.Layer<LoadShedder> =>
    Layer.effect(
      LoadShedder,
      Effect.map(Clock.Clock, (clock) => make({ ...loadSheddingDefaults, ...settings }, clock))
    )
}

const make = (settings: LoadSheddingSettings, clock: Clock.Clock): LoadShedder["Service"] => {
  const { burst, calmAfter, patience, queue, sustained } = settings
  const onTheirWay = { count: 0 }
  const providers = new Map<string, { readonly line: Count; readonly sending: Count; readonly places: Places }>()
  let refused = 0
  let queueSince: number | null = null
  // Overload ends when no request was rejected for a while, or when rejections have become rare. Without the second
  // rule, short pauses of the database would prolong overload forever. `owed`: the requests to admit until rejections
  // count as rare.
  let owed = 0
  const pace = makePace()
  let calmAt = Number.NEGATIVE_INFINITY

  const waiting = (): number => {
    let all = onTheirWay.count
    for (const { line, sending } of providers.values()) {
      if (sending.count < bulkheadDefaults.maxInFlight / 2) all += line.count
    }
    return all
  }
  const refuses = (): boolean => {
    const crowd = waiting()
    if (crowd < queue) queueSince = null
    if (crowd < sustained) return false
    const now = monotonic(clock)
    if (crowd >= queue) queueSince ??= now
    const goesOn = now < calmAt && owed > 0
    const isOverload = goesOn || (queueSince !== null && now - queueSince > patience)
    if (crowd < (isOverload ? Math.max(sustained, Math.min(burst, pace.fitting())) : burst)) return false
    calmAt = now + calmAfter
    owed = goesOn ? Math.min(owed + owedPerRefusal, burst) : burst
    refused += 1
    return true
  }
  const counted: LoadShedder["Service"]["counted"] = (work, hasWritten) =>
    Effect.suspend(() => {
      const crowd = onTheirWay.count
      const since = monotonic(clock)
      return countedOnce(onTheirWay, work, (result) => {
        if (!hasWritten(result)) return
        const now = monotonic(clock)
        pace.passed(now)
        // Not recorded under overload: even the first request of a batch then waits for the event loop.
        if (crowd < few && now >= calmAt) pace.tookAlone(now - since, now)
      })
    })
  const admit = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | PaymentError, R> =>
    Effect.suspend((): Effect.Effect<A, E | PaymentError, R> => {
      if (refuses()) return Effect.fail(paymentError(new Overloaded({ retryAfterMs: calmAfter })))
      if (owed > 0) owed -= 1
      return countedOnce(onTheirWay, work)
    })
  const at = (provider: string): Places => {
    const known = providers.get(provider)
    if (known !== undefined) return known.places
    const [line, sending] = [{ count: 0 }, { count: 0 }]
    const places: Places = {
      inLine: (wait) => Effect.suspend(() => countedOnce(line, wait)),
      sends: () => void sending.count++,
      leaves: () => void sending.count--
    }
    providers.set(provider, { line, sending, places })
    return places
  }
  return LoadShedder.of({ refuses, counted, admit, at, standing: () => ({ waiting: waiting(), refused }) })
}

interface Count {
  count: number
}

/** The current time of the monotonic clock, ms. A wall clock that is set back would prolong the overload. */
const monotonic = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

/**
 * Counts one run. The region that increments the count also decrements it on exit, so an interruption cannot skip the
 * decrement.
 */
const countedOnce = <A, E, R>(
  total: Count,
  work: Effect.Effect<A, E, R>,
  succeeded: (result: A) => void = () => undefined
): Effect.Effect<A, E, R> => {
  let isCounted = false
  const entered = Effect.suspend(() => {
    total.count += 1
    isCounted = true
    return work
  })
  return Effect.onExitPrimitive(entered, (exit) => {
    if (isCounted) total.count -= 1
    if (Exit.isSuccess(exit)) succeeded(exit.value)
    return undefined
  })
}

/**
 * Computes the number of requests that fit into a queue without a long wait, by Little's law: the throughput times the
 * wait.
 *
 * The accepted wait is a multiple of the duration of a request that finds hardly any other, so that it follows from the
 * disk or the database, regardless of their speed. Only requests that did not queue are measured: otherwise a queue
 * would justify a longer one. The idea is that of BBR (Cardwell et al., "BBR: Congestion-Based Congestion Control", ACM
 * Queue 14/5).
 */
interface Pace {
  /** Counts a request that has passed at `now`, in ms. */
  readonly passed: (now: number) => void
  /**
   * Records the duration in ms, at `now`, of a commit that wrote and during which hardly any other request was in
   * progress.
   */
  readonly tookAlone: (ms: number, now: number) => void
  /** The number of requests that may be in the queue at once. */
  readonly fitting: () => number
}

/** The longest accepted duration of a request, as a multiple of its duration without a queue. */
const longest = 5
/** The interval in which the passing requests are counted, ms. */
const interval = 250
/**
 * The factor by which the remembered highest rate falls in each interval: it halves in about nine seconds. A stall must
 * not lower it at once.
 */
const fading = 0.98
/**
 * The window of the shortest duration, ms. The minimum of the current and the previous window counts, so a disk that
 * becomes slower takes effect within two windows.
 */
const window = 5_000

/** @internal Exported for its own test. */
export const makePace = (): Pace => {
  /** The highest recent rate, in requests per ms. */
  let rate = 0
  let shortest: { readonly since: number; readonly before: number | null; readonly ms: number } | null = null
  let begun = Number.NEGATIVE_INFINITY
  let count = 0
  return {
    tookAlone: (ms, now) => {
      if (shortest === null || now - shortest.since >= window) {
        shortest = { since: now, before: shortest?.ms ?? null, ms }
      } else if (ms < shortest.ms) shortest = { ...shortest, ms }
    },
    passed: (now) => {
      count += 1
      const elapsed = now - begun
      if (elapsed < interval) return
      // The first interval begins with the first request.
      if (Number.isFinite(elapsed)) rate = Math.max(count / elapsed, rate * fading ** (elapsed / interval))
      begun = now
      count = 0
    },
    fitting: () =>
      shortest === null ? 0 : Math.ceil(longest * rate * Math.min(shortest.ms, shortest.before ?? shortest.ms))
  }
}
