/** Adds deltas to the stored sums, within the transaction that moves the cursor. No other writer changes the same sums. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { addBuckets, decodeBuckets, encodeBuckets } from "./Buckets.ts"
import type { CountDelta, Deltas, DurationDelta } from "./Deltas.ts"

export const writeDeltas = Effect.fnUntraced(function* (
  generation: number,
  { counts, durations }: Deltas
): Effect.fn.Return<void, SqlError, SqlClient.SqlClient> {
  if (counts.length > 0) yield* writeCounts(generation, counts)
  if (durations.length > 0) yield* writeDurations(generation, durations)
})

const countColumns = `account, livemode, fact, step, start, provider, method, currency, outcome, code,
  count, amount_high, amount_low, captured_high, captured_low`

const writeCounts = Effect.fnUntraced(function* (generation: number, counts: ReadonlyArray<CountDelta>) {
  const sql = yield* SqlClient.SqlClient
  const rows = JSON.stringify(counts.map(countRow))
  yield* sql`INSERT INTO statistics_counts (generation, ${sql.literal(countColumns)})
    SELECT ${sql.literal(countValues(sql, String(generation)))} FROM ${elements(sql, rows)} WHERE true
    ON CONFLICT (generation, account, livemode, fact, step, start, provider, method, currency, outcome, code)
    DO UPDATE SET ${sql.literal(
      ["count", "amount_high", "amount_low", "captured_high", "captured_low"]
        .map((column) => `${column} = statistics_counts.${column} + excluded.${column}`)
        .join(", ")
    )}`
  if (counts.some(({ count }) => count < 0)) {
    yield* sql`DELETE FROM statistics_counts WHERE generation = ${generation} AND count = 0`
  }
})

const countRow = (delta: CountDelta) => [
  delta.account,
  delta.livemode ? 1 : 0,
  delta.fact,
  delta.step,
  delta.start,
  delta.provider,
  delta.method,
  delta.currency,
  delta.outcome,
  delta.code,
  delta.count,
  delta.amountHigh,
  delta.amountLow,
  delta.capturedHigh,
  delta.capturedLow
]

const writeDurations = Effect.fnUntraced(function* (generation: number, deltas: ReadonlyArray<DurationDelta>) {
  const sql = yield* SqlClient.SqlClient
  const places = JSON.stringify(deltas.map((delta, index) => [...placeRow(delta), index]))
  const known = yield* sql<{ readonly place: number | string; readonly buckets: string }>`
    SELECT wanted.place AS place, buckets FROM (SELECT ${sql.literal(placeValues(sql))} FROM ${elements(sql, places)}) AS wanted
    ${placesFirst(sql)} statistics_durations stored ON stored.generation = ${generation} AND stored.account = wanted.account
      AND stored.livemode = wanted.livemode AND stored.step = wanted.step AND stored.start = wanted.start
      AND stored.provider = wanted.provider AND stored.method = wanted.method AND stored.currency = wanted.currency`
  const stored = new Map(known.map(({ buckets, place }) => [Number(place), decodeBuckets(buckets)]))
  const sums = deltas.map((delta, index) => {
    const sum = [...(stored.get(index) ?? [])]
    addBuckets(sum, delta.buckets)
    return [...placeRow(delta), index, encodeBuckets(sum)]
  })
  yield* sql`INSERT INTO statistics_durations (generation, account, livemode, step, start, provider, method, currency, buckets)
    SELECT ${sql.literal(`${generation}, ${placeNames}, buckets`)}
    FROM (SELECT ${sql.literal(`${placeValues(sql)}, ${item(sql, 8, "text")} AS buckets`)}
      FROM ${elements(sql, JSON.stringify(sums))}) AS wanted WHERE true
    ON CONFLICT (generation, account, livemode, step, start, provider, method, currency)
    DO UPDATE SET buckets = excluded.buckets`
  const isEmptied = sums.some(([, , , , , , , , buckets]) => buckets === "[]")
  if (isEmptied) yield* sql`DELETE FROM statistics_durations WHERE generation = ${generation} AND buckets = '[]'`
})

/** SQLite would read all stored rows and look for each among the places. */
const placesFirst = (sql: SqlClient.SqlClient) =>
  sql.literal(sql.onDialectOrElse({ pg: () => "JOIN", orElse: () => "CROSS JOIN" }))

const placeNames = "account, livemode, step, start, provider, method, currency"

const placeRow = ({ account, currency, livemode, method, provider, start, step }: DurationDelta) => [
  account,
  livemode ? 1 : 0,
  step,
  start,
  provider,
  method,
  currency
]

/** The elements of an array of arrays, each as `element`. */
const elements = (sql: SqlClient.SqlClient, rows: string) =>
  sql.onDialectOrElse({
    pg: () => sql`json_array_elements(${rows}::json) AS list (element)`,
    orElse: () => sql`(SELECT value AS element FROM json_each(${rows})) AS list`
  })

type Kind = "text" | "word" | "bigint" | "flag"

/** One item of `element`, as a value of a column. */
const item = (sql: SqlClient.SqlClient, index: number, kind: Kind): string =>
  sql.onDialectOrElse({
    pg: () => pgItem(index, kind),
    orElse: () => `(element ->> ${index})`
  })

const pgItem = (index: number, kind: Kind): string => {
  switch (kind) {
    case "text":
      return `(element ->> ${index})`
    case "word":
      return `((element ->> ${index}) COLLATE "C")`
    case "bigint":
      return `(element ->> ${index})::bigint`
    case "flag":
      return `(element ->> ${index} = '1')`
  }
}

const countValues = (sql: SqlClient.SqlClient, generation: string): string =>
  [generation, ...countKinds.map((kind, index) => item(sql, index, kind))].join(", ")

const countKinds: ReadonlyArray<Kind> = [
  "word",
  "flag",
  "word",
  "word",
  "bigint",
  "word",
  "word",
  "word",
  "word",
  "word",
  "bigint",
  "bigint",
  "bigint",
  "bigint",
  "bigint"
]

const placeValues = (sql: SqlClient.SqlClient): string => {
  const kinds: ReadonlyArray<Kind> = ["word", "flag", "word", "bigint", "word", "word", "word", "bigint"]
  const names = [...placeNames.split(", "), "place"]
  return kinds.map((kind, index) => `${item(sql, index, kind)} AS ${names[index]}`).join(", ")
}
