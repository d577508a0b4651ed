/**
 * Listens with several sockets, so that many connections are accepted in one turn of the event loop.
 *
 * Node accepts one connection per turn and listening socket. While the loop is busy, a turn takes long, and new
 * connections wait in the kernel, where load shedding does not see them. The kernel distributes connections among the
 * sockets (`reusePort`). If the system does not support it, one socket listens.
 */
import { once } from "node:events"
import { createServer } from "node:net"
import type { Server } from "node:http"
import type { Server as NetServer } from "node:net"

export interface Listening {
  readonly port: number
  /** Stops accepting connections; `closed` is called when all connections are closed. */
  readonly close: (closed?: () => void) => void
}

export interface ListenAt {
  readonly host: string
  /** The port to listen on. With 0, the system selects a free port. */
  readonly port: number
}

/** The number of listening sockets, and so also of connections that are accepted in one turn of the event loop. */
const sockets = 16

/** Starts listening. Fails with the error of `node:net`: `EADDRINUSE` if another server uses the port. */
export const listen = async (server: Server, at: ListenAt): Promise<Listening> => {
  // With `reusePort`, a port that another Paymux server already uses could be opened too. So a socket without
  // `reusePort` first checks that the port is free.
  const port = await freePort(at)
  try {
    await open(server, { ...at, port, reusePort: true })
  } catch (error) {
    if (!isUnsupported(error)) throw error
    await open(server, { ...at, port })
    return { port, close: (closed) => void server.close(closed) }
  }
  // The other sockets pass their connections to `server`. They use the same socket options as `node:http`.
  const others = Array.from({ length: sockets - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket))
  )
  const all = [server, ...others]
  try {
    await Promise.all(others.map((other) => open(other, { ...at, port, reusePort: true })))
  } catch (error) {
    for (const each of all) each.close()
    throw error
  }
  return {
    port,
    // All sockets are closed, since each one tracks only the connections that it accepted.
    close: (closed) => void Promise.all(all.map(closing)).then(closed)
  }
}

const closing = (server: Server | NetServer): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

const freePort = async (at: ListenAt) => {
  const probe = createServer()
  await open(probe, at)
  const address = probe.address()
  await closing(probe)
  return typeof address === "object" && address !== null ? address.port : at.port
}

const open = async (server: Server | NetServer, at: ListenAt & { readonly reusePort?: boolean }) => {
  server.listen(at)
  // The promise rejects if the server emits `error` before `listening`.
  await once(server, "listening")
}

const isUnsupported = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOTSUP" || error.code === "EINVAL")
