/**
 * Deliveries that are claimed and wait for a slot, and the fibers that take them. An endpoint that answers quickly gets many
 * deliveries between two claims, although few run at a time. It holds about as many as have ended since the last claim, so that
 * an endpoint that begins to hang has few of them waiting.
 */
import { Effect } from "effect"

export interface Slots {
  /** How many more may start at `now` (ms UTC); 0 or less: none. */
  readonly room: (now: number) => number
  /** Whether deliveries may be claimed that wait for a slot. */
  readonly isQuick: (now: number) => boolean
  /** Registers one. Run the returned function once when it ends. */
  readonly begin: (now: number) => (succeeded: boolean | null) => void
}

export interface ClaimedQueue<A> {
  readonly waiting: () => number
  /** How many more to claim at `now`: for the free slots, and for those that will be free. 0 or less: none. */
  readonly wanted: (now: number) => number
  readonly add: (items: ReadonlyArray<A>, now: number) => void
  /** Starts as many as there are slots. */
  readonly start: (now: number) => void
  /** Removes those that have waited for longer than `ms`. */
  readonly removeAfter: (ms: number, now: number) => ReadonlyArray<A>
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
  let endedSinceClaim = 0

  const takeAll: Effect.Effect<void> = Effect.suspend(() => {
    const now = clock()
    const next = slots.room(now) > 0 ? waiting.shift() : undefined
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

  return {
    waiting: () => waiting.length,
    wanted: (now) => slots.room(now) + (slots.isQuick(now) ? endedSinceClaim : 0) - waiting.length,
    add: (items, now) => {
      endedSinceClaim = 0
      waiting.push(...items.map((item) => ({ item, since: now })))
    },
    start: (now) => {
      for (let n = Math.min(slots.room(now), waiting.length); n > 0; n--) run(takeAll)
    },
    removeAfter: (ms, now) => removeWhere(({ since }) => now - since > ms),
    removeAll: () => removeWhere(() => true)
  }
}
