/** The queries of the statistics. Times are ms UTC. */
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
 * The filters of a query. An omitted filter excludes nothing; a list of values matches any of them, and has at least
 * one value.
 */
export interface StatisticsFilter {
  readonly providers?: ReadonlyArray<string>
  readonly methods?: ReadonlyArray<string>
  /** Only these currencies, ISO 4217 codes. */
  readonly currencies?: ReadonlyArray<string>
  /** Only these statuses of the payment, the attempt or the refund. */
  readonly outcomes?: ReadonlyArray<string>
  readonly failureCodes?: ReadonlyArray<string>
}

export interface TotalsQuery extends StatisticsFilter {
  readonly of: CountedObject
  /** The start of the period, inclusive; rounded down to an hour. */
  readonly from: number
  /** The end of the period, exclusive; rounded up to an hour. */
  readonly until: number
  readonly groupBy?: StatisticsGroup
}

export interface SeriesQuery extends TotalsQuery {
  /** The interval of a series: an hour, or a day in UTC. `from` and `until` are rounded to it. */
  readonly step: Step
}

/** The maximum number of points in a series: 83 days of hourly points, or 5 years of daily points. */
const mostSteps = 2_000

/** A part of a period that is read from hourly or daily sums, from `from` (inclusive) to `until` (exclusive). */
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

/** The problem of a period that has no whole interval or too many; `null`: none. */
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

/** Splits a period into the hours before the first whole day, the whole days, and the hours after them. */
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
