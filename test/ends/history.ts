/** Runs the history of an end once, before the tests of its describe block. */
import { beforeAll } from "@effect/vitest"
import { Effect, Logger } from "effect"
import type { Scope } from "effect"
import { TestClock } from "effect/testing"

/**
 * The history runs in `beforeAll`: an error in it fails the whole block, so that no `it.fails` can hide it. Returns a
 * function that gives the result of the history.
 */
export const history = <A, E>(run: Effect.Effect<A, E, Scope.Scope>): (() => A) => {
  const left: Array<A> = []
  beforeAll(async () => {
    left.push(await Effect.runPromise(inVirtualTime(run)))
  })
  return () => {
    const [value] = left
    if (value === undefined) throw new Error("The history did not run")
    return value
  }
}

const inVirtualTime = <A, E>(run: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E> =>
  Effect.scoped(run).pipe(Effect.provide([TestClock.layer(), Logger.layer([])]))
