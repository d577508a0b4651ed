/**
 * Sends one request after the other on each of several keep-alive connections, and counts the answers.
 *
 * On bare sockets, with the request made once: a client on `node:http` costs several times more per request than the
 * echo server that is measured with it, and would itself be what limits it.
 */
import { randomUUID } from "node:crypto"
import { connect } from "node:net"
import type { Socket } from "node:net"
import { cpu, tell } from "./Protocol.ts"
import type { LoadRequest, LoadResult } from "./Protocol.ts"

const load = async (request: LoadRequest): Promise<LoadResult> => {
  const tally: Tally = { latencies: [], refused: 0 }
  const sockets = await Promise.all(Array.from({ length: request.connections }, () => open(request.port)))
  const cpuBefore = cpu()
  const start = performance.now()
  const until = start + request.duration
  await Promise.all(sockets.map((socket) => converse(socket, request, until, tally)))
  const wall = performance.now() - start
  const used = cpu() - cpuBefore
  for (const socket of sockets) socket.destroy()
  const sorted = Float64Array.from(tally.latencies).sort()
  const percentile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const { latencies, refused } = tally
  return { answers: latencies.length, refused, wall, p50: percentile(0.5), p99: percentile(0.99), cpu: used }
}

interface Tally {
  /** ms, of the answers with the expected status. */
  readonly latencies: Array<number>
  refused: number
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket))
    socket.once("error", reject)
  })

const converse = (socket: Socket, request: LoadRequest, until: number, tally: Tally): Promise<void> =>
  new Promise((resolve, reject) => {
    const [head, tail] = partsOf(request)
    const same = Buffer.from(`${head}\r\n${tail}`)
    const next = () =>
      request.keyed === true ? Buffer.from(`${head}idempotency-key: ${randomUUID()}\r\n\r\n${tail}`) : same
    const expected = `HTTP/1.1 ${request.expected} `
    const refusal = `HTTP/1.1 ${request.refusal ?? request.expected} `
    let received = ""
    let sentAt = performance.now()
    const send = () => {
      sentAt = performance.now()
      socket.write(next())
    }
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1")
      if (!isWhole(received)) return
      const now = performance.now()
      if (received.startsWith(expected)) tally.latencies.push(now - sentAt)
      else if (received.startsWith(refusal)) tally.refused += 1
      else return reject(new Error(`Unexpected answer: ${received.slice(0, 1000)}`))
      received = ""
      if (now < until) send()
      else resolve()
    })
    socket.once("error", reject)
    socket.once("close", () => reject(new Error("The server closed a connection")))
    send()
  })

/** What stands before an idempotency key, and behind it. */
const partsOf = ({ apiKey, body, path, port }: LoadRequest): readonly [head: string, tail: string] => [
  [
    `${body === undefined ? "GET" : "POST"} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${apiKey}`,
    ...(body === undefined ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`]),
    ""
  ].join("\r\n"),
  body ?? ""
]

/** Of a text in which one character is one byte. */
const isWhole = (received: string): boolean => {
  const head = received.indexOf("\r\n\r\n")
  if (head === -1) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(received)?.[1]
  return length === undefined ? received.endsWith("\r\n0\r\n\r\n") : received.length >= head + 4 + Number(length)
}

process.on("message", (request: LoadRequest) => void load(request).then(tell))
