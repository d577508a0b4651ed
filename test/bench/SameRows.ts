/**
 * Holds two databases against each other: the same settings, the same number of rows in every table, and the same
 * content once ids, times and hashes are taken out. A comparison of unequal work is worth nothing.
 */
import { coreMigrations } from "@paymux/sql"
import { DatabaseSync } from "node:sqlite"
import { query } from "./PostgresDatabases.ts"

/** Per table: the rows as they look without what differs from row to row, and how many look so. */
export type TableContent = ReadonlyMap<string, ReadonlyMap<string, number>>

export interface Work {
  readonly name: string
  readonly payments: number
  readonly content: TableContent
}

/** Of an open database: its settings are those of the connection. */
export const settingsOf = (database: DatabaseSync): string =>
  [
    "journal_mode",
    "synchronous",
    "foreign_keys",
    "temp_store",
    "wal_autocheckpoint",
    "journal_size_limit",
    "cache_size"
  ]
    .map((name) => JSON.stringify(database.prepare(`PRAGMA ${name}`).get()))
    .join(" ")

/** One sentence per difference, the first ten; none: the two did the same work for `payments` payments each. */
export const differences = (one: Work, other: Work): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const table of tables) {
    const left = one.content.get(table) ?? new Map<string, number>()
    const right = other.content.get(table) ?? new Map<string, number>()
    for (const [shape, count] of left) {
      const perPayment = count / one.payments
      const there = (right.get(shape) ?? 0) / other.payments
      if (perPayment !== there) {
        found.push(`${table}: ${perPayment} per payment of ${one.name}, ${there} of ${other.name}: ${shape}`)
      }
    }
    for (const shape of right.keys()) if (!left.has(shape)) found.push(`${table}: only ${other.name} has ${shape}`)
  }
  return found.slice(0, 10)
}

const tables = coreMigrations.migrations
  .flatMap(({ sqlite }) => sqlite)
  .flatMap((statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? [])
  // Background tasks of the server fill these, and the mark is one row of the database, not of a payment.
  .filter((table) => !table.startsWith("statistics_") && table !== "restoration" && table !== "provider_leases")

/** `ignore` names columns as `table.column`: positions, and what a background worker fills in later. */
export const contentOfSqlite = (filename: string, ignore: ReadonlyArray<string> = []): TableContent => {
  const database = new DatabaseSync(filename, { readOnly: true })
  try {
    return new Map(
      tables.map((table) => [table, shapesOf(table, database.prepare(`SELECT * FROM ${table}`).iterate(), ignore)])
    )
  } finally {
    database.close()
  }
}

/** As of an SQLite file, of a database on a server. */
export const contentOfPostgres = async (url: string, ignore: ReadonlyArray<string> = []): Promise<TableContent> => {
  const content = new Map<string, ReadonlyMap<string, number>>()
  for (const table of tables) content.set(table, shapesOf(table, await query(url, `SELECT * FROM ${table}`), ignore))
  return content
}

const shapesOf = (
  table: string,
  rows: Iterable<{ readonly [column: string]: unknown }>,
  ignore: ReadonlyArray<string>
): ReadonlyMap<string, number> => {
  const shapes = new Map<string, number>()
  for (const row of rows) {
    const compared = Object.entries(row).filter(([column]) => !ignore.includes(`${table}.${column}`))
    const shape = shapeOf(JSON.stringify(Object.fromEntries(compared)))
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1)
  }
  return shapes
}

/** Ids, keys, times and hashes differ from payment to payment; their kind and their length must not. */
const shapeOf = (row: string): string =>
  row
    .replaceAll(/(pay|op|evt|eng)_[0-9a-z]{26}/g, "$1_<id>")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>")
    .replaceAll(/\b(sha256:)?[0-9a-f]{64}\b/g, "<sha256>")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>")
    .replaceAll(/\b1\d{12}\b/g, "<ms>")
