/** Paymux as an application embeds it, on `node:http`. Its database is argument 1. */
import { createPaymux } from "paymux"
import { instantProvider } from "../InstantProvider.ts"
import { serve } from "./Serve.ts"

const paymux = await createPaymux({
  providers: [instantProvider],
  database: `sqlite:${process.argv[2] ?? "paymux.db"}`
})
const { key } = await paymux.apiKeys.create()

serve(paymux.node, key, paymux.close)
