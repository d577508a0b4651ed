/** Coinbase's webhooks as it would sign them. */
import type { Ledger, LedgerEvent } from "@paymux/testkit/fake"
import { createHmac } from "node:crypto"
import { actionsOf, refundOf, summaryOf, wasHeld } from "./objects.ts"

export interface Reported {
  readonly eventId: string
  readonly eventType: string
  /** ms UTC */
  readonly occurredAt: number
  readonly data: object
}

/** Signed by both schemes, as Coinbase does; or by the older one alone. */
export const posted = (
  { data, eventId, eventType, occurredAt }: Reported,
  at: number,
  secret: string,
  schemes: "both" | "v0" = "both"
) => {
  const body = JSON.stringify({ eventId, eventType, timestamp: new Date(occurredAt).toISOString(), data })
  const values = { "content-type": "application/json", "x-event-id": eventId, "x-event-type": eventType }
  const time = Math.floor(at / 1000)
  const names = Object.keys(values).join(" ")
  const hex = (signed: string) => createHmac("sha256", secret).update(signed).digest("hex")
  const v0 = `t=${time},v0=${hex(`${time}.${body}`)}`
  const v1 = `h=${names},v1=${hex(`${time}.${names}.${Object.values(values).join(".")}.${body}`)}`
  return {
    body: new TextEncoder().encode(body),
    headers: { ...values, "x-hook0-signature": schemes === "v0" ? v0 : `${v0},${v1}` }
  }
}

export const eventBody = (ledger: Ledger, event: LedgerEvent): Reported => {
  const { occurredAt, payment, refund, type } = event
  const { authorizations, captures, voids } = actionsOf(ledger, payment)
  const [authorization] = authorizations
  const [capture] = captures
  const [release] = voids
  const reported = (name: string, action: object): Reported => ({
    eventId: uuidOf(event.id),
    eventType: `acceptance.payment_session.${name}`,
    occurredAt,
    data: { paymentSession: summaryOf(ledger, payment), ...withoutSession(action) }
  })
  switch (type) {
    case "authorized":
      return reported("authorization_succeeded", { authorization })
    case "captured":
      return reported("capture_succeeded", { capture })
    case "declined":
    case "expired":
      return reported("authorization_failed", { authorization })
    case "canceled":
      return wasHeld(ledger, payment) ? reported("void_succeeded", { void: release }) : reported("canceled", {})
    case "refunded":
    case "refund_failed": {
      const shown = refund === null ? {} : { refund: refundOf(ledger, refund, payment) }
      return reported(type === "refunded" ? "refund_succeeded" : "refund_failed", shown)
    }
  }
}

/** In a webhook an action names neither its session nor, of a refund, its source. */
const withoutSession = (actions: object): object =>
  Object.fromEntries(
    Object.entries(actions).map(([name, action]) => {
      const { paymentSessionId: _session, source: _source, ...rest } = { ...action }
      return [name, rest]
    })
  )

const uuidOf = (id: string): string => `00000000-0000-4000-8000-${id.replace(/\D/g, "").padStart(12, "0")}`
