/**
 * Adds changes to the stored sums, within the transaction that moves the cursor of the generation. No other process
 * writes the same sums at that time.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { addBuckets, decodeBuckets, encodeBuckets } from "./Buckets.ts"
import type { CountDelta, Deltas, DurationDelta } from "./Deltas.ts"
import { insertRows, statementsOn } from "../dialect/givenRows.ts"
import { columnsOf } from "../rows/Column.ts"
import type { Column } from "../rows/Column.ts"
import { numeral, text } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

export const writeDeltas = Effect.fnUntraced(function* (generation: number, { counts, durations }: Deltas) {
  if (counts.length > 0) yield* writeCounts(generation, counts)
  if (durations.length > 0) yield* writeDurations(generation, durations)
})

const placeColumns = [
  ["generation", "number"],
  "account",
  ["livemode", "flag"],
  "step",
  ["start", "number"],
  "provider",
  "method",
  "currency"
] as const

const placeParts = (generation: number, delta: CountDelta | DurationDelta) =>
  [
    generation,
    delta.account,
    delta.livemode,
    delta.step,
    delta.start,
    delta.provider,
    delta.method,
    delta.currency
  ] as const

const countColumns = (generation: number) =>
  columnsOf<CountDelta>()(
    [
      ...placeColumns,
      "fact",
      "outcome",
      "code",
      ["count", "number"],
      ["amount_high", "number"],
      ["amount_low", "number"],
      ["captured_high", "number"],
      ["captured_low", "number"]
    ],
    (delta) => [...placeParts(generation, delta), delta.fact, delta.outcome, delta.code, ...delta.sums]
  )

const writeCounts = Effect.fnUntraced(function* (generation: number, counts: ReadonlyArray<CountDelta>) {
  const sql = yield* SqlClient.SqlClient
  const columns = countColumns(generation)
  const sums = columns.all.slice(-5)
  const key = columns.all.slice(0, -5)
  yield* insertRows(
    sql,
    "statistics_counts",
    columns,
    counts,
    `ON CONFLICT (${namesOf(key)}) DO UPDATE SET
      ${sums.map(({ name }) => `${name} = statistics_counts.${name} + excluded.${name}`).join(", ")}`
  )
  if (counts.some(({ sums: [count] }) => count < 0)) {
    yield* sql`DELETE FROM statistics_counts WHERE generation = ${generation} AND count = 0`
  }
})

const namesOf = (columns: ReadonlyArray<Column>): string => columns.map(({ name }) => name).join(", ")

const writeDurations = Effect.fnUntraced(function* (generation: number, deltas: ReadonlyArray<DurationDelta>) {
  const sql = yield* SqlClient.SqlClient
  const columns = columnsOf<DurationDelta>()([...placeColumns, "buckets"], (delta) => [
    ...placeParts(generation, delta),
    encodeBuckets(delta.buckets)
  ])
  const stored = yield* readDurations(generation, deltas)
  const sums = deltas.map((delta, index) => {
    const buckets = [...(stored.get(index) ?? [])]
    addBuckets(buckets, delta.buckets)
    return { ...delta, buckets }
  })
  yield* insertRows(
    sql,
    "statistics_durations",
    columns,
    sums,
    `ON CONFLICT (${namesOf(columns.all.slice(0, -1))}) DO UPDATE SET buckets = excluded.buckets`
  )
  if (sums.some(({ buckets }) => buckets.every((count) => count === 0))) {
    yield* sql`DELETE FROM statistics_durations WHERE generation = ${generation} AND buckets = '[]'`
  }
})

/** The stored buckets, by the index of the change. */
const readDurations = Effect.fnUntraced(function* (generation: number, deltas: ReadonlyArray<DurationDelta>) {
  const sql = yield* SqlClient.SqlClient
  const columns = columnsOf<readonly [index: number, delta: DurationDelta]>()(
    [...placeColumns, ["delta", "number"]],
    ([index, delta]) => [...placeParts(generation, delta), index]
  )
  const key = columns.all.slice(0, -1)
  const isSame = sql.literal(key.map(({ name }) => `stored.${name} = given.${name}`).join(" AND "))
  const found = yield* Effect.all(
    statementsOn(
      sql,
      columns,
      [...deltas.entries()],
      (given) => sql<Row>`
      ${given} SELECT delta, buckets FROM given ${givenFirst(sql)} statistics_durations stored
      ON ${isSame}`
    )
  )
  return new Map(found.flat().map((row) => [numeral(row, "delta"), decodeBuckets(text(row, "buckets"))]))
})

/**
 * Forces the join order on SQLite, which would otherwise read all stored rows and look for each among the given rows.
 */
const givenFirst = (sql: SqlClient.SqlClient) =>
  sql.literal(sql.onDialectOrElse({ pg: () => "JOIN", orElse: () => "CROSS JOIN" }))
