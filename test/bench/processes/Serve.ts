import { createServer } from "node:http"
import type { RequestListener } from "node:http"
import { cpu, tell } from "./Protocol.ts"

/** Listens on a free port of the loopback, answers what the bench asks, and ends with the bench. */
export const serve = (listener: RequestListener, apiKey: string, close: () => void | Promise<void>): void => {
  const server = createServer(listener)
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("The server does not listen on a port")
    tell({ port: address.port, apiKey })
  })
  process.on("message", () => tell(cpu()))
  process.once("disconnect", () => {
    server.closeAllConnections()
    server.close(() => void close())
  })
}
