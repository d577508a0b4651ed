/** A socket to one server, with TLS if the address requires it. */
import { Data, Effect } from "effect"
import { connect, isIP } from "node:net"
import type { Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { nameOf } from "./PostgresUrl.ts"
import type { PostgresUrl, Server } from "./PostgresUrl.ts"

export class CannotConnect extends Data.TaggedError("CannotConnect")<{
  readonly message: string
  /** Whether the host name does not exist, so that another try does not help. */
  readonly isUnknownHost: boolean
}> {}

export const connectTo = (server: Server, tls: PostgresUrl["tls"]): Effect.Effect<Socket, CannotConnect> =>
  Effect.callback<Socket, CannotConnect>((resume) => {
    const { host, port } = server
    const failed = (message: string, isUnknownHost = false) =>
      Effect.fail(new CannotConnect({ message: `${nameOf(server)}: ${message}`, isUnknownHost }))
    let current: Socket = host.startsWith("/")
      ? connect({ path: `${host}/.s.PGSQL.${port}` })
      : connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE })
    // This timer uses the machine's clock, like every deadline of a statement. It is needed because a caller that stops
    // waiting cannot close a connection that is not open yet.
    const timer = setTimeout(() => {
      current.destroy()
      resume(failed(`no answer within ${PATIENCE / 1000} s`))
    }, PATIENCE)
    const onError = (cause: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      current.destroy()
      resume(failed(cause.message, cause.code === "ENOTFOUND"))
    }
    const onClose = () => {
      clearTimeout(timer)
      resume(failed("the connection was closed at its start"))
    }
    const watched = (socket: Socket): Socket => socket.on("error", onError).on("close", onClose)
    const done = () => {
      clearTimeout(timer)
      // Ignores errors until the owner of the socket adds its own listener in its next step: an error without a
      // listener would end the process.
      current.on("error", () => undefined)
      current.off("error", onError).off("close", onClose)
      resume(Effect.succeed(current))
    }
    const onAnswer = (answer: Buffer) => {
      if (answer.toString("latin1") === "N" && tls === "prefer") return done()
      if (answer.toString("latin1") !== "S") {
        clearTimeout(timer)
        current.destroy()
        return resume(failed("the server refused TLS"))
      }
      current.off("error", onError).off("close", onClose)
      current = watched(connectTls({ host, ...(isIP(host) === 0 && { servername: host }), socket: current }))
      current.once("secureConnect", done)
    }
    watched(current).once("connect", () => {
      if (tls === "disable") return done()
      current.once("data", onAnswer)
      current.write(SSL_REQUEST)
    })
    return Effect.sync(() => {
      clearTimeout(timer)
      current.destroy()
    })
  })

/** The time limit for opening a connection, ms, TLS included. */
const PATIENCE = 5_000

/** The keep-alive delay, ms. It detects an idle session whose server is gone before the session is needed. */
const KEEP_ALIVE = 10_000

/** The SSL request: a length of 8, and the number that stands for this request in the protocol. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])
