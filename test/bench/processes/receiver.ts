/** A receiver of webhooks, as a program of its own. Sends its port, and on request how many it has received. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tell } from "./Protocol.ts"

let received = 0
const server = createServer((request, response) => {
  received += 1
  request.resume().on("end", () => response.end())
})
server.listen(0, "127.0.0.1", () => {
  // A TCP server's address is never a string.
  tell((server.address() as AddressInfo).port)
})
process.on("message", () => tell(received))
process.once("disconnect", () => {
  server.closeAllConnections()
  server.close()
})
