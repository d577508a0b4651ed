/**
 * A queue of claimed deliveries to one endpoint, and the fibers that send them when concurrency slots become free. A
 * fast endpoint gets many deliveries between two claims, although few run concurrently. The queue has about as many
 * deliveries as ended since the last claim, so that few deliveries wait if the endpoint starts to hang.
 */
import { Effect } from "effect"
import { patience } from "./ConcurrencyLimiter.ts"
import { leaseBeyondTimeout } from "./Worker.ts"

export interface Slots {
  /**
   * Returns the number of further attempts that may start at `now` (ms UTC). No attempt may start if it is 0 or less.
   */
  readonly room: (now: number) => number
  /** Whether more deliveries may be claimed than there are free slots, because the endpoint is fast. */
  readonly isQuick: (now: number) => boolean
  /** Registers an attempt that starts. The returned function must be called once when the attempt ends. */
  readonly begin: (now: number) => (succeeded: boolean | null) => void
}

export interface ClaimedQueue<A> {
  /** The number of queued deliveries, including those that it is too late to send. */
  readonly waiting: () => number
  /**
   * Returns the number of deliveries to claim at `now`, for slots that are free or will be soon. No delivery is needed
   * if it is 0 or less.
   */
  readonly wanted: (now: number) => number
  readonly add: (items: ReadonlyArray<A>, now: number) => void
  /** Starts an attempt for each free concurrency slot. */
  readonly start: (now: number) => void
  /**
   * Removes queued deliveries that should be released to other processes, after two seconds in the queue, and those
   * that it is too late to send.
   */
  readonly removeLate: (now: number) => ReadonlyArray<A>
  readonly removeAll: () => ReadonlyArray<A>
}

interface Waiting<A> {
  readonly item: A
  /** The time when the delivery was claimed, ms UTC. */
  readonly since: number
}

/**
 * Creates a queue. `attempt` sends a delivery and returns whether it succeeded; `null` if the receiver did not cause
 * the result.
 */
export const make = <A>(
  slots: Slots,
  clock: () => number,
  run: (worker: Effect.Effect<void>) => void,
  attempt: (item: A) => Effect.Effect<boolean | null>
): ClaimedQueue<A> => {
  let waiting: Array<Waiting<A>> = []
  let late: Array<A> = []
  let endedSinceClaim = 0

  /**
   * Skips deliveries whose lease may have expired: if this process was suspended, another process may have sent them,
   * and later events too.
   */
  const takeNext = (now: number) => {
    late.push(...removeWhere(hasWaited(longestWait, now)))
    return waiting.shift()
  }

  const takeAll: Effect.Effect<void> = Effect.suspend(() => {
    const now = clock()
    const next = slots.room(now) > 0 ? takeNext(now) : undefined
    if (next === undefined) return Effect.void
    const end = slots.begin(now)
    let succeeded: boolean | null = null
    const one = Effect.map(attempt(next.item), (result) => void (succeeded = result))
    const ended = Effect.sync(() => {
      endedSinceClaim++
      end(succeeded)
    })
    return Effect.andThen(Effect.ensuring(one, ended), takeAll)
  })

  const removeWhere = (isRemoved: (waiting: Waiting<A>) => boolean): ReadonlyArray<A> => {
    const removed = waiting.filter(isRemoved)
    waiting = waiting.filter((each) => !isRemoved(each))
    return removed.map(({ item }) => item)
  }

  const removeLate = (isRemoved: (waiting: Waiting<A>) => boolean): ReadonlyArray<A> => {
    const removed = [...late, ...removeWhere(isRemoved)]
    late = []
    return removed
  }

  return {
    waiting: () => waiting.length + late.length,
    wanted: (now) => slots.room(now) + (slots.isQuick(now) ? endedSinceClaim : 0) - waiting.length,
    add: (items, now) => {
      endedSinceClaim = 0
      waiting.push(...items.map((item) => ({ item, since: now })))
    },
    start: (now) => {
      for (let n = Math.min(slots.room(now), waiting.length); n > 0; n--) run(takeAll)
    },
    removeLate: (now) => removeLate(hasWaited(patience, now)),
    removeAll: () => removeLate(() => true)
  }
}

/** If the clock was set back, the waiting time is unknown. The delivery is then treated as having waited too long. */
const hasWaited =
  (ms: number, now: number) =>
  ({ since }: Waiting<unknown>): boolean =>
    now - since > ms || now < since

/**
 * The maximum time in the queue, ms. An attempt that starts later could outlive its lease, even if its result is stored
 * within five seconds.
 */
const longestWait = leaseBeyondTimeout - 5000
