/** What Razorpay posts of the ledger's events: one event per body, the body alone signed. */
import type { Delivery, LedgerEvent, LedgerPayment } from "@paymux/testkit"
import { createHmac } from "node:crypto"
import { type Book, orderOf, paymentsOf, qrCodeOf, qrReference, refundOf } from "./books.ts"

interface Signing {
  readonly credentials: { readonly webhookSecret: string }
}

export const sign = ([event]: ReadonlyArray<LedgerEvent>, { credentials }: Signing): Delivery =>
  event === undefined ? newTypeOf({ credentials }) : signed(told(event), event.id, credentials)

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

const told = (event: LedgerEvent) => {
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
  const book = bookFor(event.payment)
  const [payment] = paymentsOf(event.payment, book)
  const isQr = book.kind === "qr_code"
  const qr = isQr ? { qr_code: qrCodeOf(event.payment, book) } : {}
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
    case "refunded": {
      const refund = event.refund === null ? null : refundOf(event.refund, event.payment, book)
      return { name: "refund.processed", payload: { refund, payment } }
    }
  }
}

/** `order.paid`, which comes beside `payment.captured`. */
export const orderPaid = (event: LedgerEvent, { credentials }: Signing): Delivery => {
  const book = bookFor(event.payment)
  const payload = {
    payment: { entity: paymentsOf(event.payment, book)[0] },
    order: { entity: orderOf(event.payment, book) }
  }
  return signed(
    { ...told(event), event: "order.paid", contains: ["payment", "order"], payload },
    `${event.id}_order`,
    credentials
  )
}

/** What is kept of an event's payment: the notes that the adapter wrote, as far as they can be told from its ledger. */
const bookFor = (payment: LedgerPayment): Book => {
  const isQr = payment.reference?.startsWith(qrReference) === true
  const operation = isQr ? payment.reference.slice(qrReference.length) : (payment.reference ?? "")
  return {
    kind: isQr ? "qr_code" : "order",
    notes: { paymux_operation: operation, ...(payment.capture === "manual" && { paymux_capture: "manual" }) },
    tries: [{ id: `pay_${payment.id}_1`, flow: "intent", lateTry: false }],
    closeBy: null
  }
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
