/**
 * Paymux as it is by default, with a page for payers, limits of rate, and webhook endpoints that get every event. The limits
 * are so high that no request reaches them. Argument 1: its database; argument 2: the number of endpoints, 1 by default.
 */
import { createPaymux } from "paymux"
import { setTimeout } from "node:timers/promises"
import { instantProvider } from "../InstantProvider.ts"
import { start } from "../Process.ts"
import { migrated } from "./migrated.ts"
import { serve } from "./Serve.ts"

const receiver = start("receiver.ts", [])
// Boundary: the messages of our own script; so below.
const port = (await receiver.next()) as number
const received = async () => (await receiver.ask("received")) as number

const [file = "paymux.db", count = "1"] = process.argv.slice(2)
const database = file.includes(":") ? file : `sqlite:${file}`
const paymux = await createPaymux({
  providers: [instantProvider],
  database: await migrated(database),
  rateLimit: { writesPerSecond: 100_000, readsPerSecond: 100_000 },
  webhooks: { allow: ["127.0.0.1"] }
})
const endpoints = Number(count)
for (let n = 0; n < endpoints; n++) await paymux.webhookEndpoints.add({ url: `http://127.0.0.1:${port}/${n}` })
const { key } = await paymux.apiKeys.create()

/** ms */
const longestDelivery = 120_000
let expected = 0

serve(
  (request, response) => {
    response.once("finish", () => (expected += response.statusCode === 201 ? endpoints : 0))
    paymux.node(request, response)
  },
  key,
  async () => {
    await paymux.close()
    await receiver.close()
  },
  async () => {
    const since = performance.now()
    while ((await received()) < expected) {
      if (performance.now() - since > longestDelivery) throw new Error("The webhooks do not arrive")
      await setTimeout(10)
    }
  }
)
