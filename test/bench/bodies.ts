/**
 * What bodies over the limit cost other clients. Ends with 1 when a bound is not met.
 *
 * - Ordinary creates, p95, while 32 clients send bodies of 300 MB (announced, or in chunks) to the payment page and as webhooks, against the
 *   same creates alone.
 * - The longest turn of the server's event loop meanwhile, against the longest of the creates alone.
 * - Memory of the server afterwards, beyond what it had before.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { connect } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { parseArgs } from "node:util"
import { startServer } from "./Process.ts"
import { median } from "./Rounds.ts"

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    directory: { type: "string", default: join(import.meta.dirname, ".data") }
  }
})
const [rounds, creates] = values.quick ? [2, 200] : [5, 400]
const clients = 32
const bounds = { latency: 6, turn: 6, memory: 128 }

const payment = JSON.stringify({
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919876543210" }
})

mkdirSync(values.directory, { recursive: true })
const directory = mkdtempSync(join(values.directory, "bodies-"))
const server = await startServer("checkout.ts", join(directory, "paymux.db"), "page")
const agent = new Agent({ keepAlive: true, maxSockets: 8 })

const send = (method: string, path: string, body?: string) =>
  new Promise<string>((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" }
    request({ port: server.port, host: "127.0.0.1", method, path, headers, agent }, (answer) => resolve(text(answer)))
      .on("error", reject)
      .end(body)
  })

/** ms of each create, in order of length. */
const timesOfCreates = async (): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  let left = creates
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (left-- > 0) {
        const from = performance.now()
        await send("POST", "/v1/payments", payment)
        times.push(performance.now() - from)
      }
    })
  )
  return times.toSorted((a, b) => a - b)
}

const p95 = (times: ReadonlyArray<number>): number => times[Math.floor(times.length * 0.95)] ?? Number.NaN

const part = Buffer.from("a&".repeat(8 * 1024))
const chunk = Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")])

/** Sends one body after the other, as fast as the server reads, until it is stopped. */
const flood = (path: string, head: string, body: Buffer) => {
  const state = { isStopped: false, requests: 0 }
  const next = () => {
    if (state.isStopped) return
    state.requests += 1
    const socket = connect(server.port, "127.0.0.1")
    const write = () => {
      while (!socket.destroyed && socket.write(body)) continue
    }
    socket.on("error", () => undefined)
    socket.on("drain", write)
    socket.once("data", () => socket.destroy())
    socket.once("close", () => setImmediate(next))
    socket.once("connect", () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\n${head}\r\n\r\n`
      )
      write()
    })
  }
  next()
  return { requests: () => state.requests, stop: () => void (state.isStopped = true) }
}

try {
  // Boundary: the JSON of the API.
  const { hosted_url } = JSON.parse(await send("POST", "/v1/payments", payment)) as { hosted_url: string }
  const page = new URL(hosted_url).pathname
  const memory = async () => Number(await send("GET", "/memory")) / 1_048_576
  await timesOfCreates()
  const before = await memory()
  const latencies: Array<number> = []
  const turns: Array<number> = []
  let requests = 0
  for (let round = 0; round < rounds; round++) {
    await server.held()
    const alone = p95(await timesOfCreates())
    const usual = await server.held()
    const floods = Array.from({ length: clients }, (_, n) =>
      flood(
        n % 2 === 0 ? page : "/webhooks/waiting",
        n % 4 < 2 ? "transfer-encoding: chunked" : "content-length: 300000000",
        n % 4 < 2 ? chunk : part
      )
    )
    const under = p95(await timesOfCreates())
    turns.push((await server.held()) / usual)
    latencies.push(under / alone)
    for (const each of floods) {
      each.stop()
      requests += each.requests()
    }
  }
  const figures = [
    [`p95 of creates, under ${requests} bodies over the limit / alone`, median(latencies), "", bounds.latency],
    ["longest turn of the event loop, under them / alone", median(turns), "", bounds.turn],
    ["memory beyond that before", (await memory()) - before, "MB", bounds.memory]
  ] as const
  for (const [name, value, unit, most] of figures) {
    const met = value <= most
    console.log(`${name}: ${value.toFixed(2)} ${unit} (at most ${most}) ${met ? "ok" : "NOT MET"}`)
    if (!met) process.exitCode = 1
  }
} finally {
  agent.destroy()
  await server.close()
  rmSync(directory, { recursive: true, force: true })
}
