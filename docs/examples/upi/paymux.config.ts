/**
 * Razorpay, and Cashfree where Razorpay proves that it did nothing. Both are fakes on this machine: no money moves, and
 * the payers pay after two seconds.
 *
 * `RAZORPAY=refuses` takes Razorpay off the network, `RAZORPAY=silent` lets it work and never answer.
 */
import { cashfree } from "@paymux/cashfree"
import { razorpay } from "@paymux/razorpay"
import type { PaymuxOptions } from "paymux"
import { fake as cashfreeFake } from "../../../packages/adapters/cashfree/test/fake.ts"
import { fake as razorpayFake } from "../../../packages/adapters/razorpay/test/fake.ts"
import { startVendor } from "./vendor.ts"

const server = process.env["PAYMUX_URL"] ?? "http://127.0.0.1:4310"
const first = await startVendor(razorpayFake, `${server}/webhooks/razorpay`, process.env["RAZORPAY"])
const second = await startVendor(cashfreeFake, `${server}/webhooks/cashfree`)

export default {
  providers: [
    razorpay({
      keyId: first.credentials.keyId,
      keySecret: first.credentials.keySecret,
      webhookSecrets: [first.credentials.webhookSecret],
      baseUrl: first.url
    }),
    cashfree({
      environment: "sandbox",
      clientId: second.credentials.clientId,
      clientSecret: second.credentials.clientSecret,
      baseUrl: second.url
    })
  ],
  routing: { version: 1, rules: [], default: { priority: ["razorpay", "cashfree"] } }
} satisfies PaymuxOptions<"razorpay" | "cashfree">
