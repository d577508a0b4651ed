/**
 * Rate limits: how many requests an account and mode may make in a second, reads and writes apart. A token bucket each:
 * it holds one second's worth, so that a burst of that size passes, and fills as time goes by.
 *
 * Gotchas: the buckets are of this process. Two servers let through twice as much.
 *
 * @example
 * ```ts
 * const isOneMore = RateLimits.use((limits) => limits.take({ account: "default", livemode: true }, "POST"))
 * ```
 */
import type { Tenant } from "@paymux/core"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"

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
    readonly take: (tenant: Tenant, method: string) => Effect.Effect<boolean>
  }
>()("@paymux/http/RateLimits") {
  /** `null`: no limits. */
  static readonly layer = (settings: RateLimitSettings | null): Layer.Layer<RateLimits> =>
    settings === null
      ? Layer.succeed(RateLimits, { take: () => Effect.succeed(true) })
      : Layer.effect(RateLimits, make(settings)).pipe(
          Layer.provide(RateLimiter.layer),
          Layer.provide(RateLimiter.layerStoreMemory)
        )
}

const make = Effect.fnUntraced(function* ({ readsPerSecond, writesPerSecond }: RateLimitSettings) {
  const limiter = yield* RateLimiter.RateLimiter
  const clock = forwardOnly(yield* Clock.Clock)
  const takeOne = (key: string, limit: number): Effect.Effect<boolean> =>
    limiter
      .consume({ algorithm: "token-bucket", window: second, limit, key })
      .pipe(Effect.match({ onSuccess: () => true, onFailure: () => false }), Effect.provideService(Clock.Clock, clock))
  return RateLimits.of({
    take: ({ account, livemode }, method) => {
      const tenant = livemode ? `live ${account}` : `test ${account}`
      return method === "GET" || method === "HEAD"
        ? takeOne(`reads ${tenant}`, readsPerSecond)
        : takeOne(`writes ${tenant}`, writesPerSecond)
    }
  })
})

const second = Duration.seconds(1)

/** The limiter asks for the wall clock: one that was set back would refuse everybody for as long. */
const forwardOnly = (clock: Clock.Clock): Clock.Clock => {
  const nanos = () => clock.monotonicTimeNanosUnsafe()
  const millis = () => Number(nanos()) / 1e6
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: clock.monotonicTimeNanos,
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
}
