/**
 * The mark of a database that went back to an earlier time, after a restore or a failover that lost commits. The mark is stored in
 * the database for all processes: `PaymentStore.begin` writes no payment for a process that has not read the mark.
 */
import type { Restoration, RestoredMark } from "../domain/restoredMark.ts"
import type { StoreEffect } from "./StoreUnavailable.ts"

export interface RestorationStore {
  /** Reads the mark. On PostgreSQL, `read` sets the mark if the database's timeline has changed and commits may be lost. */
  readonly read: StoreEffect<Restoration>
  /** Replaces the mark. `false`: the stored version has changed, and nothing was written. */
  readonly replace: (before: Restoration, mark: RestoredMark) => StoreEffect<boolean>
}
