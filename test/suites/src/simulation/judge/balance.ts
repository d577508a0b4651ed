/** What the sums of one charge and of one payment are. Pure. */
import type { LedgerCharge, LedgerMovement, PaymentView } from "./facts.ts"
import { sum } from "./Expectation.ts"

/** All that the sums of one charge depend on. */
export type Movements = Pick<LedgerCharge, "movements">

const moved = ({ movements }: Movements, kind: LedgerMovement["kind"]): number =>
  sum(movements, (each) => (each.kind === kind ? each.minorUnits : 0))

export const captured = (charge: Movements): number => moved(charge, "captured")

/** Captured and not given back: what the customer is without. */
export const kept = (charge: Movements): number => captured(charge) - moved(charge, "refunded")

/** Reserved, and neither captured nor released. What is captured without a hold was never reserved. */
export const held = (charge: Movements): number =>
  Math.max(0, moved(charge, "held") - moved(charge, "released") - captured(charge))

/** What the API says that the customer is without. */
export const shown = (payment: PaymentView): number =>
  payment.amount_captured - payment.amount_refunded + overpayment(payment)

/** Of stablecoins the payer alone decides how much arrives. Any other excess has to be refunded or named by a review. */
export const overpayment = ({ amount, amount_received, payment_method, status }: PaymentView): number =>
  payment_method === "stablecoin" && status === "succeeded" ? Math.max(0, (amount_received ?? 0) - amount) : 0
