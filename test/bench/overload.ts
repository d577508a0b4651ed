/**
 * P15: five times as many creates as the server can do, for a minute. Ends with 1 when a bound is not met.
 *
 * - `--quick`: ten seconds. In the server two more before them are not counted, in which the burst that comes first is
 *   worked off: of a minute it is less than a hundredth.
 * - `--times <n>`: how many times the capacity. Default: 5.
 * - `--connections <n>`: how many the clients have together. Default: 1024.
 * - `--limited`: with the rate limits that hold by default, and one account.
 * - `--directory <path>`: where the database is, on the disk to be measured. Default: beside this file.
 *
 * The server is a process of its own with a database on the disk and a provider that answers at once; the creates come as
 * a Poisson process, each with an idempotency key of its own. Capacity is the throughput of 32 clients that do not pause.
 * Service time is measured inside the server: from the head of a request to the last byte of its answer. Unloaded is the
 * same server with a quarter of its capacity to do.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { start } from "./Process.ts"
import type { LoadAnswer, LoadQuestion, ServerFigures, Times } from "./overload/Protocol.ts"
import { rowsOf } from "./overload/rows.ts"
import type { Listening } from "./processes/Protocol.ts"

const mostTimesUnloaded = 3
/** ms, at the 99th percentile, at four fifths of the capacity. */
const mostWhenBusy = 15

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    times: { type: "string", default: "5" },
    connections: { type: "string", default: "1024" },
    limited: { type: "boolean", default: false },
    directory: { type: "string", default: join(import.meta.dirname, ".data") }
  }
})
const duration = values.quick ? 10_000 : 60_000

type Phase = Omit<LoadAnswer, "refused"> & {
  readonly perSecond: number
  readonly service: Times
  readonly refused: ReadonlyArray<string>
}

mkdirSync(values.directory, { recursive: true })
const directory = mkdtempSync(join(values.directory, "overload-"))
const file = join(directory, "payments.db")
const server = start("../overload/server.ts", [file, values.limited ? "limited" : "unlimited"])
// Boundary: the messages of our own scripts; so below.
const { apiKey, port } = (await server.next()) as Listening
const load = start("../overload/load.ts", [])
const created = new Set<number>()
let from = 1

const phase = async (
  name: string,
  question: Pick<LoadQuestion, "perSecond" | "connections" | "duration">,
  notCounted = 0
): Promise<Phase> => {
  const answering = load.ask({ ...question, apiKey, port, from, duration: notCounted + question.duration })
  if (notCounted > 0) {
    await pause(notCounted)
    await server.ask("figures")
  }
  const answer = (await answering) as LoadAnswer
  const figures = (await server.ask("figures")) as ServerFigures
  from += answer.offered
  for (const number of answer.created) created.add(number)
  show(name, notCounted + question.duration, answer, figures)
  return {
    ...answer,
    perSecond: answer.created.length / (answer.wall / 1000),
    service: figures.admitted,
    refused: Object.keys(answer.refused)
  }
}

const show = (name: string, ms: number, answer: LoadAnswer, { admitted, refused }: ServerFigures): void => {
  const { created, offered, reads, unsent, waited, wall } = answer
  const refusals = Object.entries(answer.refused).map(([what, count]) => `${count} × ${what}`)
  console.log(
    [
      name,
      `  came ${perSecond(offered, ms)}/s, admitted ${perSecond(created.length, wall)}/s, ${refusals.join(", ") || "none refused"}${unsent > 0 ? `, ${unsent} found no connection` : ""}`,
      `  in the server: admitted ${reported(admitted)}; refused ${reported(refused)}`,
      `  for the client: admitted ${reported(waited)}; reads ${reported(reads)}, ${reads.failed} of ${reads.count} failed; making the load took ${Math.round(100 * answer.busy)} % of a CPU`
    ].join("\n")
  )
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const perSecond = (count: number, ms: number): number => Math.round((count / ms) * 1000)

const reported = ({ count, most, p50, p99 }: Times): string =>
  count === 0 ? "–" : `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} most ${most.toFixed(1)} ms`

const clients = { connections: Number(values.connections) }
try {
  await phase("Warming up", { perSecond: null, connections: 32, duration: values.quick ? 6000 : 12_000 })
  const capacity = await phase("At capacity: 32 clients at full speed", {
    perSecond: null,
    connections: 32,
    duration: 5000
  })
  const seldom = await phase("Unloaded: a quarter of the capacity", {
    ...clients,
    perSecond: capacity.perSecond / 4,
    duration: 10_000
  })
  const busy = await phase("Busy: four fifths of the capacity", {
    ...clients,
    perSecond: capacity.perSecond * 0.8,
    duration: 10_000
  })
  const tooMuch = { ...clients, perSecond: capacity.perSecond * Number(values.times) }
  const overload = await phase(
    `Overload: ${values.times} times the capacity`,
    { ...tooMuch, duration },
    values.quick ? 2000 : 0
  )
  await pause(2000)
  const after = await phase("Afterwards: half of the capacity", {
    ...clients,
    perSecond: capacity.perSecond / 2,
    duration: 5000
  })
  await Promise.all([server.close(), load.close()])
  const rows = rowsOf(file, created)
  const ratio = overload.service.p99 / seldom.service.p99
  const isNone = ({ refused }: Phase) => values.limited || refused.length === 0
  const bounds: ReadonlyArray<readonly [string, boolean]> = [
    [
      `service time at the 99th percentile: ${ratio.toFixed(2)} × unloaded, at most ${mostTimesUnloaded}`,
      ratio <= mostTimesUnloaded
    ],
    [
      `busy, service time at the 99th percentile: ${busy.service.p99.toFixed(1)} ms, at most ${mostWhenBusy}`,
      busy.service.p99 <= mostWhenBusy
    ],
    ["no request is refused at the capacity", isNone(capacity)],
    [
      "what is refused is 503 overloaded or 429 rate_limited",
      overload.refused.every((answer) => answer === "503 overloaded" || answer === "429 rate_limited")
    ],
    [
      `reads: ${overload.reads.failed} of ${overload.reads.count} failed`,
      overload.reads.failed === 0 && overload.reads.count > 0
    ],
    [
      `of ${rows.payments} payments ${rows.halfWritten} half-written, ${rows.lost} lost, ${rows.strayed} of refused requests`,
      rows.payments === created.size && rows.halfWritten + rows.lost + rows.strayed === 0
    ],
    ["no request is refused afterwards", isNone(after)]
  ]
  console.log()
  for (const [sentence, isMet] of bounds) console.log(`${isMet ? "met    " : "NOT MET"} ${sentence}`)
  if (bounds.some(([, isMet]) => !isMet)) process.exitCode = 1
} finally {
  await Promise.all([server.close(), load.close()])
  rmSync(directory, { recursive: true, force: true })
}
