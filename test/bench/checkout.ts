/**
 * What the payment page costs. Ends with 1 when a bound is not met.
 *
 * - Creates: CPU time with the page (each response forms a `hosted_url`) against without it, in rounds side by side.
 * - Pages: time to the first byte at 200 pages a second beside 200 creates a second, on SQLite.
 * - Streams: memory of the server for 10,000 open event streams.
 * - Size: the page with its style and script, compressed.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import type { IncomingMessage } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { parseArgs } from "node:util"
import { gzipSync } from "node:zlib"
import { median } from "./Rounds.ts"
import { startServer } from "./Process.ts"
import type { Server } from "./Process.ts"

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    directory: { type: "string", default: join(import.meta.dirname, ".data") }
  }
})
const [rounds, seconds, streams] = values.quick ? [3, 3, 1_000] : [9, 15, 10_000]
const bounds = { cpu: 1.1, firstByte: 20, memory: 200, size: 20 }

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const payment = JSON.stringify({
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  description: "Order 42",
  customer: { email: "asha@example.com", phone: "+919876543210" }
})

const send = (server: Server, method: string, path: string, body?: string, from?: { readonly localAddress: string }) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" }
    const own = from === undefined ? { agent } : { agent: false, ...from }
    request({ port: server.port, host: "127.0.0.1", method, path, headers, ...own }, resolve)
      .on("error", reject)
      .end(body)
  })

/** The path of its page, where there is one. */
const create = async (server: Server): Promise<string> => {
  const answer = await send(server, "POST", "/v1/payments", payment)
  const body = await text(answer)
  if (answer.statusCode !== 201) throw new Error(`Create answered ${answer.statusCode}: ${body}`)
  // Boundary: the JSON of the API.
  const { hosted_url } = JSON.parse(body) as { hosted_url: string | null }
  return hosted_url === null ? "" : new URL(hosted_url).pathname
}

const inParallel = async (times: number, at: number, work: () => Promise<unknown>) => {
  let left = times
  await Promise.all(
    Array.from({ length: at }, async () => {
      while (left-- > 0) await work()
    })
  )
}

const cpuOfCreates = async (server: Server): Promise<number> => {
  const before = await server.cpu()
  await inParallel(1_000, 16, () => create(server))
  return (await server.cpu()) - before
}

/** `work` is started so often a second, whether or not the last has ended. */
const atRate = async (perSecond: number, work: () => Promise<unknown>) => {
  const all: Array<Promise<unknown>> = []
  const from = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const wait = from + (n * 1000) / perSecond - performance.now()
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait))
    all.push(work())
  }
  await Promise.all(all)
}

const firstBytes = async (server: Server, pages: ReadonlyArray<string>): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  let next = 0
  await Promise.all([
    atRate(200, () => create(server)),
    atRate(200, async () => {
      const path = pages[next++ % pages.length] ?? ""
      const before = performance.now()
      const answer = await send(server, "GET", path)
      times.push(performance.now() - before)
      if (answer.statusCode !== 200) throw new Error(`The page answered ${answer.statusCode}`)
      answer.resume()
    })
  ])
  return times.toSorted((a, b) => a - b)
}

const memoryOf = async (server: Server): Promise<number> =>
  Number(await text(await send(server, "GET", "/memory"))) / 1_048_576

const memoryOfStreams = async (server: Server, pages: ReadonlyArray<string>): Promise<number> => {
  const before = await memoryOf(server)
  const open: Array<IncomingMessage> = []
  let next = 0
  await inParallel(streams, 32, async () => {
    // An address may have a hundred open.
    const localAddress = `127.0.0.${1 + (next % 120)}`
    const stream = await send(server, "GET", `${pages[next++ % pages.length] ?? ""}/events`, undefined, {
      localAddress
    })
    if (stream.statusCode !== 200) throw new Error(`The stream answered ${stream.statusCode}`)
    open.push(stream.resume())
  })
  // A few looks at the database, and a heartbeat.
  await new Promise((resolve) => setTimeout(resolve, 17_000))
  const after = await memoryOf(server)
  for (const stream of open) stream.destroy()
  return after - before
}

const sizeOf = async (server: Server, page: string): Promise<number> => {
  const html = await text(await send(server, "GET", page))
  const files = await Promise.all(
    [...html.matchAll(/"(\/pay\/assets\/[^"]+)"/g)].map(async ([, path = ""]) => text(await send(server, "GET", path)))
  )
  return [html, ...files].reduce((sum, each) => sum + gzipSync(each).length, 0) / 1024
}

mkdirSync(values.directory, { recursive: true })
const directory = mkdtempSync(join(values.directory, "checkout-"))
const withPage = await startServer("checkout.ts", join(directory, "page.db"), "page")
const without = await startServer("checkout.ts", join(directory, "none.db"), "none")
try {
  const ratios: Array<number> = []
  for (let round = -2; round < rounds; round++) {
    const order = round % 2 === 0 ? [withPage, without] : [without, withPage]
    const cpu = new Map<Server, number>()
    for (const server of order) cpu.set(server, await cpuOfCreates(server))
    if (round >= 0) ratios.push((cpu.get(withPage) ?? 0) / (cpu.get(without) ?? 1))
  }
  const pages: Array<string> = []
  await inParallel(2_000, 16, async () => pages.push(await create(withPage)))
  await firstBytes(withPage, pages) // warms up
  const times = await firstBytes(withPage, pages)
  const figures = [
    ["CPU time of creates, with the page / without", median(ratios), "", bounds.cpu],
    ["first byte of a page, p95", times[Math.floor(times.length * 0.95)] ?? Number.NaN, "ms", bounds.firstByte],
    ["size of a page with style and script, gzip", await sizeOf(withPage, pages[0] ?? ""), "kB", bounds.size],
    [`memory of ${streams} event streams`, await memoryOfStreams(withPage, pages), "MB", bounds.memory]
  ] as const
  for (const [name, value, unit, most] of figures) {
    const met = value <= most
    console.log(`${name}: ${value.toFixed(2)} ${unit} (at most ${most}) ${met ? "ok" : "NOT MET"}`)
    if (!met) process.exitCode = 1
  }
} finally {
  agent.destroy()
  await Promise.all([withPage.close(), without.close()])
  rmSync(directory, { recursive: true, force: true })
}
