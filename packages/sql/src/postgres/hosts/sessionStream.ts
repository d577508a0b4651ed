/**
 * The byte stream of one session: it opens the connection, and reads the server's bytes along with the driver. It ends the
 * session as soon as the server shows that a write is not safe there, before the driver sees the answer.
 */
import { Cause, Effect, Exit } from "effect"
import type { Socket } from "node:net"
import { Duplex } from "node:stream"
import {
  isReadOnlyByDefault,
  isRefusedWrite,
  isStandby,
  isUnconfirmedCommit,
  makeMessageReader
} from "./BackendMessages.ts"
import type { ServerMessage } from "./BackendMessages.ts"

export interface StreamOptions {
  /** Opens the connection. */
  readonly open: Effect.Effect<Socket, Error>
  /** The required role of the server. */
  readonly needs: "nothing" | "primary" | "writes"
  /** Returns the host and port of the server, for error messages. */
  readonly name: () => string
}

/** The byte stream of one session. Its writes wait until the connection is open. */
export const sessionStream = ({ name, needs, open }: StreamOptions): Duplex => {
  let socket: Socket | null = null
  const messages = makeMessageReader()

  const faultOf = (message: ServerMessage): Error | null => {
    if (isUnconfirmedCommit(message)) return new CommitUnconfirmed(name())
    const unfit =
      isRefusedWrite(message) ||
      (needs !== "nothing" && isStandby(message)) ||
      (needs === "writes" && isReadOnlyByDefault(message))
    return unfit ? new ReadOnlyServer(name()) : null
  }

  const receive = (chunk: Buffer) => {
    for (const message of messages(chunk)) {
      const fault = faultOf(message)
      if (fault !== null) return void stream.destroy(fault)
    }
    if (!stream.push(chunk)) socket?.pause()
  }

  const attach = (opened: Socket) => {
    socket = opened
    opened.on("data", receive)
    opened.on("error", (cause) => stream.destroy(cause))
    opened.on("end", () => stream.push(null))
    opened.on("close", () => stream.destroy())
    if (opened.destroyed) stream.destroy()
  }

  const stream = new Duplex({
    construct: (callback) => {
      Effect.runCallback(open, {
        onExit: (exit) => {
          if (Exit.isSuccess(exit)) attach(exit.value)
          callback(Exit.isSuccess(exit) ? null : errorOf(exit.cause))
        }
      })
    },
    read: () => void socket?.resume(),
    write: (chunk: Buffer, _, callback) => {
      if (socket?.write(chunk) === false) socket.once("drain", () => callback())
      else callback()
    },
    final: (callback) => {
      socket?.end()
      callback()
    },
    destroy: (cause, callback) => {
      socket?.destroy()
      callback(cause)
    }
  })
  return stream
}

const errorOf = (cause: Cause.Cause<Error>): Error => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error : new Error(String(error))
}

/**
 * Ends the session: PostgreSQL has committed, but its synchronous standby has not confirmed, so after a failover the
 * commit may be gone.
 */
class CommitUnconfirmed extends Error {
  constructor(server: string) {
    super(`${server} committed without its synchronous standby, so the commit may be lost in a failover`)
  }
}

class ReadOnlyServer extends Error {
  constructor(server: string) {
    super(`${server} does not accept writes: it is a standby, or read-only`)
  }
}

export class FormerPrimary extends Error {
  constructor(server: string, promoted: string) {
    super(`${server} is a former primary: ${promoted} was promoted`)
  }
}
