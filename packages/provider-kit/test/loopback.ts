/** Real servers on loopback ports for the tests of the HTTP client: what happens on the wire is the server's doing. */
import * as Effect from "effect/Effect"
import * as Http from "node:http"
import * as Net from "node:net"
import * as Https from "node:https"
import type * as Tls from "node:tls"

export interface Loopback {
  readonly port: number
  readonly url: string
}

const listening = (server: Net.Server, scheme: string) =>
  Effect.acquireRelease(
    Effect.callback<Loopback>((resume) => {
      const sockets = new Set<Net.Socket>()
      server.on("connection", (socket: Net.Socket) => {
        sockets.add(socket)
        socket.on("error", () => {})
        socket.on("close", () => sockets.delete(socket))
      })
      server.on("close", () => sockets.forEach((socket) => socket.destroy()))
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        if (address === null || typeof address === "string") throw new Error("no port")
        resume(Effect.succeed({ port: address.port, url: `${scheme}://127.0.0.1:${address.port}` }))
      })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.emit("close")
      })
  )

export const httpServer = (handler: Http.RequestListener) => listening(Http.createServer(handler), "http")

export const httpsServer = (options: Tls.SecureContextOptions, handler: Http.RequestListener) =>
  listening(Https.createServer(options, handler), "https")

/** A server that speaks bytes: `onConnection` does with each connection what it likes. */
export const rawServer = (onConnection: (socket: Net.Socket, index: number) => void) => {
  let index = 0
  return listening(
    Net.createServer((socket) => onConnection(socket, index++)),
    "http"
  )
}

/** No server listens here, and none is given this port by chance. */
export const CLOSED_PORT = 2

/** Resolves when the server's side of the test says so, and dies if it does not: the time limit of a test is minutes. */
export const signal = <A = void>() => {
  const { promise, resolve } = Promise.withResolvers<A>()
  const within10Seconds = async (): Promise<A> => {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error("It did not happen within 10 s")), 10_000)
    try {
      return await Promise.race([promise, late])
    } finally {
      clearTimeout(timer)
    }
  }
  return { fire: resolve, fired: Effect.promise(within10Seconds) }
}

/** The bytes of one JSON answer. */
export const answerBytes = (body: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
