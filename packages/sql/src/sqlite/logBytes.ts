import { Effect, Option } from "effect"
import { SqliteDatabase } from "./SqliteClient.ts"

/** The size of the write-ahead log of SQLite after the last commit, in bytes; `null`: the database is not a file of SQLite. */
export const sqliteLogBytes: Effect.Effect<number | null> = Effect.map(
  Effect.serviceOption(SqliteDatabase),
  (database) => (Option.isSome(database) ? database.value.files.walBytes() : null)
)
