/**
 * Runs the simulation: `pnpm simulate --seeds 50 --seed 1 --payments 1000 --weather everything`.
 *
 * `--full` runs every figure of the reliability promises and writes them into docs/reliability.md. A failing seed is made
 * smaller, told step by step, and run again by its number.
 */
import { availableParallelism, cpus } from "node:os"
import { parseArgs } from "node:util"
import { simulate } from "../test/simulation/pool.ts"
import type { Batch, Result } from "../test/simulation/pool.ts"
import { writeReliabilitySection } from "./reliabilityReport.ts"
import type { Weather } from "../packages/testkit/src/simulation/drawPlan.ts"

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    payments: { type: "string", default: "1000" },
    weather: { type: "string", default: "everything" },
    threads: { type: "string", default: String(availableParallelism()) },
    full: { type: "boolean", default: false }
  }
})

const main = async (): Promise<number> => {
  const batches = values.full ? promised : [{ ...asked(), shows: [] }]
  const failed: Array<string> = []
  const rows: Array<string> = []
  for (const { shows, ...batch } of batches) {
    const started = performance.now()
    const result = await simulate(batch, progress(batch), number("threads"))
    const seconds = (performance.now() - started) / 1000
    say(`${summary(batch, result)} in ${seconds.toFixed(1)} s`)
    for (const { seed, told } of result.failures) {
      failed.push(`--seed ${seed} --seeds 1 --payments ${batch.payments} --weather ${batch.weather}`)
      say(`\n${told}\n`)
    }
    rows.push(...shows.map((show) => show(result)))
  }
  for (const arguments_ of failed) say(`Run it again: pnpm simulate ${arguments_}`)
  if (values.full) write(rows)
  return failed.length
}

const number = (name: "seeds" | "seed" | "payments" | "threads"): number => {
  const value = Number(values[name])
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} must be a whole number`)
  return value
}

const weathers: ReadonlyArray<Weather> = ["everything", "timeouts", "storm", "transfers"]

const asked = (): Batch => {
  const weather = weathers.find((each) => each === values.weather)
  if (weather === undefined) throw new Error(`--weather must be one of ${weathers.join(", ")}`)
  return { from: number("seed"), seeds: number("seeds"), payments: number("payments"), weather, shrinks: true }
}

/** A row of the table: promise, what was run, what was found. */
type Row = (result: Result) => string

const count = ({ figures }: Result, ...laws: ReadonlyArray<string>): number =>
  laws.reduce((total, law) => total + (figures.violations[law] ?? 0), 0)
const grouped = (value: number): string => Math.round(value).toLocaleString("en")

const promised: ReadonlyArray<Batch & { readonly shows: ReadonlyArray<Row> }> = [
  {
    from: 1,
    seeds: 1_000,
    payments: 1_000,
    weather: "everything",
    shrinks: true,
    shows: [
      (result) =>
        `| P1 captured at most once | ${run(result)}, ${grouped(result.figures.kills)} processes killed, ${grouped(result.figures.charges)} charges | ${count(result, "i1CapturedOnce")} payments captured twice and not in review |`,
      (result) =>
        `| P8 every unknown resolves or is parked | the same, at most 8 virtual days each | ${count(result, "i10Resolved")} left open, ${grouped(result.figures.reviews)} in review |`,
      (result) =>
        `| I1–I15 | the same, ${grouped(result.figures.commits)} commits, ${grouped(result.figures.events)} events | ${Object.values(result.figures.violations).reduce((a, b) => a + b, 0)} violations |`
    ]
  },
  {
    from: 1,
    seeds: 10_000,
    payments: 10,
    weather: "timeouts",
    shrinks: true,
    shows: [
      (result) =>
        `| P6 failed only when proven | ${run(result)}, the first send of each times out, ${grouped(result.figures.failedEvents)} failed events | ${count(result, "p6FailedIsProven", "i8ProvenFirst")} of them wrong |`
    ]
  },
  {
    from: 1,
    seeds: 100,
    payments: 100,
    weather: "storm",
    shrinks: true,
    shows: [
      (result) =>
        `| P11 terminal states, versions, sequences | ${run(result)}, ${grouped(result.figures.webhooks)} webhooks, repeated and out of order | ${count(result, "i4TerminalStates", "i9Events", "i12Sequence", "i15CompareAndSet")} regressions |`
    ]
  },
  {
    from: 1,
    seeds: 70,
    payments: 100,
    weather: "transfers",
    shrinks: true,
    shows: [
      (result) =>
        `| P12 money is conserved | ${run(result)}, ${grouped(result.figures.mismatches)} transfers of another amount or currency | ${count(result, "i5Conserved", "i13Amounts")} violations |`
    ]
  }
]

const run = ({ figures }: Result): string => `${grouped(figures.seeds)} seeds, ${grouped(figures.payments)} payments`

const summary = ({ weather }: Batch, result: Result): string => {
  const { failures, figures } = result
  const found = Object.entries(figures.violations).map(([law, times]) => `${law} ${times}`)
  return [
    `${weather}: ${run(result)}, ${grouped(figures.providerCalls)} provider calls, ${grouped(figures.commits)} commits,`,
    `${grouped(figures.kills)} kills, ${grouped(figures.virtualHours / 24)} virtual days,`,
    failures.length === 0 ? "no violation" : `${failures.length} seeds failed (${found.join(", ")})`
  ].join(" ")
}

/** A bar on a terminal; otherwise a line for each tenth. */
const progress = ({ seeds, weather }: Batch) => {
  let done = 0
  let failed = 0
  return ({ told }: { readonly told: string | null }): void => {
    done++
    if (told !== null) failed++
    const share = done / seeds
    if (process.stderr.isTTY) {
      const bar = "█".repeat(Math.round(share * 30)).padEnd(30, "░")
      const end = done === seeds ? "\r\u001b[K" : ""
      process.stderr.write(`\r${bar} ${done}/${seeds} seeds of ${weather}, ${failed} failed${end}`)
    } else if (Math.floor(share * 10) > Math.floor(((done - 1) / seeds) * 10)) {
      process.stderr.write(`${done}/${seeds} seeds of ${weather}, ${failed} failed\n`)
    }
  }
}

const write = (rows: ReadonlyArray<string>): void => {
  const date = new Date(performance.timeOrigin).toISOString().slice(0, 10)
  const machine = `${cpus()[0]?.model.trim() ?? "unknown processor"}, ${availableParallelism()} threads, Node.js ${process.version}`
  writeReliabilitySection(
    "simulate",
    [
      `Run on ${date} (${machine}) by \`pnpm simulate --full\`.`,
      "",
      "| promise | run | found |",
      "| --- | --- | --- |",
      ...rows
    ].join("\n")
  )
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)

process.exitCode = (await main()) === 0 ? 0 : 1
