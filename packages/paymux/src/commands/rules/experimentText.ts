/** An experiment for people: its arms as a table, and a sentence about each difference. */
import type { Tenant } from "@paymux/core"
import { iso } from "@paymux/core/wire"
import type { ExperimentArm, ExperimentEffect, ExperimentReport } from "@paymux/routing"
import { Console, Effect } from "effect"
import { styleText } from "node:util"
import { printTable } from "../table.ts"

export const printExperiment = Effect.fnUntraced(function* (report: ExperimentReport, tenant: Tenant) {
  const { arms, control, effects, experiment, payments, period, underOtherShares } = report
  if (period === null || control === null) return
  const mode = tenant.livemode ? "live" : "test"
  yield* Console.log(styleText("bold", `Experiment ${JSON.stringify(experiment)}`, { stream: process.stdout }))
  yield* Console.log(
    `${number(payments)} ${mode} payments of account ${tenant.account}, ${iso(period.from)} to ${iso(period.to)}\n`
  )
  yield* printTable(
    [
      "arm",
      "share",
      "payments",
      "paid",
      "failed",
      "canceled",
      "open",
      "paid of those that ended",
      "first attempts paid"
    ],
    arms.map((arm) => [
      arm.arm,
      percent(arm.share),
      number(arm.payments),
      number(arm.paid),
      number(arm.ended - arm.paid),
      number(arm.canceled),
      number(arm.open),
      rate(arm),
      rate(arm.first)
    ])
  )
  yield* Console.log("")
  for (const effect of effects) yield* Console.log(verdict(effect, control))
  if (effects.some((effect) => effect.verdict !== "too_few")) yield* Console.log(PEEKING)
  if (underOtherShares > 0) {
    yield* Console.log(
      `${number(underOtherShares)} payments were assigned by other shares or to other providers, and are not counted.`
    )
  }
})

const PEEKING =
  "You can look as often as you like: in at most 5 of 100 experiments, a provider is called better or worse that is not."

const verdict = (effect: ExperimentEffect, control: string): string => {
  const { arm } = effect
  if (effect.verdict === "too_few") {
    return `Too few payments to compare ${arm} with ${control}: each needs ${effect.needed} that were paid or failed.`
  }
  const { difference, high, low } = effect
  switch (effect.verdict) {
    case "better":
      return `${arm} is better than ${control}: of 100 payments, ${points(difference)} more are paid (${points(low)} to ${points(high)}).`
    case "worse":
      return `${arm} is worse than ${control}: of 100 payments, ${points(-difference)} fewer are paid (${points(-high)} to ${points(-low)}).`
    case "undecided":
      return `It is not known yet whether ${arm} is better than ${control}: of 100 payments, between ${points(-low)} fewer and ${points(high)} more are paid.`
  }
}

const number = (n: number): string => n.toLocaleString("en-US")
const percent = (fraction: number): string => `${Number((fraction * 100).toFixed(1))}%`
const points = (fraction: number): string => (fraction * 100).toFixed(1)

const rate = ({ ended, paid }: Pick<ExperimentArm, "ended" | "paid">): string =>
  ended === 0 ? "" : `${((100 * paid) / ended).toFixed(1)}%`
