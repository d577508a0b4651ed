/** The sandbox, and Stripe for cards where the environment has the keys of an account in test mode. */
import { stripe } from "@paymux/stripe"
import { createPaymux } from "paymux"

const { PORT = "3000", STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = process.env

export const port = Number(PORT)

export const paymux = await createPaymux({
  sandbox: true,
  providers: secretKey && webhookSecret ? [stripe({ secretKey, webhookSecrets: [webhookSecret] })] : [],
  publicUrl: `http://localhost:${port}`
})
