/** What `paymux.statistics` does: numbers over time. */
import type { PaymentError, Tenant } from "@paymux/core"
import {
  countedObjects,
  periodProblem,
  statisticsGroups,
  statisticsSeries,
  statisticsTotals,
  stepMs,
  steps
} from "@paymux/sql"
import type { CountedObject, SeriesQuery, StatisticsSeries, StatisticsTotals, Step, TotalsQuery } from "@paymux/sql"
import { Clock, Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

export interface StatisticsOperations {
  /**
   * Counts, success rates, amounts and durations for each hour or day (`step`, default `day`) of the last 30 days, or from
   * `from` until `until`. `of`: payments (default), attempts or refunds.
   */
  readonly series: (query?: Partial<SeriesQuery>) => Promise<StatisticsSeries>
  /** The same for the whole period at once. */
  readonly totals: (query?: Partial<TotalsQuery>) => Promise<StatisticsTotals>
}

export const series = Effect.fnUntraced(function* (tenant: Tenant, query: Partial<SeriesQuery>) {
  yield* PaymentCalls.asOptions(query)
  const { step: asked, ...rest } = query
  const step = yield* asWord(asked ?? "day", "/step", steps)
  return yield* statisticsSeries(tenant, { ...(yield* asTotalsQuery(rest, step)), step })
})

export const totals = Effect.fnUntraced(function* (tenant: Tenant, query: Partial<TotalsQuery>) {
  return yield* statisticsTotals(tenant, yield* asTotalsQuery(query, "day"))
})

const filters = ["providers", "methods", "currencies", "outcomes", "failureCodes"] as const

/** With its defaults; a period has a limited number of steps. */
const asTotalsQuery = Effect.fnUntraced(function* (query: Partial<TotalsQuery>, step: Step) {
  yield* PaymentCalls.onlyKnown(query, ["of", "from", "until", "groupBy", ...filters])
  for (const name of ["from", "until"] as const) yield* PaymentCalls.asTime(query[name], `/${name}`)
  for (const name of filters) yield* asWords(query[name], `/${name}`)
  const of: CountedObject = yield* asWord(query.of ?? "payments", "/of", countedObjects)
  const { groupBy } = query
  if (groupBy !== undefined) yield* asWord(groupBy, "/groupBy", statisticsGroups)
  const until = query.until ?? (yield* Clock.currentTimeMillis) + 1
  const from = query.from ?? Math.max(0, until - 30 * stepMs.day)
  const problem = periodProblem({ from, until }, step)
  if (problem !== null) return yield* PaymentCalls.invalid(`/${problem.field}`, problem.message)
  return { ...query, of, from, until }
})

const asWord = <A extends string>(word: A, pointer: string, known: ReadonlyArray<A>): Effect.Effect<A, PaymentError> =>
  known.includes(word)
    ? Effect.succeed(word)
    : Effect.fail(PaymentCalls.invalid(pointer, `must be one of ${known.join(", ")}`))

/** A filter without a value would exclude everything. */
const asWords = (words: unknown, pointer: string): Effect.Effect<void, PaymentError> =>
  words === undefined || (Array.isArray(words) && words.length > 0 && words.length <= 100 && words.every(isWord))
    ? Effect.void
    : Effect.fail(PaymentCalls.invalid(pointer, "must be a list of 1 to 100 texts of at most 200 characters"))

/** PostgreSQL cannot hold a NUL. */
const isWord = (word: unknown): boolean =>
  typeof word === "string" && word.length > 0 && word.length <= 200 && !word.includes("\u0000")
