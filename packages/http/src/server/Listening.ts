/**
 * Listens so that many connections are accepted in one turn of the event loop.
 *
 * Node accepts one connection a turn for each listening socket. While the loop is busy a turn takes long, new connections wait in
 * the kernel, and load shedding does not see them. So several sockets listen on the port, and the kernel distributes
 * connections among them (`reusePort`). Where the system does not offer it, one socket listens.
 */
import { createServer } from "node:net"
import type { Server } from "node:http"
import type { Server as NetServer } from "node:net"

export interface Listening {
  readonly port: number
  /** Accepts no more connections; `closed` is called when all connections are closed. */
  readonly close: (closed?: () => void) => void
}

export interface ListenAt {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
}

/** Connections that are accepted in one turn. */
const sockets = 16

/** Fails with the error of `node:net`: `EADDRINUSE` if another server, of any kind, has the port. */
export const listen = async (server: Server, at: ListenAt): Promise<Listening> => {
  // A socket that shares its port would share it with another Paymux, too. One that does not share finds out.
  const port = await freePort(at)
  try {
    await opened(server, { ...at, port, reusePort: true })
  } catch (error) {
    if (!isNotOffered(error)) throw error
    await opened(server, { ...at, port })
    return { port, close: (closed) => void server.close(closed) }
  }
  // As `node:http` makes its own.
  const others = Array.from({ length: sockets - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket))
  )
  const closeOthers = () => others.filter(({ listening }) => listening).forEach((other) => other.close())
  try {
    await Promise.all(others.map((other) => opened(other, { ...at, port, reusePort: true })))
  } catch (error) {
    closeOthers()
    server.close()
    throw error
  }
  return {
    port,
    // Each server knows of the connections that it has accepted itself.
    close: (closed) => void Promise.all([server, ...others].map(closing)).then(closed)
  }
}

const closing = (server: Server | NetServer): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

const freePort = async (at: ListenAt): Promise<number> => {
  const probe = createServer()
  await opened(probe, at)
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === "object" && address !== null ? address.port : at.port
}

const opened = (server: Server | NetServer, at: ListenAt & { readonly reusePort?: boolean }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(at, () => {
      server.off("error", reject)
      resolve()
    })
  })

const isNotOffered = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOTSUP" || error.code === "EINVAL")
