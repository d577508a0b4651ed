/**
 * Razorpay, and Cashfree where Razorpay proves that it did nothing. Both are fakes on this machine: no money moves, and
 * the payers pay after two seconds.
 *
 * `RAZORPAY=refuses` takes Razorpay off the network, `RAZORPAY=silent` lets it work and never answer.
 */
import { cashfree } from "@paymux/cashfree"
import { fakeCashfree } from "@paymux/cashfree/testing"
import { razorpay } from "@paymux/razorpay"
import { fakeRazorpay } from "@paymux/razorpay/testing"
import { Effect } from "effect"
import type { PaymuxOptions } from "paymux"

const server = process.env["PAYMUX_URL"] ?? "http://127.0.0.1:4310"
const first = await fakeRazorpay({ webhookUrl: `${server}/webhooks/razorpay` })
const second = await fakeCashfree({ webhookUrl: `${server}/webhooks/cashfree` })

const { network } = first.vendor
if (process.env["RAZORPAY"] === "refuses") await Effect.runPromise(network?.leaveAfter(0) ?? Effect.void)
if (process.env["RAZORPAY"] === "silent") await Effect.runPromise(network?.fallSilent ?? Effect.void)

export default {
  providers: [razorpay(first.options), cashfree(second.options)],
  routing: { version: 1, rules: [], default: { priority: ["razorpay", "cashfree"] } }
} satisfies PaymuxOptions<"razorpay" | "cashfree">
