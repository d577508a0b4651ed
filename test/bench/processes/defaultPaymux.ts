/**
 * Paymux as it is by default, with a page for payers, limits of rate, and one webhook endpoint that gets every event. The limits
 * are so high that no request reaches them. Its database is argument 1.
 */
import { createPaymux } from "paymux"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { instantProvider } from "../InstantProvider.ts"
import { serve } from "./Serve.ts"

const deliveries = { received: 0, expected: 0 }
const receiver = createServer((request, response) => {
  deliveries.received += 1
  request.resume().on("end", () => response.end())
})
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
// A TCP server's address is never a string.
const { port } = receiver.address() as AddressInfo

const paymux = await createPaymux({
  providers: [instantProvider],
  database: `sqlite:${process.argv[2] ?? "paymux.db"}`,
  rateLimit: { writesPerSecond: 100_000, readsPerSecond: 100_000 },
  webhooks: { allow: ["127.0.0.1"] }
})
await paymux.webhookEndpoints.add({ url: `http://127.0.0.1:${port}/` })
const { key } = await paymux.apiKeys.create()

serve(
  (request, response) => {
    response.once("finish", () => (deliveries.expected += response.statusCode === 201 ? 1 : 0))
    paymux.node(request, response)
  },
  key,
  async () => {
    await paymux.close()
    receiver.closeAllConnections()
    receiver.close()
  },
  async () => {
    while (deliveries.received < deliveries.expected) await setTimeout(10)
  }
)
