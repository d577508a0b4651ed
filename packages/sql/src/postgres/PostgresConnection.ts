/** Connections of `effect/sql` on sessions of `@effect/sql-pg`, with a deadline on every statement. */
import type { PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, Stream } from "effect"
import type { SqlConnection } from "effect/sql"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { parameters } from "./codecs.ts"
import { withinDeadline } from "./deadline.ts"

type Session = PgConnection.PgConnection
type Connection = SqlConnection.Connection

type Bound = <A>(statement: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>

/**
 * A connection for one statement, on a session borrowed from the pool. It has no time limit, because the borrower
 * limits the time.
 */
export const statementConnection = (session: Session): Connection => makeConnection(session, (statement) => statement)

/**
 * A connection for a transaction. If a statement exceeds its deadline, or is lost or interrupted, the session and its
 * transaction are discarded. Then the following rollback cannot fail, because PostgreSQL has rolled back automatically,
 * or will.
 */
export const transactionConnection = (pool: PgPool.PgPool, session: Session, deadlineMs: number): Connection => {
  let lost = false
  const lose = Effect.suspend(() => {
    lost = true
    return pool.invalidate(session)
  })
  const bound: Bound = (statement) => withinDeadline(statement, deadlineMs, lose)
  const connection = makeConnection(session, bound)
  const ended = Effect.succeed([])
  return {
    ...connection,
    execute: (sql, params, transformRows) => {
      const statement = connection.execute(sql, params, transformRows)
      if (sql !== rollback) return statement
      return lost ? ended : Effect.catchTag(statement, "SqlError", () => Effect.as(lose, []))
    }
  }
}

export const rollback = "ROLLBACK"

/** PostgreSQL answers `ROLLBACK` to the COMMIT of a transaction that has failed, so the answer is checked. */
export const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) => {
    const { command } = result as PgConnection.Result
    return command === "COMMIT" ? Effect.void : Effect.fail(rolledBack())
  })

const rolledBack = (): SqlError => {
  const message = "The transaction had failed before its COMMIT, and was rolled back"
  return new SqlError({ reason: new UnknownError({ cause: new Error(message), message, operation: "commit" }) })
}

const makeConnection = (session: Session, bound: Bound): Connection => {
  const execute =
    (prepare: boolean): Connection["execute"] =>
    (sql, params, transformRows) => {
      const rows = Effect.map(bound(session.query(sql, parameters(params), prepare)), (result) => result.rows)
      return transformRows === undefined ? rows : Effect.map(rows, transformRows)
    }
  return {
    execute: execute(true),
    executeUnprepared: execute(false),
    executeRaw: (sql, params) => bound(session.query(sql, parameters(params))),
    executeValues: (sql, params) => bound(session.queryValues(sql, parameters(params))),
    executeValuesUnprepared: (sql, params) => bound(session.queryValues(sql, parameters(params), false)),
    executeStream: (sql, params, transformRows) => {
      const stream = session.stream(sql, parameters(params))
      return transformRows === undefined
        ? stream
        : Stream.mapArray(stream, (found) => {
            const [first = found[0], ...others] = transformRows(found)
            return [first, ...others]
          })
    }
  }
}
