/**
 * Bulkheads: a limit on the calls in flight per provider, so that a slow provider uses no more than its share of the
 * process. A caller that finds no free slot waits, first in, first out, and fails after a second, because the next
 * candidate is then the better choice.
 *
 * A slot is held across commits and may be released by another fiber than the one that acquired it, so `acquire`
 * returns the release as a value. Effect's `Semaphore` is not sufficient: if its `take` races a timeout, a permit that
 * is granted at that moment is lost.
 *
 * @example
 * ```ts
 * const guarded = Effect.uninterruptibleMask((restore) =>
 *   Effect.gen(function* () {
 *     const bulkhead = (yield* Bulkheads).get("acme", "payments")
 *     const release = bulkhead.enter() ?? (yield* bulkhead.acquire)
 *     return yield* Effect.ensuring(restore(callTheProvider), Effect.sync(release))
 *   })
 * )
 * ```
 */
import { Clock, Context, Deferred, Effect, Exit, Layer, Schema } from "effect"

/** Error: no slot became free in time. Nothing was sent. */
export class BulkheadFull extends Schema.TaggedError<BulkheadFull>()("BulkheadFull", {
  provider: Schema.String,
  /** The time spent waiting, ms. */
  waitedMs: Schema.Finite
}) {}

/** Releases the slot, which passes to the next waiter. Only the first run counts. */
export type Release = () => void

export interface Bulkhead {
  /** Takes a free slot; `null`: none is free. No slot is free while callers wait. */
  readonly enter: () => Release | null
  /**
   * Waits for a slot. An interrupted waiter leaves the queue, and a slot that is granted at that moment passes to the
   * next. Acquire it in an uninterruptible region that lasts until the release is registered, as in the example:
   * `maxWaitMs` limits the wait.
   */
  readonly acquire: Effect.Effect<Release, BulkheadFull>
  readonly occupancy: () => { readonly inFlight: number; readonly waiting: number }
}

export interface BulkheadSettings {
  /** The number of slots per provider. */
  readonly maxInFlight: number
  readonly maxWaitMs: number
}

export const bulkheadDefaults: BulkheadSettings = { maxInFlight: 256, maxWaitMs: 1000 }

/**
 * The kind of calls that share slots. `payments`: calls that may move money. `inquiries`: calls that only read. Anyone
 * with a return URL can cause inquiries, so they have slots of their own and cannot take those of payments.
 */
export type Lane = "payments" | "inquiries"

/** The number of slots for inquiries, per provider. */
export const inquirySlots = 64

/** The bulkheads: two per provider instance, one for each lane, created on first use. */
export class Bulkheads extends Context.Service<
  Bulkheads,
  { readonly get: (provider: string, lane: Lane) => Bulkhead }
>()("@paymux/core/resilience/Bulkhead/Bulkheads") {}

export const layer = (settings: Partial<BulkheadSettings> = {}): Layer.Layer<Bulkheads> =>
  Layer.sync(Bulkheads, () => {
    const complete = { ...bulkheadDefaults, ...settings }
    const ofInquiries = { ...complete, maxInFlight: Math.min(complete.maxInFlight, inquirySlots) }
    const lanes = { payments: new Map<string, Bulkhead>(), inquiries: new Map<string, Bulkhead>() }
    return {
      get: (provider, lane) => {
        let bulkhead = lanes[lane].get(provider)
        if (bulkhead === undefined) {
          bulkhead = make(provider, lane === "payments" ? complete : ofInquiries)
          lanes[lane].set(provider, bulkhead)
        }
        return bulkhead
      }
    }
  })

interface Waiter {
  readonly turn: Deferred.Deferred<void>
  granted: boolean
}

export const make = (provider: string, settings: BulkheadSettings): Bulkhead => {
  const line = new Set<Waiter>()
  const granted: Array<Waiter> = []
  let inFlight = 0

  const vacate = (): void => {
    const [next] = line
    if (next === undefined) {
      inFlight -= 1
      return
    }
    // The slot passes directly to the waiter, without being free in between, so that no caller can overtake.
    line.delete(next)
    next.granted = true
    // Grants one slot after the other in a loop: a resumed waiter may release on the same stack, which would be
    // recursive for a long queue.
    if (granted.push(next) > 1) return
    for (const { turn } of granted) Deferred.doneUnsafe(turn, Exit.void)
    granted.length = 0
  }
  const releaseOnce = (): Release => {
    let released = false
    return () => {
      if (released) return
      released = true
      vacate()
    }
  }

  const enter = (): Release | null => {
    if (inFlight >= settings.maxInFlight) return null
    inFlight += 1
    return releaseOnce()
  }
  const acquire = Effect.uninterruptibleMask((restore) =>
    Effect.suspend((): Effect.Effect<Release, BulkheadFull> => {
      const release = enter()
      return release === null ? wait(restore) : Effect.succeed(release)
    })
  )
  const wait = Effect.fnUntraced(function* (restore: <A>(effect: Effect.Effect<A>) => Effect.Effect<A>) {
    const waiter: Waiter = { turn: Deferred.makeUnsafe(), granted: false }
    line.add(waiter)
    const startedAt = yield* Clock.currentTimeMillis
    const turn = Effect.timeoutOption(Deferred.await(waiter.turn), settings.maxWaitMs)
    const exit = yield* Effect.exit(restore(turn))
    line.delete(waiter)
    if (Exit.isFailure(exit)) {
      if (waiter.granted) vacate()
      return yield* Effect.failCause(exit.cause)
    }
    // If the slot was granted at the moment of the timeout, the caller uses it.
    if (waiter.granted) return releaseOnce()
    return yield* new BulkheadFull({ provider, waitedMs: (yield* Clock.currentTimeMillis) - startedAt })
  })

  return { enter, acquire, occupancy: () => ({ inFlight, waiting: line.size }) }
}
