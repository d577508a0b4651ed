/** The first column of a statement, on either database; both understand the same text. */
import { PostgresClient, PostgresDatabase } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import { DatabaseSync } from "node:sqlite"

/** `database`: as `createPaymux` takes it. */
export const column = (database: string, sql: string): Promise<ReadonlySet<string>> =>
  database.startsWith("sqlite:") ? ofSqlite(database.slice("sqlite:".length), sql) : ofPostgres(database, sql)

const ofSqlite = async (file: string, sql: string) => {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare(sql).all()
  database.close()
  return textsOf(rows)
}

const ofPostgres = async (url: string, sql: string) =>
  textsOf(
    await Effect.runPromise(
      Effect.flatMap(PostgresDatabase, ({ query }) => query(sql, [])).pipe(
        Effect.provide(PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true })
      )
    )
  )

const textsOf = (rows: ReadonlyArray<object>): ReadonlySet<string> =>
  new Set(rows.map((row) => String(Object.values(row)[0])))
