/** Paymux with people of its own, behind a proxy that names its clients. Argument: the address of its database. */
import { createPaymux } from "paymux"
import { instantProvider } from "../InstantProvider.ts"
import { serve } from "./Serve.ts"

const [database = ":memory:"] = process.argv.slice(2)
const paymux = await createPaymux({
  providers: [instantProvider],
  database,
  rateLimit: false,
  logs: false,
  dashboard: { trustedProxies: 1 }
})
const { key } = await paymux.apiKeys.create()

serve(paymux.node, key, paymux.close)
