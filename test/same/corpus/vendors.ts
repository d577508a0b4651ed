/** Stripe and Razorpay, as fakes: webhooks in, the inbox, and statements beside the books. */
import { asha } from "./customers.ts"
import type { Group } from "./Entry.ts"

const create = "POST /v1/payments"
const card = (amount: number) => ({
  amount,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "pm_card_visa" } },
  customer: asha,
  return_url: "https://shop.example/done"
})
const upi = (amount: number) => ({
  amount,
  currency: "INR",
  payment_method: "upi",
  payment_method_details: { upi: { flow: "intent" } },
  customer: asha,
  client: { user_agent: "Mozilla/5.0 (Linux; Android 15)", ip: "203.0.113.7" }
})

export const vendors: Group = {
  name: "vendors",
  vendors: ["stripe", "razorpay"],
  options: { webhooks: { allow: ["127.0.0.1"] } },
  files: {},
  entries: [
    { name: "create a key", run: ["keys", "create", "--name", "shop"], save: { key: /(pmx_\S+)/ } },
    { name: "add endpoint", run: ["webhooks", "add", "{shop}/shop"], save: { secret: /(whsec_\S+)/ } },
    { name: "create card", send: create, json: card(1_200), key: "card", save: { card: "id" } },
    { name: "create upi", send: create, json: upi(4_900), save: { upi: "id" } },
    { name: "create upi to decline", send: create, json: upi(4_901), save: { failed: "id" } },
    { name: "read upi", send: "GET /v1/payments/{upi}" },
    { name: "stripe reports", vendor: "stripe", post: "now" },
    { name: "razorpay reports", vendor: "razorpay", post: "now" },
    { name: "razorpay reports again", vendor: "razorpay", post: "again" },
    { name: "razorpay with another body", vendor: "razorpay", post: "tampered" },
    { name: "stripe with another body", vendor: "stripe", post: "tampered" },
    { wait: "payment.succeeded", of: "{upi}" },
    { wait: "payment.succeeded", of: "{card}" },
    {
      name: "webhook without a signature",
      send: "POST /webhooks/stripe",
      as: "anyone",
      json: { id: "evt_1", type: "charge.succeeded" }
    },
    { name: "webhook that is no JSON", send: "POST /webhooks/razorpay", as: "anyone", text: "no" },
    { name: "webhook by GET", send: "GET /webhooks/stripe", as: "anyone" },
    { name: "refund card", send: "POST /v1/payments/{card}/refunds", json: { amount: 200 }, key: "refund" },
    { name: "stripe reports of the refund", vendor: "stripe", post: "now" },
    { name: "read card", send: "GET /v1/payments/{card}" },
    { name: "list by provider", send: "GET /v1/payments?provider=razorpay" },
    { name: "providers", run: ["providers", "list"] },
    { name: "reconcile stripe", run: ["reconcile", "--provider", "stripe", "--since", "1h"] },
    { name: "reconcile razorpay", run: ["reconcile", "--provider", "razorpay", "--since", "1h"] },
    { name: "differences", run: ["statements", "differences"] }
  ]
}
