/**
 * Limits of the page: wrong links and open event streams by client address, and requests by payment. Many payers share an address behind a
 * carrier's network, so a correct link is never refused because of its address: a page without a stream polls.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { Scope } from "effect"

export interface LimitSettings {
  /** Requests with a wrong link that one address may send in a minute. */
  readonly missesPerMinute: number
  /** Requests for one payment in a minute. */
  readonly hitsPerMinute: number
  /** Event streams that one address may have open. */
  readonly streams: number
  /** Event streams that all clients together may have open whose address is not known. */
  readonly streamsWithoutAddress: number
}

/** @internal Exported for tests that reach these bounds. */
export const limitDefaults: LimitSettings = {
  missesPerMinute: 30,
  hitsPerMinute: 300,
  streams: 100,
  streamsWithoutAddress: 10_000
}

export class Limits extends Context.Service<
  Limits,
  {
    /** Counts a wrong link; `false`: the address has sent too many. */
    readonly miss: (address: string) => Effect.Effect<boolean>
    /** Counts a request for a payment; `false`: there were too many. */
    readonly hit: (paymentId: string) => Effect.Effect<boolean>
    /** Counts an event stream until its scope ends; `false`: the address has too many. */
    readonly stream: (address: string | null) => Effect.Effect<boolean, never, Scope.Scope>
  }
>()("@paymux/checkout/Limits") {
  static readonly layer = (settings: LimitSettings = limitDefaults): Layer.Layer<Limits> =>
    Layer.sync(Limits, () => {
      const misses = perMinute(settings.missesPerMinute)
      const hits = perMinute(settings.hitsPerMinute)
      const streams = atOnce((address) => (address === null ? settings.streamsWithoutAddress : settings.streams))
      const now = Clock.currentTimeMillis
      return Limits.of({
        miss: (address) => Effect.map(now, (time) => misses.take(address, time)),
        hit: (paymentId) => Effect.map(now, (time) => hits.take(paymentId, time)),
        stream: (address) =>
          Effect.acquireRelease(
            Effect.sync(() => streams.enter(address)),
            (isEntered) => Effect.sync(() => (isEntered ? streams.leave(address) : undefined))
          )
      })
    })
}

/** Counts what is open. A key without anything open takes no memory. */
const atOnce = (mostOf: (key: string | null) => number) => {
  const counts = new Map<string | null, number>()
  return {
    enter: (key: string | null): boolean => {
      const count = counts.get(key) ?? 0
      if (count >= mostOf(key)) return false
      counts.set(key, count + 1)
      return true
    },
    leave: (key: string | null): void => {
      const count = counts.get(key) ?? 0
      if (count > 1) counts.set(key, count - 1)
      else counts.delete(key)
    }
  }
}

/** Counts by whole minutes. Each minute begins with no counts, so memory is bounded by the requests of a minute. */
const perMinute = (most: number) => {
  let minute = -1
  let counts = new Map<string, number>()
  const countsAt = (time: number) => {
    const current = Math.floor(time / 60_000)
    if (current !== minute) {
      minute = current
      counts = new Map()
    }
    return counts
  }
  return {
    take: (key: string, time: number): boolean => {
      const current = countsAt(time)
      const count = (current.get(key) ?? 0) + 1
      current.set(key, count)
      return count <= most
    }
  }
}
