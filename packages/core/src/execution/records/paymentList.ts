/** Lists payments in creation order, so that a reader can page towards newer ones without missing any. */
import { Effect } from "effect"
import type { Tenant } from "../../domain/Payment.ts"
import { paymentError, Unavailable } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import type { ListQuery, Page, PaymentStore } from "../../store/PaymentStore.ts"
import { isFresh, settledPage } from "../begin/CreationOrder.ts"
import type { CreationOrder } from "../begin/CreationOrder.ts"

/** Makes new payment ids of this engine sort after the newest payment in the store, even if the clock was set back. */
export const continueOrder = ({ startAfter }: CreationOrder["Service"], { newest }: PaymentStore["Service"]) =>
  Effect.map(newest, (payment) => (payment === null ? undefined : startAfter(payment.id)))

export const listPayments = (
  order: CreationOrder["Service"],
  store: PaymentStore["Service"],
  providers: number,
  tenant: Tenant,
  query: ListQuery
): Effect.Effect<Page, PaymentError> =>
  Effect.gen(function* () {
    if (query.position?.side !== "before") return yield* store.list(tenant, query)
    const now = yield* store.now
    const slowest = store.slowestCommit + (providers + 1) * admission
    const until = order.settledUntil(now)
    const page = yield* store.list(tenant, query)
    return settledPage(page, (payment) => (store.singleEngine ? payment.id >= until : isFresh(payment, now, slowest)))
  }).pipe(
    Effect.mapError((fault) =>
      paymentError(fault._tag === "ListTimedOut" ? fault : new Unavailable({ cause: fault.cause }))
    )
  )

/**
 * The maximum time, ms, for which a payment waits for a slot of each provider after its id was generated and before its
 * commit. The clocks of different engines differ by less than this time.
 */
const admission = 1_000
