/** Success rates as they were known when each payment was made: of attempts that had ended by then, and no other. */
import type { RoutedPayment } from "@paymux/core/store"
import { attemptSample } from "../learn/attemptSample.ts"
import type { AttemptSample } from "../learn/attemptSample.ts"
import { unknownHealth } from "../Health.ts"
import type { Health } from "../Health.ts"
import { segmentOf, segmentOfPayment } from "../learn/Segment.ts"
import type { Segment } from "../learn/Segment.ts"
import { make } from "../learn/SuccessRates.ts"

export interface ReplayedRates {
  /** The time that `health` describes, ms UTC. It does not go back. */
  readonly reach: (now: number) => void
  readonly health: Health
  /** Attempts that end after the moment wait until it has passed their end. */
  readonly learn: (routed: RoutedPayment) => void
}

export const replayedRates = (windows: ReadonlyArray<number>): ReplayedRates => {
  if (windows.length === 0) return { reach: () => {}, health: unknownHealth, learn: () => {} }
  const byWindow = new Map(windows.map((window) => [window, make(window)]))
  const waiting: Array<Ended> = []
  let present = 0
  return {
    reach: (now) => {
      if (now > present) present = now
      for (let next = waiting[0]; next !== undefined && next.at < present; next = waiting[0]) {
        takeFirst(waiting)
        for (const rates of byWindow.values()) rates.record(next.at, next.provider, next.segment, next.sample)
      }
    },
    health: {
      demotionOf: () => null,
      evidence: (provider, facts, windowMs) =>
        byWindow.get(windowMs)?.evidence(provider, segmentOf(facts), present) ?? []
    },
    learn: ({ attempts, payment }) => {
      const segment = segmentOfPayment(payment)
      for (const { code, endedAt, provider, seq, startedAt, status } of attempts) {
        if (seq !== 1) continue
        // As in a server, for as long as it is not known better.
        if (status === "unknown") put(waiting, { at: startedAt, provider, segment, sample: "failure" })
        const sample = attemptSample(status, code)
        if (endedAt !== null && sample !== null) put(waiting, { at: endedAt, provider, segment, sample })
      }
    }
  }
}

interface Ended {
  readonly at: number
  readonly provider: string
  readonly segment: Segment
  readonly sample: AttemptSample
}

// A binary heap, the earliest end first: it holds what is under way at one moment, not the whole period.

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
