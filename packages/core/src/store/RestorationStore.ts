/**
 * The mark of a database that went back to an earlier moment, after a restore or a failover that lost commits. It is in the
 * database, so that all processes see it: `PaymentStore.begin` writes no payment for a process that does not know it.
 */
import type { Effect } from "effect"
import type { Restoration, RestoredMark } from "../domain/restoredMark.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

export interface RestorationStore {
  /** On PostgreSQL it sets the mark if the timeline has changed and commits may be lost. */
  readonly read: Effect.Effect<Restoration, StoreUnavailable>
  /** Replaces the mark. `false`: the stored version is another one by now, and nothing was written. */
  readonly replace: (before: Restoration, mark: RestoredMark) => Effect.Effect<boolean, StoreUnavailable>
}
