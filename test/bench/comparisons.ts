/**
 * `pnpm bench engine|http|postgres|routing`: what Paymux costs, measured against what one would write by hand. Ends with 1 when a bound is not met.
 *
 * - `--quick`: a short run, in which the ratios wander more.
 * - `--case engine|http|postgres|routing`: only that one.
 * - `--out <file>`: where the figures go as JSON. Default: `bench-results.json` here.
 * - `--directory <path>`: where the databases are, on the disk to be measured. Default: beside this file.
 *
 * PostgreSQL is the server that `DATABASE_URL` names; else one is started for the run, in the directory for temporary
 * files.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { connections, httpBench, httpNames } from "./HttpBench.ts"
import { engineBench, engineNames } from "./EngineBench.ts"
import { postgresBench, postgresNames } from "./PostgresBench.ts"
import { ratioOf } from "./Rounds.ts"
import type { Measured, Speed } from "./Rounds.ts"
import { routingBench, routingNames, shapeNames } from "./routing/RoutingBench.ts"

/** How many times faster than the other, at least: the median over the rounds. */
const bounds = {
  engine: [
    { one: engineNames.concurrent, other: engineNames.serial, atLeast: 2 },
    { one: engineNames.concurrent, other: engineNames.grouped, atLeast: 0.5 },
    { one: engineNames.alone, other: engineNames.serial, atLeast: 0.6 },
    // At most 1.35 times the CPU time.
    { one: engineNames.keyed, other: engineNames.concurrent, atLeast: 1 / 1.35, speed: "cpu" }
  ],
  http: [
    { one: httpNames.paymux, other: httpNames.bare, atLeast: 2 },
    { one: httpNames.paymux, other: httpNames.bare, atLeast: 1, speed: "p99" },
    { one: httpNames.paymux, other: httpNames.echo, atLeast: 0.12 },
    { one: httpNames.fetch, other: httpNames.paymux, atLeast: 0.5 }
  ],
  postgres: [
    { one: postgresNames.engine, other: postgresNames.bare, atLeast: 2.5 },
    { one: postgresNames.two, other: postgresNames.engine, atLeast: 1 }
  ],
  routing: [
    { one: routingNames.whole, other: routingNames.zen, atLeast: 50 },
    { one: routingNames.match, other: routingNames.zenInBatches, atLeast: 50 },
    { one: routingNames.whole, other: routingNames.jsonLogic, atLeast: 10 },
    { one: routingNames.whole, other: routingNames.jsonRulesEngine, atLeast: 100 },
    // A hundred times the rules cost at most three times as much.
    ...shapeNames.map((name) => ({
      one: routingNames.shape(name, 10_000),
      other: routingNames.shape(name, 100),
      atLeast: 1 / 3
    }))
  ]
} as const

/** How many a second, at least: the median over the rounds. */
const floors = {
  routing: [{ one: routingNames.whole, perSecond: 1_000_000 }]
} as const

const runs = {
  full: {
    engine: { rounds: 9, warmUps: 2, paymentsPerSlice: 2048 },
    // The compiler goes on with what Paymux runs for some ten seconds; an echo is done with at once.
    http: { rounds: 9, warmUps: 8, sliceMs: 1500 },
    postgres: { rounds: 9, warmUps: 2, paymentsPerSlice: 2048 },
    routing: { rounds: 9, warmUps: 2, passes: 20 }
  },
  quick: {
    engine: { rounds: 3, warmUps: 2, paymentsPerSlice: 1024 },
    http: { rounds: 3, warmUps: 8, sliceMs: 700 },
    postgres: { rounds: 3, warmUps: 2, paymentsPerSlice: 1024 },
    routing: { rounds: 3, warmUps: 2, passes: 10 }
  }
} as const

interface Floor {
  readonly one: string
  readonly perSecond: number
}

interface Bound {
  readonly one: string
  readonly other: string
  readonly atLeast: number
  /** Default: throughput. */
  readonly speed?: Speed
}

const main = async (): Promise<void> => {
  const { values: options } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      case: { type: "string" },
      out: { type: "string", default: "bench-results.json" },
      directory: { type: "string", default: join(import.meta.dirname, ".data") }
    }
  })
  const chosen = Object.keys(bounds).filter((name) => options.case === undefined || options.case === name)
  if (chosen.length === 0) throw new Error(`There is no case ${options.case}: take ${Object.keys(bounds).join(", ")}.`)
  const { engine, http, postgres, routing } = options.quick ? runs.quick : runs.full
  mkdirSync(options.directory, { recursive: true })
  const directory = mkdtempSync(join(options.directory, "run-"))
  try {
    const cases = [
      ...(chosen.includes("engine") ? [await engineCase({ ...engine, directory })] : []),
      ...(chosen.includes("http") ? [await httpCase({ ...http, directory })] : []),
      ...(chosen.includes("postgres") ? [await postgresCase(postgres)] : []),
      ...(chosen.includes("routing") ? [await routingCase(routing)] : [])
    ]
    const machine = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", cores: availableParallelism() }
    writeFileSync(options.out, `${JSON.stringify({ ...machine, quick: options.quick, cases }, null, 2)}\n`)
    if (cases.some(({ floors, ratios }) => [...floors, ...ratios].some(({ met }) => !met))) process.exitCode = 1
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const engineCase = async (options: Omit<Parameters<typeof engineBench>[0], "progress">) =>
  report("Engine on SQLite", await engineBench({ ...options, progress: progressOf("engine") }), bounds.engine)

const httpCase = async (options: Omit<Parameters<typeof httpBench>[0], "progress">) =>
  report(`HTTP, ${connections} connections`, await httpBench({ ...options, progress: progressOf("http") }), bounds.http)

const postgresCase = async (options: Omit<Parameters<typeof postgresBench>[0], "progress">) => {
  const { measured, version } = await postgresBench({ ...options, progress: progressOf("postgres") })
  return report(`Engine on PostgreSQL ${version}`, measured, bounds.postgres)
}

const routingCase = async (options: Omit<Parameters<typeof routingBench>[0], "progress">) =>
  report(
    "Routing decisions, per second of one core",
    await routingBench({ ...options, progress: progressOf("routing") }),
    bounds.routing,
    floors.routing
  )

/** Prints a case, and answers it for the file. */
const report = (
  title: string,
  measured: ReadonlyArray<Measured & { readonly note?: string | null }>,
  bounds: ReadonlyArray<Bound>,
  floors: ReadonlyArray<Floor> = []
) => {
  const ratios = bounds.flatMap((bound) => {
    const one = measured.find(({ name }) => name === bound.one)
    const other = measured.find(({ name }) => name === bound.other)
    if (one === undefined || other === undefined) return []
    const ratio = ratioOf(one, other, bound.speed)
    return [{ ...bound, ...ratio, met: ratio.median >= bound.atLeast }]
  })
  clearProgress()
  console.log(`\n${title}\n`)
  table(
    ["", "per second", "CPU µs each"],
    measured.map(({ cpuPerPayment, name, perSecond }) => [name, perSecond.toFixed(0), cpuPerPayment.toFixed(1)])
  )
  for (const { name, note } of measured) if (typeof note === "string") console.log(`${name}: ${note}`)
  console.log()
  table(
    ["ratio (median of the rounds)", "measured", "lowest", "highest", "at least", ""],
    ratios.map(({ atLeast, highest, lowest, median, met, one, other, speed = "throughput" }) => [
      `${one} / ${other}${speeds[speed]}`,
      median.toFixed(2),
      lowest.toFixed(2),
      highest.toFixed(2),
      atLeast.toFixed(2),
      met ? "met" : "NOT MET"
    ])
  )
  const reached = floors.map((floor) => {
    const perSecond = measured.find(({ name }) => name === floor.one)?.perSecond ?? 0
    return { one: floor.one, perSecond, atLeast: floor.perSecond, met: perSecond >= floor.perSecond }
  })
  if (reached.length > 0) {
    console.log()
    table(
      ["per second", "measured", "at least", ""],
      reached.map(({ atLeast, met, one, perSecond }) => [
        one,
        perSecond.toFixed(0),
        atLeast.toFixed(0),
        met ? "met" : "NOT MET"
      ])
    )
  }
  return { title, measured, ratios, floors: reached }
}

const speeds: { readonly [speed in Speed]: string } = {
  throughput: "",
  cpu: ", by CPU time",
  p99: ", at the 99th percentile"
}

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): void => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of [head, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
    )
    console.log(cells.join("  ").trimEnd())
  }
}

const progressOf = (name: string) => (done: number, of: number) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${name}: round ${done + 1} of ${of} `)
}

const clearProgress = (): void => {
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K")
}

await main()
