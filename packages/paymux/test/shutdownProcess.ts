/** A shop's own server, for `shutdown.test.ts`: its provider is at `VENDOR`, and its webhooks go to `HOOKS`. */
import { Schema } from "effect"
import { createServer } from "node:http"
import { createPaymux, definePromiseProvider, Outcome } from "../src/index.ts"

const { HOOKS: hooks = "", PORT: port = "", VENDOR: vendor = "" } = process.env

const provider = definePromiseProvider({
  id: "vendor",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({
    methods: { card: { currencies: "any", flows: { token: {} } } },
    operations: { create: {} }
  }),
  make: () => ({
    create: async ({ paymentId }) => {
      await fetch(vendor, { method: "POST", body: paymentId })
      return Outcome.succeeded()
    }
  })
})

const paymux = await createPaymux({
  sandbox: true,
  providers: [provider({})],
  database: "sqlite:shutdown.db",
  publicUrl: `http://127.0.0.1:${port}`
})
if ((await paymux.webhookEndpoints.list()).length === 0) {
  await paymux.webhookEndpoints.add({ url: hooks, events: ["payment.succeeded"] })
}
const server = createServer(paymux.node).listen(Number(port), "127.0.0.1", () => {
  process.stdout.write(`ready with the key ${paymux.testKey}\n`)
})
process.once("SIGTERM", () => void paymux.close({ server }))
