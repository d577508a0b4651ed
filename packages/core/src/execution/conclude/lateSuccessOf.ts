import { Effect } from "effect"
import { freedOrder } from "../../domain/Payment.ts"
import type { Payment } from "../../domain/Payment.ts"
import type { LateSuccess } from "../../domain/Step.ts"
import type { PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"

/**
 * The effect of a success that is reported after the payment has failed: the configured effect, unless another payment
 * holds the order now. Then the success is always reversed.
 */
export const lateSuccessOf = (
  store: PaymentStore["Service"],
  payment: Payment,
  configured: LateSuccess
): Effect.Effect<LateSuccess, StoreUnavailable> => {
  const order = freedOrder(payment)
  return order === null
    ? Effect.succeed(configured)
    : Effect.map(store.orders.holder(payment, order), (holder) => (holder === null ? configured : "reverse"))
}
