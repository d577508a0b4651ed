/** The mark of a restored database: how it is set, and how long it is in force. Pure; times are ms UTC. */

/** The mark: until `until`, a request with an unknown key may have been sent before. Times are ms UTC. */
export interface RestoredMark {
  /** Commits from this time on may be lost. */
  readonly wentBackTo: number
  /** Commits from this time on are not lost. */
  readonly markedAt: number
  /** The latest time at which clients may repeat requests that they sent before `markedAt`. */
  readonly until: number
  /** Instances for which an operator accepted that requests are sent although they may charge twice. */
  readonly acceptedDoubles: ReadonlyArray<string>
}

export interface Restoration {
  /** Changes with each mark. */
  readonly version: string
  /** The latest mark, even if it has expired; `null`: the database never went back. */
  readonly mark: RestoredMark | null
  /**
   * ms UTC. Requests that were committed before may have been sent under the names of a former version, which depended on the
   * order of the providers. `null`: this database had no payments then.
   */
  readonly formerNamesUntil: number | null
}

/**
 * The period in which clients may repeat a request under its key, unless an operator sets another: the lifetime of keys at
 * providers.
 */
export const clientsRepeatFor = 24 * 60 * 60_000

export interface RestoredReport {
  readonly wentBackTo: number
  readonly acceptedDoubles: ReadonlyArray<string>
  /** `null`: `clientsRepeatFor` after the mark. */
  readonly until: number | null
}

/**
 * The new mark. While an earlier mark is in force, the commits that either lost may be lost. A mark with the same time corrects
 * the earlier one.
 */
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
