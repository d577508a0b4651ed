/**
 * The server as a process of its own, on a port of its own: the sandbox on the database of argument 1. Asked over the
 * channel, it sends the size of its heap after a full garbage collection.
 */
import { hardenedServer } from "@paymux/http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createPaymux } from "paymux"

const paymux = await createPaymux({
  sandbox: true,
  database: process.argv[2] ?? ":memory:",
  // As fast as the machine: what is refused for its number would not be looked at.
  rateLimit: false
})
const server = hardenedServer(paymux.node).listen(0, "127.0.0.1")
await once(server, "listening")

process.on("message", () => {
  for (let i = 0; i < 4; i++) globalThis.gc?.()
  process.send?.({ heap: process.memoryUsage().heapUsed })
})
process.on("disconnect", () => process.exit(0))
// A TCP server's address is never a pipe's name.
process.send?.({ port: (server.address() as AddressInfo).port, key: paymux.testKey })
