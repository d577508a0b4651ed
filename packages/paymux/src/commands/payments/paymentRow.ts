import { Currency, Money } from "@paymux/core"
import type { PaymentRecord } from "@paymux/core"
import { iso } from "@paymux/core/wire"

/** A payment as cells of a table. */
export const paymentRow = ({ attempts, payment }: PaymentRecord) => ({
  id: payment.id,
  created: iso(payment.createdAt),
  amount: money(payment, payment.amount.minorUnits),
  /** Where it can differ. */
  received: payment.amountReceived === null ? "" : money(payment, payment.amountReceived),
  method: payment.method.rail,
  status: payment.state.status === "pending" ? `pending (${payment.state.reason})` : payment.state.status,
  provider: payment.provider,
  attempts: attempts
    .map(({ provider, status, vendorCode }) => `${provider} ${status}${vendorCode === null ? "" : ` (${vendorCode})`}`)
    .join(" → ")
})

const money = ({ amount }: PaymentRecord["payment"], minorUnits: number): string =>
  Money.format({ ...amount, minorUnits }, Currency.exponent(amount.currency))
