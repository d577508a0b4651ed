/** HTTP/1.1 on a bare socket, one request at a time: a client on `node:http` costs as much as what it measures. */
import { connect } from "node:net"
import type { Socket } from "node:net"

export interface Connection {
  readonly ask: (request: Buffer) => Promise<{ readonly status: number; readonly text: string }>
  readonly close: () => void
}

export const connection = async (port: number): Promise<Connection> => {
  const socket = await open(port)
  let received = ""
  let waiting: PromiseWithResolvers<{ readonly status: number; readonly text: string }> | undefined
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1")
    if (!isWhole(received)) return
    const answer = { status: Number(received.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)), text: received }
    received = ""
    waiting?.resolve(answer)
  })
  socket.once("close", () => waiting?.reject(new Error("The server closed a connection")))
  return {
    ask: (request) => {
      waiting = Promise.withResolvers()
      socket.write(request)
      return waiting.promise
    },
    close: () => socket.destroy()
  }
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket))
    socket.once("error", reject)
  })

/** Of a text in which one character is one byte. */
const isWhole = (received: string): boolean => {
  const head = received.indexOf("\r\n\r\n")
  if (head === -1) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(received)?.[1]
  return length === undefined ? received.endsWith("\r\n0\r\n\r\n") : received.length >= head + 4 + Number(length)
}
