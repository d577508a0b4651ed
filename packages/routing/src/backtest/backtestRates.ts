/**
 * Rebuilds the success rates as they were at the time of each payment, from the attempts that had been started by then.
 */
import type { AttemptCount, RoutedPayment } from "@paymux/core/store"
import { unknownHealth } from "../Health.ts"
import type { Health } from "../Health.ts"
import { segmentOfPayment } from "../learn/Segment.ts"
import { lensKey } from "../learn/Lens.ts"
import type { Lens } from "../learn/Lens.ts"
import { make } from "../learn/SuccessRates.ts"

export interface ReplayedRates {
  /**
   * The length of the history before the first payment, ms. Success rates also count the attempts in this history. It
   * is 0 if the draft uses no success rates.
   */
  readonly reachMs: number
  /** Moves the clock of `health` forward to `now`, ms UTC. An earlier time is ignored. */
  readonly reach: (now: number) => void
  readonly health: Health
  /** Adds the attempts of a payment. Each attempt counts as open until the clock reaches its end. */
  readonly learn: (routed: RoutedPayment) => void
}

/**
 * The interval between updates, ms. A server updates every 2 s, which would take too long for a replay of a million
 * payments.
 */
const EVERY = 60_000

export const replayedRates = (lenses: ReadonlyArray<Lens>): ReplayedRates => {
  if (lenses.length === 0) return { reachMs: 0, reach: () => {}, health: unknownHealth, learn: () => {} }
  const byLens = new Map(lenses.map((lens) => [lensKey(lens), make(lens)]))
  const reachMs = lenses.reduce((longest, { windowMs }) => Math.max(longest, windowMs ?? DAY), 0)
  const waiting: Array<Ended> = []
  const open = new Set<AttemptCount>()
  let present = 0
  let shown = Number.NEGATIVE_INFINITY
  return {
    reachMs,
    reach: (now) => {
      if (now > present) present = now
      if (present - shown < EVERY) return
      shown = present
      const ended: Array<AttemptCount> = []
      for (let next = waiting[0]; next !== undefined && next.at < present; next = waiting[0]) {
        takeFirst(waiting)
        open.delete(next.open)
        ended.push(next.attempt)
      }
      for (const attempt of open) if (attempt.slot < present - reachMs) open.delete(attempt)
      for (const rates of byLens.values()) {
        rates.settle(ended)
        rates.replaceOpen([...open], present)
        rates.clear()
      }
    },
    health: {
      demotionOf: () => null,
      estimates: (learned, facts) => (byLens.get(learned.lensKey) ?? unknownHealth).estimates(learned, facts)
    },
    learn: ({ attempts, payment }) => {
      const [first] = attempts
      if (first === undefined || first.seq !== 1) return
      const { code, endedAt, provider, startedAt, status } = first
      const segment = segmentOfPayment(payment, payment.account, payment.routing.rule)
      const begun = { ...segment, slot: startedAt, provider, code: null, count: 1, durationMs: null }
      // An attempt counts as open until its end, as it did for the server at that time.
      const attempt: AttemptCount = { ...begun, status: status === "unknown" ? "unknown" : "pending" }
      open.add(attempt)
      if (endedAt === null) return
      const durationMs = Math.max(0, endedAt - startedAt)
      put(waiting, { at: endedAt, open: attempt, attempt: { ...begun, durationMs, status, code } })
    }
  }
}

const DAY = 86_400_000

interface Ended {
  readonly at: number
  readonly open: AttemptCount
  readonly attempt: AttemptCount
}

// Inserts an entry into a binary heap with the earliest end first. The heap contains only the attempts that are open at
// one time, not those of the whole period.

const put = (heap: Array<Ended>, ended: Ended): void => {
  let at = heap.length
  while (at > 0) {
    const parent = (at - 1) >>> 1
    const above = heap[parent]
    if (above === undefined || above.at <= ended.at) break
    heap[at] = above
    at = parent
  }
  heap[at] = ended
}

const takeFirst = (heap: Array<Ended>): void => {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let at = 0
  while (true) {
    const child = earlierChild(heap, at)
    const below = heap[child]
    if (below === undefined || last.at <= below.at) break
    heap[at] = below
    at = child
  }
  heap[at] = last
}

const earlierChild = (heap: ReadonlyArray<Ended>, at: number): number => {
  const left = 2 * at + 1
  const right = left + 1
  return right < heap.length && (heap[right]?.at ?? 0) < (heap[left]?.at ?? 0) ? right : left
}
