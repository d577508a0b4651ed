/**
 * Rate limits of an account and mode per second, separately for reads and writes. Each limit is a token bucket of one
 * second's size, so that a burst of that size passes.
 *
 * Gotchas: the buckets are per process. Two servers admit twice as many requests.
 *
 * @example
 * ```ts
 * const isOneMore = RateLimits.useSync((limits) => limits.take({ account: "default", livemode: true }, "POST"))
 * ```
 */
import type { Tenant } from "@paymux/core"
import { Clock, Context, Effect, Layer } from "effect"

export interface RateLimitSettings {
  /** Limits in requests per second, positive integers. */
  readonly writesPerSecond: number
  readonly readsPerSecond: number
}

export const rateLimitDefaults: RateLimitSettings = { writesPerSecond: 1000, readsPerSecond: 1000 }

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts a request of `tenant`. `false`: the limit is exceeded, and the request is not counted. */
    readonly take: (tenant: Tenant, method: string) => boolean
  }
>()("@paymux/http/RateLimits") {
  /** The rate limits as a layer; `null`: no limits. */
  static readonly layer = (settings: RateLimitSettings | null): Layer.Layer<RateLimits> =>
    settings === null
      ? Layer.succeed(RateLimits, { take: () => true })
      : Layer.effect(
          RateLimits,
          Effect.map(Clock.Clock, (clock) => make(clock, settings))
        )
}

const make = (clock: Clock.Clock, { readsPerSecond, writesPerSecond }: RateLimitSettings) => {
  const buckets = new Map<string, Bucket>()
  return RateLimits.of({
    take: ({ account, livemode }, method) => {
      const isRead = method === "GET" || method === "HEAD"
      const limit = isRead ? readsPerSecond : writesPerSecond
      const name = `${isRead ? "read" : "write"} ${livemode ? "live" : "test"} ${account}`
      // The clock is monotonic. With the wall clock, a bucket would reject all requests after that clock was set back,
      // until the clock has caught up.
      const now = Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      const known = buckets.get(name)
      const bucket = known ?? { tokens: limit, since: now }
      if (known === undefined) buckets.set(name, bucket)
      const interval = 1000 / limit
      const added = Math.max(0, Math.floor((now - bucket.since) / interval))
      bucket.tokens = Math.min(limit, bucket.tokens + added)
      bucket.since = bucket.tokens === limit ? now : bucket.since + added * interval
      if (bucket.tokens < 1) return false
      bucket.tokens--
      return true
    }
  })
}

interface Bucket {
  tokens: number
  /**
   * The time at which `tokens` was computed, on a monotonic clock, ms. Tokens that were added since then are not
   * included.
   */
  since: number
}
