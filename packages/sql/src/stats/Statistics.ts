/**
 * The statistics of an account and mode: payments, attempts and refunds per hour or day, in groups, with amounts,
 * success rates and durations of attempts.
 *
 * A payment is counted in the hour of its creation with its current status, an attempt in the hour of its start, a
 * refund in the hour of its request. So the count of an hour changes when a payment of that hour succeeds late, and it
 * equals a count of the payments. A payment is counted from its first event on: while its first provider is being
 * called, it is not counted.
 */
import type { Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../dialect/unavailable.ts"
import { numeral } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { getOrMake } from "./Deltas.ts"
import type { Step } from "./Deltas.ts"
import { addCount, addDurations, makeGroup, numbersOf } from "./Numbers.ts"
import type { GroupSums, Numbers } from "./Numbers.ts"
import { forEachPage } from "./pages.ts"
import { countRows, durationRows } from "./queryStatements.ts"
import type { Page } from "./queryStatements.ts"
import type { CountRow, DurationRow } from "./statisticsRows.ts"
import { rounded, stretchesOf } from "./StatisticsQuery.ts"
import type { CountedObject, SeriesQuery, Stretch, TotalsQuery } from "./StatisticsQuery.ts"

export interface StatisticsTotals {
  readonly of: CountedObject
  /** The start of the period, ms UTC, as rounded. */
  readonly from: number
  readonly until: number
  /** The statistics of each group. Without `groupBy`, one entry; no entry if nothing is counted. */
  readonly groups: ReadonlyArray<Numbers>
  /** The time of the oldest event that is not counted yet, ms UTC. `null`: all events are counted. */
  readonly uncountedSince: number | null
}

export interface SeriesPoint extends Numbers {
  /** The start of the hour or day, ms UTC. */
  readonly start: number
}

export interface StatisticsSeries extends Omit<StatisticsTotals, "groups"> {
  readonly step: Step
  /**
   * The points of the series, sorted by start, then by group. An hour or day in which nothing is counted is left out.
   */
  readonly points: ReadonlyArray<SeriesPoint>
}

export const statisticsSeries = Effect.fnUntraced(function* (
  tenant: Tenant,
  query: SeriesQuery
): Effect.fn.Return<StatisticsSeries, StoreUnavailable, SqlClient.SqlClient> {
  const { of, step } = query
  const range = rounded(query, step)
  const uncounted = yield* uncountedSince
  const points = new Map<number, Groups>()
  yield* collect(tenant, query, range, (start) => getOrMake(points, start, (): Groups => new Map()))
  return { of, ...range, points: yield* pointsOf(query, points), uncountedSince: uncounted }
})

/** Computes the statistics of a period. Whole days are read from the sums of days. */
export const statisticsTotals = Effect.fnUntraced(function* (
  tenant: Tenant,
  query: TotalsQuery
): Effect.fn.Return<StatisticsTotals, StoreUnavailable, SqlClient.SqlClient> {
  const { from, until } = rounded(query, "hour")
  const uncounted = yield* uncountedSince
  const groups: Groups = new Map()
  for (const stretch of stretchesOf({ from, until })) yield* collect(tenant, query, stretch, () => groups)
  return { of: query.of, from, until, groups: numbers(query, groups), uncountedSince: uncounted }
})

/**
 * Reads the time of the oldest event of any account that is not counted yet, ms UTC. `null`: all are counted. Read it
 * before the sums: read after them, it would be `null` for events that were counted in between, and are missing in the
 * sums.
 */
export const uncountedSince: Effect.Effect<number | null, StoreUnavailable, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* unavailable(sql<Row>`
      SELECT created_at FROM payment_events
      WHERE position > (SELECT position FROM statistics_generations WHERE active = 1) ORDER BY position LIMIT 1`)
    return row === undefined ? null : numeral(row, "created_at")
  }
)

/** Computes the points of a series, in several turns of the event loop: a long series has thousands of groups. */
const pointsOf = Effect.fnUntraced(function* (query: SeriesQuery, groupsOfSteps: ReadonlyMap<number, Groups>) {
  const points: Array<SeriesPoint> = []
  let mostOfTurn = groupsOfTurn
  for (const [start, groups] of [...groupsOfSteps].toSorted(([a], [b]) => a - b)) {
    for (const each of numbers(query, groups)) points.push({ start, ...each })
    if (points.length < mostOfTurn) continue
    yield* Effect.yieldNow
    mostOfTurn = points.length + groupsOfTurn
  }
  return points
})

const groupsOfTurn = 500

type Groups = Map<string | null, GroupSums>

const collect = Effect.fnUntraced(function* (
  tenant: Tenant,
  query: TotalsQuery,
  range: Stretch,
  groupsAt: (start: number) => Groups
) {
  const sql = yield* SqlClient.SqlClient
  const group = ([start, grouped]: CountRow | DurationRow) => getOrMake(groupsAt(Number(start)), grouped, makeGroup)
  const addCounts = Effect.fnUntraced(function* (page: Page) {
    for (const row of yield* countRows(sql, tenant, query, page)) addCount(group(row), query.of, row)
  })
  const addAllDurations = Effect.fnUntraced(function* (page: Page) {
    for (const row of yield* durationRows(sql, tenant, query, page)) addDurations(group(row), row[2])
  })
  yield* unavailable(forEachPage(sql, tenant, query, "counts", range, addCounts))
  if (query.of === "attempts" && isWhole(query)) {
    yield* unavailable(forEachPage(sql, tenant, query, "durations", range, addAllDurations))
  }
})

/**
 * Whether the query is by neither outcome nor failure code. For other queries, a success rate and durations are
 * meaningless.
 */
const isWhole = ({ failureCodes, groupBy, outcomes }: TotalsQuery): boolean =>
  groupBy !== "failureCode" && outcomes === undefined && failureCodes === undefined

const numbers = (query: TotalsQuery, groups: Groups): ReadonlyArray<Numbers> =>
  [...groups]
    .toSorted(([a], [b]) => ((a ?? "") < (b ?? "") ? -1 : 1))
    .map(([group, sums]) => numbersOf(group, sums, isWhole(query)))
