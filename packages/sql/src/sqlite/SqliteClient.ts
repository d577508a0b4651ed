/**
 * Provides `effect/sql` on the `node:sqlite` of Node.js.
 *
 * One connection serves reads and writes; under load a thread with a connection of its own writes payments (see
 * `writer/Writer.ts`). A second connection for reads would not run in parallel, because `node:sqlite` is synchronous.
 * It would only spare a read the wait for a transaction that another fiber holds over an `await`. It would cost a
 * second page cache, and `:memory:` could not have it. A statement that is issued while such a transaction is open
 * waits until the transaction ends; otherwise the statement would become a part of it.
 *
 * Gotchas: inside `withTransaction`, do not wait for another fiber that needs the database.
 */
import { Context, Effect, Layer, Semaphore } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, Statement } from "effect/sql"
import type { SqlError } from "effect/sql"
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { databaseFiles, namingLoss, noFiles } from "./DatabaseFiles.ts"
import type { DatabaseFileLost, DatabaseFiles, FileReports } from "./DatabaseFiles.ts"
import { openDatabase } from "./openDatabase.ts"
import type { OpenOptions } from "./openDatabase.ts"
import { handingOver } from "./handingOver.ts"
import { makeConnection } from "./SqliteConnection.ts"
import { attempt } from "./SqliteError.ts"
import { statementCache } from "./statementCache.ts"

/** The SQLite connection below the `SqlClient`, for code that runs prepared statements itself. */
export class SqliteDatabase extends Context.Service<
  SqliteDatabase,
  {
    readonly db: DatabaseSync
    readonly options: SqliteClientOptions
    readonly files: DatabaseFiles
    /** The single permit for all work that holds the connection over an `await`. */
    readonly writing: Semaphore.Semaphore
    /**
     * A prepared statement of one SQL statement, from a bounded cache. Shared: leave its settings as they are. It is
     * `node:sqlite` without a wrapper, which binds `undefined` and any object as NULL: give it strings, finite numbers, bigints,
     * `Uint8Array` and null only. Throws `DatabaseFileLost` once the files were lost.
     */
    readonly prepare: (sql: string) => StatementSync
    /** Runs synchronous reads on committed data, or within the caller's own transaction. */
    readonly read: <A>(work: () => A) => Effect.Effect<A, SqlError.SqlError>
    /** Runs `effect` while no transaction is open and no other fiber holds the connection. */
    readonly whenFree: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError.SqlError, R>
    /** Whether an effect with this context runs inside `withTransaction` of the client on this database. */
    readonly inTransaction: (context: Context.Context<never>) => boolean
  }
>()("@paymux/sql/sqlite/SqliteDatabase") {}

export interface SqliteClientOptions extends OpenOptions {
  /**
   * The number of waiting commits from which a thread writes them, at least 1. Default 16; `Infinity`: no thread. A database in
   * memory and a platform without threads have no thread. Settings on `db` (pragmas, temporary triggers) are unknown to the thread.
   */
  readonly writerThreadFrom?: number
}

/**
 * Opens the database (created if it is missing) and closes it with the scope. Every commit is on the disk when the call
 * returns (`synchronous = FULL`). Fails with `SqlError`.
 *
 * @example
 * ```ts
 * const rows = Effect.gen(function* () {
 *   const sql = yield* SqlClient.SqlClient
 *   return yield* sql`SELECT 1 AS one`
 * }).pipe(Effect.provide(SqliteClient.layer({ filename: "payments.db" })))
 * ```
 */
export const layer = (
  options: SqliteClientOptions
): Layer.Layer<SqlClient.SqlClient | SqliteDatabase, SqlError.SqlError> =>
  Layer.effectContext(make(options)).pipe(Layer.provide(Reactivity.layer))

const make = Effect.fnUntraced(function* (options: SqliteClientOptions) {
  const { db, files } = yield* Effect.acquireRelease(open(options), ({ db, files }) =>
    Effect.sync(() => {
      if (db.isOpen) db.close()
      files.close()
    })
  )
  const isTransaction = () => db.isOpen && db.isTransaction
  const cached = statementCache(db)
  const prepare = (sql: string): StatementSync => {
    const lost = files.lost()
    if (lost !== null) throw lost
    return cached(sql)
  }
  const connection = makeConnection({ db, files, prepare })
  const writing = Semaphore.makeUnsafe(1)
  const acquirers = SqlClient.makeSqliteAcquirers({
    // The caller holds the permit, so no transaction should be open. A transaction that a failed ROLLBACK left open is
    // rolled back here.
    connection: Effect.suspend(() =>
      isTransaction()
        ? attempt("rollback", () => db.exec("ROLLBACK")).pipe(Effect.as(connection))
        : Effect.succeed(connection)
    ),
    semaphore: writing,
    isTransaction
  })
  const borrower: typeof acquirers.borrower = (use) =>
    handingOver((restore) => acquirers.borrower((connection) => restore(use(connection))))
  const client = yield* SqlClient.make({
    ...acquirers,
    borrower,
    compiler: Statement.makeCompilerSqlite(),
    driver: "paymux-sqlite",
    spanAttributes: [["db.system.name", "sqlite"]],
    // `IMMEDIATE` takes the write lock at once. A deferred transaction would fail, without waiting, when it changes
    // from reading to writing.
    beginTransaction: "BEGIN IMMEDIATE",
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
  const { withTransaction } = client
  Object.assign(client, {
    withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      handingOver((restore) => withTransaction(restore(effect)))
  } satisfies Partial<SqlClient.SqlClient>)
  const inTransaction = (context: Context.Context<never>) =>
    Context.getOrUndefined(context, client.transactionService) !== undefined
  const whenFree = <A, E, R>(effect: Effect.Effect<A, E, R>) => borrower(() => effect)
  const read = <A>(work: () => A) =>
    Effect.withFiber<A, SqlError.SqlError>((fiber) => {
      const reading = attempt("read", () => namingLoss(files, work))
      return !isTransaction() || inTransaction(fiber.context) ? reading : whenFree(reading)
    })
  return Context.make(SqliteDatabase, { db, options, files, writing, prepare, read, whenFree, inTransaction }).pipe(
    Context.add(SqlClient.SqlClient, client)
  )
})

interface Opened {
  readonly db: DatabaseSync
  readonly files: DatabaseFiles
}

const open = (options: SqliteClientOptions): Effect.Effect<Opened, SqlError.SqlError> =>
  Effect.withFiber(({ context }) => {
    const log = Effect.runForkWith(context)
    const reports: FileReports = {
      onLost: (fault) => void log(logLost(fault)),
      onLargeLog: (bytes) => void log(logLarge(options.filename, bytes))
    }
    return attempt(`open ${options.filename}`, () => {
      const db = openDatabase(options)
      try {
        return { db, files: options.readOnly === true ? noFiles : databaseFiles(db, options.filename, reports) }
      } catch (cause) {
        db.close()
        throw cause
      }
    })
  })

const logLost = ({ message }: DatabaseFileLost) =>
  Effect.logError(
    `${message} while the database was open. Nothing is acknowledged any more. Stop the server, restore the file, and start the server again.`
  )

const logLarge = (filename: string, bytes: number) =>
  Effect.logWarning(
    `${filename}-wal has grown to ${Math.round(bytes / 1024 / 1024)} MiB. If another program holds a read transaction open on the database, end it: until then, the file keeps growing.`
  )
