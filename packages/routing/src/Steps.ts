/**
 * Long work in short steps, such as one rule each: a server answers requests between them. A step is at most a fraction of a
 * ms, so that a slice ends when it should.
 */
import { Clock, Effect } from "effect"

export type Steps<A> = Generator<void, A>

/** All steps at once. */
export const finish = <A>(steps: Steps<A>): A => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** ms for which nothing else runs. */
const SLICE = 2

/** Lets the event loop turn between slices of a few ms. */
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
