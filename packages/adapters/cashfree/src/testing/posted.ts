/** What Cashfree posts, and how it signs it. */
import type { Ledger, LedgerEvent } from "@paymux/testkit/fake"
import { createHmac } from "node:crypto"
import { amountToWire, outcomeOf, refundToWire } from "./answers.ts"
import { booksOf, type Link } from "./books.ts"
import { linkToWire } from "./links.ts"
import { json, Literal, paise, Rupees, rupees } from "./literals.ts"

export const eventToWire = (event: LedgerEvent, ledger: Ledger): string => {
  const { occurredAt, payment, refund, type } = event
  const { orders, surcharge, ways } = booksOf(ledger)
  const event_time = new Date(occurredAt).toISOString()
  if (refund !== null) {
    return json({ data: { refund: refundToWire(refund, payment) }, event_time, type: "REFUND_STATUS_WEBHOOK" })
  }
  const link = orders.get(payment.reference ?? "")?.link
  const isPaidLink = type === "captured" && ways.paidLink === "PAYMENT_LINK_EVENT"
  if (link !== undefined && (isPaidLink || type === "canceled" || type === "expired")) {
    return linkEventToWire(link, event, ledger)
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

/** Flat, with amounts as texts and times without an offset. `order` is `null` if the link ended. */
const linkEventToWire = (link: Link, { occurredAt, payment, type }: LedgerEvent, ledger: Ledger): string => {
  const time = new Date(occurredAt).toISOString()
  const isPaid = type === "captured"
  const paid = isPaid ? rupees(payment.captured) : "0.00"
  return json({
    data: {
      ...linkToWire(link, ledger),
      cf_link_id: new Literal(link.cfId),
      link_status: isPaid ? "PAID" : type === "canceled" ? "CANCELLED" : "EXPIRED",
      link_amount: rupees(paise(link.request.link_amount)),
      link_amount_paid: paid,
      link_created_at: "2026-01-02T03:04:05",
      order: isPaid
        ? {
            order_amount: paid,
            order_id: payment.reference,
            order_expiry_time: "2026-01-02T03:24:05",
            order_hash: "hash",
            transaction_id: new Literal("1021206"),
            transaction_status: "SUCCESS"
          }
        : null
    },
    type: "PAYMENT_LINK_EVENT",
    version: new Literal("1"),
    event_time: time
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
