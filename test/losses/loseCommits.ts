/** Runs of lost commits, one after the other, and what became of their orders. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { inPlace } from "../suites/src/simulation/PlatformDigest.ts"
import { databases } from "./Database.ts"
import { judgeLosses } from "./lossJudge.ts"
import type { Coverage, Ending, JudgedOrder, LossKind } from "./lossJudge.ts"
import { drawLossPlan } from "./LossPlan.ts"
import { runLosses } from "./LossRun.ts"
import type { Variation } from "./LossRun.ts"

export interface LossTotals {
  readonly runs: number
  readonly losses: number
  readonly kinds: { readonly [kind in LossKind]?: number }
  /** Losses, by why they may be charged again and how they ended. */
  readonly endings: { readonly [row in `${Coverage}, ${Ending}`]?: number }
  /** What must not be, by seed and order. */
  readonly faults: ReadonlyArray<JudgedOrder & { readonly seed: number }>
}

const nothing: LossTotals = { runs: 0, losses: 0, kinds: {}, endings: {}, faults: [] }

/** Runs the seeds from `first` on, until so many commits were lost, or one ended as `sought`. */
export const loseCommits = (
  first: number,
  losses: number,
  variation: Variation = {},
  sought?: Ending
): Promise<LossTotals> =>
  inPlace(() =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { fresh } = yield* databases
        let totals = nothing
        while (totals.losses < losses && !totals.faults.some(({ ending }) => ending === sought)) {
          const seed = first + totals.runs
          const run = runLosses(drawLossPlan(seed), yield* fresh(), variation)
          totals = plus(totals, seed, judgeLosses(yield* Effect.provide(run, TestClock.layer())))
        }
        return totals
      }).pipe(Effect.scoped)
    )
  )

const plus = (totals: LossTotals, seed: number, orders: ReadonlyArray<JudgedOrder>): LossTotals => {
  const kinds = { ...totals.kinds }
  const endings = { ...totals.endings }
  let { losses } = totals
  for (const order of orders) {
    const row = `${order.coverage}, ${order.ending}` as const
    losses += order.losses.length
    if (order.losses.length > 0) endings[row] = (endings[row] ?? 0) + order.losses.length
    for (const kind of order.losses) kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  const faults = orders.filter(({ ending }) => ending === "second_charge" || ending === "unexplained")
  return {
    runs: totals.runs + 1,
    losses,
    kinds,
    endings,
    faults: [...totals.faults, ...faults.map((order) => ({ seed, ...order }))]
  }
}

/** As rows of a table. */
export const tableOf = ({ endings, kinds, losses, runs }: LossTotals): string =>
  [
    `${losses} lost commits in ${runs} restores`,
    ...Object.entries(kinds).map(([kind, count]) => `  ${kind}: ${count}`),
    ...Object.entries(endings)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([row, count]) => `  ${row}: ${count}`)
  ].join("\n")
