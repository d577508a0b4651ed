/** The type of `paymux.breakers`. */
import type { BreakerFilter, BreakerHistoryPage, BreakerHistoryQuery, ProcessBreaker } from "@paymux/sql"

/** Of the provider instances of this mode. Circuit breakers belong to no account. */
export interface BreakerOperations {
  /**
   * The circuit breakers of every process that uses this database, one for each provider and operation in use. Those of this
   * process are as they are now, those of others at most 15 seconds old.
   */
  readonly list: (filter?: BreakerFilter) => Promise<ReadonlyArray<ProcessBreaker>>
  /** The transitions of all processes, newest first; 20 unless `limit` says otherwise (at most 1000). */
  readonly history: (query?: Partial<BreakerHistoryQuery>) => Promise<BreakerHistoryPage>
}
