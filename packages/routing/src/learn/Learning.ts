/**
 * Success rates computed from the attempts in the database, refreshed as long as a rule uses them.
 *
 * Every process counts the same rows, so all arrive at the same rates without communicating. Each refresh reads recent
 * rows again: a row may become visible after its timestamp, and the clocks of processes differ.
 */
import { Clock, Duration, Effect } from "effect"
import type { Latch } from "effect"
import type { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { countedBy, lensKey } from "./Lens.ts"
import type { Lens } from "./Lens.ts"
import { readStretchBefore, STRETCH } from "./readBack.ts"
import { make } from "./SuccessRates.ts"
import type { SuccessRates } from "./SuccessRates.ts"

export interface Learning {
  /** The success rates by lens (the learning selection of a rule), keyed by `lensKey`. */
  readonly byLens: ReadonlyMap<string, Learned>
  /** Reads the attempts that have ended since the last refresh, and the open ones. */
  readonly refresh: Effect.Effect<void, StoreUnavailable>
}

interface Learned {
  readonly rates: SuccessRates
  /** Reads new attempts like `Learning.refresh`, but does nothing while another refresh is running. */
  readonly refresh: Effect.Effect<void, StoreUnavailable>
}

/** The minimum interval between refreshes, ms. It is longer if reading takes long: at most a twentieth of the time. */
const EVERY = 2_000
const PART = 20

/** The period, ms, whose ended attempts are read again at each refresh if other processes write too. */
const AGAIN = 30_000

/**
 * Keeps the success rates in `known` whose lens (learning selection) the new rules use too. Those of other lenses are
 * empty until the first `refresh`, which reads their whole window.
 */
export const learning = (
  lenses: ReadonlyArray<Lens>,
  store: PaymentStore["Service"],
  known: Learning | null
): Learning => {
  const byLens = new Map(lenses.map((lens) => [lensKey(lens), known?.byLens.get(lensKey(lens)) ?? learn(lens, store)]))
  return { byLens, refresh: Effect.forEach([...byLens.values()], ({ refresh }) => refresh, { discard: true }) }
}

const learn = (lens: Lens, store: PaymentStore["Service"]): Learned => {
  const again = store.singleEngine ? 1_000 : AGAIN
  const by = countedBy(lens)
  let rates = make(lens)
  /** The period of attempts that are counted permanently, by their end: from `oldest` to `settled`, ms UTC. */
  let settled = Number.NaN
  let oldest = Number.NaN
  let isReading = false

  const count = (since: number, before?: number) =>
    store.attemptCounts({ since, ...(before !== undefined && { before }), slotMs: rates.slotMs, by })
  const settle = Effect.fnUntraced(function* (since: number, before: number) {
    const ended = yield* count(since, before)
    // Removes the recent rows before tree nodes are evicted, so that each row is subtracted from the node to which it
    // was added.
    rates.replaceRecent([])
    rates.settle(ended)
    yield* Effect.yieldNow
  })
  const readBack = Effect.fnUntraced(function* (now: number) {
    while (oldest > rates.since(now)) oldest = yield* readStretchBefore(rates, by, store, oldest, now)
  })
  const readOn = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // If the clock was set back, the permanently counted rows may still change, so counting starts again.
    if (!(now >= settled)) {
      rates = make(lens)
      settled = Math.floor(now / 1_000) * 1_000 - again
      oldest = settled
    }
    for (; now - settled > 2 * again;) {
      const before = Math.min(settled + STRETCH, Math.floor(now / 1_000) * 1_000 - again)
      if (before <= settled) break
      yield* settle(settled, before)
      settled = before
    }
    rates.replaceRecent(yield* count(settled))
    yield* show(now)
    if (oldest <= rates.since(now)) return
    yield* readBack(now)
    yield* show(now)
  })
  const show = Effect.fnUntraced(function* (now: number) {
    const open = { since: rates.since(now), slotMs: rates.openSlotMs, by }
    rates.replaceOpen(yield* store.openAttemptCounts(open), now)
    let renewed = 0
    for (const _ of rates.renew()) if (++renewed % RENEWED === 0) yield* Effect.yieldNow
  })

  return {
    get rates() {
      return rates
    },
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

/** The number of segments to estimate before other fibers may run; they take a few ms. */
const RENEWED = 50

/**
 * Refreshes the success rates of `current` while `isWanted` is open. While the database is unavailable, the last rates
 * are kept and one line is logged.
 */
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
          : Effect.logWarning("Cannot read success rates; using the last known ones", error)
        isAway = true
        return log
      }
    }),
    Effect.timed,
    Effect.flatMap(([took]) => Effect.sleep(Math.max(EVERY, PART * Duration.toMillis(took)))),
    Effect.forever
  )
}
