/**
 * Long computations as generators of short steps, such as one rule each, so that a server can answer requests in
 * between. A step takes a fraction of a ms, so that a slice hardly exceeds its time limit.
 */
import { Clock, Effect } from "effect"

export type Steps<A> = Generator<void, A>

/** Runs all steps of a computation synchronously. */
export const finish = <A>(steps: Steps<A>): A => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The time limit of a slice in ms, during which no other fiber runs. */
const SLICE = 2

/** Runs the steps of a computation in slices of a few ms, and yields to the event loop after each slice. */
export const inSlices = Effect.fnUntraced(function* <A>(steps: Steps<A>) {
  const clock = yield* Clock.Clock
  for (;;) {
    const end = clock.currentTimeMillisUnsafe() + SLICE
    let step = steps.next()
    while (step.done !== true && clock.currentTimeMillisUnsafe() < end) step = steps.next()
    if (step.done === true) return step.value
    yield* Effect.yieldNow
  }
})
