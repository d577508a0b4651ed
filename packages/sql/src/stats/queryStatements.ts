/** The SQL that reads stored sums: a page of the primary key, and filters on its rows. */
import type { Tenant } from "@paymux/core"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { part } from "./Deltas.ts"
import type { IntegerSum, Step } from "./Deltas.ts"
import { kindOf } from "./StatisticsQuery.ts"
import type { StatisticsFilter, StatisticsGroup, TotalsQuery } from "./StatisticsQuery.ts"

/** Rows are arrays: those of node:sqlite are made and read in half the time of its objects. */
export type CountRow = readonly [
  start: number | string,
  grouped: string | null,
  outcome: string,
  currency: string,
  count: IntegerSum,
  amountHigh: IntegerSum,
  amountLow: IntegerSum,
  capturedHigh: IntegerSum,
  capturedLow: IntegerSum
]

export type DurationRow = readonly [start: number | string, grouped: string | null, buckets: string]

/** The rest of the primary key, after the columns that a query has one value of. */
export const keys = {
  counts: ["start", "provider", "method", "currency", "outcome", "code"],
  durations: ["start", "provider", "method", "currency"]
} as const

export type SumsTable = keyof typeof keys

/** The values of `keys`. */
export type Key = readonly [start: number, ...others: ReadonlyArray<string>]

/** Rows of the primary key. */
export interface Page {
  readonly step: Step
  /** Exclusive */
  readonly after: Key
  /** Inclusive */
  readonly last: Key
}

const columns: { readonly [group in StatisticsGroup]: string } = {
  provider: "provider",
  method: "method",
  currency: "currency",
  failureCode: "code"
}

export const countRows = (sql: SqlClient.SqlClient, tenant: Tenant, query: TotalsQuery, page: Page) => {
  const { values } = sql`
  SELECT start, ${grouped(sql, query)}, outcome, currency, ${sums(sql)} FROM statistics_counts
  WHERE ${within(sql, tenant, query, "counts", page)}
    AND ${sql.and(["1 = 1", ...placeFilters(sql, query), ...anyOf(sql, "outcome", query.outcomes), ...anyOf(sql, "code", query.failureCodes)])}
  GROUP BY ${sql.literal(`start, ${query.groupBy === undefined ? "" : `${columns[query.groupBy]}, `}outcome, currency`)}`
  // Boundary: the columns of the statement.
  return Effect.map(values, (rows) => rows as ReadonlyArray<CountRow>)
}

/** In SQLite, low parts are carried: each sum fits into a number, and numbers are read in half the time of text. */
const sums = (sql: SqlClient.SqlClient) =>
  sql.literal(
    sql.onDialectOrElse({
      pg: () =>
        ["count", "amount_high", "amount_low", "captured_high", "captured_low"]
          .map((column) => `CAST(sum(${column}) AS text)`)
          .join(", "),
      orElse: () => `sum(count), ${carried("amount")}, ${carried("captured")}`
    })
  )

const carried = (name: string): string => `sum(${name}_high) + sum(${name}_low) / ${part}, sum(${name}_low) % ${part}`

export const durationRows = (sql: SqlClient.SqlClient, tenant: Tenant, query: TotalsQuery, page: Page) => {
  const { values } = sql`
  SELECT start, ${grouped(sql, query)}, buckets FROM statistics_durations
  WHERE ${within(sql, tenant, query, "durations", page)}
    AND ${sql.and(["1 = 1", ...placeFilters(sql, query)])}`
  // Boundary: the columns of the statement.
  return Effect.map(values, (rows) => rows as ReadonlyArray<DurationRow>)
}

/** The columns of the row that is the last of `rows` in the page. None: the page has fewer. */
export const lastRowStatement = (
  sql: SqlClient.SqlClient,
  tenant: Tenant,
  query: TotalsQuery,
  table: SumsTable,
  page: Page,
  rows: number
) => {
  const key = sql.literal(keys[table].join(", "))
  return sql<{ readonly [column: string]: number | string }>`
    SELECT ${key} FROM ${sql.literal(`statistics_${table}`)} WHERE ${within(sql, tenant, query, table, page)}
    ORDER BY ${key} LIMIT 1 OFFSET ${rows - 1}`
}

const within = (
  sql: SqlClient.SqlClient,
  tenant: Tenant,
  query: TotalsQuery,
  table: SumsTable,
  { after, last, step }: Page
) => {
  const key = sql.literal(`(${keys[table].join(", ")})`)
  return sql.and([
    sql`generation = ${active(sql)} AND account = ${tenant.account} AND livemode = ${tenant.livemode}`,
    ...(table === "counts" ? [sql`fact = ${kindOf[query.of]}`] : []),
    sql`step = ${step} AND ${key} > ${sql.in(after)} AND ${key} <= ${sql.in(last)}`
  ])
}

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
