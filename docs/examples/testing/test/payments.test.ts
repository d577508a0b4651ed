/** An application's payments, tested with fakes of Stripe and Razorpay: no account, no network. */
import { fakeRazorpay } from "@paymux/razorpay/testing"
import { razorpay } from "@paymux/razorpay"
import { fakeStripe } from "@paymux/stripe/testing"
import { stripe } from "@paymux/stripe"
import { Effect } from "effect"
import { createPaymux } from "paymux"
import { afterEach, beforeEach, expect, test } from "vitest"

const start = async () => {
  const atStripe = await fakeStripe()
  const atRazorpay = await fakeRazorpay()
  const paymux = await createPaymux({
    providers: [stripe(atStripe.options), razorpay(atRazorpay.options)],
    routing: { version: 1, default: { priority: ["stripe", "razorpay"] } },
    database: ":memory:",
    publicUrl: "https://shop.example",
    logs: false
  })
  const close = async () => {
    await paymux.close()
    await atStripe.close()
    await atRazorpay.close()
  }
  return { stripe: atStripe.vendor, razorpay: atRazorpay.vendor, paymux, close }
}

let shop: Awaited<ReturnType<typeof start>>
beforeEach(async () => {
  shop = await start()
})
afterEach(() => shop.close())

const order = {
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "pm_card_visa" } },
  customer: { email: "asha@example.com", phone: "+4915112345678" },
  metadata: { order: "1001" }
} as const

test("a card is charged", async () => {
  const payment = await shop.paymux.payments.create(order)
  expect(payment.status).toBe("succeeded")
  expect(shop.stripe.ledger.payments()).toMatchObject([
    { status: "captured", captured: 1200, amount: { currency: "EUR" } }
  ])
})

test("a declined card fails with the reason", async () => {
  shop.stripe.ledger.decide({ decline: "insufficient_funds" })
  const payment = await shop.paymux.payments.create(order)
  expect(payment).toMatchObject({ status: "failed", failure: { code: "insufficient_funds" } })
})

test("a card is charged once if the response is lost", async () => {
  await Effect.runPromise(shop.stripe.network.failNext({ executed: true, reply: "reset" }))
  const payment = await shop.paymux.payments.create(order)
  expect(payment.status).toBe("succeeded")
  expect(shop.stripe.ledger.payments()).toHaveLength(1)
})

test("a customer without a card pays by UPI on Razorpay's page", async () => {
  const payment = await shop.paymux.payments.create({
    amount: 120_000,
    currency: "INR",
    payment_method: "upi",
    customer: order.customer
  })
  expect(payment).toMatchObject({ status: "pending", next_action: { type: "redirect" } })
})
