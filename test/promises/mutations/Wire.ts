/** HTTP/1.1 as bytes: a client that sends what no client library would, and reads what comes back. */
import { connect } from "node:net"
import type { Socket } from "node:net"

export interface Reply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export interface Wire {
  /** One request and its reply; over a connection that is kept as long as the server keeps it. */
  readonly send: (request: Uint8Array, method: string) => Promise<Reply>
  readonly close: () => void
}

/** One connection at a time, to a port of this machine. */
export const openWire = (port: number): Wire => {
  let socket: Socket | null = null
  const opened = (): Socket => {
    if (socket !== null && !socket.destroyed && socket.writable) return socket
    socket = connect({ port, host: "127.0.0.1" })
    socket.setNoDelay(true)
    socket.on("error", () => {})
    return socket
  }
  return {
    send: async (request, method) => {
      const to = opened()
      const reply = await exchange(to, request, method)
      if (reply.headers["connection"] === "close") to.destroy()
      return reply
    },
    close: () => void socket?.destroy()
  }
}

const exchange = (socket: Socket, request: Uint8Array, method: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    const done = () => {
      socket.off("data", read)
      socket.off("close", closed)
    }
    const read = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const reply = replyOf(received, method)
      if (reply === null) return
      done()
      resolve(reply)
    }
    const closed = () => {
      done()
      reject(new Error(`The server ended the connection after ${received.length} bytes: ${received.toString()}`))
    }
    socket.on("data", read)
    socket.on("close", closed)
    socket.write(request)
  })

/** `null`: there is more to come. */
const replyOf = (bytes: Buffer, method: string): Reply | null => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end < 0) return null
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n")
  const status = Number(first.split(" ")[1])
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
  )
  const body = bytes.subarray(end + 4)
  // "Go on": the reply itself follows.
  if (status === 100) return replyOf(body, method)
  if (method === "HEAD" || status === 204 || status === 304) return { status, headers, body: "" }
  if (headers["transfer-encoding"] === "chunked") {
    const whole = unchunked(body)
    return whole === null ? null : { status, headers, body: whole }
  }
  const length = Number(headers["content-length"] ?? 0)
  return body.length < length ? null : { status, headers, body: body.subarray(0, length).toString() }
}

const unchunked = (bytes: Buffer): string | null => {
  const parts: Array<Buffer> = []
  for (let at = 0; ;) {
    const end = bytes.indexOf("\r\n", at)
    if (end < 0) return null
    const size = Number.parseInt(bytes.subarray(at, end).toString("latin1"), 16)
    if (bytes.length < end + 2 + size + 2) return null
    if (size === 0) return Buffer.concat(parts).toString()
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}
