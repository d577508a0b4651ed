/** The SQL that reads stored sums: a range of the primary key, and filters on its rows. */
import type { Tenant } from "@paymux/core"
import type { SqlClient } from "effect/sql"
import { kindOf } from "./StatisticsQuery.ts"
import type { StatisticsFilter, StatisticsGroup, Stretch, TotalsQuery } from "./StatisticsQuery.ts"

export interface CountRow {
  readonly start: number | string
  readonly grouped: string | null
  readonly outcome: string
  readonly currency: string
  readonly count: string
  readonly amount_high: string
  readonly amount_low: string
  readonly captured_high: string
  readonly captured_low: string
}

export interface DurationRow {
  readonly start: number | string
  readonly grouped: string | null
  readonly buckets: string
}

const columns: { readonly [group in StatisticsGroup]: string } = {
  provider: "provider",
  method: "method",
  currency: "currency",
  failureCode: "code"
}

/** Sums are text: a total of many large amounts does not fit into a number. */
export const countsStatement = (
  sql: SqlClient.SqlClient,
  tenant: Tenant,
  query: TotalsQuery,
  { from, step, until }: Stretch
) => sql<CountRow>`
  SELECT start, ${grouped(sql, query)} AS grouped, outcome, currency, ${sql.literal(sums)} FROM statistics_counts
  WHERE generation = ${active(sql)} AND account = ${tenant.account} AND livemode = ${tenant.livemode}
    AND fact = ${kindOf[query.of]} AND step = ${step} AND start >= ${from} AND start < ${until}
    AND ${sql.and(["1 = 1", ...placeFilters(sql, query), ...anyOf(sql, "outcome", query.outcomes), ...anyOf(sql, "code", query.failureCodes)])}
  GROUP BY ${sql.literal(`start, ${query.groupBy === undefined ? "" : `${columns[query.groupBy]}, `}outcome, currency`)}`

const sums = ["count", "amount_high", "amount_low", "captured_high", "captured_low"]
  .map((column) => `CAST(sum(${column}) AS text) AS ${column}`)
  .join(", ")

export const durationsStatement = (
  sql: SqlClient.SqlClient,
  tenant: Tenant,
  query: TotalsQuery,
  { from, step, until }: Stretch
) => sql<DurationRow>`
  SELECT start, ${grouped(sql, query)} AS grouped, buckets FROM statistics_durations
  WHERE generation = ${active(sql)} AND account = ${tenant.account} AND livemode = ${tenant.livemode}
    AND step = ${step} AND start >= ${from} AND start < ${until}
    AND ${sql.and(["1 = 1", ...placeFilters(sql, query)])}`

const active = (sql: SqlClient.SqlClient) =>
  sql.literal("(SELECT generation FROM statistics_generations WHERE active = 1)")

const grouped = (sql: SqlClient.SqlClient, { groupBy }: TotalsQuery) =>
  sql.literal(groupBy === undefined ? "NULL" : `nullif(${columns[groupBy]}, '')`)

const placeFilters = (sql: SqlClient.SqlClient, { currencies, methods, providers }: StatisticsFilter) => [
  ...anyOf(sql, "provider", providers),
  ...anyOf(sql, "method", methods),
  ...anyOf(sql, "currency", currencies)
]

const anyOf = (sql: SqlClient.SqlClient, column: string, values: ReadonlyArray<string> | undefined) =>
  values === undefined ? [] : [sql.in(column, values)]
