/** Case B: `POST /v1/payments` through the whole stack, against a service written by hand and a bare echo. */
import { join } from "node:path"
import { startLoad, startServer } from "./Process.ts"
import type { Server } from "./Process.ts"
import { interleave, median } from "./Rounds.ts"
import type { Slice } from "./Rounds.ts"
import { contentOfSqlite, differences } from "./SameRows.ts"
import { samples } from "./Sample.ts"
import type { SampleName } from "./Sample.ts"

export interface HttpBenchOptions {
  readonly directory: string
  readonly rounds: number
  readonly warmUps: number
  /** ms of load per contender and round */
  readonly sliceMs: number
  /** The requests to measure. */
  readonly samples: ReadonlyArray<SampleName>
  readonly progress: (done: number, of: number) => void
}

export interface HttpSlice extends Slice {
  /** ms */
  readonly p50: number
  readonly p99: number
  /** Share of the time in which the load generator was at work. */
  readonly loadBusy: number
}

export const connections = 32

const bodies = {
  minimal: "README's body",
  card: "a card and a return address",
  collect: "UPI with a VPA",
  keyed: "README's body with a key"
} as const satisfies { readonly [name in SampleName]: string }

export const bodyNames: ReadonlyArray<SampleName> = ["minimal", "card", "collect", "keyed"]

export const httpNames = {
  paymux: (sample: SampleName) => `Paymux, ${bodies[sample]}`,
  bare: (sample: SampleName) => `written by hand, ${bodies[sample]}`,
  fetch: "Paymux through fetch",
  byDefault: "Paymux with page, rate limit and endpoint",
  echo: "bare echo"
} as const

/** A server process and the request that it receives. */
interface ContenderSpec {
  readonly name: string
  readonly script: string
  readonly sample: SampleName
  /** Whether its rows are those of the service written by hand. */
  readonly compared: boolean
}

const contenderSpecs = (samples: ReadonlyArray<SampleName>): ReadonlyArray<ContenderSpec> => [
  ...samples.flatMap((sample): ReadonlyArray<ContenderSpec> => [
    { name: httpNames.paymux(sample), script: "paymux.ts", sample, compared: true },
    { name: httpNames.bare(sample), script: "bare.ts", sample, compared: false }
  ]),
  ...samples.slice(0, 1).flatMap((sample): ReadonlyArray<ContenderSpec> => [
    { name: httpNames.fetch, script: "paymuxFetch.ts", sample, compared: true },
    { name: httpNames.byDefault, script: "defaultPaymux.ts", sample, compared: false },
    { name: httpNames.echo, script: "echo.ts", sample, compared: false }
  ])
]

/** Fails where an answer is not the expected one, and where Paymux and the service written by hand did not do the same work. */
export const httpBench = async (options: HttpBenchOptions) => {
  const load = startLoad()
  const contenders: Array<RunningContender> = []
  try {
    for (const [index, each] of contenderSpecs(options.samples).entries()) {
      const file = join(options.directory, `http-${index}.db`)
      contenders.push({ ...each, file, server: await startServer(each.script, file), payments: 0 })
    }
    const measured = await interleave(
      contenders.map((each) => ({ name: each.name, run: () => sliceOf(each, load, options.sliceMs) })),
      options
    )
    // Closed first: a worker that marks events as dispatched may still be running.
    await Promise.all(contenders.map(({ server }) => server.close()))
    const unequal = contenders
      .filter(({ compared }) => compared)
      .flatMap((each) => {
        const byHand = contenders.find(({ name }) => name === httpNames.bare(each.sample))
        if (byHand === undefined) throw new Error(`Nothing is compared with ${each.name}`)
        return differences(workOf(each), workOf(byHand))
      })
    if (unequal.length > 0) throw new Error(`The rows are not the same.\n${unequal.join("\n")}`)
    return measured.map((each) => ({ ...each, note: limitedByLoad(each.slices) }))
  } finally {
    await Promise.all([load, ...contenders.map(({ server }) => server)].map((child) => child.close()))
  }
}

interface RunningContender extends ContenderSpec {
  readonly file: string
  readonly server: Server
  /** Made so far. */
  payments: number
}

const sliceOf = async (
  contender: RunningContender,
  load: ReturnType<typeof startLoad>,
  duration: number
): Promise<HttpSlice> => {
  const { apiKey, cpu, port } = contender.server
  const { body, keyed } = samples[contender.sample]
  const before = await cpu()
  const answered = await load.run({
    apiKey,
    port,
    path: "/v1/payments",
    body: JSON.stringify(body),
    keyed,
    expected: contender.script === "echo.ts" ? 200 : 201,
    connections,
    duration
  })
  const { answers, cpu: loadCpu, p50, p99, wall } = answered
  contender.payments += answers
  const answeredAt = performance.now()
  const used = (await cpu()) - before
  // Until the work is done that requests have left behind, such as deliveries.
  const whole = wall + performance.now() - answeredAt
  return { payments: answers, wall: whole, cpu: used, p50, p99, loadBusy: loadCpu / 1000 / wall }
}

const workOf = ({ file, name, payments }: RunningContender) => ({
  name,
  payments,
  content: contentOfSqlite(file, ["payment_events.position", "payment_events.dispatched_at"])
})

/** What cannot be said of a server that waited for the load. */
const limitedByLoad = (slices: ReadonlyArray<HttpSlice>): string | null => {
  const busy = median(slices.map(({ loadBusy }) => loadBusy))
  return busy < 0.8
    ? null
    : `the load generator was at work ${Math.round(busy * 100)} % of the time and may be the limit`
}
