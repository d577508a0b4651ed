import type { PaymentRecord } from "@paymux/core"
import { iso } from "@paymux/core/wire"
import { amountText } from "../amountText.ts"

/** A payment as cells of a table. */
export const paymentRow = ({ attempts, payment }: PaymentRecord) => ({
  id: payment.id,
  created: iso(payment.createdAt),
  amount: amountText(payment.amount.minorUnits, payment.amount.currency),
  /** Where it can differ. */
  received: payment.amountReceived === null ? "" : amountText(payment.amountReceived, payment.amount.currency),
  method: payment.method.rail,
  status: payment.state.status === "pending" ? `pending (${payment.state.reason})` : payment.state.status,
  provider: payment.provider,
  attempts: attempts
    .map(({ provider, status, vendorCode }) => `${provider} ${status}${vendorCode === null ? "" : ` (${vendorCode})`}`)
    .join(" → ")
})
