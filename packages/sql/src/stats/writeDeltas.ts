/** Adds deltas to the stored sums, within the transaction that moves the cursor. No other writer changes the same sums. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { addBuckets, decodeBuckets, encodeBuckets } from "./Buckets.ts"
import type { CountDelta, Deltas, DurationDelta } from "./Deltas.ts"
import { statementsOn } from "./givenRows.ts"
import type { GivenColumns } from "./givenRows.ts"

export const writeDeltas = Effect.fnUntraced(function* (
  generation: number,
  { counts, durations }: Deltas
): Effect.fn.Return<void, SqlError, SqlClient.SqlClient> {
  if (counts.length > 0) yield* writeCounts(generation, counts)
  if (durations.length > 0) yield* writeDurations(generation, durations)
})

const placeColumns: GivenColumns = [
  ["account", "text"],
  ["livemode", "boolean"],
  ["step", "text"],
  ["start", "bigint"],
  ["provider", "text"],
  ["method", "text"],
  ["currency", "text"]
]

const placeRow = ({ account, currency, livemode, method, provider, start, step }: CountDelta | DurationDelta) =>
  [account, livemode, step, start, provider, method, currency] as const

const stateColumns: GivenColumns = [
  ["fact", "text"],
  ["outcome", "text"],
  ["code", "text"]
]

const sumColumns: GivenColumns = [
  ["count", "bigint"],
  ["amount_high", "bigint"],
  ["amount_low", "bigint"],
  ["captured_high", "bigint"],
  ["captured_low", "bigint"]
]

const namesOf = (columns: GivenColumns): string => columns.map(([name]) => name).join(", ")

const writeCounts = Effect.fnUntraced(function* (generation: number, counts: ReadonlyArray<CountDelta>) {
  const sql = yield* SqlClient.SqlClient
  const columns = [...placeColumns, ...stateColumns, ...sumColumns]
  const names = sql.literal(namesOf(columns))
  const key = sql.literal(`generation, ${namesOf([...placeColumns, ...stateColumns])}`)
  const added = sql.literal(
    sumColumns.map(([name]) => `${name} = statistics_counts.${name} + excluded.${name}`).join(", ")
  )
  yield* inTurn(
    statementsOn(sql, columns, counts.map(countRow), (given) =>
      Effect.asVoid(sql`${given} INSERT INTO statistics_counts (generation, ${names})
        SELECT ${sql.literal(String(generation))}, ${names} FROM given WHERE true
        ON CONFLICT (${key}) DO UPDATE SET ${added}`)
    )
  )
  if (counts.some(({ count }) => count < 0)) {
    yield* sql`DELETE FROM statistics_counts WHERE generation = ${generation} AND count = 0`
  }
})

const countRow = (delta: CountDelta) => [
  ...placeRow(delta),
  delta.fact,
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
  const stored = yield* readDurations(generation, deltas)
  const sums = deltas.map((delta, index) => {
    const sum = [...(stored.get(index) ?? [])]
    addBuckets(sum, delta.buckets)
    return [...placeRow(delta), encodeBuckets(sum)] as const
  })
  const columns: GivenColumns = [...placeColumns, ["buckets", "text"]]
  const names = sql.literal(namesOf(columns))
  yield* inTurn(
    statementsOn(sql, columns, sums, (given) =>
      Effect.asVoid(sql`${given} INSERT INTO statistics_durations (generation, ${names})
        SELECT ${sql.literal(String(generation))}, ${names} FROM given WHERE true
        ON CONFLICT (generation, ${sql.literal(namesOf(placeColumns))}) DO UPDATE SET buckets = excluded.buckets`)
    )
  )
  const isEmptied = sums.some(([, , , , , , , buckets]) => buckets === "[]")
  if (isEmptied) yield* sql`DELETE FROM statistics_durations WHERE generation = ${generation} AND buckets = '[]'`
})

/** The stored buckets, by the index of the delta. */
const readDurations = Effect.fnUntraced(function* (generation: number, deltas: ReadonlyArray<DurationDelta>) {
  const sql = yield* SqlClient.SqlClient
  const columns: GivenColumns = [...placeColumns, ["delta", "bigint"]]
  const rows = deltas.map((delta, index) => [...placeRow(delta), index])
  const isSame = sql.literal(placeColumns.map(([name]) => `stored.${name} = given.${name}`).join(" AND "))
  const found = yield* Effect.all(
    statementsOn(
      sql,
      columns,
      rows,
      (given) => sql<{ readonly delta: number | string; readonly buckets: string }>`
      ${given} SELECT delta, buckets FROM given ${givenFirst(sql)} statistics_durations stored
      ON stored.generation = ${generation} AND ${isSame}`
    )
  )
  return new Map(found.flat().map(({ buckets, delta }) => [Number(delta), decodeBuckets(buckets)]))
})

/** Otherwise SQLite would read all stored rows and look for each among the given rows. */
const givenFirst = (sql: SqlClient.SqlClient) =>
  sql.literal(sql.onDialectOrElse({ pg: () => "JOIN", orElse: () => "CROSS JOIN" }))

const inTurn = (statements: ReadonlyArray<Effect.Effect<void, SqlError>>) => Effect.all(statements, { discard: true })
