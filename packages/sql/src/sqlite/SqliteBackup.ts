import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { closeSync, fsyncSync, openSync, rmSync } from "node:fs"
import { attempt } from "./SqliteError.ts"

/**
 * Copies the SQLite file of the client to the first free `<file>.backup-<n>` beside it and returns that path. Nothing is
 * copied, and `undefined` returned, when there is no file (`:memory:`) or no table in it yet. Fails with `SqlError`.
 */
export const backupSqlite = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [main] = yield* sql<{ file: string }>`SELECT file FROM pragma_database_list WHERE name = 'main'`
  const [tables] = yield* sql<{ count: number }>`SELECT count(*) AS count FROM sqlite_schema WHERE type = 'table'`
  if (main === undefined || main.file === "" || tables === undefined || tables.count === 0) return undefined
  const target = yield* attempt("backup", () => claim(main.file))
  yield* sql`VACUUM INTO ${target}`.unprepared.pipe(
    Effect.andThen(attempt("backup", () => flush(target))),
    // An incomplete copy is removed, because it must not pass for a whole one.
    Effect.onError(() => Effect.sync(() => rmSync(target, { force: true })))
  )
  return target
})

// Creates an empty file to reserve the name, because another process may migrate at this moment. VACUUM INTO accepts an
// empty file.
const claim = (file: string): string => {
  for (let n = 1; ; n++) {
    const target = `${file}.backup-${n}`
    try {
      closeSync(openSync(target, "wx", 0o600))
      return target
    } catch (cause) {
      if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
    }
  }
}

// SQLite does not promise that the copy has reached the disk.
const flush = (file: string): void => {
  const handle = openSync(file, "r+")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
