import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Limits } from "../src/Limits.ts"

const settings = { missesPerMinute: 2, hitsPerMinute: 3, streams: 2, streamsWithoutAddress: 3 }
const provided = Effect.provide(Limits.layer(settings))

const times = <R>(count: number, effect: Effect.Effect<boolean, never, R>) => Effect.replicateEffect(effect, count)

describe("the limits of the page", () => {
  for (const [what, limit, key] of [
    ["wrong links of one address", settings.missesPerMinute, "miss"],
    ["requests for one payment", settings.hitsPerMinute, "hit"]
  ] as const) {
    it.effect(`allow ${limit} ${what} a minute, whatever others send`, () =>
      Effect.gen(function* () {
        const count = (yield* Limits)[key]
        const expected = [...Array.from({ length: limit }, () => true), false]
        assert.deepStrictEqual(yield* times(limit + 1, count("a")), expected)
        assert.deepStrictEqual(yield* times(limit + 1, count("b")), expected)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* times(limit + 1, count("a")), expected)
      }).pipe(provided)
    )
  }

  it.effect("count a stream until its scope ends, and one that was refused not at all", () =>
    Effect.gen(function* () {
      const { stream } = yield* Limits
      const opened = (address: string | null) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          return { scope, isOpen: yield* Scope.provide(stream(address), scope) }
        })
      const [first, second, third] = [yield* opened("a"), yield* opened("a"), yield* opened("a")]
      assert.deepStrictEqual([first.isOpen, second.isOpen, third.isOpen], [true, true, false])
      assert.isTrue((yield* opened("b")).isOpen)
      yield* Scope.close(third.scope, Exit.void)
      assert.isFalse((yield* opened("a")).isOpen)
      yield* Scope.close(first.scope, Exit.void)
      assert.isTrue((yield* opened("a")).isOpen)
      assert.isFalse((yield* opened("a")).isOpen)
      const unknown = yield* Effect.replicateEffect(opened(null), settings.streamsWithoutAddress + 1)
      assert.deepStrictEqual(
        unknown.map(({ isOpen }) => isOpen),
        [true, true, true, false]
      )
    }).pipe(provided)
  )
})
