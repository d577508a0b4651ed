/** Computes the mark of a restored database, and whether the mark is in force. Pure; times are ms UTC. */

/**
 * The mark of a database that was restored, or lost commits in a failover of the database: until `until`, a request with an
 * unknown idempotency key may have been sent before. Times are ms UTC.
 */
export interface RestoredMark {
  /** Commits from this time on may be lost. */
  readonly wentBackTo: number
  /** Commits from this time on are not lost. */
  readonly markedAt: number
  /** The latest time at which clients may repeat requests that they sent before `markedAt`. */
  readonly until: number
  /** Provider instances for which an operator accepted that requests are sent although they may charge twice. */
  readonly acceptedDoubles: ReadonlyArray<string>
}

export interface Restoration {
  /** Identifies the stored state: it changes with each mark. */
  readonly version: string
  /** The latest mark, even if it has expired; `null`: the database never went back. */
  readonly mark: RestoredMark | null
  /**
   * ms UTC. Requests that were committed before this time may have been sent with the operation names of a former software
   * version, which depended on the order of the providers. `null`: this database had no payments then.
   */
  readonly formerNamesUntil: number | null
}

/**
 * The period in ms in which clients may repeat a request with its idempotency key, unless an operator sets another period: the
 * lifetime of idempotency keys at providers.
 */
export const clientsRepeatFor = 24 * 60 * 60_000

export interface RestoredReport {
  readonly wentBackTo: number
  readonly acceptedDoubles: ReadonlyArray<string>
  /** The end of the mark; `null`: `clientsRepeatFor` after the mark is set. */
  readonly until: number | null
}

/**
 * The new mark. While an earlier mark is in force, the new mark covers the commits that either restore lost. A mark with the same
 * `wentBackTo` corrects the earlier mark.
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
