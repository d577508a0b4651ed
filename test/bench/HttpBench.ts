/** Case B: `POST /v1/payments` through the whole stack, against a service written by hand and a bare echo. */
import { join } from "node:path"
import { startLoad, startServer } from "./Process.ts"
import type { Server } from "./Process.ts"
import { interleave, median } from "./Rounds.ts"
import type { Contender, Slice } from "./Rounds.ts"
import { contentOfSqlite, differences } from "./SameRows.ts"
import { request } from "./Sample.ts"

export interface HttpBenchOptions {
  readonly directory: string
  readonly rounds: number
  readonly warmUps: number
  /** ms of load per contender and round */
  readonly sliceMs: number
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

export const httpNames = {
  paymux: "Paymux, POST /v1/payments",
  fetch: "the same through fetch",
  bare: "service written by hand",
  echo: "bare echo"
} as const

/** Fails where an answer is not the expected one, and where Paymux and the bare service did not do the same work. */
export const httpBench = async (options: HttpBenchOptions) => {
  const file = (name: string) => join(options.directory, `http-${name}.db`)
  const paymux = await startServer("paymux.ts", file("paymux"))
  const fetch = await startServer("paymuxFetch.ts", file("fetch"))
  const bare = await startServer("bare.ts", file("bare"))
  const echo = await startServer("echo.ts")
  const load = startLoad()
  const payments = { paymux: 0, fetch: 0, bare: 0, echo: 0 }

  const contender = (name: keyof typeof httpNames, server: Server, expected: number): Contender<HttpSlice> => ({
    name: httpNames[name],
    run: async () => {
      const { apiKey, port } = server
      const before = await server.cpu()
      const {
        answers,
        cpu: loadCpu,
        p50,
        p99,
        wall
      } = await load.run({
        apiKey,
        port,
        path: "/v1/payments",
        body: JSON.stringify(request),
        expected,
        connections,
        duration: options.sliceMs
      })
      payments[name] += answers
      return { payments: answers, wall, cpu: (await server.cpu()) - before, p50, p99, loadBusy: loadCpu / 1000 / wall }
    }
  })
  try {
    const measured = await interleave(
      [
        contender("paymux", paymux, 201),
        contender("fetch", fetch, 201),
        contender("bare", bare, 201),
        contender("echo", echo, 200)
      ],
      options
    )
    // Closed first: a worker that marks events as dispatched may still be at it.
    await Promise.all([paymux.close(), fetch.close(), bare.close()])
    const workOf = (name: "paymux" | "fetch" | "bare") => ({
      name: httpNames[name],
      payments: payments[name],
      content: contentOfSqlite(file(name), ["payment_events.position", "payment_events.dispatched_at"])
    })
    const unequal = (["paymux", "fetch"] as const).flatMap((name) => differences(workOf(name), workOf("bare")))
    if (unequal.length > 0) throw new Error(`The rows are not the same.\n${unequal.join("\n")}`)
    return measured.map((each) => ({ ...each, note: limitedByLoad(each.slices) }))
  } finally {
    await Promise.all([paymux, fetch, bare, echo, load].map((child) => child.close()))
  }
}

/** What cannot be said of a server that waited for the load. */
const limitedByLoad = (slices: ReadonlyArray<HttpSlice>): string | null => {
  const busy = median(slices.map(({ loadBusy }) => loadBusy))
  return busy < 0.8
    ? null
    : `the load generator was at work ${Math.round(busy * 100)} % of the time and may be the limit`
}
