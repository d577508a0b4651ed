/**
 * The mark of a database that went back to an earlier moment, after a restore or a failover that lost commits. It is in the
 * database, so that all processes see it: `PaymentStore.begin` writes no payment for a process that does not know it.
 */
import type { Effect } from "effect"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Until `until`, a request whose key is not known may have been sent before. Times are ms UTC. */
export interface RestoredMark {
  /** What was committed from then on may be lost. */
  readonly wentBackTo: number
  /** What was committed from then on is not lost. */
  readonly markedAt: number
  /** How long clients may repeat requests that they sent before `markedAt`. */
  readonly until: number
  /** Instances that requests are sent to although they may charge twice: an operator accepted it. */
  readonly acceptedDoubles: ReadonlyArray<string>
}

export interface Restoration {
  /** Another one after each mark. */
  readonly version: string
  /** The latest, also if it holds no more; `null`: the database never went back. */
  readonly mark: RestoredMark | null
  /**
   * ms UTC. What was committed before may have been sent under the names of a former version, which depended on the place of a
   * provider. `null`: this database had no payments then.
   */
  readonly formerNamesUntil: number | null
}

export interface RestorationStore {
  /** On PostgreSQL it sets the mark if the timeline has changed and commits may be lost. */
  readonly read: Effect.Effect<Restoration, StoreUnavailable>
  /** Replaces the mark. `false`: the stored version is another one by now, and nothing was written. */
  readonly replace: (before: Restoration, mark: RestoredMark) => Effect.Effect<boolean, StoreUnavailable>
}
