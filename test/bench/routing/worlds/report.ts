/** Prints what each learner loses in each world, and whether ours is within the bound. */
import { designWorlds } from "./designWorlds.ts"
import { ours } from "./ours.ts"
import { ownWorlds } from "./ownWorlds.ts"
import { byEnd, openFails, priority, srV3, srV3Hedging, thompson } from "./peers.ts"
import { simulate } from "./simulate.ts"
import type { MakeLearner } from "./simulate.ts"
import type { World } from "./World.ts"

const peers: ReadonlyArray<readonly [name: string, make: MakeLearner]> = [
  ["by end", byEnd],
  ["open fails", openFails],
  ["SR-V3", srV3],
  ["SR-V3 hedging", srV3Hedging],
  ["Thompson", thompson],
  ["priority", priority]
]

export const lateWorlds: ReadonlyArray<World> = [...designWorlds, ...ownWorlds]

interface Options {
  readonly worlds: ReadonlyArray<World>
  /** Payments of a minute. */
  readonly rates: ReadonlyArray<number>
  /** Runs of each: of the seeds 1, 2, 3 … */
  readonly seeds: number
}

/** Returns whether every bound was met. */
export const reportLateWorlds = async ({ rates, seeds, worlds }: Options): Promise<boolean> => {
  console.log(line("lost payments in %, a minute", ["", "bound", "ours", ...peers.map(([name]) => name)]))
  let isMet = true
  for (const world of worlds) {
    const learners = [await ours(world), ...peers.map(([, make]) => make)]
    for (const [perMinute, bound] of world.bounds) {
      if (!rates.includes(perMinute)) continue
      const lost = learners.map((make) => lostBy(world, perMinute, seeds, make))
      const isWithin = bound === null || (lost[0] ?? Number.POSITIVE_INFINITY) <= bound
      isMet &&= isWithin
      const cells = [String(perMinute), bound?.toFixed(2) ?? "", ...lost.map((each) => each.toFixed(2))]
      console.log(`${line(world.name, cells)}${isWithin ? "" : "  NOT MET"}`)
    }
  }
  return isMet
}

/** Mean, in percent. */
const lostBy = (world: World, perMinute: number, seeds: number, make: MakeLearner): number => {
  let sum = 0
  for (let seed = 1; seed <= seeds; seed++) sum += simulate(world, perMinute, seed, make).lost
  return (100 * sum) / seeds
}

const line = (name: string, cells: ReadonlyArray<string>): string =>
  [name.padEnd(36), ...cells.map((cell, index) => cell.padStart(index === 0 ? 5 : 14))].join("")
