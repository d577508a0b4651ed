/** The SQL that reads stored sums: a range of the primary key, and filters on its rows. */
import type { Tenant } from "@paymux/core"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../rows/ReadRow.ts"
import { part, stepMs } from "./Deltas.ts"
import type { Step } from "./Deltas.ts"
import { unpackCounts, unpackDurations } from "./packedRows.ts"
import type { PackedCounts, PackedDurations } from "./packedRows.ts"
import type { CountRow, DurationRow } from "./statisticsRows.ts"
import { kindOf } from "./StatisticsQuery.ts"
import type { StatisticsGroup, TotalsQuery } from "./StatisticsQuery.ts"

/** The columns of the primary key that follow those for which a query has one value. */
export const keys = {
  counts: ["start", "provider", "method", "currency", "outcome", "code"],
  durations: ["start", "provider", "method", "currency"]
} as const

export type SumsTable = keyof typeof keys

/** A key: the values of the columns in `keys`. */
export type Key = readonly [start: number, ...others: ReadonlyArray<string>]

/** A page: a range of the primary key. */
export interface Page {
  readonly step: Step
  /** The key after which the page begins, exclusive. */
  readonly after: Key
  /** The key at which the page ends, inclusive. */
  readonly last: Key
}

const columns: { readonly [group in StatisticsGroup]: string } = {
  provider: "provider",
  method: "method",
  currency: "currency",
  failureCode: "code"
}

type Query = readonly [sql: SqlClient.SqlClient, tenant: Tenant, query: TotalsQuery, page: Page]

/**
 * Reads counts. SQLite returns numbers in half the time of text. PostgreSQL returns packed texts, since rows and their
 * columns would take most of the time.
 */
export const countRows = (...[sql, tenant, query, page]: Query): Effect.Effect<ReadonlyArray<CountRow>, SqlError> => {
  const within = allWithin(sql, tenant, query, "counts", page)
  const combination = sql.literal(
    `${query.groupBy === undefined ? "" : `${columns[query.groupBy]}, `}outcome, currency`
  )
  // Boundary: the types of the rows are those of the columns that these statements select.
  return sql.onDialectOrElse({
    pg: () =>
      Effect.map(
        sql`SELECT ${grouped(sql, query)}, outcome, currency,
            string_agg(concat_ws(',', ${stepNumber(sql, page)}, ${sumsOf(sql, (column) => column)}), ',')
          FROM statistics_counts WHERE ${within} GROUP BY ${combination}`.values,
        (rows) => unpackCounts(rows as ReadonlyArray<PackedCounts>, page.step)
      ),
    orElse: () =>
      Effect.map(
        sql`SELECT start, ${grouped(sql, query)}, outcome, currency, ${sumsOf(sql, (column) => `sum(${column})`)}
          FROM statistics_counts WHERE ${within} GROUP BY start, ${combination}`.values,
        (rows) => rows as ReadonlyArray<CountRow>
      )
  })
}

/**
 * The SQL that adds up amounts, and carries the low parts over to the high parts, so that each sum fits into a number.
 */
const sumsOf = (sql: SqlClient.SqlClient, sum: (column: string) => string) => {
  const carried = (name: string): string => {
    const [high, low] = [sum(`${name}_high`), sum(`${name}_low`)]
    return `${high} + ${low} / ${part}, ${low} % ${part}`
  }
  return sql.literal([sum("count"), carried("amount"), carried("captured")].join(", "))
}

/** Reads the durations: on PostgreSQL as one text for each group instead of a row for each hour or day. */
export const durationRows = (
  ...[sql, tenant, query, page]: Query
): Effect.Effect<ReadonlyArray<DurationRow>, SqlError> => {
  const within = allWithin(sql, tenant, query, "durations", page)
  // Boundary: the types of the rows are those of the columns that these statements select.
  return sql.onDialectOrElse({
    pg: () =>
      Effect.map(
        sql`SELECT ${grouped(sql, query)} AS grouped, string_agg(${stepNumber(sql, page)} || buckets, '')
          FROM statistics_durations WHERE ${within} GROUP BY grouped`.values,
        (rows) => unpackDurations(rows as ReadonlyArray<PackedDurations>, page.step)
      ),
    orElse: () =>
      Effect.map(
        sql`SELECT start, ${grouped(sql, query)}, buckets FROM statistics_durations WHERE ${within}`.values,
        (rows) => rows as ReadonlyArray<DurationRow>
      )
  })
}

const stepNumber = (sql: SqlClient.SqlClient, { step }: Page) => sql.literal(`start / ${stepMs[step]}`)

/** Reads the key of the row with the number `rows` in the page. No row is returned if the page has fewer rows. */
export const lastRowStatement = (
  sql: SqlClient.SqlClient,
  tenant: Tenant,
  query: TotalsQuery,
  table: SumsTable,
  page: Page,
  rows: number
) => {
  const key = sql.literal(keys[table].join(", "))
  return sql<Row>`
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
    sql`step = ${step} AND ${key} > ${sql.in(after)} AND ${key} <= ${sql.in(last)}`,
    ...steps(sql, after, last)
  ])
}

/**
 * The additional range for PostgreSQL, which does not treat two row comparisons as a range: without it, PostgreSQL
 * reads every fact and interval of the period.
 */
const steps = (sql: SqlClient.SqlClient, [from]: Key, [until]: Key) =>
  sql.onDialectOrElse({ pg: () => [sql`start BETWEEN ${from} AND ${until}`], orElse: () => [] })

const active = (sql: SqlClient.SqlClient) =>
  sql.literal("(SELECT generation FROM statistics_generations WHERE active = 1)")

const grouped = (sql: SqlClient.SqlClient, { groupBy }: TotalsQuery) =>
  sql.literal(groupBy === undefined ? "NULL" : `nullif(${columns[groupBy]}, '')`)

/** The condition for rows of the page that match the query. */
const allWithin = (sql: SqlClient.SqlClient, tenant: Tenant, query: TotalsQuery, table: SumsTable, page: Page) => {
  const { currencies, failureCodes, methods, outcomes, providers } = query
  return sql.and([
    within(sql, tenant, query, table, page),
    ...anyOf(sql, "provider", providers),
    ...anyOf(sql, "method", methods),
    ...anyOf(sql, "currency", currencies),
    ...(table === "counts" ? [...anyOf(sql, "outcome", outcomes), ...anyOf(sql, "code", failureCodes)] : [])
  ])
}

const anyOf = (sql: SqlClient.SqlClient, column: string, values: ReadonlyArray<string> | undefined) =>
  values === undefined ? [] : [sql.in(column, values)]
