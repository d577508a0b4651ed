/**
 * Creates beside readers of lists: the median and the 99th percentile of a create while 40 connections read lists of 100 payments,
 * of the dashboard or of `/v1`, divided by those of a create without readers, in rounds side by side on one server. The readers
 * are in a process of their own, and repeat a refused request at once. Ends with 1 when a bound is not met.
 *
 * - `pnpm bench list-readers sqlite|postgres`
 * - `--creates <n>`: connections that create; default 32. `--readers <n>`: default 40.
 * - `--rounds <n>`: default 9. `--seconds <n>`: of each slice; default 5.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { openPostgres } from "./PostgresDatabases.ts"
import { startLoad, startServer } from "./Process.ts"
import type { LoadResult } from "./processes/Protocol.ts"
import { interleave, median } from "./Rounds.ts"
import type { Contender, Measured, Slice } from "./Rounds.ts"
import { request } from "./Sample.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    creates: { type: "string", default: "32" },
    readers: { type: "string", default: "40" },
    rounds: { type: "string", default: "9" },
    seconds: { type: "string", default: "5" }
  }
})
const [database] = positionals
if (database !== "sqlite" && database !== "postgres") throw new Error("Say which database: sqlite or postgres.")

const bounds = { p50: 1.5, p99: 2 } as const

interface CreateSlice extends Slice {
  readonly p50: number
  readonly p99: number
  readonly read: LoadResult | null
}

const lists = {
  "of the dashboard": "/dashboard/api/default/test/payments?limit=100",
  "of the API": "/v1/payments?limit=100"
} as const

const postgres = database === "postgres" ? await openPostgres() : null
const directory = mkdtempSync(join(tmpdir(), "paymux-list-readers-"))
const address = postgres === null ? `sqlite:${join(directory, "payments.db")}` : await postgres.create("list_readers")
const server = await startServer("dashboard.ts", address)
const [load, readers] = [startLoad(), startLoad()]
const { apiKey, port } = server
const duration = Number(values.seconds) * 1000

const slice = async (list: string | null): Promise<CreateSlice> => {
  const before = await server.cpu()
  const [made, read] = await Promise.all([
    load.run({
      apiKey,
      port,
      path: "/v1/payments",
      body: JSON.stringify(request),
      expected: 201,
      connections: Number(values.creates),
      duration
    }),
    list === null
      ? null
      : readers.run({
          apiKey,
          port,
          path: list,
          expected: 200,
          refusal: 429,
          connections: Number(values.readers),
          duration
        })
  ])
  const { answers, p50, p99, wall } = made
  return { payments: answers, wall, p50, p99, read, cpu: (await server.cpu()) - before }
}

const contender = (name: string, list: string | null): Contender<CreateSlice> => ({ name, run: () => slice(list) })

const report = (one: Measured<CreateSlice>, none: Measured<CreateSlice>) => {
  const perSecond = (count: (read: LoadResult) => number) =>
    median(one.slices.map(({ read }) => (read === null ? 0 : (count(read) / read.wall) * 1000))).toFixed(0)
  console.log(
    `readers ${one.name}: ${perSecond(({ answers }) => answers)} lists/s, ${perSecond(({ refused }) => refused)} refused/s`
  )
  for (const quantile of ["p50", "p99"] as const) {
    const ratios = one.slices.map((each, round) => each[quantile] / (none.slices[round]?.[quantile] ?? Number.NaN))
    const [middle, lowest, highest] = [median(ratios), Math.min(...ratios), Math.max(...ratios)]
    const met = middle <= bounds[quantile]
    if (!met) process.exitCode = 1
    console.log(
      `  ${quantile} of a create with / without  ${middle.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)}), ` +
        `at most ${bounds[quantile]}${met ? "" : ": NOT MET"}`
    )
  }
}

try {
  for (let warmUp = 0; warmUp < 3; warmUp++) await slice(null)
  const [none, ...others] = await interleave(
    [contender("none", null), ...Object.entries(lists).map(([name, path]) => contender(name, path))],
    { rounds: Number(values.rounds), warmUps: 1, progress: () => undefined }
  )
  if (none === undefined) throw new Error("Creates without readers were not measured")
  console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}, ${database}`)
  const [p50, p99] = [median(none.slices.map(({ p50 }) => p50)), median(none.slices.map(({ p99 }) => p99))]
  console.log(
    `without readers: ${none.perSecond.toFixed(0)} creates/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  )
  for (const other of others) report(other, none)
} finally {
  await Promise.all([load.close(), readers.close(), server.close()])
  await postgres?.close()
  rmSync(directory, { recursive: true, force: true })
}
