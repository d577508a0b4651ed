/** Orders, payments and refunds as Cashfree writes them. */
import type { Ledger, LedgerPayment } from "@paymux/testkit/fake"
import { createHmac } from "node:crypto"
import { type Books, booksOf, type Order } from "./books.ts"
import { errorDetails } from "./codes.ts"
import { Rupees } from "./literals.ts"

export const paymentOf = ({ id }: Order, ledger: Ledger): LedgerPayment | undefined => ledger.findByReference(id)

export const sessionOf = (orderId: string): string =>
  `session_${createHmac("sha256", "fake").update(orderId).digest("hex")}`

export const orderToWire = (order: Order, ledger: Ledger) => ({
  cf_order_id: `21${order.id.length}`,
  order_id: order.id,
  entity: "order",
  order_currency: "INR",
  order_amount: new Rupees(order.paise),
  order_status: orderStatus(order, paymentOf(order, ledger)),
  payment_session_id: sessionOf(order.id),
  order_expiry_time: order.expiresAt,
  created_at: order.createdAt,
  customer_details: order.customer,
  ...(order.tags !== null && { order_tags: order.tags })
})

/** After a failed try an order is open. That of a link is over: its payer did not try again. */
export const orderStatus = ({ isTerminated, link }: Order, payment: LedgerPayment | undefined): string => {
  if (isTerminated) return "TERMINATED"
  if (payment?.status === "captured") return "PAID"
  const isOver = payment?.status === "expired" || (payment?.status === "declined" && link !== undefined)
  return isOver ? "EXPIRED" : "ACTIVE"
}

/** Of several sessions the newest is the one that was used. */
export const paymentsToWire = (order: Order, ledger: Ledger) => {
  const payment = paymentOf(order, ledger)
  const { surcharge } = booksOf(ledger)
  return order.sessions.map(({ channel, code, id }, index) => ({
    cf_payment_id: id,
    order_id: order.id,
    entity: "payment",
    order_amount: new Rupees(order.paise),
    order_currency: "INR",
    ...amountToWire(payment?.amount.minorUnits ?? order.paise, surcharge),
    payment_group: "upi",
    payment_method: { upi: { channel, upi_id: "asha@okbank" } },
    payment_time: `2026-01-02T03:04:${String(5 + index).padStart(2, "0")}+05:30`,
    payment_message: "as the bank says",
    ...statusToWire(order, index === order.sessions.length - 1 ? payment : undefined, code)
  }))
}

const statusToWire = ({ isAtBank }: Order, payment: LedgerPayment | undefined, code: string | undefined): object => {
  if (payment === undefined) {
    return { is_captured: false, ...(code === undefined ? { payment_status: "NOT_ATTEMPTED" } : errorDetails(code)) }
  }
  if (payment.newStatus !== undefined) return { payment_status: payment.newStatus, is_captured: false }
  return payment.status === "pending" && isAtBank
    ? { payment_status: "PENDING", is_captured: false }
    : outcomeOf(payment)
}

export const amountToWire = (minorUnits: number, surcharge: Books["surcharge"]) => ({
  payment_amount: new Rupees(minorUnits + (surcharge === null ? 0 : surcharge.charge + surcharge.tax)),
  payment_currency: "INR",
  ...(surcharge !== null && {
    payment_surcharge: {
      payment_surcharge_service_charge: new Rupees(surcharge.charge),
      payment_surcharge_service_tax: new Rupees(surcharge.tax)
    }
  })
})

export const outcomeOf = ({ capture, captured, code, status }: LedgerPayment): object => {
  switch (status) {
    case "draft":
    case "pending":
    case "expired":
      return { payment_status: "NOT_ATTEMPTED", is_captured: false }
    case "authorized":
      return { payment_status: "SUCCESS", is_captured: false }
    case "captured":
      return {
        payment_status: "SUCCESS",
        is_captured: true,
        ...(capture === "manual" && {
          authorization: { action: "CAPTURE", status: "SUCCESS", captured_amount: new Rupees(captured) }
        })
      }
    case "canceled":
      return capture === "manual"
        ? { payment_status: "VOID", is_captured: false, authorization: { action: "VOID", status: "SUCCESS" } }
        : { payment_status: "CANCELLED", is_captured: false }
    case "declined":
      return { is_captured: false, ...errorDetails(code ?? "TRANSACTION_DECLINED") }
  }
}

export const refundToWire = (
  { minorUnits, reference, status }: LedgerPayment["refunds"][number],
  payment: LedgerPayment
) => ({
  cf_payment_id: "5114900000",
  cf_refund_id: "11325632",
  order_id: payment.reference,
  refund_id: reference,
  entity: "refund",
  refund_amount: new Rupees(minorUnits),
  refund_currency: "INR",
  refund_status: status === "succeeded" ? "SUCCESS" : status?.toUpperCase(),
  refund_type: "MERCHANT_INITIATED",
  refund_mode: "STANDARD"
})
