import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Scope } from "effect"
import type { Behavior } from "./dueWork.ts"

/** ms. A run ends after this time, done or not. */
export const longest = 120_000

/**
 * Asserts that 600 due at a slow, a hanging or a failing one delay the work of another by less than half. `delayOfOther`: ms
 * until that work is done, beside so many due at the first; `longest`: it is not done. `layer` is built anew for each run.
 */
export const compareDelays = Effect.fnUntraced(function* <A, E, R, E2>(
  layer: Layer.Layer<A, E, R>,
  delayOfOther: (behavior: Behavior, due: number) => Effect.Effect<number, E2, A | Scope.Scope>
) {
  const run = (behavior: Behavior, due: number) =>
    Effect.scoped(Effect.provide(delayOfOther(behavior, due), Layer.fresh(layer)))
  const alone = yield* run("prompt", 0)
  assert.isBelow(alone, longest)
  for (const behavior of ["slow", "hanging", "failing"] as const) {
    assert.isAtMost(yield* run(behavior, 600), 1.5 * alone, `${behavior}, alone ${alone}`)
  }
})
