/**
 * What numbers over time cost, and how soon they are answered. Ends with 1 where a bound is not met.
 *
 * - `pnpm bench statistics cost sqlite|postgres`: CPU time of a create with and without the statistics, in interleaved
 *   rounds; then their lag and how long the event loop is held at 1,000 payments a second.
 * - `pnpm bench statistics queries sqlite|postgres`: a rebuild of the statistics of a year, then charts of it.
 * - `pnpm bench statistics events sqlite|postgres`: CPU time of an event, that of the database server included, by how many
 *   events have their sums in common: payments of one minute, 3 million payments a year, and one payment in ten minutes.
 * - `--payments <n>`: of the year (default: 1,000,000), or of each part of `events` (default: 50,000).
 * - `--rounds <n>`: Default: 9 of `cost`, 60 of `queries`, 3 of `events`.
 */
import {
  coreMigrations,
  PostgresClient,
  rebuildStatistics,
  runMigrations,
  SqliteClient,
  statisticsSeries,
  statisticsTask,
  statisticsTotals,
  stepMs,
  uncountedSince
} from "@paymux/sql"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { parseArgs } from "node:util"
import { openEngineOnPostgres, openEngineOnSqlite } from "./EngineContender.ts"
import { openPostgres } from "./PostgresDatabases.ts"
import { interleave, measure, measureUsage, median } from "./Rounds.ts"
import { serverCpuOf } from "./serverCpu.ts"
import { fillYear, yearEnd } from "./statistics/fillYear.ts"

const bounds = { cpu: 0.025, eventUs: 20, lagMs: 10_000, heldMs: 20, queryMs: 100 }

type Engine = Awaited<ReturnType<typeof openEngineOnPostgres>>

const task = statisticsTask({ keepFor: null })

/** Until all are counted. */
const counted = async (engine: Engine): Promise<void> => {
  while ((await engine.use(uncountedSince)) !== null) await new Promise((resolve) => setTimeout(resolve, 20))
}

const check = (name: string, value: number, bound: number, unit: string): void => {
  const isMet = value <= bound
  if (!isMet) process.exitCode = 1
  console.log(`${name.padEnd(52)} ${value.toFixed(2)} ${unit} (bound ${bound} ${unit})${isMet ? "" : "  NOT MET"}`)
}

const cost = async (open: (name: string, isCounted: boolean) => Promise<Engine>, rounds: number): Promise<void> => {
  const plain = await open("plain", false)
  const counting = await open("counting", true)
  const payments = 4_000
  try {
    const measured = await interleave(
      [
        { name: "without statistics", run: () => measure(payments, () => plain.run(payments, 64)) },
        {
          name: "with statistics, until all are counted",
          run: () => measure(payments, () => counting.run(payments, 64).then(() => counted(counting)))
        }
      ],
      { rounds, warmUps: 3, progress: () => undefined }
    )
    for (const { cpuPerPayment, name } of measured)
      console.log(`${name.padEnd(52)} ${cpuPerPayment.toFixed(1)} µs CPU a create`)
    const [without, withThem] = measured
    const ratios = (withThem?.slices ?? []).map((slice, round) => {
      const other = without?.slices[round]
      return other === undefined ? 0 : slice.cpu / other.cpu - 1
    })
    const share = median(ratios)
    check("share of a create's CPU time, median of the rounds", share * 100, bounds.cpu * 100, "%")
    console.log(
      `${"  from round to round".padEnd(52)} ${(Math.min(...ratios) * 100).toFixed(1)} to ${(Math.max(...ratios) * 100).toFixed(1)} %`
    )
    await alone(counting, without?.cpuPerPayment ?? Number.NaN)
    await steady(counting)
  } finally {
    await plain.close()
    await counting.close()
  }
}

/** The counting alone: the same events again, by a rebuild. */
const alone = async (engine: Engine, cpuPerPayment: number): Promise<void> => {
  const [row] = await engine.use(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ n: number | string }>`SELECT count(*) AS n FROM payment_events`)
  )
  const events = Number(row?.n ?? 0)
  const { cpu } = await measure(events, () => engine.use(rebuildStatistics()))
  check("counting alone, as a share of a create", (cpu / events / cpuPerPayment) * 100, bounds.cpu * 100, "%")
  console.log(`${"  for each event".padEnd(52)} ${(cpu / events).toFixed(2)} µs CPU`)
}

/** 1,000 payments a second for a while. */
const steady = async (engine: Engine): Promise<void> => {
  const seconds = 20
  const lags: Array<number> = []
  const started = performance.now()
  let created = 0
  while (performance.now() - started < seconds * 1000) {
    const due = Math.min(64, Math.floor(performance.now() - started) - created)
    if (due > 0) await engine.run(due, due)
    created += Math.max(0, due)
    const since = await engine.use(uncountedSince)
    if (since !== null) lags.push(Date.now() - since)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const took = (performance.now() - started) / 1000
  console.log(`${"steady rate".padEnd(52)} ${(created / took).toFixed(0)} payments a second for ${took.toFixed(1)} s`)
  check("lag, greatest", Math.max(0, ...lags), bounds.lagMs, "ms")
  await counted(engine)
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  await engine.use(rebuildStatistics())
  delays.disable()
  check("event loop held by a rebuild, 99.9 of 100", delays.percentile(99.9) / 1e6, bounds.heldMs, "ms")
  console.log(`${"  longest (garbage collection included)".padEnd(52)} ${(delays.max / 1e6).toFixed(1)} ms`)
}

const tenant = { account: "default", livemode: false }
const month = { from: yearEnd - 30 * stepMs.day, until: yearEnd, step: "hour" } as const
const year = { from: yearEnd - 365 * stepMs.day, until: yearEnd, step: "day" } as const

const charts: { readonly [name: string]: Effect.Effect<unknown, unknown, SqlClient.SqlClient> } = {
  "30 days by hour: payments": statisticsSeries(tenant, { ...month, of: "payments" }),
  "30 days by hour: payments by provider": statisticsSeries(tenant, { ...month, of: "payments", groupBy: "provider" }),
  "30 days by hour: payments by failure code": statisticsSeries(tenant, {
    ...month,
    of: "payments",
    groupBy: "failureCode"
  }),
  "30 days by hour: attempts by provider, with durations": statisticsSeries(tenant, {
    ...month,
    of: "attempts",
    groupBy: "provider"
  }),
  "30 days by hour: refunds": statisticsSeries(tenant, { ...month, of: "refunds" }),
  "a year by day: payments": statisticsSeries(tenant, { ...year, of: "payments" }),
  "a year by day: payments by provider": statisticsSeries(tenant, { ...year, of: "payments", groupBy: "provider" }),
  "a year by day: payments by failure code": statisticsSeries(tenant, {
    ...year,
    of: "payments",
    groupBy: "failureCode"
  }),
  "a year by day: one provider and currency": statisticsSeries(tenant, {
    ...year,
    of: "payments",
    providers: ["beta"],
    currencies: ["EUR"]
  }),
  "a year by day: attempts by provider, with durations": statisticsSeries(tenant, {
    ...year,
    of: "attempts",
    groupBy: "provider"
  }),
  "totals of a year by provider": statisticsTotals(tenant, { ...year, of: "payments", groupBy: "provider" }),
  "an account without payments": statisticsSeries({ ...tenant, account: "none" }, { ...year, of: "payments" })
}

const queries = async (client: Layer.Layer<SqlClient.SqlClient, unknown>, payments: number, rounds: number) => {
  const program = Effect.gen(function* () {
    const context = yield* Layer.build(client)
    const run = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
      Effect.runPromise(Effect.provideContext(effect, context))
    yield* Effect.promise(async () => {
      await run(runMigrations([coreMigrations]))
      await run(
        Effect.forEach(fillYear(Context.get(context, SqlClient.SqlClient), payments), (each) => each.unprepared)
      )
      const begun = performance.now()
      await run(rebuildStatistics())
      const seconds = (performance.now() - begun) / 1000
      console.log(
        `rebuild of ${payments} payments: ${seconds.toFixed(1)} s, ${(payments / seconds).toFixed(0)} a second`
      )
      for (const [name, chart] of Object.entries(charts)) {
        const taken: Array<number> = []
        for (let round = 0; round < 5; round++) await run(chart)
        const cpu = process.cpuUsage()
        for (let round = 0; round < rounds; round++) {
          const before = performance.now()
          await run(chart)
          taken.push(performance.now() - before)
        }
        const { system, user } = process.cpuUsage(cpu)
        // In rounds of its own: the measurement takes its time, too.
        const delays = monitorEventLoopDelay({ resolution: 1 })
        delays.enable()
        for (let round = 0; round < rounds; round++) await run(chart)
        delays.disable()
        check(
          `${name}, p95`,
          taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.95)] ?? Number.NaN,
          bounds.queryMs,
          "ms"
        )
        console.log(
          `${"  CPU time of this process, each".padEnd(52)} ${((user + system) / 1000 / rounds).toFixed(1)} ms`
        )
        console.log(`${"  event loop held, at most".padEnd(52)} ${(delays.max / 1e6).toFixed(1)} ms`)
      }
    })
  })
  await Effect.runPromise(Effect.scoped(program))
}

/** ms from one payment to the next. */
const densities: { readonly [name: string]: (payments: number) => number } = {
  "payments of one minute": (payments) => 60_000 / payments,
  "3 million payments a year": () => (365 * stepMs.day) / 3_000_000,
  "a payment in ten minutes": () => 600_000
}

type Open = () => Promise<{
  readonly client: Layer.Layer<SqlClient.SqlClient, unknown>
  readonly serverCpu: (() => number) | null
}>

const events = async (open: Open, payments: number, rounds: number): Promise<void> => {
  for (const [name, between] of Object.entries(densities)) {
    const { client, serverCpu } = await open()
    const program = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* runMigrations([coreMigrations])
      const span = Math.floor(between(payments) * payments)
      yield* Effect.forEach(fillYear(sql, payments, span), (each) => each.unprepared)
      const [row] = yield* sql<{ readonly n: number | string }>`SELECT count(*) AS n FROM payment_events`
      const counted = Number(row?.n ?? 0)
      const context = yield* Effect.context<SqlClient.SqlClient>()
      const rebuild = () => Effect.runPromise(Effect.provideContext(rebuildStatistics(), context))
      const slices: Array<{ readonly own: number; readonly server: number }> = []
      for (let round = 0; round <= rounds; round++) {
        const [{ cpu }, server] = yield* Effect.promise(() =>
          measureUsage(serverCpu ?? (() => 0), () => measure(counted, rebuild))
        )
        // The first is a warm-up.
        if (round > 0) slices.push({ own: cpu / counted, server: server / counted })
      }
      const [own, server] = [median(slices.map(({ own }) => own)), median(slices.map(({ server }) => server))]
      check(name, own + server, bounds.eventUs, "µs CPU an event")
      if (serverCpu !== null)
        console.log(
          `${"  of this process, and of the server".padEnd(52)} ${own.toFixed(2)} µs, ${server.toFixed(2)} µs`
        )
    })
    await Effect.runPromise(Effect.provide(program, client))
  }
}

const main = async (): Promise<void> => {
  const { positionals, values: options } = parseArgs({
    allowPositionals: true,
    options: { payments: { type: "string" }, rounds: { type: "string" } }
  })
  const [what, database] = positionals
  if (
    (what !== "cost" && what !== "queries" && what !== "events") ||
    (database !== "sqlite" && database !== "postgres")
  ) {
    throw new Error("Usage: pnpm bench statistics cost|queries|events sqlite|postgres")
  }
  console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}, ${database}`)
  const directory = mkdtempSync(join(tmpdir(), "paymux-statistics-"))
  const server = database === "postgres" ? await openPostgres() : null
  const rounds = options.rounds === undefined ? undefined : Number(options.rounds)
  const payments = options.payments === undefined ? undefined : Number(options.payments)
  try {
    if (what === "cost") {
      const background = (isCounted: boolean) => (isCounted ? task : Layer.empty)
      const open = async (name: string, isCounted: boolean) =>
        server === null
          ? openEngineOnSqlite(join(directory, `${name}.db`), background(isCounted))
          : openEngineOnPostgres(await server.create(name), background(isCounted))
      await cost(open, rounds ?? 9)
    } else if (what === "events") {
      let opened = 0
      const open: Open = async () => {
        const name = `events_${++opened}`
        if (server === null)
          return { client: SqliteClient.layer({ filename: join(directory, `${name}.db`) }), serverCpu: null }
        const url = await server.create(name)
        const client = PostgresClient.layer({ url: Redacted.make(url), deadlineMs: 600_000 })
        return { client, serverCpu: await serverCpuOf(url) }
      }
      await events(open, payments ?? 50_000, rounds ?? 3)
    } else {
      const client =
        server === null
          ? SqliteClient.layer({ filename: join(directory, "year.db") })
          : PostgresClient.layer({ url: Redacted.make(await server.create("year")), deadlineMs: 600_000 })
      await queries(client, payments ?? 1_000_000, rounds ?? 60)
    }
  } finally {
    await server?.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
