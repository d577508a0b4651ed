/**
 * Runs the simulation: `pnpm simulate --seeds 50 --seed 1 --payments 1000 --profile everything`.
 *
 * `--full` runs every figure of the reliability promises and writes them into docs/reliability.md. A failing seed is made
 * smaller, reported step by step, and runs again by its number. `--expectation capturesAreShown` reports violations of one expectation,
 * `--full --share 25` runs a quarter of the seeds.
 * The run fails where a expectation is violated, and where a expectation had nothing to judge.
 */
import { availableParallelism, cpus } from "node:os"
import { parseArgs } from "node:util"
import { allExpectations, faultProfiles, idleExpectations } from "@paymux/test-suites/simulation"
import { simulate } from "../test/simulation/pool.ts"
import type { Batch, Result } from "../test/simulation/pool.ts"
import { writeReliabilitySection } from "./reliabilityReport.ts"

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    payments: { type: "string", default: "1000" },
    profile: { type: "string", default: "everything" },
    expectation: { type: "string" },
    threads: { type: "string", default: String(availableParallelism()) },
    full: { type: "boolean", default: false },
    share: { type: "string", default: "100" }
  }
})

const main = async (): Promise<number> => {
  const batches = values.full ? promised.map(shared) : [{ ...asked(), shows: [] }]
  const failed: Array<string> = []
  const rows: Array<string> = []
  let idleRuns = 0
  for (const { shows, ...batch } of batches) {
    const started = performance.now()
    const result = await simulate(batch, progress(batch), number("threads"))
    const seconds = (performance.now() - started) / 1000
    say(`${summary(batch, result)} in ${seconds.toFixed(1)} s`)
    for (const { report, seed } of result.failures) {
      failed.push(`--seed ${seed} --seeds 1 --payments ${batch.payments} --profile ${batch.profile}`)
      if (!values.full) say(`\n${report}\n`)
    }
    const idle = batch.payments * batch.seeds < ENOUGH ? [] : idleExpectations(result.figures)
    for (const expectation of idle) say(`${expectation} had nothing to judge: this run says nothing about it.`)
    idleRuns += idle.length
    say(endings(result))
    if (!values.full) say(judgedTable(result))
    rows.push(...shows.map((show) => show(result)))
  }
  for (const arguments_ of failed.slice(0, 20)) say(`Run it again: pnpm simulate ${arguments_}`)
  if (values.full) write(rows)
  return failed.length + idleRuns
}

const number = (name: "seeds" | "seed" | "payments" | "threads" | "share"): number => {
  const value = Number(values[name])
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} must be a whole number`)
  return value
}

const asked = (): Batch => {
  const profile = faultProfiles.find((each) => each === values.profile)
  if (profile === undefined) throw new Error(`--profile must be one of ${faultProfiles.join(", ")}`)
  const expectation = allExpectations.find((each) => each === values.expectation)
  if (values.expectation !== undefined && expectation === undefined)
    throw new Error(`--expectation must be one of ${allExpectations.join(", ")}`)
  return {
    from: number("seed"),
    seeds: number("seeds"),
    payments: number("payments"),
    profile,
    shrinks: true,
    ...(expectation !== undefined && { expectation })
  }
}

/** Payments from which on every expectation must have had something to judge. */
const ENOUGH = 5_000

/** The share of the seeds that is asked for. */
const shared = <A extends Batch>(batch: A): A => ({ ...batch, seeds: Math.ceil((batch.seeds * number("share")) / 100) })

/** A row of the table: promise, what was run, what was found. */
type Row = (result: Result) => string

const count = ({ figures }: Result, ...expectations: ReadonlyArray<string>): number =>
  expectations.reduce((total, expectation) => total + (figures.violations[expectation] ?? 0), 0)
const grouped = (value: number): string => Math.round(value).toLocaleString("en")

const violations = ({ figures }: Result): number =>
  Object.values(figures.violations).reduce((total, times) => total + times, 0)

const money = ["capturesAreShown", "capturesAreAsAsked", "shownAmountsAreReal", "holdsAreReleased"] as const

const promised: ReadonlyArray<Batch & { readonly shows: ReadonlyArray<Row> }> = [
  {
    from: 1,
    seeds: 1_000,
    payments: 1_000,
    profile: "honest",
    shrinks: false,
    shows: [
      (result) =>
        `| P1 captured at most once, vendors keep their promises | ${run(result)}, ${grouped(result.figures.kills)} processes killed, ${grouped(result.figures.charges)} charges | ${count(result, ...money)} charges or holds that are neither shown nor in review |`,
      (result) =>
        `| P8 every unknown resolves or is parked | the same, at most 8 virtual days each | ${count(result, "everythingEnds")} left open, ${grouped(result.figures.reviews)} in review |`,
      (result) =>
        `| all expectations and invariants | the same, ${grouped(result.figures.commits)} commits, ${grouped(result.figures.events)} events | ${violations(result)} violations |`,
      (result) =>
        `| reviews name the charge and the amount | the same | ${count(result, "reviewsNameTheCharge")} do not |`,
      (result) => `| how payments ended | the same | ${endings(result)} |`
    ]
  },
  {
    from: 1,
    seeds: 1_000,
    payments: 300,
    profile: "everything",
    shrinks: false,
    shows: [
      (result) =>
        `| P25 every movement is shown or named, whatever vendors, clocks, databases and operators do | ${run(result)}, ${grouped(result.figures.kills)} processes killed, ${grouped(result.figures.charges)} charges, ${grouped(result.figures.resolutions)} reviews resolved by operators | ${count(result, ...money)} neither shown nor in review, in ${grouped(result.failures.length)} seeds; ${result.failures.filter(({ figures }) => figures === null).length} runs broke |`,
      (result) => `| how payments ended | the same | ${endings(result)} |`
    ]
  },
  {
    from: 1,
    seeds: 10_000,
    payments: 10,
    profile: "timeouts",
    shrinks: false,
    shows: [
      (result) =>
        `| P6 failed only when proven | ${run(result)}, the first send of each times out, ${grouped(result.figures.failedEvents)} failed events | ${count(result, "failedIsProven", "provenBeforeFailover")} of them wrong |`
    ]
  },
  {
    from: 1,
    seeds: 100,
    payments: 100,
    profile: "storm",
    shrinks: false,
    shows: [
      (result) =>
        `| P11 terminal states, versions, sequences | ${run(result)}, ${grouped(result.figures.webhooks)} webhooks, repeated and out of order | ${count(result, "transitionsAreAllowed", "finalStatusesStand", "eventsMatchCommits", "eventsAreInSequence", "eventsReportTheReviews", "commitsFollowEachOther")} regressions |`
    ]
  },
  {
    from: 1,
    seeds: 70,
    payments: 100,
    profile: "transfers",
    shrinks: false,
    shows: [
      (result) =>
        `| P12 money is conserved | ${run(result)}, ${grouped(result.figures.mismatches)} charges of another amount or currency | ${count(result, ...money, "currenciesAreAsAsked", "totalsAgree", "amountsAreBacked")} violations |`
    ]
  }
]

/** How many payments ended in each state. */
const endings = ({ figures }: Result): string =>
  Object.entries(figures.endings)
    .toSorted(([, a], [, b]) => b - a)
    .map(([state, times]) => `${grouped(times)} ${state}`)
    .join(", ")

const judgedTable = ({ figures }: Result): string =>
  allExpectations
    .map(
      (expectation) =>
        `${expectation.padEnd(28)}${grouped(figures.judged[expectation] ?? 0).padStart(12)} judged${grouped(figures.violations[expectation] ?? 0).padStart(8)} violations`
    )
    .join("\n")

const run = ({ figures }: Result): string => `${grouped(figures.seeds)} seeds, ${grouped(figures.payments)} payments`

const summary = ({ profile }: Batch, result: Result): string => {
  const { failures, figures } = result
  const found = Object.entries(figures.violations).map(([expectation, times]) => `${expectation} ${times}`)
  return [
    `${profile}: ${run(result)}, ${grouped(figures.providerCalls)} provider calls, ${grouped(figures.commits)} commits,`,
    `${grouped(figures.kills)} kills, ${grouped(figures.virtualHours / 24)} virtual days,`,
    failures.length === 0 ? "no violation" : `${failures.length} seeds failed (${found.join(", ")})`
  ].join(" ")
}

/** A bar on a terminal; otherwise a line for each tenth. */
const progress = ({ profile, seeds }: Batch) => {
  let done = 0
  let failed = 0
  return ({ report }: { readonly report: string | null }): void => {
    done++
    if (report !== null) failed++
    const share = done / seeds
    if (process.stderr.isTTY) {
      const bar = "█".repeat(Math.round(share * 30)).padEnd(30, "░")
      const end = done === seeds ? "\r\u001b[K" : ""
      process.stderr.write(`\r${bar} ${done}/${seeds} seeds of ${profile}, ${failed} failed${end}`)
    } else if (Math.floor(share * 10) > Math.floor(((done - 1) / seeds) * 10)) {
      process.stderr.write(`${done}/${seeds} seeds of ${profile}, ${failed} failed\n`)
    }
  }
}

const write = (rows: ReadonlyArray<string>): void => {
  const date = new Date(performance.timeOrigin).toISOString().slice(0, 10)
  const machine = `${cpus()[0]?.model.trim() ?? "unknown processor"}, ${availableParallelism()} threads, Node.js ${process.version}`
  writeReliabilitySection(
    "simulate",
    [
      `Run on ${date} (${machine}) by \`pnpm simulate --full${values.share === "100" ? "" : ` --share ${values.share}`}\`.`,
      "",
      "| promise | run | found |",
      "| --- | --- | --- |",
      ...rows
    ].join("\n")
  )
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)

process.exitCode = (await main()) === 0 ? 0 : 1
