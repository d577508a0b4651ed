/**
 * A cache of the estimates for recently requested segments. Decisions read it; `renew` recomputes it in the background.
 */
import type { Learned } from "../CompiledRouting.ts"
import type { Segment } from "./Segment.ts"

/** The maximum number of cached segments. Estimates for further ones are computed at each request. */
const MOST_ASKED = 10_000

interface Asked<A> {
  readonly segment: Segment
  isAsked: boolean
  found: A
}

export const estimateCache = <A>(find: (learned: Learned, segment: Segment) => A) => {
  const asked = new Map<Learned, Map<string, Asked<A>>>()
  let size = 0
  return {
    /** Returns the estimates of a segment. `key` is the cache key: equal for equal segments. */
    of: (learned: Learned, key: string, segmentOf: () => Segment): A => {
      const byKind = asked.get(learned) ?? new Map<string, Asked<A>>()
      const known = byKind.get(key)
      if (known !== undefined) {
        known.isAsked = true
        return known.found
      }
      const segment = segmentOf()
      const made = { segment, isAsked: true, found: find(learned, segment) }
      if (size < MOST_ASKED) {
        asked.set(learned, byKind.set(key, made))
        size++
      }
      return made.found
    },
    /** Recomputes the segments that were requested since the last renewal, one per step, and evicts the others. */
    renew: function* (): Iterable<void> {
      for (const [learned, byKind] of asked) {
        for (const [key, one] of byKind) {
          if (!one.isAsked && byKind.delete(key)) size--
          else one.found = find(learned, one.segment)
          one.isAsked = false
          yield
        }
        if (byKind.size === 0) asked.delete(learned)
      }
    },
    forget: (): void => {
      asked.clear()
      size = 0
    }
  }
}
