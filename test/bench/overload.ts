/**
 * P15: creates that come whether or not the server keeps up, for a minute each at a quarter of its capacity, at all of it, and
 * at two and five times as many. Ends with 1 when a bound is not met.
 *
 * - `--quick`: ten seconds each.
 * - `--provider <ms>`: how long the provider takes. Default: 20.
 * - `--stalls`: at four fifths of the capacity, the server is stopped for two seconds in each twenty, too.
 * - `--connections <n>`: how many the clients have together. Default: 1024.
 * - `--limited`: with the rate limits that hold by default, and one account.
 * - `--directory <path>`: where the database is, on the disk to be measured. Default: beside this file.
 *
 * The server is a process of its own with a database on the disk; so are the clients, which have a core for themselves if
 * there are two. The creates come as a Poisson process, each with an idempotency key of its own. Capacity is the throughput of
 * 256 clients that do not pause, measured before each phase; latencies are compared with those at a quarter, at the beginning.
 *
 * A client's time begins when the request is due. The server's begins with the head of the request: what waited in the
 * kernel, because the event loop was busy, counts only for the client.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { start } from "./Process.ts"
import { interval } from "./overload/Protocol.ts"
import type { LoadAnswer, LoadQuestion, ReaderAnswer, ServerFigures, Times } from "./overload/Protocol.ts"
import { rowsOf } from "./overload/rows.ts"
import type { Listening } from "./processes/Protocol.ts"

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    provider: { type: "string", default: "20" },
    stalls: { type: "boolean", default: false },
    connections: { type: "string", default: "1024" },
    limited: { type: "boolean", default: false },
    directory: { type: "string", default: join(import.meta.dirname, ".data") }
  }
})
const duration = values.quick ? 10_000 : 60_000

interface Phase extends LoadAnswer, ReaderAnswer {
  readonly perSecond: number
  readonly server: ServerFigures
}

mkdirSync(values.directory, { recursive: true })
const directory = mkdtempSync(join(values.directory, "overload-"))
const file = join(directory, "payments.db")
const server = start("../overload/server.ts", [file, values.provider, values.limited ? "limited" : "unlimited"])
// Boundary: the messages of our own scripts; so below.
const { apiKey, port } = (await server.next()) as Listening
const load = start("../overload/load.ts", [])
const reader = start("../overload/reader.ts", [])
if (availableParallelism() > 1 && process.platform === "linux") {
  const last = String(availableParallelism() - 1)
  for (const { pid } of [load, reader]) spawnSync("taskset", ["--all-tasks", "--cpu-list", "--pid", last, String(pid)])
}
const created = new Set<number>()
let from = 1

const phase = async (
  name: string,
  question: Pick<LoadQuestion, "perSecond" | "duration"> & { readonly connections?: number }
): Promise<Phase> => {
  const target = { apiKey, port, duration: question.duration }
  const before = (await server.ask("figures")) as ServerFigures
  const [answer, read] = (await Promise.all([
    load.ask({ connections: Number(values.connections), ...question, ...target, from }),
    reader.ask(target)
  ])) as [LoadAnswer, ReaderAnswer]
  const figures = (await server.ask("figures")) as ServerFigures
  from += answer.offered
  for (const number of answer.created) created.add(number)
  const found = {
    ...answer,
    ...read,
    perSecond: answer.created.length / (answer.wall / 1000),
    server: { ...figures, cpu: figures.cpu - before.cpu }
  }
  show(name, question.duration, found)
  return found
}

const show = (name: string, ms: number, found: Phase): void => {
  const { busy, fresh, offered, reads, server, unsent, waited, wall } = found
  const refusals = Object.entries(found.refused).map(([what, count]) => `${count} × ${what}`)
  const rate = (count: number, time: number) => Math.round((count / time) * 1000)
  console.log(
    [
      name,
      `  came ${rate(offered, ms)}/s, admitted ${rate(found.created.length, wall)}/s, ${refusals.join(", ") || "none refused"}${unsent > 0 ? `, ${unsent} found no connection` : ""}`,
      `  in the server: admitted ${reported(server.admitted)}; refused ${reported(server.refused)}; ${Math.round(server.cpu / 10 / wall)} % CPU`,
      `  for the client: admitted ${reported(waited)}; making the load took ${Math.round(100 * busy)} % of a CPU`,
      `  reads ${reported(reads)}, ${reads.failed} of ${reads.count} failed; new connections ${reported(fresh)}, ${fresh.failed} of ${fresh.count} failed`
    ].join("\n")
  )
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const reported = ({ count, most, p50, p99 }: Times): string =>
  count === 0 ? "–" : `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} most ${most.toFixed(1)} ms`

type Bound = readonly [sentence: string, isMet: boolean]

const boundsOf = (times: number, found: Phase, capacity: Phase, seldom: Phase): ReadonlyArray<Bound> => {
  const share = found.perSecond / capacity.perSecond
  const slower = found.waited.p99 / seldom.waited.p99
  const reads = found.reads.p99 / seldom.reads.p99
  return [
    [`${times} ×: admitted ${share.toFixed(2)} of the capacity, at least 0.9`, share >= 0.9],
    [`${times} ×: p99 of what is admitted ${slower.toFixed(2)} × that at a quarter, at most 3`, slower <= 3],
    [`${times} ×: p99 of reads ${reads.toFixed(2)} × that at a quarter, at most 3`, reads <= 3],
    [`${times} ×: ${found.reads.failed} of ${found.reads.count} reads failed`, found.reads.failed === 0],
    [
      `${times} ×: what is refused is 503 overloaded or 429 rate_limited`,
      Object.keys(found.refused).every((answer) => answer === "503 overloaded" || answer === "429 rate_limited")
    ]
  ]
}

/** Stops the server for two seconds in each twenty. */
const stalls = async (capacity: Phase): Promise<ReadonlyArray<Bound>> => {
  const [every, lasts] = values.quick ? [6000, 2000] : [20_000, 2000]
  const perSecond = capacity.perSecond * 0.8
  const stopped: Array<number> = []
  const began = performance.now()
  const stall = setInterval(() => {
    server.signal("SIGSTOP")
    setTimeout(() => {
      server.signal("SIGCONT")
      stopped.push(performance.now() - began)
    }, lasts)
  }, every)
  const found = await phase("Stalls: four fifths of the capacity, stopped for 2 s", {
    perSecond,
    duration: duration + (values.quick ? 5000 : 0)
  }).finally(() => clearInterval(stall))
  // The second after the first one that follows a stall.
  const rates = stopped.map((at) => {
    const first = Math.ceil((at + 1000) / interval)
    const counts = found.createdIn.slice(first, first + 1000 / interval)
    return counts.length < 1000 / interval ? [] : [counts.reduce((sum, count) => sum + count, 0) / perSecond]
  })
  const least = Math.min(...rates.flat())
  return [[`after a stall of 2 s: ${least.toFixed(2)} of what comes after 1 s, at least 0.9`, least >= 0.9]]
}

try {
  const closed = { perSecond: null, connections: 256 }
  await phase("Warming up", { ...closed, duration: values.quick ? 6000 : 12_000 })
  // It changes with the size of the database and with the machine: each overload is compared with the capacity just before.
  const capacityNow = async () => {
    // Clients that never pause would prolong an overload.
    await pause(2000)
    return phase("Capacity: 256 clients at full speed", { ...closed, duration: 10_000 })
  }
  const at = (times: number, { perSecond }: Phase) =>
    phase(`${times} × the capacity`, { perSecond: perSecond * times, duration })
  let capacity = await capacityNow()
  const seldom = await at(0.25, capacity)
  const bounds: Array<Bound> = []
  for (const times of [1, 2, 5]) {
    capacity = await capacityNow()
    const found = await at(times, capacity)
    if (times > 1) bounds.push(...boundsOf(times, found, capacity, seldom))
  }
  if (values.stalls) bounds.push(...(await stalls(await capacityNow())))
  await pause(2000)
  const after = await phase("Afterwards: half of the capacity", {
    perSecond: capacity.perSecond / 2,
    duration: 5000
  })
  bounds.push(["no request is refused afterwards", values.limited || Object.keys(after.refused).length === 0])
  await Promise.all([server.close(), load.close(), reader.close()])
  const rows = rowsOf(file, created)
  bounds.push([
    `of ${rows.payments} payments ${rows.halfWritten} half-written, ${rows.lost} lost, ${rows.strayed} of refused requests`,
    rows.payments === created.size && rows.halfWritten + rows.lost + rows.strayed === 0
  ])
  console.log()
  for (const [sentence, isMet] of bounds) console.log(`${isMet ? "met    " : "NOT MET"} ${sentence}`)
  if (bounds.some(([, isMet]) => !isMet)) process.exitCode = 1
} finally {
  await Promise.all([server.close(), load.close(), reader.close()])
  rmSync(directory, { recursive: true, force: true })
}
