import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlConnection, SqlError } from "effect/sql"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import { namingLoss } from "./DatabaseFiles.ts"
import type { DatabaseFiles } from "./DatabaseFiles.ts"
import { attempt } from "./SqliteError.ts"
import { prepareOne } from "./statementCache.ts"

type Run<A> = (statement: StatementSync, values: ReadonlyArray<SQLInputValue>) => A

const all: Run<ReadonlyArray<object>> = (statement, values) => statement.all(...values)

export interface ConnectionOptions {
  readonly db: DatabaseSync
  readonly files: DatabaseFiles
  readonly prepare: (sql: string) => StatementSync
}

/** Makes a connection of `effect/sql`. It runs a statement at once, without a check of the connection's permit. */
export const makeConnection = ({ db, files, prepare }: ConnectionOptions): SqlConnection.Connection => {
  const run = <A>(
    statementOf: (sql: string) => StatementSync,
    sql: string,
    params: ReadonlyArray<unknown>,
    use: Run<A>
  ) =>
    Effect.withFiber<A, SqlError.SqlError>((fiber) =>
      attempt("execute", () =>
        namingLoss(files, () => {
          const statement = statementOf(sql)
          const values = params.map(toBinding)
          const result = fiber.getRef(SqlClient.SafeIntegers)
            ? withBigInts(statement, values, use)
            : use(statement, values)
          // No transaction is open, so the statement may have been a commit: the files of the database are checked.
          const lost = db.isTransaction ? null : files.check()
          if (lost !== null) throw lost
          return result
        })
      )
    )
  const once = (sql: string) => prepareOne(db, sql)
  const executeWith =
    (statementOf: (sql: string) => StatementSync): SqlConnection.Connection["execute"] =>
    (sql, params, transformRows) => {
      const rows = run(statementOf, sql, params, all)
      return transformRows === undefined ? rows : Effect.map(rows, transformRows)
    }
  const execute = executeWith(prepare)
  return {
    execute,
    executeRaw: (sql, params) => run(prepare, sql, params, raw),
    // Reads all rows at once: a statement that stays open over an `await` keeps its snapshot, and the log cannot be truncated.
    executeStream: (sql, params, transformRows) =>
      Stream.unwrap(Effect.map(execute(sql, params, transformRows), Stream.fromIterable)),
    executeValues: (sql, params) => run(prepare, sql, params, asArrays),
    executeValuesUnprepared: (sql, params) => run(once, sql, params, asArrays),
    executeUnprepared: executeWith(once)
  }
}

const raw: Run<unknown> = (statement, values) =>
  statement.columns().length > 0 ? statement.all(...values) : statement.run(...values)

// With `setReturnArrays` the rows are arrays, which the types of node:sqlite do not declare.
const asArrays: Run<ReadonlyArray<ReadonlyArray<unknown>>> = (statement, values) => {
  statement.setReturnArrays(true)
  try {
    return statement.all(...values) as unknown as ReadonlyArray<ReadonlyArray<unknown>>
  } finally {
    statement.setReturnArrays(false)
  }
}

const withBigInts = <A>(statement: StatementSync, values: ReadonlyArray<SQLInputValue>, use: Run<A>): A => {
  statement.setReadBigInts(true)
  try {
    return use(statement, values)
  } finally {
    statement.setReadBigInts(false)
  }
}

// Dates are text in ISO 8601, UTC. node:sqlite stores NULL for `undefined`, NaN and objects.
const toBinding = (value: unknown, index: number): SQLInputValue => {
  if (value === null || typeof value === "string" || typeof value === "bigint") return value
  if (typeof value === "number" && Number.isFinite(value)) return value
  if (typeof value === "boolean") return value ? 1 : 0
  if (value instanceof Uint8Array) return value
  if (value instanceof Date) return value.toISOString()
  const kind = typeof value === "number" ? String(value) : typeof value
  throw new TypeError(`SQL parameter ${index + 1} cannot be ${kind}`)
}
