/** Our operations' ids as Cashfree takes them, and back: what is not ours is another system's order of the same account. */
import type { OperationId } from "@paymux/core"

/** 3 to 45 of letters, digits, `_` and `-`: the id itself. */
export const orderIdOf = (id: OperationId): string => id

/** 3 to 40 letters and digits. */
export const refundIdOf = (id: OperationId): string => id.replace("_", "")

/** Letters and digits that stay the same for a payment, and tell nothing of who pays. */
export const customerIdOf = (paymentId: string): string => paymentId.replace("_", "")

/** `null`: the order is not ours. */
export const operationOfOrder = (orderId: string): OperationId | null =>
  // Boundary: it has the form of our ids, and the engine looks it up before it believes anything of it.
  /^op_[0-9a-z]{26}$/.test(orderId) ? (orderId as OperationId) : null

/** `null`: the refund is not ours. */
export const operationOfRefund = (refundId: string): OperationId | null => {
  const rest = /^op([0-9a-z]{26})$/.exec(refundId)?.[1]
  return rest === undefined ? null : operationOfOrder(`op_${rest}`)
}
