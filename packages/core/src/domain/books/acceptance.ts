/**
 * Another amount than requested is accepted on purpose: the operator repeats the amount, and says why. Pure.
 *
 * "It was done" on a part of the money would otherwise make a payment succeed like any other, and the shop would ship.
 */
import { amountOf } from "../transition/reportedMoney.ts"
import type { Customer, PaymentRecord } from "../Payment.ts"
import { isBelowReports } from "./consequences.ts"
import type { Consequences } from "./consequences.ts"
import type { Resolved } from "./resolve.ts"

/** What an operator accepts instead of the requested amount. */
export interface Acceptance {
  /** The amount that the provider has, in minor units of the payment's currency. */
  readonly amount: number
  /** Why. It is kept in the audit log. */
  readonly reason: string
}

/** Why the amount of a statement cannot be part of the books; `null`: it can. */
export const amountFault = (
  before: PaymentRecord,
  resolved: Resolved,
  { acceptance }: Consequences
): "needs_amount" | "amount_below_reports" | null => {
  if (acceptance !== null && !isInOwnCurrency(before, resolved)) return "needs_amount"
  return isBelowReports(before, resolved) ? "amount_below_reports" : null
}

/** Another coin counts for nothing, and another currency is no amount of the payment. */
const isInOwnCurrency = ({ payment }: PaymentRecord, { cause: { evidence } }: Resolved): boolean => {
  const { currency } = payment.amount
  const stated = amountOf(evidence.outcome)
  if (stated !== undefined) return stated.currency === currency && stated.minorUnits > 0
  return payment.reviews.every(
    (review) => review.reason !== "amount_mismatch" || (review.currency === currency && review.minorUnits > 0)
  )
}

/** Why the acceptance does not belong to these consequences; `null`: it does. */
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
  // PostgreSQL stores no NUL.
  if (!/^[^\0]{1,500}$/.test(reason)) return "no_acceptance_reason"
  return namesCustomer(customer, reason) ? "reason_names_customer" : null
}

/** The audit log is not erased with the customer. */
const namesCustomer = ({ email, name, phone }: Customer, reason: string): boolean =>
  [email, name, phone].some((known) => known !== null && reason.toLowerCase().includes(known.toLowerCase()))
