/**
 * Rate limits: how many requests an account and mode may make in a second, reads and writes apart. A token bucket each:
 * it holds one second's worth, so that a burst of that size passes, and fills as time goes by.
 *
 * Gotchas: the buckets are of this process. Two servers let through twice as much.
 *
 * @example
 * ```ts
 * const isOneMore = RateLimits.useSync((limits) => limits.take({ account: "default", livemode: true }, "POST"))
 * ```
 */
import type { Tenant } from "@paymux/core"
import { Clock, Context, Effect, Layer } from "effect"

export interface RateLimitSettings {
  /** Whole numbers from 1 on. */
  readonly writesPerSecond: number
  readonly readsPerSecond: number
}

export const rateLimitDefaults: RateLimitSettings = { writesPerSecond: 1000, readsPerSecond: 1000 }

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts a request of `tenant`. `false`: it is one too many, and is not counted. */
    readonly take: (tenant: Tenant, method: string) => boolean
  }
>()("@paymux/http/RateLimits") {
  /** `null`: no limits. */
  static readonly layer = (settings: RateLimitSettings | null): Layer.Layer<RateLimits> =>
    settings === null
      ? Layer.succeed(RateLimits, { take: () => true })
      : Layer.effect(
          RateLimits,
          Effect.map(Clock.Clock, (clock) => make(clock, settings))
        )
}

const make = (clock: Clock.Clock, { readsPerSecond, writesPerSecond }: RateLimitSettings) => {
  const reads = buckets(readsPerSecond)
  const writes = buckets(writesPerSecond)
  return RateLimits.of({
    take: ({ account, livemode }, method) => {
      const bucketOf = method === "GET" || method === "HEAD" ? reads : writes
      // Not the wall clock: one that was set back would refuse everybody for as long.
      const now = Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      return takeOne(bucketOf(livemode ? `live ${account}` : `test ${account}`, now), now)
    }
  })
}

interface Bucket {
  readonly limit: number
  tokens: number
  /** ms at which it held exactly `tokens`. */
  since: number
}

const buckets = (limit: number) => {
  const made = new Map<string, Bucket>()
  return (tenant: string, now: number): Bucket => {
    const known = made.get(tenant)
    if (known !== undefined) return known
    const bucket = { limit, tokens: limit, since: now }
    made.set(tenant, bucket)
    return bucket
  }
}

const takeOne = (bucket: Bucket, now: number): boolean => {
  const interval = 1000 / bucket.limit
  const added = Math.max(0, Math.floor((now - bucket.since) / interval))
  bucket.tokens = Math.min(bucket.limit, bucket.tokens + added)
  bucket.since = bucket.tokens === bucket.limit ? now : bucket.since + added * interval
  if (bucket.tokens < 1) return false
  bucket.tokens--
  return true
}
