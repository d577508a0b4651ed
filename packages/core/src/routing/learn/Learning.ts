/**
 * Success rates as they stand in the database, kept up to date while rules ask for them.
 *
 * Every process counts the same rows, so all of them choose alike without talking to each other. Where others write too,
 * the latest stretch is counted anew each time: a commit may be seen a little after the time it bears, and clocks differ.
 */
import { Clock, Effect, Schedule } from "effect"
import type { Latch } from "effect"
import type { PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"
import { make } from "./SuccessRates.ts"
import type { SuccessRates } from "./SuccessRates.ts"

export interface Learning {
  /** ms */
  readonly windows: ReadonlyArray<number>
  readonly rates: SuccessRates
  /** Reads what has ended since the last time; nothing, while another reads. */
  readonly refresh: Effect.Effect<void, StoreUnavailable>
}

/** How often it is read, and how much of what was read is read again where others write too. ms */
const EVERY = 2_000
const AGAIN = 30_000

/** A database counts so much at once, in ms of its payments: many short looks stand in nobody's way. */
const STRETCH = 600_000

/** Knows nothing until the first `refresh`, which reads the whole of the longest of `windows` (ms). */
export const learning = (windows: ReadonlyArray<number>, store: PaymentStore["Service"]): Learning => {
  const rates = make(windows)
  const { longestMs, slotMs } = rates
  const again = store.singleEngine ? 0 : AGAIN
  const slotAt = (time: number) => Math.floor(time / slotMs) * slotMs
  const stretch = Math.max(1, Math.floor(STRETCH / slotMs)) * slotMs
  let read = Number.NEGATIVE_INFINITY
  let isReading = false

  const readOn = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    let since = slotAt(Math.max(now - longestMs, read - again))
    for (; since + stretch <= now; since += stretch) {
      rates.replaceFrom(since, yield* store.attemptCounts({ since, before: since + stretch, slotMs }))
      read = since + stretch
      yield* Effect.yieldNow
    }
    rates.replaceFrom(since, yield* store.attemptCounts({ since, slotMs }))
    read = now
  })

  return {
    windows,
    rates,
    refresh: Effect.suspend(() => {
      if (isReading) return Effect.void
      isReading = true
      return Effect.ensuring(
        readOn,
        Effect.sync(() => void (isReading = false))
      )
    })
  }
}

/** Refreshes `current` while `isWanted`; a database that is away leaves what was known, and is told of once. */
export const keepLearning = (current: () => Learning | null, isWanted: Latch.Latch): Effect.Effect<never> => {
  let isAway = false
  return Effect.andThen(
    isWanted.await,
    Effect.suspend(() => current()?.refresh ?? Effect.void)
  ).pipe(
    Effect.matchEffect({
      onSuccess: () => Effect.sync(() => void (isAway = false)),
      onFailure: (error) => {
        const told = isAway
          ? Effect.void
          : Effect.logWarning("Success rates could not be read: the last are used", error)
        isAway = true
        return told
      }
    }),
    Effect.repeat(Schedule.spaced(EVERY)),
    Effect.andThen(Effect.never)
  )
}
