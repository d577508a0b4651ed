/**
 * A queue of claimed deliveries that wait for a slot, with the fibers that send them. A fast endpoint gets many deliveries
 * between two claims, although few run concurrently. The queue has about as many deliveries as ended since the last claim, so
 * that few deliveries wait if the endpoint starts to hang.
 */
import { Effect } from "effect"
import { patience } from "./ConcurrencyLimiter.ts"
import { leaseBeyondTimeout } from "./Worker.ts"

export interface Slots {
  /** How many more may start at `now` (ms UTC); 0 or less: none. */
  readonly room: (now: number) => number
  /** Whether deliveries may be claimed that wait for a slot. */
  readonly isQuick: (now: number) => boolean
  /** Registers an attempt. Run the returned function once when the attempt ends. */
  readonly begin: (now: number) => (succeeded: boolean | null) => void
}

export interface ClaimedQueue<A> {
  /** The number of waiting deliveries, including those that are too late to start. */
  readonly waiting: () => number
  /** How many more to claim at `now`, for slots that are free or will be soon. 0 or less: none. */
  readonly wanted: (now: number) => number
  readonly add: (items: ReadonlyArray<A>, now: number) => void
  /** Starts an attempt for each free slot. */
  readonly start: (now: number) => void
  /** Removes deliveries that other processes may send, since they waited for two seconds, and those too late to start. */
  readonly removeLate: (now: number) => ReadonlyArray<A>
  readonly removeAll: () => ReadonlyArray<A>
}

interface Waiting<A> {
  readonly item: A
  /** When it was claimed, ms UTC. */
  readonly since: number
}

/** `attempt` returns whether it succeeded; `null`: the result is not the receiver's. */
export const make = <A>(
  slots: Slots,
  clock: () => number,
  run: (worker: Effect.Effect<void>) => void,
  attempt: (item: A) => Effect.Effect<boolean | null>
): ClaimedQueue<A> => {
  let waiting: Array<Waiting<A>> = []
  let late: Array<A> = []
  let endedSinceClaim = 0

  /** Skips expired deliveries: if this process was suspended, another one may have sent them, and later events too. */
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

/** If the clock was set back, the time is unknown, and counts as waited. */
const hasWaited =
  (ms: number, now: number) =>
  ({ since }: Waiting<unknown>): boolean =>
    now - since > ms || now < since

/** In ms. An attempt that starts later could outlive its lease, even if its result is stored within five seconds. */
const longestWait = leaseBeyondTimeout - 5000
