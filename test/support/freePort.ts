import { once } from "node:events"
import { createServer } from "node:net"

/** A port of 127.0.0.1 that nothing listens on at this moment. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (typeof address === "string" || address === null) throw new Error("A TCP server has a port.")
  return address.port
}
