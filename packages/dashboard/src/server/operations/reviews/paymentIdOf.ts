import type { PaymentError, PaymentId } from "@paymux/core"
import { isPaymentId, paymentError, PaymentNotFound } from "@paymux/core/wire"
import { Effect } from "effect"

/** A text that is no id is the id of no payment. */
export const paymentIdOf = (id: string): Effect.Effect<PaymentId, PaymentError> =>
  isPaymentId(id) ? Effect.succeed(id) : Effect.fail(paymentError(new PaymentNotFound()))
