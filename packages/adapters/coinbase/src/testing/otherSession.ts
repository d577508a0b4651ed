/** A session of another system in the same project: paid, or paid a month before and refunded. */
import type { LedgerBooking } from "@paymux/testkit/fake"
import { decimal } from "./objects.ts"

export const otherSession = ({ amount, bookedAt, id, type }: LedgerBooking) => {
  const isRefund = type === "refund"
  const name = `10000000-0000-4000-8000-${id.replace(/^v._/, "").padStart(12, "0")}`
  const at = new Date(bookedAt).toISOString()
  const paidAt = isRefund ? new Date(bookedAt - 720 * 3_600_000).toISOString() : at
  const text = decimal(amount.minorUnits)
  const later = new Date(bookedAt + 720 * 3_600_000).toISOString()
  return {
    paymentSessionId: `paymentSession_${name}`,
    entityId: "entity_af2937b0-9846-4fe7-bfe9-ccc22d935114",
    amount: text,
    asset: amount.currency === "USD" ? "usdc" : "eurc",
    target: { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", network: "base" },
    autoCapture: true,
    expiries: { authorizationExpiresAt: later, captureExpiresAt: later, refundExpiresAt: later },
    status: isRefund ? "refund_succeeded" : "capture_succeeded",
    balances: { capturable: "0", captured: text, refundable: isRefund ? "0" : text, refunded: isRefund ? text : "0" },
    captures: [
      {
        captureId: `capture_${name}`,
        paymentSessionId: `paymentSession_${name}`,
        status: "succeeded",
        amount: text,
        finalCapture: true,
        onchainTransactions: [{ transactionHash: `0x${"cd".repeat(32)}`, network: "base" }],
        createdAt: paidAt,
        updatedAt: paidAt
      }
    ],
    ...(isRefund && {
      refunds: [
        {
          refundId: `refund_${name}`,
          paymentSessionId: `paymentSession_${name}`,
          status: "succeeded",
          amount: text,
          createdAt: at,
          updatedAt: at
        }
      ]
    }),
    externalReferenceId: `order-${id}`,
    url: `https://payments.coinbase.example/payment-sessions/paymentSession_${name}`,
    createdAt: paidAt,
    updatedAt: at
  }
}
