import { Effect } from "effect"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import { DatabaseFileLost } from "./DatabaseFiles.ts"
import { isClosed, sqliteCode } from "./failureCodes.ts"

const SQLITE_FULL = 13
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555
const SQLITE_CONSTRAINT_UNIQUE = 2067

/**
 * Converts an exception of `node:sqlite` to an `SqlError` with a reason: `UniqueViolation`, `ConstraintError`,
 * `LockTimeoutError` (busy or locked by another process), `ConnectionError` (cannot be opened, closed, or its files
 * were lost), otherwise `UnknownError` (disk full, syntax, I/O) with SQLite's own message.
 */
export const toSqlError = (cause: unknown, operation: string): SqlError => {
  const code = sqliteCode(cause)
  const message = describe(cause, code)
  if (code === undefined) return new SqlError({ reason: classifySqliteError(closed(cause), { message, operation }) })
  // The classifier reads `errno`, but node:sqlite uses `errcode`. A duplicate primary key counts as a unique violation,
  // as on PostgreSQL.
  const errno = code === SQLITE_CONSTRAINT_PRIMARYKEY ? SQLITE_CONSTRAINT_UNIQUE : code
  return new SqlError({
    reason: classifySqliteError(Object.assign(new Error(message, { cause }), { errno }), { message, operation })
  })
}

/** Runs synchronous work on the database and converts its exceptions to `SqlError`. */
export const attempt = <A>(operation: string, work: () => A): Effect.Effect<A, SqlError> =>
  Effect.try({ try: work, catch: (cause) => toSqlError(cause, operation) })

const closed = (cause: unknown): unknown => {
  if (cause instanceof DatabaseFileLost) return cannotOpen(cause.message, cause)
  return isClosed(cause) ? cannotOpen("The database is closed", cause) : cause
}

const cannotOpen = (message: string, cause: unknown) =>
  Object.assign(new Error(message, { cause }), { code: "SQLITE_CANTOPEN" })

const describe = (cause: unknown, code: number | undefined): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return code !== undefined && (code & 0xff) === SQLITE_FULL ? `No room left for the database: ${message}` : message
}
