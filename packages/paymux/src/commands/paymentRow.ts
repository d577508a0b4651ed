import type { PaymentRecord } from "@paymux/core"
import { Currency, iso, Money } from "@paymux/core"

/** A payment as cells of a table. */
export const paymentRow = ({ attempts, payment }: PaymentRecord) => ({
  id: payment.id,
  created: iso(payment.createdAt),
  amount: Money.format(payment.amount, Currency.exponent(payment.amount.currency)),
  method: payment.method.rail,
  status: payment.state.status === "pending" ? `pending (${payment.state.reason})` : payment.state.status,
  provider: payment.provider,
  attempts: attempts.map((attempt) => `${attempt.provider} ${attempt.status}`).join(" → ")
})
