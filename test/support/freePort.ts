import { once } from "node:events"
import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/**
 * A port of 127.0.0.1 that nothing listens on at this moment. It is below the ports that systems give to outgoing connections
 * (from 32768 on Linux, from 49152 elsewhere): one of those may be taken by a connection of another test before it is used.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
}

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, "127.0.0.1")
  try {
    await once(server, "listening")
  } catch {
    return false
  }
  server.close()
  await once(server, "close")
  return true
}
