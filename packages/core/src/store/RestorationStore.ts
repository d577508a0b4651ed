/**
 * Stores the restore marker: the record that the database went back to an earlier time, by a restore or by a failover
 * that lost commits. All processes share it: `PaymentStore.begin` writes no payment for a process that has not read the
 * current marker.
 */
import type { Restoration, RestoredMark } from "../domain/restoredMark.ts"
import type { StoreEffect } from "./StoreUnavailable.ts"

export interface RestorationStore {
  /**
   * Reads the marker. On PostgreSQL, `read` first sets a marker if the database's timeline has changed, because commits
   * may be lost.
   */
  readonly read: StoreEffect<Restoration>
  /** Replaces the marker. `false`: the stored version has changed, and nothing was written. */
  readonly replace: (before: Restoration, mark: RestoredMark) => StoreEffect<boolean>
}
