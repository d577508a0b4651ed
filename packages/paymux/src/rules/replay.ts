/** Gives stored payments to a backtest, page by page. Reads only: servers may go on. */
import type { PaymentId, Tenant } from "@paymux/core"
import type { Backtest } from "@paymux/routing"
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

/** From as far back as the draft's success rates reach: what is before the range is learned from, and not counted. */
export const replay = Effect.fnUntraced(function* (
  routed: PaymentStore["Service"]["routed"],
  backtest: Backtest.Backtest,
  tenant: Tenant,
  { from, until }: TimeRange,
  show: (done: number) => Effect.Effect<void>
) {
  const createdFrom = Math.max(0, from - backtest.learnsFromMs)
  // All that is older would be walked past, row by row.
  let after: PaymentId = firstPaymentId(Math.max(0, createdFrom - MARGIN))
  while (true) {
    const page: ReadonlyArray<RoutedPayment> = yield* routed(tenant, {
      after,
      createdFrom,
      createdBefore: until,
      limit: PAGE
    })
    for (const each of page) {
      if (each.payment.createdAt < from) backtest.learn(each)
      else backtest.add(each)
    }
    const last = page.at(-1)?.payment
    if (last === undefined || page.length < PAGE) return backtest.report()
    after = last.id
    yield* show((last.createdAt - createdFrom) / (until - createdFrom))
    // The terminal gets its turn.
    yield* Effect.yieldNow
  }
})
