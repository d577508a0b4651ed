import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { attempt } from "./SqliteError.ts"

/**
 * Copies the SQLite file of the client to the first free `<file>.backup-<n>` beside it and returns that path. Nothing is
 * copied, and `undefined` returned, when there is no file (`:memory:`) or no table in it yet. Fails with `SqlError`.
 *
 * The copy has the suffix `.partial` until it is complete, so that an incomplete one does not pass for a backup after
 * the process was killed.
 */
export const backupSqlite = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [main] = yield* sql<{ file: string }>`SELECT file FROM pragma_database_list WHERE name = 'main'`
  const [tables] = yield* sql<{ count: number }>`SELECT count(*) AS count FROM sqlite_schema WHERE type = 'table'`
  if (main === undefined || main.file === "" || tables === undefined || tables.count === 0) return undefined
  const target = yield* attempt("backup", () => claim(main.file))
  const partial = partialOf(target)
  yield* sql`VACUUM INTO ${partial}`.unprepared.pipe(
    Effect.andThen(
      attempt("backup", () => {
        flush(partial)
        renameSync(partial, target)
        flushFolder(target)
      })
    ),
    Effect.onError(() => Effect.sync(() => rmSync(partial, { force: true })))
  )
  return target
})

const partialOf = (target: string): string => `${target}.partial`

// Creates an empty file to reserve the name, because another process may migrate at this moment. VACUUM INTO accepts an
// empty file.
const claim = (file: string): string => {
  for (let n = 1; ; n++) {
    const target = `${file}.backup-${n}`
    try {
      closeSync(openSync(partialOf(target), "wx", 0o600))
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") continue
      throw cause
    }
    if (!existsSync(target)) return target
    rmSync(partialOf(target))
  }
}

// So that the name also survives a power loss. Windows cannot open a folder, and writes it with the file.
const flushFolder = (file: string): void => {
  if (process.platform === "win32") return
  const handle = openSync(dirname(file), "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
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
