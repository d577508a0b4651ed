/**
 * Paymux as `paymux serve` runs it, timed. Arguments: the file of the database, how long the provider takes in ms, and `limited`
 * for the rate limits that hold by default.
 */
import { hardenedServer, Listening } from "@paymux/http"
import { createPaymux } from "paymux"
import { answeringAfter } from "../InstantProvider.ts"
import { timesOf } from "./Protocol.ts"
import type { ServerFigures } from "./Protocol.ts"

const [, , file = "paymux.db", answersAfter = "0", limits] = process.argv

const paymux = await createPaymux({
  providers: [answeringAfter(Number(answersAfter))],
  database: `sqlite:${file}`,
  // What is measured is load shedding, not what one client may ask.
  rateLimit: limits === "limited" ? {} : false
})
const { key } = await paymux.apiKeys.create()

let admitted: Array<number> = []
let refused: Array<number> = []

const server = hardenedServer((request, response) => {
  const since = performance.now()
  if (request.method === "POST") {
    response.once("finish", () => (response.statusCode === 201 ? admitted : refused).push(performance.now() - since))
  }
  paymux.node(request, response)
})

// Clients of the bench keep their connections, however seldom they ask.
server.keepAliveTimeout = 0
const { close, port } = await Listening.listen(server, { host: "127.0.0.1", port: 0 })
process.send?.({ port, apiKey: key })
process.on("message", () => {
  const { system, user } = process.cpuUsage()
  const figures: ServerFigures = { admitted: timesOf(admitted), refused: timesOf(refused), cpu: user + system }
  admitted = []
  refused = []
  process.send?.(figures)
})
process.once("disconnect", () => {
  server.closeAllConnections()
  close(() => void paymux.close())
})
