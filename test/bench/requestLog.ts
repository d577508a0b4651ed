/**
 * What the request log and the statistics cost a create together. The request log: CPU time of the server with it and without
 * it, in rounds side by side; a second server without it shows how much the measurement itself varies. The statistics, which
 * every server counts: the same events again, by a rebuild. Ends with 1 when the bound is not met.
 *
 * - `pnpm bench request-log sqlite` or `postgres`. The server of PostgreSQL is not counted.
 * - `--rounds <n>`: default 100. `--seconds <n>`: of load for each server and round; default 0.5. Many short rounds: what
 *   else the machine does disturbs all servers of a round alike.
 * - `--directory <path>`: where the databases are, on the disk to be measured. Default: beside this file.
 */
import { PostgresClient, rebuildStatistics, SqliteClient } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import type { Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { openPostgres } from "./PostgresDatabases.ts"
import { startLoad, startServer } from "./Process.ts"
import type { Server } from "./Process.ts"
import { interleave, measure, median } from "./Rounds.ts"
import type { Contender, Measured } from "./Rounds.ts"
import { request } from "./Sample.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "100" },
    seconds: { type: "string", default: "0.5" },
    directory: { type: "string", default: join(import.meta.dirname, ".data") }
  }
})
const [database] = positionals
if (database !== "sqlite" && database !== "postgres") throw new Error("Say which: sqlite or postgres.")

/** CPU time of a create with both, against one with neither. */
const bound = 1.05

/** CPU time since its round before: what is written in the background belongs to the requests before it. */
const contender = async (name: string, server: Server, load: ReturnType<typeof startLoad>): Promise<Contender> => {
  let before = await server.cpu()
  const run = async () => {
    const { apiKey, port } = server
    const { answers, wall } = await load.run({
      apiKey,
      port,
      path: "/v1/payments",
      body: JSON.stringify(request),
      expected: 201,
      connections: 32,
      duration: Number(values.seconds) * 1000
    })
    const now = await server.cpu()
    const cpu = now - before
    before = now
    return { payments: answers, wall, cpu }
  }
  return { name, run }
}

/** µs of CPU time to count the events of a payment. */
const countingOf = (database: string): Promise<number> => {
  const client: Layer.Layer<SqlClient.SqlClient, unknown> = database.startsWith("sqlite:")
    ? SqliteClient.layer({ filename: database.slice("sqlite:".length) })
    : PostgresClient.layer({ url: Redacted.make(database), deadlineMs: 600_000 })
  const counted = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly n: number | string }>`SELECT count(*) AS n FROM payments`
    const context = yield* Effect.context<SqlClient.SqlClient>()
    const { cpu } = yield* Effect.promise(() =>
      measure(1, () => Effect.runPromise(Effect.provideContext(rebuildStatistics(), context)))
    )
    return cpu / Number(row?.n)
  })
  return Effect.runPromise(Effect.provide(counted, client))
}

const cpuRatio = (one: Measured, other: Measured): ReadonlyArray<number> =>
  one.slices.map(({ cpu, payments }, round) => {
    const against = other.slices[round]
    return against === undefined ? Number.NaN : cpu / payments / (against.cpu / against.payments)
  })

mkdirSync(values.directory, { recursive: true })
const directory = mkdtempSync(join(values.directory, "request-log-"))
const postgres = database === "postgres" ? await openPostgres() : null
const address = async (name: string) =>
  postgres === null ? `sqlite:${join(directory, `${name}.db`)}` : await postgres.create(name)
const load = startLoad()
const logged = await address("log")
const servers = {
  on: await startServer("requestLog.ts", logged, "on"),
  off: await startServer("requestLog.ts", await address("none"), "off"),
  control: await startServer("requestLog.ts", await address("control"), "off")
}
try {
  const [on, off, control] = await interleave(
    [
      await contender("with the request log", servers.on, load),
      await contender("without", servers.off, load),
      await contender("without, again", servers.control, load)
    ],
    { rounds: Number(values.rounds), warmUps: 16, progress: () => undefined }
  )
  if (on === undefined || off === undefined || control === undefined) throw new Error("A server was not measured")
  console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}, ${database}`)
  for (const { cpuPerPayment, name, perSecond } of [on, off, control]) {
    console.log(`${name.padEnd(24)} ${cpuPerPayment.toFixed(1)} µs CPU each, ${perSecond.toFixed(0)} a second`)
  }
  const ratios = { "with / without": cpuRatio(on, off), "without / without": cpuRatio(control, off) }
  for (const [name, each] of Object.entries(ratios)) {
    const [middle, lowest, highest] = [median(each), Math.min(...each), Math.max(...each)]
    console.log(`${name.padEnd(24)} ${middle.toFixed(3)} (${lowest.toFixed(3)} to ${highest.toFixed(3)})`)
  }
  await servers.on.close()
  const counting = await countingOf(logged)
  const statistics = 1 + counting / (off.cpuPerPayment - counting)
  console.log(`${"counting alone".padEnd(24)} ${counting.toFixed(1)} µs CPU each, ${statistics.toFixed(3)} of a create`)
  const both = median(ratios["with / without"]) * statistics
  console.log(`${"both / neither".padEnd(24)} ${both.toFixed(3)}, at most ${bound}${both <= bound ? "" : ": NOT MET"}`)
  if (both > bound) process.exitCode = 1
} finally {
  await Promise.all([...Object.values(servers), load].map((child) => child.close()))
  await postgres?.close()
  rmSync(directory, { recursive: true, force: true })
}
