/**
 * `pnpm bench backtest-worlds`: what is true of each planted world of `test/backtest`, and what the backtest of its draft
 * reports. Rates in percent, costs as changes: by the whole fee of the provider that is paid, and by every attempt.
 *
 * - `--world <part of a name>`: only these.
 * - `--shift <n>`: added to each seed: other payments with other outcomes of the same worlds.
 */
import { parseArgs } from "node:util"
import { measure } from "../../backtest/measure.ts"
import type { Measured } from "../../backtest/measure.ts"
import { neverHadWorlds } from "../../backtest/neverHad.ts"
import { summaryOf } from "../../backtest/verdicts.ts"
import { worlds } from "../../backtest/worlds.ts"

const { values: options } = parseArgs({
  options: { world: { type: "string", default: "" }, shift: { type: "string", default: "0" } }
})
const shift = Number(options.shift)
if (!Number.isSafeInteger(shift) || shift < 0) throw new Error("--shift must be a whole number from 0 on.")

const percent = (share: number): string => (100 * share).toFixed(1)
const change = (was: number, is: number): string => (was === 0 ? "none" : `${percent(is / was - 1)} %`)

const costs = ({ reading: { cost }, truth: { draft, old } }: Measured): string =>
  cost === null
    ? ""
    : `${change(old.costOfPaid, draft.costOfPaid)} or ${change(old.costOfAttempts, draft.costOfAttempts)}, reported ${change(cost.was, cost.estimate)}`

const row = (one: Measured): string => {
  const { neverHadShare, reading, stored, truth, verdict, world } = one
  const { rate, was } = reading
  const reported =
    rate === null ? "no rate" : `${percent(rate.estimate)} (${percent(rate.low)} to ${percent(rate.high)})`
  const cells = [
    world.name,
    `${percent(truth.old.rate)} → ${percent(truth.draft.rate)}`,
    percent(stored.succeeded / stored.payments),
    `${percent(was)} → ${reported}`,
    verdict.sign,
    verdict.inRange ? "in" : "out",
    verdict.width.toFixed(1),
    percent(reading.coverage),
    `${percent(neverHadShare)}, ${reading.neverHad ? "said" : "not said"}`,
    costs(one)
  ]
  return `| ${cells.join(" | ")} |`
}

console.log("| world | true | stored | reported | sign | range | width | coverage | never had | cost |")
console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
for (const group of [worlds, neverHadWorlds]) {
  const measured: Array<Measured> = []
  for (const world of group.filter(({ name }) => name.includes(options.world))) {
    const one = await measure({ ...world, seed: world.seed + shift })
    measured.push(one)
    console.log(row(one))
  }
  const { inRange, medianWidth, rightSigns } = summaryOf(measured.map(({ verdict }) => verdict))
  const said = measured.filter(({ reading }) => reading.neverHad).length
  console.log(
    `Of ${measured.length} worlds: sign right in ${rightSigns}, truth in range in ${inRange}, median width ${medianWidth.toFixed(1)}, "never had" said in ${said}.\n`
  )
}
