/** How the mark of a restored database is set, and how long it holds. Pure; times are ms UTC. */
import type { RestoredMark } from "../store/RestorationStore.ts"

/** How long clients may repeat a request under its key, unless an operator says otherwise: the lifetime of keys at providers. */
export const clientsRepeatFor = 24 * 60 * 60_000

export interface RestoredReport {
  readonly wentBackTo: number
  readonly acceptedDoubles: ReadonlyArray<string>
  /** `null`: `clientsRepeatFor` from the mark on. */
  readonly until: number | null
}

/** Beside a mark that still holds, what both of them lost may be lost. The same moment again is a correction of that mark. */
export const markedAs = (
  before: RestoredMark | null,
  { acceptedDoubles, until, wentBackTo }: RestoredReport,
  now: number
): RestoredMark => {
  if (before !== null && before.wentBackTo === wentBackTo) {
    return { ...before, acceptedDoubles, until: until ?? before.until }
  }
  const holding = before !== null && now < before.until ? before : null
  return {
    wentBackTo: Math.min(wentBackTo, holding?.wentBackTo ?? wentBackTo),
    markedAt: now,
    until: until ?? now + clientsRepeatFor,
    acceptedDoubles
  }
}

export const isHolding = (mark: RestoredMark | null, now: number): mark is RestoredMark =>
  mark !== null && now < mark.until
