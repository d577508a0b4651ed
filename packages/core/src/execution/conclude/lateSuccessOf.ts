import { Effect } from "effect"
import { freedOrder } from "../../domain/Payment.ts"
import type { Payment } from "../../domain/Payment.ts"
import type { LateSuccess } from "../../domain/Step.ts"
import type { PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"

/** The effect of a success on a payment that has failed: if another payment has its order by now, the money is in excess. */
export const lateSuccessOf = (
  store: PaymentStore["Service"],
  payment: Payment,
  configured: LateSuccess
): Effect.Effect<LateSuccess, StoreUnavailable> => {
  const order = freedOrder(payment)
  return order === null || payment.state.status !== "failed"
    ? Effect.succeed(configured)
    : Effect.map(store.orders.holder(payment, order), (holder) => (holder === null ? configured : "reverse"))
}
