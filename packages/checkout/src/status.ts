/** What a browser may know of a payment, without an API key: no personal data, nothing of the merchant's. */
import type { Payment } from "@paymux/core"
import { paymentJson } from "@paymux/core/wire"
import type { HostedUrl, PaymentJson } from "@paymux/core/wire"

export interface PaymentStatusJson {
  readonly id: string
  readonly status: PaymentJson["status"]
  readonly pending_reason: PaymentJson["pending_reason"]
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  /** Minor units that arrived, where that can differ (stablecoin). */
  readonly amount_received?: number
  readonly next_action: PaymentJson["next_action"]
  /** RFC 3339, UTC; `null`: no time limit is known. */
  readonly expires_at: string | null
  /** Increases with every change of the payment. */
  readonly version: number
}

export const statusOf = (payment: Payment, hostedUrl: HostedUrl): PaymentStatusJson => {
  const json = paymentJson({ payment, attempts: [], operations: [], entries: [] }, hostedUrl)
  return {
    id: json.id,
    status: json.status,
    pending_reason: json.pending_reason,
    amount: json.amount,
    currency: json.currency,
    ...(json.amount_received === undefined ? {} : { amount_received: json.amount_received }),
    next_action: json.next_action,
    expires_at: json.next_action?.expires_at ?? null,
    version: json.version
  }
}
