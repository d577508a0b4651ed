/** Examples of the OpenAPI document: payments in several states, a refund and an event. */
import type { EventJson, PaymentJson, RefundJson } from "@paymux/core/wire"

export const customer = { email: "asha@example.com", phone: "+919999999999" }

export const payment = {
  id: "pay_01jd8w6x2vh6k9v0q3f7m5t1ac",
  object: "payment",
  livemode: false,
  status: "pending",
  pending_reason: "awaiting_customer",
  amount: 10000,
  amount_captured: 0,
  amount_refunded: 0,
  currency: "INR",
  payment_method: "upi",
  payment_method_details: { upi: { flow: "intent" } },
  capture_method: "automatic",
  description: null,
  customer: { ...customer, name: null, address: null },
  metadata: { order_id: "42" },
  return_url: null,
  next_action: {
    type: "upi_intent",
    uri: "upi://pay?pa=shop@bank&am=100.00&cu=INR",
    expires_at: "2026-01-31T12:15:00.000Z"
  },
  hosted_url: "http://localhost:4310/pay/pay_01jd8w6x2vh6k9v0q3f7m5t1ac/3q2-7wAAESIzRFVmd4iZqg",
  failure: null,
  reviews: [],
  provider: "sandbox_upi_a",
  routing: { rule: "default", ruleset: `sha256:${"0".repeat(64)}`, reason: "priority", dropped: [] },
  attempts: [
    {
      seq: 1,
      provider: "sandbox_upi_a",
      reference: "sbx_01jd8w6x2w",
      status: "pending",
      reason: "priority",
      code: null,
      vendor_code: null,
      started_at: "2026-01-31T12:00:00.000Z",
      ended_at: null
    }
  ],
  operations: [],
  version: 2,
  created_at: "2026-01-31T12:00:00.000Z",
  updated_at: "2026-01-31T12:00:00.120Z"
} satisfies PaymentJson

const card = {
  ...payment,
  status: "authorized",
  pending_reason: null,
  amount: 2599,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { network: "visa", country: "DE", funding: "credit", bin: null } },
  capture_method: "manual",
  customer: {
    email: "asha@example.com",
    phone: null,
    name: "Asha Rao",
    address: {
      line1: "Ring 1",
      line2: null,
      city: "Berlin",
      state: null,
      postal_code: "10115",
      country: "DE"
    }
  },
  next_action: null,
  provider: "sandbox_card_a",
  attempts: payment.attempts.map((attempt) => ({
    ...attempt,
    provider: "sandbox_card_a",
    reference: "sbx_01jd8w7q4n",
    status: "authorized",
    ended_at: "2026-01-31T12:00:00.310Z"
  }))
} satisfies PaymentJson

const operation = {
  id: "op_01jd8w6x2vh6k9v0q3f7m5t1ac",
  status: "succeeded",
  reference: "sbx_01jd8w8d5p",
  code: null,
  created_at: "2026-01-31T12:05:00.000Z",
  ended_at: "2026-01-31T12:05:00.240Z"
} as const

/** An example of a payment with a partial capture. */
export const capturedPayment = {
  ...card,
  status: "succeeded",
  amount_captured: 2000,
  attempts: card.attempts.map((attempt) => ({ ...attempt, status: "succeeded" })),
  operations: [{ ...operation, kind: "capture", amount: 2000 }],
  version: 4,
  updated_at: operation.ended_at
} satisfies PaymentJson

export const canceledPayment = {
  ...card,
  status: "canceled",
  attempts: card.attempts.map((attempt) => ({ ...attempt, status: "canceled", ended_at: operation.ended_at })),
  operations: [{ ...operation, kind: "cancel", amount: 2599 }],
  version: 4,
  updated_at: operation.ended_at
} satisfies PaymentJson

export const refund = {
  id: "re_01jd8w9k3jf4tbv8e1q6m2c7zx",
  object: "refund",
  livemode: false,
  payment: payment.id,
  status: "succeeded",
  amount: 500,
  currency: "EUR",
  reason: "one of two items came back",
  failure: null,
  provider: "sandbox_card_a",
  reference: "sbx_01jd8w9k3k",
  created_at: "2026-02-02T09:30:00.000Z",
  ended_at: "2026-02-02T09:30:00.310Z"
} satisfies RefundJson

export const event = {
  type: "payment.pending",
  timestamp: payment.created_at,
  data: { id: "evt_01k3zq6v9n8m4c7x2t5w0b1d3f", sequence: 1, payment }
} satisfies EventJson
