/** A cell of several, mounted under a path, with limits: addresses, ids and refusals differ from those of a server of its own. */
import { asha, euros, upi } from "./customers.ts"
import type { Group } from "./Entry.ts"

const create = "POST /payments/v1/payments"

export const cell: Group = {
  name: "cell",
  options: {
    sandbox: { like: ["razorpay", "stripe"] },
    cell: "eu1",
    basePath: "/payments",
    bodyLimits: { default: 2_048, webhooks: 4_096 },
    trustedProxies: 1,
    checkout: { name: "Tea & Spices", color: "#0a7d5a" },
    dashboard: false,
    requestLog: false,
    routing: {
      version: 1,
      rules: [
        {
          name: "large cards",
          when: { payment_method: "card", currency: "EUR", amount: { gte: 100_000 } },
          choose: { priority: ["sandbox_card_b"] }
        }
      ],
      default: { priority: ["sandbox_card_a", "sandbox_card_b", "sandbox_upi_a", "sandbox_stablecoin_a"] }
    }
  },
  entries: [
    { name: "check the rules", run: ["rules", "check"] },
    {
      name: "create",
      send: create,
      json: euros(1_200),
      save: { card: "id", hosted: /hosted_url":"[^"]*(\/payments\/[^"]+)"/ }
    },
    { name: "create by a rule", send: create, json: euros(120_000), save: { large: "id" } },
    {
      name: "create without a phone number",
      send: create,
      json: { ...euros(1_200), customer: { email: "a@example.com" } }
    },
    { name: "create upi", send: create, json: upi(4_900, "success@paymux") },
    {
      name: "create what no provider takes",
      send: create,
      json: { amount: 100, currency: "USD", payment_method: "upi", customer: asha }
    },
    { name: "too large", send: create, json: { ...euros(1), description: "x".repeat(2_100) } },
    { name: "read", send: "GET /payments/v1/payments/{card}" },
    { name: "read in the path of the cell", send: "GET /payments/eu1/v1/payments/{card}" },
    { name: "read of another cell", send: "GET /payments/v1/payments/pay_us2_01m8hqjm8vf3gb5dbs0mqb8ryr" },
    { name: "read without the base path", send: "GET /v1/payments/{card}" },
    { name: "page", send: "GET {hosted}", as: "anyone" },
    { name: "dashboard", send: "GET /payments/dashboard", as: "anyone" },
    { name: "healthz", send: "GET /payments/healthz", as: "anyone" },
    { name: "openapi", send: "GET /payments/v1/openapi.json", as: "anyone" },
    { name: "explain", run: ["rules", "explain", "{large}"] }
  ]
}
