/**
 * Load shedding: how many requests for something new may be on their way to their first commit. Up to there nothing is
 * written, so what is refused is refused whole; from there on it is carried through.
 *
 * These are what grows when more comes than our own CPU and database can do. Waiting for a provider is not counted:
 * bulkheads bound it, and a slow provider must not be the reason why nobody is served. The line before a bulkhead is the
 * provider's where its places are taken by what is being sent, and ours where payments have them that wait for their
 * first commit.
 *
 * A burst is taken, because it is worked off in a moment. A queue that stands lets everybody wait and serves nobody more:
 * where it does not go away, or a burst is too large, the bound is the lower one until nobody has been refused for a
 * while. The idea is that of CoDel (RFC 8289), which Facebook took to the queues of its servers (Maurer, "Fail at Scale",
 * ACM Queue 13/8).
 *
 * @example
 * ```ts
 * const created = Effect.flatMap(LoadShedder, ({ admit }) => admit(writeThePayment))
 * ```
 */
import { Clock, Context, Effect, Layer } from "effect"
import { bulkheadDefaults } from "./Bulkhead.ts"
import { Overloaded, paymentError } from "../domain/PaymentError.ts"
import type { PaymentError } from "../domain/PaymentError.ts"

export interface LoadSheddingSettings {
  /** Requests at a time that are taken where there was no overload. */
  readonly burst: number
  /** Requests at a time while there is overload: so many that a commit is shared, so few that nobody waits long. */
  readonly sustained: number
  /** So many or more are a queue. */
  readonly queue: number
  /** ms for which a queue may stand; after that it is overload. */
  readonly patience: number
  /** ms without a refusal after which overload is over; also what a refused client is told to wait. */
  readonly calmAfter: number
}

export const loadSheddingDefaults: LoadSheddingSettings = {
  burst: 256,
  sustained: 8,
  queue: 128,
  patience: 500,
  calmAfter: 1000
}

/** Of one provider: tells a line that is its own from one that is ours. */
export interface Places {
  /** Runs what waits for a place. */
  readonly inLine: <A, E, R>(wait: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Who has a place has begun to send: it is the provider's from now on. */
  readonly sends: () => void
  /** Who had begun gives its place back. */
  readonly leaves: () => void
}

/** So many have to be let in for each that was refused. */
const owedPerRefusal = 10

export class LoadShedder extends Context.Service<
  LoadShedder,
  {
    /** Whether one that comes now is refused. Ask once for each, and refuse it then: the answer keeps the bound low. */
    readonly refuses: () => boolean
    /** Runs `work` as one of the requests that are counted, or fails with `Overloaded` and does not begin it. */
    readonly admit: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | PaymentError, R>
    /** The same for one that was admitted before: it is counted and not refused. */
    readonly counted: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    readonly at: (provider: string) => Places
    /** How many are on their way now, and how many were refused since the start. */
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
  // Overload goes on until nobody was refused for a while, or so many were let in that who was refused is an exception: a
  // moment in which nothing is written, as any machine has, must not prolong it for ever.
  let owed = 0
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
    // A clock that only runs forward: a wall clock that is set back would keep the bound low.
    const now = Number(clock.monotonicTimeNanosUnsafe()) / 1e6
    if (crowd >= queue) queueSince ??= now
    const goesOn = now < calmAt && owed > 0
    const isOverload = goesOn || (queueSince !== null && now - queueSince > patience)
    if (crowd < (isOverload ? sustained : burst)) return false
    calmAt = now + calmAfter
    owed = goesOn ? Math.min(owed + owedPerRefusal, burst) : burst
    refused += 1
    return true
  }
  const counted = countedIn(onTheirWay)
  const admit = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | PaymentError, R> =>
    Effect.suspend((): Effect.Effect<A, E | PaymentError, R> => {
      if (refuses()) return Effect.fail(paymentError(new Overloaded({ retryAfterMs: calmAfter })))
      if (owed > 0) owed -= 1
      return counted(work)
    })
  const at = (provider: string): Places => {
    const known = providers.get(provider)
    if (known !== undefined) return known.places
    const [line, sending] = [{ count: 0 }, { count: 0 }]
    const places: Places = {
      inLine: countedIn(line),
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

const countedIn = (total: Count) => {
  const leave = Effect.sync(() => {
    total.count -= 1
  })
  return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) => {
      total.count += 1
      return Effect.ensuring(restore(work), leave)
    })
}
