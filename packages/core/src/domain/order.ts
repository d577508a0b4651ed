/** The merchant's orders. Of an account and mode, at most one payment that is open, authorized or paid has an order. Pure. */
import type { Payment } from "./Payment.ts"

type Ordered = Pick<Payment, "order" | "state">

/** The order that no other payment may have now. `null`: the payment has none, or ended without money. */
export const heldOrder = (payment: Ordered): string | null => (hasEnded(payment) ? null : payment.order)

/** The order that another payment may have now, because this one ended without money. */
export const freedOrder = (payment: Ordered): string | null => (hasEnded(payment) ? payment.order : null)

const hasEnded = ({ state }: Ordered): boolean => state.status === "failed" || state.status === "canceled"
