/** What Razorpay posts of the ledger's events: one event per body, the body alone signed. */
import type { Delivery, LedgerEvent } from "@paymux/testkit/fake"
import { createHmac } from "node:crypto"
import { bookNamed, linkOf, orderOf, paidOf, qrCodeOf, refundOf } from "./books.ts"

interface Signing {
  readonly credentials: { readonly webhookSecret: string }
}

export const sign = ([event]: ReadonlyArray<LedgerEvent>, { credentials }: Signing): Delivery =>
  event === undefined ? newTypeOf({ credentials }) : signed(reported(event), event.id, credentials)

export const newTypeOf = ({ credentials }: Signing): Delivery =>
  signed(
    {
      entity: "event",
      account_id: account,
      event: "payment.downtime.started",
      contains: ["payment.downtime"],
      payload: { "payment.downtime": { entity: { id: "down_1", method: "upi", status: "started" } } },
      created_at: 1_795_000_000
    },
    "evt_downtime",
    credentials
  )

const account = "acc_BFQ7uQEaa7j2z7"

const reported = (event: LedgerEvent) => {
  const { name, payload } = eventOf(event)
  return {
    entity: "event",
    account_id: account,
    event: name,
    contains: Object.keys(payload),
    payload: Object.fromEntries(Object.entries(payload).map(([of, entity]) => [of, { entity }])),
    created_at: Math.floor(event.occurredAt / 1000)
  }
}

const eventOf = (
  event: LedgerEvent
): { readonly name: string; readonly payload: { readonly [of: string]: unknown } } => {
  const book = bookNamed(event.payment.reference)
  const payment = paidOf(event.payment, book)
  const isQr = book.kind === "qr_code"
  const qr = isQr ? { qr_code: qrCodeOf(event.payment, book) } : {}
  if (book.kind === "link") {
    const name = linkEvents[event.type]
    if (name === "payment_link.paid") return { name, payload: { payment_link: linkOf(event.payment, book), payment } }
    if (name !== undefined) return { name, payload: { payment_link: linkOf(event.payment, book) } }
  }
  switch (event.type) {
    case "authorized":
      return { name: "payment.authorized", payload: { payment } }
    case "captured":
      return isQr
        ? { name: "qr_code.credited", payload: { payment, ...qr } }
        : { name: "payment.captured", payload: { payment } }
    case "declined":
      return { name: "payment.failed", payload: { payment } }
    case "canceled":
    case "expired":
      return isQr ? { name: "qr_code.closed", payload: qr } : { name: "payment.failed", payload: { payment } }
    case "refunded":
    case "refund_failed": {
      const refund = event.refund === null ? null : refundOf(event.refund, event.payment, book)
      const name = event.type === "refunded" ? "refund.processed" : "refund.failed"
      return { name, payload: { refund, payment } }
    }
  }
}

const linkEvents: { readonly [type in LedgerEvent["type"]]?: string } = {
  captured: "payment_link.paid",
  canceled: "payment_link.cancelled",
  expired: "payment_link.expired"
}

/** `order.paid`, which comes beside `payment.captured`. */
export const orderPaid = (event: LedgerEvent, { credentials }: Signing): Delivery => {
  const book = bookNamed(event.payment.reference)
  const payload = {
    payment: { entity: paidOf(event.payment, book) },
    order: { entity: orderOf(event.payment, book) }
  }
  return signed(
    { ...reported(event), event: "order.paid", contains: ["payment", "order"], payload },
    `${event.id}_order`,
    credentials
  )
}

export const signed = (event: object, id: string, { webhookSecret }: Signing["credentials"]): Delivery => {
  const body = JSON.stringify(event)
  return {
    body: new TextEncoder().encode(body),
    headers: {
      "content-type": "application/json",
      "x-razorpay-event-id": id,
      "x-razorpay-signature": createHmac("sha256", webhookSecret).update(body).digest("hex")
    }
  }
}
