/**
 * Wakes the next waiter of the connection's permit in a microtask, within the same turn of the event loop. A semaphore
 * of Effect wakes it in a later turn. Under load a turn takes tens of milliseconds, and a commit would wait that long
 * for each statement ahead of it.
 */
import { Clock, Effect, Scheduler } from "effect"

/**
 * The maximum time, ms, for which waiters are woken within one turn of the event loop. After it, the next waiter is
 * woken in a later turn, because the connection must not block the event loop.
 */
const longest = 5

/** The time when a waiter was first woken in this turn of the event loop; `null`: none was woken yet. */
let since: number | null = null

const isLongTurn = (): boolean => {
  const now = Number(Clock.Clock.defaultValue().monotonicTimeNanosUnsafe()) / 1e6
  if (since !== null) return now - since > longest
  since = now
  setImmediate(() => {
    since = null
  })
  return false
}

const inSameTurn = new Scheduler.MixedScheduler("async", (run) => {
  if (isLongTurn()) {
    const later = setImmediate(run)
    return () => clearImmediate(later)
  }
  let isCanceled = false
  queueMicrotask(() => {
    if (!isCanceled) run()
  })
  return () => {
    isCanceled = true
  }
})

/** Restores the fiber's own scheduler for the work under the permit, so that the fiber yields to the event loop. */
type Restore = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Runs an effect that acquires and releases the permit. */
export const handingOver = <A, E, R>(hold: (restore: Restore) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const own = fiber.getRef(Scheduler.Scheduler)
    const restore: Restore = (work) => Effect.provideService(work, Scheduler.Scheduler, own)
    return Effect.provideService(hold(restore), Scheduler.Scheduler, inSameTurn)
  })
