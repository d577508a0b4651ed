/** One node of three after the other. */
import { Effect } from "effect"
import { honest } from "./chain/proxy.ts"
import type { Behavior } from "./chain/proxy.ts"
import type { TestEnvironment } from "./testEnvironment.ts"

export const places = [0, 1, 2] as const

/** One node of three misbehaves, each in its turn. */
export const eachInTurn = (
  environment: TestEnvironment,
  behavior: Behavior,
  body: (place: number) => Effect.Effect<void, unknown>
) =>
  Effect.forEach(
    places,
    (place) =>
      Effect.gen(function* () {
        for (const node of environment.nodes) node.behave(honest)
        environment.nodes[place].behave(behavior)
        yield* body(place)
      }),
    { discard: true }
  )
