/** Paymux with payments that wait for their payer. Argument 1: its database; argument 2: `page` or `none`. */
import { createPaymux } from "paymux"
import { waitingProvider } from "../WaitingProvider.ts"
import { serve } from "./Serve.ts"

const [database = "paymux.db", page = "page"] = process.argv.slice(2)
const paymux = await createPaymux({
  providers: [waitingProvider],
  database: `sqlite:${database}`,
  rateLimit: false,
  ...(page === "none" && { checkout: false })
})
const { key } = await paymux.apiKeys.create()

// Beside the API: what the process holds in memory.
serve(
  (request, response) => {
    if (request.url !== "/memory") return paymux.node(request, response)
    globalThis.gc?.()
    response.end(String(process.memoryUsage().rss))
  },
  key,
  paymux.close
)
