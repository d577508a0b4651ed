/**
 * Hands the permit of the connection to the next fiber within the same turn of the event loop. A semaphore of Effect wakes its
 * next waiter in a later turn. Under load a turn takes tens of milliseconds, and the payments of a commit would wait as long for each
 * statement that is in front of them.
 */
import { Effect, Scheduler } from "effect"

const inSameTurn = new Scheduler.MixedScheduler("async", (run) => {
  let isCanceled = false
  queueMicrotask(() => {
    if (!isCanceled) run()
  })
  return () => {
    isCanceled = true
  }
})

/** Runs work as the fiber is scheduled otherwise: what holds the permit must not keep the event loop. */
type Restore = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Of an effect that takes the permit and gives it back. */
export const handingOver = <A, E, R>(hold: (restore: Restore) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const own = fiber.getRef(Scheduler.Scheduler)
    const restore: Restore = (work) => Effect.provideService(work, Scheduler.Scheduler, own)
    return Effect.provideService(hold(restore), Scheduler.Scheduler, inSameTurn)
  })
