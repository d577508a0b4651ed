/**
 * Razorpay, and Cashfree where Razorpay proves that it did nothing. Both are fakes on this machine: no money moves, and
 * the payers pay after two seconds.
 *
 * `RAZORPAY=refuses` takes Razorpay off the network, `RAZORPAY=silent` lets it work and never answer.
 */
import { cashfree } from "@paymux/cashfree"
import { razorpay } from "@paymux/razorpay"
import { startFake } from "@paymux/testkit"
import { Effect } from "effect"
import type { PaymuxOptions } from "paymux"
import { fake as cashfreeFake } from "../../../packages/adapters/cashfree/test/fake.ts"
import { fake as razorpayFake } from "../../../packages/adapters/razorpay/test/fake.ts"

const server = process.env["PAYMUX_URL"] ?? "http://127.0.0.1:4310"
const first = await startFake(razorpayFake, { webhookUrl: `${server}/webhooks/razorpay` })
const second = await startFake(cashfreeFake, { webhookUrl: `${server}/webhooks/cashfree` })

const { network } = first.vendor
if (process.env["RAZORPAY"] === "refuses") await Effect.runPromise(network?.leaveAfter(0) ?? Effect.void)
if (process.env["RAZORPAY"] === "silent") await Effect.runPromise(network?.fallSilent ?? Effect.void)

export default {
  providers: [
    razorpay({
      keyId: first.vendor.credentials.keyId,
      keySecret: first.vendor.credentials.keySecret,
      webhookSecrets: [first.vendor.credentials.webhookSecret],
      baseUrl: first.vendor.url
    }),
    cashfree({
      environment: "sandbox",
      clientId: second.vendor.credentials.clientId,
      clientSecret: second.vendor.credentials.clientSecret,
      baseUrl: second.vendor.url
    })
  ],
  routing: { version: 1, rules: [], default: { priority: ["razorpay", "cashfree"] } }
} satisfies PaymuxOptions<"razorpay" | "cashfree">
