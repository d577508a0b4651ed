import { assert, describe, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import { sampledTracer } from "../../src/telemetry/SampledTracer.ts"

describe("sampledTracer", () => {
  const kept = (ratio: number, parent?: Tracer.AnySpan) => {
    const tracer = sampledTracer(Tracer.nativeTracer, ratio)
    const traces = Array.from({ length: 2_000 }, () =>
      Effect.withSpan(Effect.withSpan(Effect.currentSpan, "inner"), "outer", parent === undefined ? {} : { parent })
    )
    return Effect.map(
      Effect.orDie(Effect.provideService(Effect.all(traces), Tracer.Tracer, tracer)),
      (spans) => spans.filter(({ sampled }) => sampled).length
    )
  }

  it.effect("keeps the share of traces that begin here, whole", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* kept(1), 2_000)
      assert.strictEqual(yield* kept(0), 0)
      // 500 on average, with a standard deviation of 19.
      assert.approximately(yield* kept(0.25), 500, 150)
    })
  )

  it.effect("keeps what was begun elsewhere as it says", () =>
    Effect.gen(function* () {
      const from = (sampled: boolean) =>
        Tracer.externalSpan({ traceId: "f".repeat(32), spanId: "b7ad6b7169203331", sampled })
      assert.strictEqual(yield* kept(0, from(true)), 2_000)
      assert.strictEqual(yield* kept(1, from(false)), 0)
    })
  )
})
