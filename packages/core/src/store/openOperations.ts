/** The count of the open operations of a provider instance, for stores. */
import type { OpenOperations } from "./PaymentStore.ts"

/**
 * The maximum number of operations that are reported. A store counts one more operation, to know whether more exist.
 */
export const mostCounted = 1000

/** Converts counts of the store to the reported ones. `total` and `live`: at most `mostCounted + 1`. */
export const openOperationsOf = (provider: string, total: number, live: number): OpenOperations => {
  const isMore = total > mostCounted
  // An operation beyond the maximum is only counted to set `isMore`, so its mode does not matter.
  const shownLive = Math.min(live, mostCounted)
  return { provider, live: shownLive, test: Math.min(total, mostCounted) - shownLive, isMore }
}
