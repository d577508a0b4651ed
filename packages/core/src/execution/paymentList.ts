/** Lists of payments, in the order of their creation, which a reader can follow towards newer ones. */
import { Effect } from "effect"
import type { Scope } from "effect"
import type { Tenant } from "../domain/Payment.ts"
import { paymentError, Unavailable } from "../domain/PaymentError.ts"
import type { PaymentError } from "../domain/PaymentError.ts"
import { PaymentStore } from "../store/PaymentStore.ts"
import type { ListQuery, Page } from "../store/PaymentStore.ts"
import * as CreationOrder from "./CreationOrder.ts"
import { whenClockSetBack } from "./whenClockSetBack.ts"

/** The order of this engine. It goes on after the newest payment in the store, also when the clock was set back. */
export const creationOrder: Effect.Effect<CreationOrder.CreationOrder, never, PaymentStore | Scope.Scope> = Effect.gen(
  function* () {
    const store = yield* PaymentStore
    const order = CreationOrder.make()
    yield* whenClockSetBack(store.now, () =>
      Effect.map(store.newest, (newest) => (newest === null ? undefined : order.startAfter(newest.id)))
    )
    return order
  }
)

export const listPayments = (
  order: CreationOrder.CreationOrder,
  store: PaymentStore["Service"],
  tenant: Tenant,
  query: ListQuery
): Effect.Effect<Page, PaymentError> =>
  Effect.gen(function* () {
    if (query.position?.side !== "before") return yield* store.list(tenant, query)
    const now = yield* store.now
    const until = order.settledUntil(now)
    const page = yield* store.list(tenant, query)
    return CreationOrder.settledPage(page, (payment) =>
      store.singleEngine ? payment.id >= until : CreationOrder.isFresh(payment, now, store.slowestCommit)
    )
  }).pipe(
    Effect.mapError((fault) =>
      paymentError(fault._tag === "ListTimedOut" ? fault : new Unavailable({ cause: fault.cause }))
    )
  )
