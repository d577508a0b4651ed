/**
 * The restore marker: how it is computed after a database was restored, and how long it is in force. Pure; times are ms
 * UTC.
 */

/**
 * The restore marker of a database that was restored, or that lost commits in a database failover. Before `until`, a
 * request with an unknown idempotency key may have been sent to a provider already. Times are ms UTC.
 */
export interface RestoredMark {
  /** The time that the database went back to: commits from this time on may be lost. */
  readonly wentBackTo: number
  /** The time when the marker was set: commits from this time on are not lost. */
  readonly markedAt: number
  /** The end of the marker: the latest time at which clients may repeat requests that they sent before `markedAt`. */
  readonly until: number
  /**
   * The provider instances to which requests are sent nevertheless: an operator accepted that they may charge twice.
   */
  readonly acceptedDoubles: ReadonlyArray<string>
}

export interface Restoration {
  /** The version of the stored marker, for compare-and-set. It changes with each marker. */
  readonly version: string
  /** The latest restore marker, even if it has expired; `null` if the database was never restored. */
  readonly mark: RestoredMark | null
  /**
   * The time, ms UTC, before which requests may have been committed by an earlier software version, whose operation ids
   * depended on the order of the providers. `null` if this database had no payments then.
   */
  readonly formerNamesUntil: number | null
}

/**
 * The default period in which clients may repeat a request with its idempotency key, ms: the lifetime of idempotency
 * keys at providers. An operator can set another period.
 */
export const clientsRepeatFor = 24 * 60 * 60_000

export interface RestoredReport {
  readonly wentBackTo: number
  readonly acceptedDoubles: ReadonlyArray<string>
  /** The end of the marker; `null` for the default: the period `clientsRepeatFor` after the marker is set. */
  readonly until: number | null
}

/**
 * Computes the new marker. While an earlier marker is in force, the new one covers the commits lost by either restore.
 * A marker with the same `wentBackTo` corrects the earlier one.
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
