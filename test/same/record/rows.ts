/** All rows of a database by SQL, whatever tables it has. */
import { PostgresClient, PostgresDatabase } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import { DatabaseSync } from "node:sqlite"
import type { Observed } from "../compare/Recording.ts"

type Row = { readonly [column: string]: unknown }

export const rowsOf = async (database: string): Promise<ReadonlyArray<Observed>> =>
  database.startsWith("sqlite:") ? sqliteRows(database.slice("sqlite:".length)) : postgresRows(database)

const sqliteRows = (file: string): ReadonlyArray<Observed> => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const read = (sql: string): ReadonlyArray<Row> => database.prepare(sql).all()
    const names = read("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    return names.flatMap(({ name }) =>
      read(`SELECT * FROM "${String(name)}"`).map((row) => observed(String(name), row))
    )
  } finally {
    database.close()
  }
}

const postgresRows = async (url: string): Promise<ReadonlyArray<Observed>> => {
  const names = await query(
    url,
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"
  )
  const rows: Array<Observed> = []
  for (const { table_name: name } of names) {
    for (const row of await query(url, `SELECT * FROM "${String(name)}"`)) rows.push(observed(String(name), row))
  }
  return rows
}

/** On a session of its own. */
export const query = (url: string, sql: string): Promise<ReadonlyArray<Row>> =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(PostgresDatabase, (database) => database.query(sql, [])),
      PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1, deadlineMs: 60_000 })
    )
  )

const observed = (table: string, row: Row): Observed => ({
  kind: "row",
  name: "",
  route: `table ${table}`,
  fields: Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, numbered(table, column, textOf(value))])
  )
})

/**
 * Rows that two payments write at once are numbered by chance, so a number is compared as an id. `webhook_deliveries.id` and `delivery_id`
 * are the same number: the beginning of the noun says so.
 */
const numbered = (table: string, column: string, text: string): string => {
  const noun = column === "id" ? table.slice(table.lastIndexOf("_") + 1) : /^(\w+)_id$/.exec(column)?.[1]
  return noun === undefined || !/^\d+$/.test(text) ? text : `row of ${noun.slice(0, 5)} #${text}`
}

const textOf = (value: unknown): string => {
  if (value === null) return "null"
  if (value instanceof Uint8Array) return bytes(value)
  return typeof value === "string" ? value : (JSON.stringify(value, bigints) ?? "undefined")
}

const bigints = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)

const bytes = (value: Uint8Array): string => {
  const buffer = Buffer.from(value)
  const text = buffer.toString("utf8")
  return Buffer.from(text, "utf8").equals(buffer) ? text : `0x${buffer.toString("hex")}`
}
