/**
 * `pnpm bench routing-worlds`: payments that routing loses while providers fail, drift or flap, in percent: what the best
 * provider of the moment takes, less what the first choice takes. Through the real engine in virtual time, for
 * `best: success_rate` with its defaults, its former algorithm, SR-V3 of decision-engine, and plain priority. Ends with 1
 * if `best: success_rate` loses more than the fewest by over 0.1 points and over two standard errors, or if failover
 * moves more than 2 points of the first choices.
 *
 * Then the worlds whose outcomes are late (`worlds/designWorlds.ts`), with payments of a table instead of the engine, at 1,
 * 10, 100 and 600 payments a minute. Ends with 1 if one of their bounds is not met.
 *
 * - `--seeds <n>`: runs of each world and policy. Default: 10.
 * - `--world <text>`: only worlds whose name contains this.
 * - `--rates <list>`: of the late worlds, payments of a minute. Default: 1,10,100,600.
 */
import { cpus } from "node:os"
import { parseArgs } from "node:util"
import { policyNames, run } from "./worldsRun.ts"
import type { PolicyName, Run, RunOptions } from "./worldsRun.ts"
import { lateWorlds, reportLateWorlds } from "./worlds/report.ts"
import { worlds } from "./worldsTruth.ts"
import type { World } from "./worldsTruth.ts"

/** In percent of the payments. */
const bounds = { lost: 0.1, standardErrors: 2, failover: 2 } as const

interface Measured {
  /** By seed, in percent. */
  readonly lost: ReadonlyArray<number>
  readonly mean: number
  readonly standardError: number
  /** Share of the first choices that the first provider had, 0 to 1. */
  readonly toFirst: number
}

const seedsOf = async (seeds: number, options: Omit<RunOptions, "seed">): Promise<ReadonlyArray<Run>> => {
  const runs: Array<Run> = []
  for (let seed = 1; seed <= seeds; seed++) runs.push(await run({ ...options, seed }))
  return runs
}

const meanOf = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

const standardErrorOf = (values: ReadonlyArray<number>): number => {
  const mean = meanOf(values)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1) / values.length)
}

const measure = async (world: World, policy: PolicyName, seeds: number): Promise<Measured> => {
  const runs = await seedsOf(seeds, { world, policy, failover: "off" })
  const lost = runs.map((each) => 100 * each.lost)
  const toFirst = meanOf(runs.map((each) => each.toFirst))
  return { lost, mean: meanOf(lost), standardError: standardErrorOf(lost), toFirst }
}

/** Every policy meets the same payments, so that the standard error is that of the differences, seed by seed. */
const isHeld = (ours: Measured, other: Measured): boolean => {
  const excess = ours.mean - other.mean
  const differences = ours.lost.map((lost, seed) => lost - (other.lost[seed] ?? 0))
  return excess <= bounds.lost || excess <= bounds.standardErrors * standardErrorOf(differences)
}

/** Prints the row of a world, and answers the runs of ours. */
const reportWorld = async (world: World, seeds: number): Promise<Measured> => {
  const ours = await measure(world, "ours", seeds)
  const others: Array<Measured> = []
  for (const policy of policyNames.slice(1)) others.push(await measure(world, policy, seeds))
  const isMet = others.every((other) => isHeld(ours, other))
  if (!isMet) process.exitCode = 1
  const cells = [ours, ...others].map(({ mean, standardError }) => `${mean.toFixed(2)} ±${standardError.toFixed(2)}`)
  row(world.name, [...cells, isMet ? "met" : "NOT MET"])
  return ours
}

/** A second provider that receives what the first declined must not look worse for it. */
const reportFailover = async (world: World, { toFirst }: Measured, seeds: number): Promise<void> => {
  const runs = await seedsOf(seeds, { world, policy: "ours", failover: "on" })
  const [off, on] = [100 * toFirst, 100 * meanOf(runs.map((each) => each.toFirst))]
  const isMet = Math.abs(on - off) <= bounds.failover
  if (!isMet) process.exitCode = 1
  const shares = `${off.toFixed(1)} % without failover, ${on.toFixed(1)} % with it`
  console.log(`  first choices at the first provider: ${shares}${isMet ? "" : "  NOT MET"}`)
}

const row = (name: string, cells: ReadonlyArray<string>): void =>
  console.log([name.padEnd(28), ...cells.map((cell) => cell.padStart(14))].join(""))

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "10" },
      world: { type: "string", default: "" },
      rates: { type: "string", default: "1,10,100,600" }
    }
  })
  const rates = values.rates.split(",").map(Number)
  const seeds = Number(values.seeds)
  if (!Number.isInteger(seeds) || seeds < 2) throw new Error("--seeds must be a whole number from 2 on.")
  const chosen = worlds.filter(({ name }) => name.includes(values.world))
  const late = lateWorlds.filter(({ name }) => name.includes(values.world))
  if (chosen.length + late.length === 0) {
    const names = [...worlds, ...lateWorlds].map(({ name }) => name)
    throw new Error(`No world is named "${values.world}". Worlds: ${names.join("; ")}.`)
  }
  console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}; lost payments in %, of ${seeds} runs\n`)
  if (chosen.length > 0) row("", [...policyNames, ""])
  for (const world of chosen) {
    const ours = await reportWorld(world, seeds)
    if (world.compareFailover === true) await reportFailover(world, ours, seeds)
  }
  if (late.length > 0 && !(await reportLateWorlds({ worlds: late, rates, seeds }))) process.exitCode = 1
}

await main()
