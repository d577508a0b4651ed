/** The open operations of an instance, as stores count them. */
import type { OpenOperations } from "./PaymentStore.ts"

/** A store counts one operation more than these, to see whether there are more. */
export const mostCounted = 1000

/** `total` and `live`: as counted, at most `mostCounted + 1`. */
export const openOperationsOf = (provider: string, total: number, live: number): OpenOperations => {
  const isMore = total > mostCounted
  // One that is not counted was read last; its mode does not matter.
  const shownLive = Math.min(live, mostCounted)
  return { provider, live: shownLive, test: Math.min(total, mostCounted) - shownLive, isMore }
}
