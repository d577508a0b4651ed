/**
 * Requires an operator who accepts another amount than requested to repeat this amount and to give a reason. Pure.
 *
 * Without this rule an operator could resolve a partial payment as done by mistake, and the shop would ship the order.
 */
import { amountOf } from "../transition/reportedMoney.ts"
import type { Customer, PaymentRecord } from "../Payment.ts"
import { isBelowReports } from "./consequences.ts"
import type { Consequences } from "./consequences.ts"
import type { Resolved } from "./resolve.ts"

/** The amount that an operator accepts instead of the requested amount. */
export interface Acceptance {
  /** The amount in the provider's books, in minor units of the payment's currency. */
  readonly amount: number
  /** The reason, which is stored in the audit log. */
  readonly reason: string
}

/** The reason why the amount in an operator's statement cannot be entered in the books; `null` if it can. */
export const amountFault = (
  before: PaymentRecord,
  resolved: Resolved,
  { acceptance }: Consequences
): "needs_amount" | "amount_below_reports" | null => {
  if (acceptance !== null && !isInOwnCurrency(before, resolved)) return "needs_amount"
  return isBelowReports(before, resolved) ? "amount_below_reports" : null
}

/**
 * Whether the accepted amount is in the payment's currency. Another coin or currency does not count for the payment.
 */
const isInOwnCurrency = ({ payment }: PaymentRecord, { cause: { evidence } }: Resolved): boolean => {
  const { currency } = payment.amount
  const stated = amountOf(evidence.outcome)
  if (stated !== undefined) return stated.currency === currency && stated.minorUnits > 0
  return payment.reviews.every(
    (review) => review.reason !== "amount_mismatch" || (review.currency === currency && review.minorUnits > 0)
  )
}

/**
 * Returns the reason why an operator's acceptance of an amount contradicts the consequences of the resolution; `null`
 * if it fits.
 */
export const acceptanceFault = (
  { customer }: Pick<PaymentRecord["payment"], "customer">,
  { acceptance: needed }: Consequences,
  given: Acceptance | undefined
):
  | "acceptance_required"
  | "acceptance_differs"
  | "no_acceptance_reason"
  | "reason_names_customer"
  | "nothing_to_accept"
  | null => {
  if (needed === null) return given === undefined ? null : "nothing_to_accept"
  if (given === undefined) return "acceptance_required"
  if (given.amount !== needed.amount) return "acceptance_differs"
  const reason = given.reason.trim()
  // Excludes NUL, which PostgreSQL cannot store.
  if (!/^[^\0]{1,500}$/.test(reason)) return "no_acceptance_reason"
  return namesCustomer(customer, reason) ? "reason_names_customer" : null
}

/**
 * Whether a reason contains the customer's data. The audit log must not contain them, since it is not erased with the
 * customer.
 */
const namesCustomer = ({ email, name, phone }: Customer, reason: string): boolean =>
  [email, name, phone].some((known) => known !== null && reason.toLowerCase().includes(known.toLowerCase()))
