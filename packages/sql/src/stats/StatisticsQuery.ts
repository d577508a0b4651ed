/** Queries of the statistics. Times are ms UTC. */
import type { FactKind } from "./facts.ts"
import { startOf, stepMs } from "./Deltas.ts"
import type { Step } from "./Deltas.ts"

export const countedObjects = ["payments", "attempts", "refunds"] as const
export type CountedObject = (typeof countedObjects)[number]

export const kindOf: { readonly [of in CountedObject]: FactKind } = {
  payments: "payment",
  attempts: "attempt",
  refunds: "refund"
}

export const statisticsGroups = ["provider", "method", "currency", "failureCode"] as const
export type StatisticsGroup = (typeof statisticsGroups)[number]

/**
 * Conditions that are left out exclude nothing; several values of one condition mean any of these. Each list has at least one
 * value.
 */
export interface StatisticsFilter {
  readonly providers?: ReadonlyArray<string>
  readonly methods?: ReadonlyArray<string>
  /** ISO 4217 */
  readonly currencies?: ReadonlyArray<string>
  /** Statuses of the payment, the attempt or the refund. */
  readonly outcomes?: ReadonlyArray<string>
  readonly failureCodes?: ReadonlyArray<string>
}

export interface TotalsQuery extends StatisticsFilter {
  readonly of: CountedObject
  /** Inclusive; rounded down to an hour. */
  readonly from: number
  /** Exclusive; rounded up to an hour. */
  readonly until: number
  readonly groupBy?: StatisticsGroup
}

export interface SeriesQuery extends TotalsQuery {
  /** An hour, or a day in UTC: `from` and `until` are rounded to it. */
  readonly step: Step
}

/** Steps of a series at most: 83 days by hour, 5 years by day. */
const mostSteps = 2_000

/** Sums of one step from `from` (inclusive) to `until` (exclusive). */
export interface Stretch {
  readonly step: Step
  readonly from: number
  readonly until: number
}

export const rounded = ({ from, until }: Pick<TotalsQuery, "from" | "until">, step: Step): Stretch => ({
  step,
  from: startOf(from, step),
  until: startOf(until + stepMs[step] - 1, step)
})

/** Why a period cannot be shown in these steps; `null`: it can. */
export const periodProblem = (
  { from, until }: Pick<TotalsQuery, "from" | "until">,
  step: Step
): { readonly field: "from" | "until"; readonly message: string } | null => {
  if (from >= until) return { field: "until", message: "must be after `from`" }
  const range = rounded({ from, until }, step)
  if ((range.until - range.from) / stepMs[step] <= mostSteps) return null
  const shorter = step === "hour" ? "a step of a day, or a shorter period" : "a shorter period"
  return { field: "from", message: `gives more than ${mostSteps} steps (${step}): choose ${shorter}` }
}

/** The hours before the first whole day, the whole days, and the hours after them. */
export const stretchesOf = ({ from, until }: Pick<Stretch, "from" | "until">): ReadonlyArray<Stretch> => {
  const firstDay = startOf(from + stepMs.day - 1, "day")
  const lastDay = startOf(until, "day")
  if (firstDay >= lastDay) return [{ step: "hour", from, until }]
  const all: ReadonlyArray<Stretch> = [
    { step: "hour", from, until: firstDay },
    { step: "day", from: firstDay, until: lastDay },
    { step: "hour", from: lastDay, until }
  ]
  return all.filter((stretch) => stretch.from < stretch.until)
}
