/** Paymux as an application embeds it, with a provider that answers at once. Its database is argument 1. */
import { createPaymux } from "paymux"
import { instantProvider } from "../InstantProvider.ts"

export const paymux = await createPaymux({
  providers: [instantProvider],
  database: `sqlite:${process.argv[2] ?? "paymux.db"}`,
  // What is written by hand has no page for payers, and no address of one in its payments.
  checkout: false,
  // One client makes more than a client may by default.
  rateLimit: false
})

export const { key } = await paymux.apiKeys.create()
