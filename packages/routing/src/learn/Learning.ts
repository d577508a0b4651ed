/**
 * Success rates as they stand in the database, kept up to date while rules ask for them.
 *
 * Every process counts the same rows, so all of them choose alike without talking to each other. What was read last is
 * counted anew: a commit may be seen a little after the time it bears, and where others write too, clocks differ.
 */
import { Clock, Effect, Schedule } from "effect"
import type { Latch } from "effect"
import type { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { make } from "./SuccessRates.ts"
import type { SuccessRates } from "./SuccessRates.ts"

export interface Learning {
  /** By window, ms: each has slots of its own width, and few of them. */
  readonly byWindow: ReadonlyMap<number, LearnedWindow>
  /** Reads what has ended since the last time. */
  readonly refresh: Effect.Effect<void, StoreUnavailable>
}

interface LearnedWindow {
  readonly rates: SuccessRates
  /** As of `Learning`; nothing, while another reads. */
  readonly refresh: Effect.Effect<void, StoreUnavailable>
}

/** How often it is read, and how much of what was read is read again where others write too. ms */
const EVERY = 2_000
const AGAIN = 30_000

/** A database counts so much at once, in ms of its payments: many short queries block no other one. */
const STRETCH = 600_000

/** What is `known` of a window stays; of another nothing is known until the first `refresh`, which reads all of it. */
export const learning = (
  windows: ReadonlyArray<number>,
  store: PaymentStore["Service"],
  known: Learning | null
): Learning => {
  const byWindow = new Map(windows.map((window) => [window, known?.byWindow.get(window) ?? learn(window, store)]))
  return { byWindow, refresh: Effect.forEach([...byWindow.values()], ({ refresh }) => refresh, { discard: true }) }
}

const learn = (window: number, store: PaymentStore["Service"]): LearnedWindow => {
  const rates = make(window)
  const { slotMs } = rates
  const again = store.singleEngine ? slotMs : AGAIN
  const slotAt = (time: number) => Math.floor(time / slotMs) * slotMs
  const stretch = Math.max(1, Math.floor(STRETCH / slotMs)) * slotMs
  let read = Number.NEGATIVE_INFINITY
  let isReading = false

  const readOn = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // A clock that went back has made the rates forget what is recent by it.
    let since = slotAt(now < read ? now - window : Math.max(now - window, read - again))
    for (; since + stretch <= now; since += stretch) {
      rates.replaceFrom(since, yield* store.attemptCounts({ since, before: since + stretch, slotMs }))
      read = since + stretch
      yield* Effect.yieldNow
    }
    rates.replaceFrom(since, yield* store.attemptCounts({ since, slotMs }))
    read = now
    rates.replaceUnknown(yield* store.unknownAttemptCounts({ since: slotAt(now - window), slotMs }))
  })

  return {
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

/** Refreshes `current` while `isWanted`; while the database is unavailable, `current` stays, and one log line says so. */
export const keepLearning = (current: () => Learning | null, isWanted: Latch.Latch): Effect.Effect<never> => {
  let isAway = false
  return Effect.andThen(
    isWanted.await,
    Effect.suspend(() => current()?.refresh ?? Effect.void)
  ).pipe(
    Effect.matchEffect({
      onSuccess: () => Effect.sync(() => void (isAway = false)),
      onFailure: (error) => {
        const log = isAway
          ? Effect.void
          : Effect.logWarning("Success rates could not be read: the last are used", error)
        isAway = true
        return log
      }
    }),
    Effect.repeat(Schedule.spaced(EVERY)),
    Effect.andThen(Effect.never)
  )
}
