/**
 * Bulkheads: at most so many calls in flight per provider, so that a slow one takes no more than its share of the
 * process. Who finds it full waits in line, first come, first served, and gives up after a second: the next candidate
 * is then the better choice.
 *
 * A slot is held over commits and may be given back by another fiber than the one that took it, so `acquire` answers the
 * release as a value. Effect's `Semaphore` does not serve: where its `take` races a timeout, a permit granted at that
 * moment is lost.
 *
 * @example
 * ```ts
 * const guarded = Effect.uninterruptibleMask((restore) =>
 *   Effect.gen(function* () {
 *     const bulkhead = yield* (yield* Bulkheads).get("acme")
 *     const release = yield* bulkhead.acquire
 *     return yield* Effect.ensuring(restore(callTheProvider), release)
 *   })
 * )
 * ```
 */
import { Clock, Context, Deferred, Effect, Exit, Layer, Schema } from "effect"

/** Every slot stayed taken while we waited. Nothing was sent. */
export class BulkheadFull extends Schema.TaggedError<BulkheadFull>()("BulkheadFull", {
  provider: Schema.String,
  /** ms spent waiting */
  waitedMs: Schema.Finite
}) {}

/** Gives the slot to the next in line. Only the first run counts. */
export type Release = Effect.Effect<void>

export interface Bulkhead {
  /**
   * Takes a slot. Interrupting a waiter takes it out of the line, and a slot granted at that moment goes to the next.
   * Take it in an uninterruptible region that lasts until the release is in safe hands, as in the example: the wait is
   * bounded by `maxWaitMs`.
   */
  readonly acquire: Effect.Effect<Release, BulkheadFull>
  readonly occupancy: Effect.Effect<{ readonly inFlight: number; readonly waiting: number }>
}

export interface BulkheadSettings {
  /** Slots per provider. */
  readonly maxInFlight: number
  readonly maxWaitMs: number
}

export const bulkheadDefaults: BulkheadSettings = { maxInFlight: 256, maxWaitMs: 1000 }

/** One bulkhead per provider instance, made when first asked for. */
export class Bulkheads extends Context.Service<
  Bulkheads,
  { readonly get: (provider: string) => Effect.Effect<Bulkhead> }
>()("@paymux/core/resilience/Bulkhead/Bulkheads") {}

export const layer = (settings: Partial<BulkheadSettings> = {}): Layer.Layer<Bulkheads> =>
  Layer.sync(Bulkheads, () => {
    const complete = { ...bulkheadDefaults, ...settings }
    const bulkheadsByProvider = new Map<string, Bulkhead>()
    return {
      get: (provider) =>
        Effect.sync(() => {
          let bulkhead = bulkheadsByProvider.get(provider)
          if (bulkhead === undefined) bulkheadsByProvider.set(provider, (bulkhead = make(provider, complete)))
          return bulkhead
        })
    }
  })

interface Waiter {
  readonly turn: Deferred.Deferred<void>
  granted: boolean
}

export const make = (provider: string, settings: BulkheadSettings): Bulkhead => {
  const line = new Set<Waiter>()
  let inFlight = 0

  const vacate: Effect.Effect<void> = Effect.withFiber((fiber) => {
    const [next] = line
    if (next === undefined) {
      inFlight -= 1
      return Effect.void
    }
    // The slot changes hands here: it is never free in between, so nobody can push in.
    line.delete(next)
    next.granted = true
    // Scheduled: a waiter woken on our own stack may release on it too, and so on down a long line.
    fiber.currentDispatcher.scheduleTask(() => Deferred.doneUnsafe(next.turn, Exit.void), 0)
    return Effect.void
  })
  const releaseOnce = (): Release => {
    let released = false
    return Effect.suspend(() => {
      if (released) return Effect.void
      released = true
      return vacate
    })
  }

  const acquire = Effect.uninterruptibleMask((restore) =>
    Effect.suspend((): Effect.Effect<Release, BulkheadFull> => {
      if (inFlight < settings.maxInFlight) {
        inFlight += 1
        return Effect.succeed(releaseOnce())
      }
      return wait(restore)
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
      if (waiter.granted) yield* vacate
      return yield* Effect.failCause(exit.cause)
    }
    // Not the race decides but the grant: a turn that came together with the timeout is taken.
    if (waiter.granted) return releaseOnce()
    return yield* new BulkheadFull({ provider, waitedMs: (yield* Clock.currentTimeMillis) - startedAt })
  })

  return { acquire, occupancy: Effect.sync(() => ({ inFlight, waiting: line.size })) }
}
