/** What Cashfree posts, and how it signs it. */
import type { LedgerEvent } from "@paymux/testkit/fake"
import { createHmac } from "node:crypto"
import { amountToWire, outcomeOf, refundToWire } from "./answers.ts"
import type { Books } from "./books.ts"
import { json, Literal, Rupees } from "./literals.ts"

export const eventToWire = (
  { occurredAt, payment, refund, type }: LedgerEvent,
  { orders, surcharge }: Books
): string => {
  const event_time = new Date(occurredAt).toISOString()
  if (refund !== null) {
    return json({ data: { refund: refundToWire(refund, payment) }, event_time, type: "REFUND_STATUS_WEBHOOK" })
  }
  const of = payment.code === "USER_DROPPED" ? "PAYMENT_USER_DROPPED_WEBHOOK" : typesOf[type]
  // Cashfree reports neither an order that ended nor a hold that was released: another event is sent instead.
  if (of === undefined) return json({ data: { charges: {} }, event_time, type: "PAYMENT_CHARGES_WEBHOOK" })
  // Its documented samples do not say whether a payment was captured.
  const {
    error_details,
    is_captured: _unsaid,
    ...outcome
  } = {
    error_details: null,
    is_captured: null,
    ...outcomeOf(payment),
    ...(payment.newStatus !== undefined && { payment_status: payment.newStatus })
  }
  const { payment_surcharge, ...amount } = {
    payment_surcharge: null,
    ...amountToWire(payment.amount.minorUnits, surcharge)
  }
  return json({
    data: {
      order: {
        order_id: payment.reference,
        order_amount: new Rupees(payment.amount.minorUnits),
        order_currency: "INR",
        order_tags: orders.get(payment.reference ?? "")?.tags ?? null
      },
      payment: {
        cf_payment_id: new Literal("5114900000"),
        ...amount,
        payment_message: "as the bank says",
        payment_time: event_time,
        bank_reference: "405917004137",
        payment_method: { upi: { channel: null, upi_id: "asha@okbank" } },
        payment_group: "upi",
        ...outcome
      },
      customer_details: { customer_name: null, customer_id: "pay1", customer_phone: "9812345678" },
      payment_gateway_details: null,
      payment_offers: null,
      ...(payment_surcharge !== null && { payment_surcharge }),
      ...(error_details !== null && { error_details })
    },
    event_time,
    type: of
  })
}

const typesOf: { readonly [type: string]: string | undefined } = {
  authorized: "PAYMENT_SUCCESS_WEBHOOK",
  captured: "PAYMENT_SUCCESS_WEBHOOK",
  declined: "PAYMENT_FAILED_WEBHOOK"
}

export const signed = (body: string, event: string, at: number, secret: string) => ({
  body: new TextEncoder().encode(body),
  headers: {
    "content-type": "application/json",
    "x-webhook-version": "2025-01-01",
    "x-webhook-attempt": "1",
    "x-webhook-timestamp": String(at),
    "x-webhook-signature": createHmac("sha256", secret).update(`${at}${body}`).digest("base64"),
    "x-idempotency-key": createHmac("sha256", "event").update(event).digest("base64")
  }
})
