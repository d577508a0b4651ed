/**
 * Limits of the page: wrong links by client address, and requests by payment. Many payers share an address behind a
 * carrier's network, so a correct link is never refused because of its address.
 */
import { Clock, Context, Effect, Layer } from "effect"

export interface LimitSettings {
  /** Requests with a wrong link that one address may send in a minute. */
  readonly missesPerMinute: number
  /** Requests for one payment in a minute. */
  readonly hitsPerMinute: number
}

export const limitDefaults: LimitSettings = { missesPerMinute: 30, hitsPerMinute: 300 }

export class Limits extends Context.Service<
  Limits,
  {
    /** Counts a wrong link; `false`: the address has sent too many. */
    readonly miss: (address: string) => Effect.Effect<boolean>
    /** Counts a request for a payment; `false`: there were too many. */
    readonly hit: (paymentId: string) => Effect.Effect<boolean>
  }
>()("@paymux/checkout/Limits") {
  static readonly layer = (settings: LimitSettings = limitDefaults): Layer.Layer<Limits> =>
    Layer.sync(Limits, () => {
      const misses = perMinute(settings.missesPerMinute)
      const hits = perMinute(settings.hitsPerMinute)
      const now = Clock.currentTimeMillis
      return Limits.of({
        miss: (address) => Effect.map(now, (time) => misses.take(address, time)),
        hit: (paymentId) => Effect.map(now, (time) => hits.take(paymentId, time))
      })
    })
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
