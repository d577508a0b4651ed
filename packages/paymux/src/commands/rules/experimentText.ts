/** An experiment for people: its arms as a table, and a sentence about each difference. */
import type { Tenant } from "@paymux/core"
import { iso } from "@paymux/core/wire"
import { Experiment } from "@paymux/routing"
import type { ExperimentArm, ExperimentEffect, ExperimentReport } from "@paymux/routing"
import { Console, Effect } from "effect"
import { styleText } from "node:util"
import { printTable } from "../table.ts"

export interface Asked extends Tenant {
  /** How old a payment must be to be compared, as it was written: `24h`. */
  readonly settled: string
  /** The start of the period, as it was written; `null`: the first payment of the experiment. */
  readonly since: string | null
}

export const printExperiment = Effect.fnUntraced(function* (report: ExperimentReport, asked: Asked) {
  const { arms, control, effects, experiment, otherSplits, period } = report
  if (period === null || control === null) return
  const mode = asked.livemode ? "live" : "test"
  yield* Console.log(styleText("bold", `Experiment ${JSON.stringify(experiment)}`, { stream: process.stdout }))
  yield* Console.log(
    `${payments(sum(arms, "payments"), mode)} of account ${asked.account}, ${iso(period.from)} to ${iso(period.to)}\n`
  )
  yield* printTable(
    ["arm", "share", "payments", "compared", "paid", "success rate", "by first attempts"],
    arms.map((arm) => [
      arm.arm,
      `${Number((arm.share * 100).toFixed(1))}%`,
      number(arm.payments),
      number(arm.compared),
      number(arm.paid),
      rate(arm.paid, arm.compared),
      rate(arm.firstPaid, arm.compared)
    ])
  )
  yield* Console.log("")
  for (const effect of effects) yield* Console.log(sentence(effect, control))
  for (const line of notes(report, asked)) yield* Console.log(line)
  for (const { payments: count, split } of otherSplits) {
    const shares = Object.entries(split).map(([provider, share]) => `${provider} ${share}%`)
    yield* Console.log(`Not compared: ${payments(count)} under other shares (${shares.join(", ")}).`)
  }
})

const notes = ({ arms, effects }: ExperimentReport, { settled, since }: Asked): ReadonlyArray<string> => {
  const [recent, repeated] = [sum(arms, "recent"), sum(arms, "repeated")]
  return [
    ...(effects.some(({ result }) => result !== "too_few") ? [since === null ? ANY_TIME : sameStart(since)] : []),
    ...(recent > 0 ? [`Not compared: ${payments(recent)} of the last ${settled}.`] : []),
    ...(repeated > 0 ? [`Not compared: ${payments(repeated)} after the first of the same payer.`] : [])
  ]
}

const ANY_TIME =
  "The ranges are 95% intervals for all looks together: at most 5 of 100 experiments report a difference that does not exist."

const sameStart = (since: string): string =>
  `The ranges are 95% intervals. They hold for repeated looks only if the period starts at the same time each time; it was --since ${since}.`

const sentence = (effect: ExperimentEffect, control: string): string => {
  const { arm } = effect
  switch (effect.result) {
    case "too_few": {
      const { paid, payments, unpaid } = Experiment.FEWEST
      return `Too few payments to compare ${arm} with ${control}: each needs ${payments}, of which ${paid} are paid and ${unpaid} are not.`
    }
    case "better":
      return `${arm} is better than ${control}: of 100 payments, ${points(effect.difference)} more are paid (${points(effect.low)} to ${points(effect.high)}).`
    case "worse":
      return `${arm} is worse than ${control}: of 100 payments, ${points(-effect.difference)} fewer are paid (${points(-effect.high)} to ${points(-effect.low)}).`
    case "undecided":
      return `No difference between ${arm} and ${control} is known yet: of 100 payments, between ${points(-effect.low)} fewer and ${points(effect.high)} more are paid.`
    default:
      return effect satisfies never
  }
}

const sum = (arms: ReadonlyArray<ExperimentArm>, key: "payments" | "recent" | "repeated"): number =>
  arms.reduce((total, arm) => total + arm[key], 0)

const payments = (count: number, mode?: string): string =>
  [number(count), ...(mode === undefined ? [] : [mode]), count === 1 ? "payment" : "payments"].join(" ")

const number = (n: number): string => n.toLocaleString("en-US")
const points = (fraction: number): string => (fraction * 100).toFixed(1)
const rate = (paid: number, of: number): string => (of === 0 ? "" : `${((100 * paid) / of).toFixed(1)}%`)
