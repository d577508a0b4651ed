/**
 * Many more payments in a tenth of the time: the database copies those that it has, with ids of their own, and builds its
 * indexes afterwards. A copy is of the same millisecond.
 */
import type { PaymentId } from "@paymux/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { idOf } from "./payments.ts"

/** So many payments are written row by row, and copied. */
export const copied = 100_000

/** Of payment number `n` of all: the number is at its end. */
export const idOfCopy = (n: number): PaymentId =>
  // Boundary: it has the shape of an id.
  `${idOf(n % copied).slice(0, -9)}${String(n).padStart(9, "0")}` as PaymentId

/** Of a database with the payments to be copied: makes it so many times as large. */
export const copyAll = Effect.fnUntraced(function* (times: number) {
  const sql = yield* SqlClient.SqlClient
  const texts = sql.onDialectOrElse({ pg: () => onPostgres, orElse: () => onSqlite })
  for (const setting of texts.settings) yield* sql.unsafe(setting)
  const indexes = yield* sql.unsafe<Index>(texts.indexes)
  for (const { name } of indexes) yield* sql.unsafe(`DROP INDEX ${name}`)
  for (const table of tables) {
    const columns = yield* sql.unsafe<{ readonly name: string }>(texts.columns(table))
    const names = columns.map(({ name }) => name)
    const values = names.map((name) => valueOf(table, name, texts))
    // A statement that reads the table that it writes would keep all rows aside.
    yield* sql.unsafe(`CREATE TABLE originals AS SELECT * FROM ${table}`)
    yield* sql.unsafe(`INSERT INTO ${table} (${names.join(", ")})
      SELECT ${values.join(", ")} FROM ${texts.numbers(times - 1)} CROSS JOIN originals`)
    yield* sql.unsafe("DROP TABLE originals")
  }
  for (const { definition } of indexes) yield* sql.unsafe(definition)
  yield* sql.unsafe("ANALYZE")
})

interface Index {
  readonly name: string
  readonly definition: string
}

const tables = ["payments", "attempts", "operations"] as const
type Table = (typeof tables)[number]

const valueOf = (table: Table, name: string, { integer, nineDigits }: Texts): string => {
  const id = table === "payments" ? "id" : "payment_id"
  const number = `(CAST(substr(${id}, length(${id}) - 8) AS ${integer}) + numbers.n * ${copied})`
  if (name === id || name === "id") return `substr(${name}, 1, length(${name}) - 9) || ${nineDigits(number)}`
  return name === "reference" ? `'order_' || ${number}` : name
}

interface Texts {
  readonly settings: ReadonlyArray<string>
  readonly integer: string
  readonly indexes: string
  readonly columns: (table: Table) => string
  readonly numbers: (count: number) => string
  readonly nineDigits: (number: string) => string
}

const names = tables.map((table) => `'${table}'`).join(", ")

const onPostgres: Texts = {
  settings: [],
  integer: "bigint",
  indexes: `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename IN (${names})
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = indexname)`,
  columns: (table) => `SELECT attname AS name FROM pg_attribute
    WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''`,
  numbers: (count) => `generate_series(1, ${count}) AS numbers (n)`,
  nineDigits: (number) => `lpad(${number}::text, 9, '0')`
}

const onSqlite: Texts = {
  settings: ["PRAGMA synchronous = OFF", "PRAGMA cache_size = -1048576"],
  integer: "INTEGER",
  indexes: `SELECT name, sql AS definition FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (${names})`,
  columns: (table) => `SELECT name FROM pragma_table_info('${table}')`,
  numbers: (count) => `(WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    SELECT n FROM numbers) AS numbers`,
  nineDigits: (number) => `printf('%09d', ${number})`
}
