/** Success rates as they were at a moment: of the attempts that had ended before it, and no other. */
import { segmentOf, SuccessRates, unknownHealth } from "@paymux/routing"
import type { Health } from "@paymux/routing"
import type { AttemptCount, PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"

type AttemptCounts = PaymentStore["Service"]["attemptCounts"]
type Counts = Pick<PaymentStore["Service"], "attemptCounts" | "unknownAttemptCounts">

/** Over all accounts, as routing learns. `windows` in ms, `now` in ms UTC. Circuit breakers are taken as closed. */
export const successRatesAt = Effect.fnUntraced(function* (
  windows: ReadonlyArray<number>,
  now: number,
  { attemptCounts, unknownAttemptCounts }: Counts
) {
  if (windows.length === 0) return unknownHealth
  const byWindow = new Map<number, SuccessRates.SuccessRates>()
  for (const window of windows) {
    const rates = SuccessRates.make(window)
    const { slotMs } = rates
    const slotAt = (time: number) => Math.floor(time / slotMs) * slotMs
    const since = slotAt(now - rates.windowMs)
    rates.replaceFrom(since, yield* endedBefore(now, since, slotMs, attemptCounts))
    rates.replaceUnknown(yield* unknownAttemptCounts({ since, before: slotAt(now), slotMs }))
    byWindow.set(window, rates)
  }
  return {
    ...unknownHealth,
    evidence: (provider, asked, windowMs) => byWindow.get(windowMs)?.evidence(provider, segmentOf(asked), now) ?? []
  } satisfies Health
})

/** A database counts so much at once, in ms of its payments, as where a server learns. */
const STRETCH = 600_000

/**
 * What ended from `since` until just before `now`, ms UTC. `since` is a multiple of `slotMs`, and that of seconds. The
 * slot that `now` is in is counted by the second, and its last second by the ms: the rest of it is later.
 *
 * @internal Exported for its own test.
 */
export const endedBefore = Effect.fnUntraced(function* (
  now: number,
  since: number,
  slotMs: number,
  attemptCounts: AttemptCounts
) {
  const counts: Array<ReadonlyArray<AttemptCount>> = []
  let at = since
  for (const width of [slotMs, 1_000, 1]) {
    const end = Math.floor(now / width) * width
    const stretch = Math.max(1, Math.floor(STRETCH / width)) * width
    while (at < end) {
      const before = Math.min(at + stretch, end)
      counts.push(yield* attemptCounts({ since: at, before, slotMs: width }))
      at = before
      // The terminal gets its turn.
      yield* Effect.yieldNow
    }
  }
  return counts.flat()
})
