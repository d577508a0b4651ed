/** One run of a late world through the real engine, from its beginning to its end. */
import { Effect, References } from "effect"
import { TestClock } from "effect/testing"
import { outage } from "./lateWorlds.ts"
import { traffic } from "./Traffic.ts"
import type { Choice, TrafficOptions } from "./Traffic.ts"

/**
 * - `one`: one engine from the beginning to the end.
 * - `restart`: it ends in the middle of the outage, and another begins on the same database.
 * - `two`: two engines on one database take the payments in turn.
 */
export type Engines = "one" | "restart" | "two"

export const lateRun = (options: TrafficOptions, engines: Engines): Promise<ReadonlyArray<Choice>> =>
  Effect.gen(function* () {
    const { choices, start, until } = yield* traffic(options)
    const first = yield* start
    if (engines === "two") {
      yield* until(options.world.minutes, [first, yield* start])
      return choices
    }
    if (engines === "one") {
      yield* until(options.world.minutes, [first])
      return choices
    }
    yield* until((outage.from + outage.until) / 2, [first])
    yield* first.end
    yield* until(options.world.minutes, [yield* start])
    return choices
  }).pipe(
    Effect.provide(TestClock.layer()),
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.scoped,
    Effect.runPromise
  )

/** Of the payments, in percent. */
export const lostOf = (choices: ReadonlyArray<Choice>): number =>
  (100 * choices.reduce((sum, { lost }) => sum + lost, 0)) / choices.length
