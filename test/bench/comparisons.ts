/**
 * `pnpm bench compare|engine|http|postgres|routing`: the cost of Paymux, compared with baselines written by hand.
 * Ends with one table of targets, and with 1 if one is not met.
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
import { bodyNames, connections, httpBench, httpNames } from "./HttpBench.ts"
import { engineBench, engineNames } from "./EngineBench.ts"
import { postgresBench, postgresNames } from "./PostgresBench.ts"
import type { Storage } from "./Storage.ts"
import { ratioOf } from "./Rounds.ts"
import type { Measured, Speed } from "./Rounds.ts"
import { routingBench, routingNames, shapeNames } from "./routing/RoutingBench.ts"

/** Targets: how many times faster than the other. The median over the rounds is compared. */
const bounds: { readonly [name: string]: ReadonlyArray<Bound> } = {
  engine: [
    { one: engineNames.concurrent, other: engineNames.grouped, atLeast: 0.8 },
    { one: engineNames.concurrent, other: engineNames.grouped, atLeast: 0.6, speed: "cpu" },
    { one: engineNames.alone, other: engineNames.serial, atLeast: 0.9 },
    { one: engineNames.keyed, other: engineNames.groupedKeyed, atLeast: 0.8 },
    { one: engineNames.keyed, other: engineNames.groupedKeyed, atLeast: 0.6, speed: "cpu" },
    // At most 1.35 times the CPU time.
    { one: engineNames.keyed, other: engineNames.concurrent, atLeast: 1 / 1.35, speed: "cpu" }
  ],
  http: [
    ...bodyNames.flatMap((sample): ReadonlyArray<Bound> => {
      const pair = { one: httpNames.paymux(sample), other: httpNames.bare(sample) }
      return [
        { ...pair, atLeast: 0.7 },
        { ...pair, atLeast: 0.5, speed: "cpu" },
        { ...pair, atLeast: 1, speed: "p99" }
      ]
    }),
    { one: httpNames.paymux("minimal"), other: httpNames.echo, atLeast: 0.12 },
    { one: httpNames.fetch, other: httpNames.paymux("minimal"), atLeast: 0.5 },
    { one: httpNames.byDefault, other: httpNames.paymux("minimal"), atLeast: 0.6 },
    { one: httpNames.byDefault, other: httpNames.paymux("minimal"), atLeast: 0.6, speed: "cpu" }
  ],
  postgres: [
    { one: postgresNames.engine, other: postgresNames.bare, atLeast: 0.9 },
    { one: postgresNames.engine, other: postgresNames.bare, atLeast: 0.35, speed: "ownCpu" },
    { one: postgresNames.engine, other: postgresNames.bare, atLeast: 0.6, speed: "cpu" },
    { one: postgresNames.two, other: postgresNames.engine, atLeast: 1 },
    { one: postgresNames.two, other: postgresNames.engine, atLeast: 0.8, speed: "cpu" }
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
}

/** Targets for one payment. */
const costTargets: { readonly [name: string]: ReadonlyArray<CostTarget> } = {
  engine: [
    { one: engineNames.concurrent, cost: "fileBytes", atMost: 2_700 },
    { one: engineNames.keyed, cost: "fileBytes", atMost: 3_300 },
    { one: engineNames.alone, cost: "logBytes", atMost: 90_000 },
    { one: engineNames.concurrent, cost: "logBytes", atMost: 7_500 }
  ],
  postgres: [
    { one: postgresNames.engine, cost: "logBytes", atMost: 4_850 },
    { one: postgresNames.engine, cost: "heapOnly", atLeast: 0.8 }
  ]
}

/** How many a second, at least: the median over the rounds. */
const floors: { readonly [name: string]: ReadonlyArray<Floor> } = {
  routing: [{ one: routingNames.whole, perSecond: 1_000_000 }]
}

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

type CostTarget = {
  readonly one: string
  readonly cost: keyof typeof costs
} & ({ readonly atMost: number } | { readonly atLeast: number })

/** A line of the table at the end. */
interface Line {
  readonly what: string
  readonly measured: number
  /** Of the rounds. */
  readonly range: readonly [lowest: number, highest: number] | null
  readonly direction: "at least" | "at most"
  readonly bound: number
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
  const names = ["engine", "http", "postgres", "routing"]
  const chosen = names.filter((name) => options.case === undefined || options.case === name)
  if (chosen.length === 0) throw new Error(`There is no case ${options.case}: take ${names.join(", ")}.`)
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
    const lines = cases.flatMap((each) => each.lines)
    printLines(lines)
    if (!lines.every(isMet)) process.exitCode = 1
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const engineCase = async (options: Omit<Parameters<typeof engineBench>[0], "progress">) =>
  report("engine", "Engine on SQLite", await engineBench({ ...options, progress: progressOf("engine") }))

const httpCase = async (options: Omit<Parameters<typeof httpBench>[0], "progress" | "samples">) => {
  const measured = await httpBench({ ...options, samples: bodyNames, progress: progressOf("http") })
  return report("http", `HTTP, ${connections} connections`, { measured })
}

const postgresCase = async (options: Omit<Parameters<typeof postgresBench>[0], "progress">) => {
  const { version, ...figures } = await postgresBench({ ...options, progress: progressOf("postgres") })
  return report("postgres", `Engine on PostgreSQL ${version}`, figures)
}

const routingCase = async (options: Omit<Parameters<typeof routingBench>[0], "progress">) => {
  const measured = await routingBench({ ...options, progress: progressOf("routing") })
  return report("routing", "Routing decisions, per second of one core", { measured })
}

interface Figures {
  readonly measured: ReadonlyArray<Measured & { readonly note?: string | null }>
  readonly storage?: ReadonlyArray<Storage>
}

/** Prints the figures of a case. Returns them for the results file, with the lines of the case in the final table. */
const report = (name: string, title: string, { measured, storage = [] }: Figures) => {
  clearProgress()
  console.log(`\n${title}\n`)
  table(
    ["", "per second", "CPU µs each", "server CPU µs each"],
    measured.map(({ cpuPerPayment, name, perSecond, serverCpuPerPayment }) => [
      name,
      perSecond.toFixed(0),
      cpuPerPayment.toFixed(1),
      serverCpuPerPayment?.toFixed(1) ?? "–"
    ])
  )
  for (const { name, note } of measured) if (typeof note === "string") console.log(`${name}: ${note}`)
  if (storage.length > 0) {
    console.log()
    table(
      ["of one payment", ...Object.values(costs)],
      storage.map((each) => [each.name, ...Object.entries(costs).map(([cost]) => amountOf(each[cost as Cost]))])
    )
  }
  return { title, measured, storage, lines: linesOf(name, measured, storage) }
}

const linesOf = (
  name: string,
  measured: ReadonlyArray<Measured>,
  storage: ReadonlyArray<Storage>
): ReadonlyArray<Line> => {
  const ratios = (bounds[name] ?? []).flatMap(({ atLeast, one, other, speed = "throughput" }): ReadonlyArray<Line> => {
    const [first, second] = [one, other].map((each) => measured.find((candidate) => candidate.name === each))
    if (first === undefined || second === undefined) return []
    // Without the CPU of PostgreSQL it would be another ratio.
    if (name === "postgres" && speed === "cpu" && first.serverCpuPerPayment === null) return []
    const { highest, lowest, median } = ratioOf(first, second, speed)
    const what = `${one} / ${other}${speeds[speed]}`
    return [{ what, measured: median, range: [lowest, highest], direction: "at least", bound: atLeast }]
  })
  const perSecond = (floors[name] ?? []).map(({ one, perSecond }): Line => {
    const reached = measured.find((candidate) => candidate.name === one)?.perSecond ?? 0
    return { what: `${one}, per second`, measured: reached, range: null, direction: "at least", bound: perSecond }
  })
  const stored = (costTargets[name] ?? []).flatMap((target): ReadonlyArray<Line> => {
    const found = storage.find((candidate) => candidate.name === target.one)?.[target.cost] ?? null
    if (found === null) return []
    const direction = "atMost" in target ? "at most" : "at least"
    const bound = "atMost" in target ? target.atMost : target.atLeast
    return [{ what: `${target.one}, ${costs[target.cost]}`, measured: found, range: null, direction, bound }]
  })
  return [...ratios, ...perSecond, ...stored]
}

const isMet = ({ bound, direction, measured }: Line): boolean =>
  direction === "at least" ? measured >= bound : measured <= bound

const printLines = (lines: ReadonlyArray<Line>): void => {
  console.log()
  table(
    ["median of the rounds", "measured", "lowest", "highest", "target", ""],
    lines.map((line) => [
      line.what,
      amountOf(line.measured),
      line.range === null ? "" : amountOf(line.range[0]),
      line.range === null ? "" : amountOf(line.range[1]),
      `${line.direction} ${amountOf(line.bound)}`,
      isMet(line) ? "met" : "NOT MET"
    ])
  )
}

const amountOf = (value: number | null): string => (value === null ? "–" : value.toFixed(value < 100 ? 2 : 0))

type Cost = Exclude<keyof Storage, "name">

const costs: { readonly [cost in Cost]: string } = {
  logBytes: "bytes of the log",
  fileBytes: "bytes of the files",
  indexEntries: "index entries",
  heapOnly: "share of heap-only updates"
}

const speeds: { readonly [speed in Speed]: string } = {
  throughput: "",
  cpu: ", by CPU time",
  ownCpu: ", by CPU time without the server's",
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
