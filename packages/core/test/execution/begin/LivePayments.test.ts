import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Deferred, Effect, Layer } from "effect"
import type { PaymentId } from "../../../src/domain/Ids.ts"
import { LivePayments } from "../../../src/execution/begin/LivePayments.ts"

/** When a caller is answered whose payment stays open, ms after its start, if each timer takes `sleepMs`. */
const answeredAfter = (sleepMs: number, waited = 0) =>
  Effect.scoped(
    Effect.gen(function* () {
      let now = 0
      const real = yield* Clock.Clock
      const clock: Clock.Clock = {
        currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe(),
        currentTimeMillis: real.currentTimeMillis,
        currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe(),
        currentTimeNanos: real.currentTimeNanos,
        monotonicTimeNanos: real.monotonicTimeNanos,
        monotonicTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
        sleep: () =>
          Effect.andThen(
            Effect.yieldNow,
            Effect.sync(() => {
              now += sleepMs
            })
          )
      }
      const built = yield* Effect.provideService(Layer.build(LivePayments.layer), Clock.Clock, clock)
      const answer = yield* Deferred.await(
        Context.get(built, LivePayments).start("pay_1" as PaymentId, null, waited).answer
      )
      assert.isNull(answer)
      return now
    })
  )

describe("a caller whose payment stays open", () => {
  it.effect("is answered ten seconds after its request began", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* answeredAfter(100), 10_000)
      assert.strictEqual(yield* answeredAfter(100, 4_000), 6_000)
    })
  )

  it.effect("is answered as soon where the timers of a busy process are late", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* answeredAfter(400), 10_000)
    })
  )
})
