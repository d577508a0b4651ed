/** Paymux with payments that wait for their payer. Argument 1: its database; argument 2: `page` or `none`. */
import { defineProvider, Outcome } from "@paymux/core"
import { Effect, Schema } from "effect"
import { createPaymux } from "paymux"
import { serve } from "./Serve.ts"

const waiting = defineProvider({
  id: "waiting",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({
    methods: { upi: { currencies: ["INR"], flows: { intent: {} } } },
    operations: { create: { idempotency: { by: "header", lifetime: "24 hours" } } }
  }),
  make: () =>
    Effect.succeed({
      create: ({ amount, id }) =>
        Effect.succeed(
          Outcome.pending({
            reference: `ref_${id}`,
            nextAction: {
              type: "upi_intent",
              uri: `upi://pay?pa=shop@bank&pn=Shop&tr=${id.slice(-30)}&am=${(amount.minorUnits / 100).toFixed(2)}&cu=INR`,
              expiresAt: null
            }
          })
        )
    })
})({})

const [database = "paymux.db", page = "page"] = process.argv.slice(2)
const paymux = await createPaymux({
  providers: [waiting],
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
