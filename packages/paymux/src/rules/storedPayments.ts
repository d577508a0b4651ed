/** Reads the payments of a period with their attempts, page by page, oldest first. Reads only: servers may go on. */
import type { PaymentId, Tenant } from "@paymux/core"
import { firstPaymentId } from "@paymux/core/store"
import type { PaymentStore, RoutedPayment } from "@paymux/core/store"
import { Effect } from "effect"

/** ms UTC; `from` included, `until` not. */
export interface TimeRange {
  readonly from: number
  readonly until: number
}

/** Larger pages outlive a collection of garbage: of 5,000 each, a million payments take more memory, and longer. */
const PAGE = 500

/** An id is made before its payment, and a clock may be set between the two. ms */
const MARGIN = 3_600_000

/** `show`: how much has been read of the time from the first payment on, 0 to 1. */
export const eachStoredPayment = Effect.fnUntraced(function* (
  routed: PaymentStore["Service"]["routed"],
  tenant: Tenant,
  { from, until }: TimeRange,
  visit: (payment: RoutedPayment) => void,
  show: (done: number) => Effect.Effect<void>
) {
  // All that is older would be walked past, row by row.
  let after: PaymentId = firstPaymentId(Math.max(0, from - MARGIN))
  let start: number | null = null
  while (true) {
    const page: ReadonlyArray<RoutedPayment> = yield* routed(tenant, {
      after,
      createdFrom: from,
      createdBefore: until,
      limit: PAGE
    })
    for (const each of page) visit(each)
    const last = page.at(-1)?.payment
    if (last === undefined || page.length < PAGE) return
    after = last.id
    start ??= page[0]?.payment.createdAt ?? from
    yield* show((last.createdAt - start) / (until - start))
    // The terminal gets its turn.
    yield* Effect.yieldNow
  }
})
