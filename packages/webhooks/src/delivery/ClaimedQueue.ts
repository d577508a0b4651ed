/**
 * Deliveries that are claimed and wait for a slot, and the fibers that take them. An endpoint that answers quickly gets many
 * deliveries between two claims, although few run at a time. It holds about as many as have ended since the last claim, so that
 * an endpoint that begins to hang has few of them waiting.
 */
import { Effect } from "effect"
import { patience } from "./ConcurrencyLimiter.ts"
import { leaseBeyondTimeout } from "./Worker.ts"

export interface Slots {
  /** How many more may start at `now` (ms UTC); 0 or less: none. */
  readonly room: (now: number) => number
  /** Whether deliveries may be claimed that wait for a slot. */
  readonly isQuick: (now: number) => boolean
  /** Registers one. Run the returned function once when it ends. */
  readonly begin: (now: number) => (succeeded: boolean | null) => void
}

export interface ClaimedQueue<A> {
  /** Also those that are too late to start. */
  readonly waiting: () => number
  /** How many more to claim at `now`: for the free slots, and for those that will be free. 0 or less: none. */
  readonly wanted: (now: number) => number
  readonly add: (items: ReadonlyArray<A>, now: number) => void
  /** Starts as many as there are slots. */
  readonly start: (now: number) => void
  /** Removes those that others may have, since they have waited for two seconds, and those that were too late to start. */
  readonly removeLate: (now: number) => ReadonlyArray<A>
  readonly removeAll: () => ReadonlyArray<A>
}

interface Waiting<A> {
  readonly item: A
  /** When it was claimed, ms UTC. */
  readonly since: number
}

/** `attempt`: whether it succeeded; `null`: it says nothing of the receiver. */
export const make = <A>(
  slots: Slots,
  clock: () => number,
  run: (worker: Effect.Effect<void>) => void,
  attempt: (item: A) => Effect.Effect<boolean | null>
): ClaimedQueue<A> => {
  let waiting: Array<Waiting<A>> = []
  let late: Array<A> = []
  let endedSinceClaim = 0

  /** The process may have been suspended since the claim: then another may have claimed it, and gone on to what follows it. */
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

/** A clock that was set back says nothing of how long it was. */
const hasWaited =
  (ms: number, now: number) =>
  ({ since }: Waiting<unknown>): boolean =>
    now - since > ms || now < since

/** In ms. An attempt that starts later could outlive its lease, even if its result is stored within five seconds. */
const longestWait = leaseBeyondTimeout - 5000
