/** One Paymux for the whole server, whichever of the copies of this module asks first. */
import { stripe } from "@paymux/stripe"
import { createPaymux } from "paymux"
import type { Paymux } from "paymux"

declare global {
  var paymux: Promise<Paymux> | undefined
}

export const paymux = (): Promise<Paymux> => (globalThis.paymux ??= start())

const start = () => {
  const { PORT = "3000", STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = process.env
  return createPaymux({
    sandbox: true,
    providers: secretKey && webhookSecret ? [stripe({ secretKey, webhookSecrets: [webhookSecret] })] : [],
    publicUrl: `http://localhost:${PORT}`
  })
}
