/** Reads past attempts in periods of `STRETCH` ms, newest first, since recent attempts have the largest weight. */
import { Effect } from "effect"
import type { AttemptCountQuery, PaymentStore } from "@paymux/core/store"
import { countedBy } from "./Lens.ts"
import type { Lens } from "./Lens.ts"
import { make } from "./SuccessRates.ts"
import type { SuccessRates } from "./SuccessRates.ts"

export type Counts = Pick<PaymentStore["Service"], "attemptCounts" | "openAttemptCounts">

/** The length of the period that one query reads, ms: queries stay short and do not block others. */
export const STRETCH = 600_000

/** Adds the attempts that ended in the `STRETCH` ms before `before` (ms UTC). Returns the start of that period. */
export const readStretchBefore = Effect.fnUntraced(function* (
  rates: SuccessRates,
  by: AttemptCountQuery["by"],
  store: Counts,
  before: number,
  now: number
) {
  const since = Math.max((Math.ceil(before / STRETCH) - 1) * STRETCH, rates.since(now))
  rates.settle(yield* store.attemptCounts({ since, before, slotMs: rates.slotMs, by }))
  // Yields between queries, so that payments, or the output of a command, continue.
  yield* Effect.yieldNow
  return since
})

/** The success rates of a server at a past time (ms UTC), from attempts that had ended or were open then. */
export const ratesAt = Effect.fnUntraced(function* (lens: Lens, now: number, store: Counts) {
  const rates = make(lens)
  const by = countedBy(lens)
  let oldest = now
  while (oldest > rates.since(now)) oldest = yield* readStretchBefore(rates, by, store, oldest, now)
  const open = { since: rates.since(now), before: now, slotMs: rates.openSlotMs, by }
  rates.replaceOpen(yield* store.openAttemptCounts(open), now)
  return rates
})
