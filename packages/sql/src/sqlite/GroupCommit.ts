/**
 * Group commit: what waits in a turn of the event loop, or in a few while more keep coming, is one SQLite transaction.
 *
 * A durable commit costs one flush of the disk however much it holds, so callers that write at the same time share it.
 * No timer gathers them: a unit submitted alone is committed at the end of the current turn.
 *
 * Gotchas: a unit is a plain synchronous function. It may run twice, so its only effect is SQL, and it lets the errors
 * of SQLite escape. Deferred constraints are checked at COMMIT, where a violation fails the whole batch: do not use them.
 */
import { Effect, Exit } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { SqliteDatabase } from "./SqliteClient.ts"
import { isSqliteFailure, toSqlError } from "./SqliteError.ts"

type Database = SqliteDatabase["Service"]

export interface GroupCommit {
  /**
   * Runs `work` inside a transaction shared with others and succeeds with its value once that is on the disk.
   *
   * - `work` returns: committed. To refuse without failing (a lost compare-and-set), write nothing and return so.
   * - `work` throws an error of SQLite: only this caller fails, with `SqlError`, and nothing of it is kept. Anything else
   *   that it throws is a defect of this caller.
   * - BEGIN or COMMIT fails (disk full, another process holds the file): every caller of the batch fails with `SqlError`.
   * - A caller that is interrupted before its unit has started leaves the queue; afterwards the unit is committed.
   *
   * Inside `SqlClient.withTransaction` it dies at once, as it would wait for its own caller.
   *
   * @example
   * ```ts
   * const saved = group.submit(({ prepare }) =>
   *   prepare("UPDATE payments SET version = version + 1 WHERE id = ? AND version = ?").run(id, version).changes === 1
   * )
   * ```
   */
  readonly submit: <A>(work: (database: Database) => A) => Effect.Effect<A, SqlError>
}

export interface GroupCommitOptions {
  readonly database: Database
  /** The most units in one transaction, so that the event loop is not held for long. Default 256. */
  readonly maxBatch?: number
}

/** Turns of the event loop that a batch may grow over. */
const mostTurns = 4

export const make = (options: GroupCommitOptions): GroupCommit => {
  const { database, maxBatch = 256 } = options
  const runBatch = batchRunner(database)
  let waiting: Array<Unit> = []
  let scheduled = false
  let gathered = 0
  let turns = 0

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    turns = 0
    nextTurn()
  }

  const nextTurn = () => {
    gathered = waiting.length
    setImmediate(turn)
  }

  const turn = () => {
    // While more arrive, a further turn costs less than a further flush of the disk.
    if (waiting.length > gathered && waiting.length < maxBatch && ++turns < mostTurns) return nextTurn()
    // A batch runs without a pause: if no transaction is open, it interferes with nothing and needs no permit.
    // If the database is closed, the batch fails.
    if (!(database.db.isOpen && database.db.isTransaction)) return settle(runNext())
    Effect.runFork(
      Effect.match(database.whenFree(Effect.sync(runNext)), {
        onSuccess: settle,
        onFailure: (error) => settle(failAll(takeBatch(), Exit.fail(error)))
      })
    )
  }

  const runNext = () => runBatch(takeBatch())

  const takeBatch = (): ReadonlyArray<Unit> => {
    const taken = waiting.length <= maxBatch ? waiting : waiting.slice(0, maxBatch)
    waiting = waiting.length <= maxBatch ? [] : waiting.slice(maxBatch)
    return taken.filter((unit) => !unit.dropped)
  }

  const settle = (batch: ReadonlyArray<Unit>) => {
    scheduled = false
    if (waiting.length > 0) schedule()
    for (const unit of batch) unit.settle()
  }

  const enqueue = <A>(work: (database: Database) => A) =>
    Effect.callback<A, SqlError>((resume) => {
      const unit = makeUnit(database, work, resume)
      waiting.push(unit)
      schedule()
      return Effect.sync(() => {
        unit.dropped = true
      })
    })

  return {
    submit: (work) =>
      Effect.withFiber((fiber) =>
        database.inTransaction(fiber.context)
          ? Effect.die(
              new Error(
                "GroupCommit.submit was called inside SqlClient.withTransaction, where it would wait for itself"
              )
            )
          : enqueue(work)
      )
  }
}

interface Unit {
  dropped: boolean
  readonly run: () => void
  readonly fail: (failure: Exit.Exit<never, SqlError>) => void
  readonly settle: () => void
}

const makeUnit = <A>(
  database: Database,
  work: (database: Database) => A,
  resume: (exit: Exit.Exit<A, SqlError>) => void
): Unit => {
  let exit: Exit.Exit<A, SqlError> = neverRun
  return {
    dropped: false,
    run: () => {
      exit = Exit.succeed(work(database))
    },
    fail: (failure) => {
      exit = failure
    },
    settle: () => resume(exit)
  }
}

const neverRun: Exit.Exit<never, SqlError> = Exit.die(new Error("A unit was settled before it was run"))

/** Gives every unit of a batch its exit and returns the batch. It never throws. */
const batchRunner = (database: Database) => {
  const { db } = database
  const begin = db.prepare("BEGIN IMMEDIATE")
  const commit = db.prepare("COMMIT")
  const rollback = db.prepare("ROLLBACK")
  const savepoint = db.prepare("SAVEPOINT unit")
  const release = db.prepare("RELEASE unit")
  const undo = db.prepare("ROLLBACK TO unit")

  const runBatch = (batch: ReadonlyArray<Unit>): ReadonlyArray<Unit> => {
    if (batch.length === 0) return batch
    const thrown = transaction(batch, () => {
      for (const unit of batch) unit.run()
    })
    // Who threw is not known, nor whether the others would have passed without it: each is tried on its own.
    if (thrown !== undefined && batch.length > 1) transaction(batch, () => batch.forEach(runApart))
    return batch
  }

  /** Returns what `body` threw. In every case in which nothing was committed, all units have failed. */
  const transaction = (batch: ReadonlyArray<Unit>, body: () => void): { readonly cause: unknown } | undefined => {
    let inBody = false
    try {
      begin.run()
      inBody = true
      body()
      inBody = false
      commit.run()
      return undefined
    } catch (cause) {
      failAll(batch, failure(cause))
      rollbackIfOpen()
      return inBody ? { cause } : undefined
    }
  }

  const runApart = (unit: Unit) => {
    savepoint.run()
    try {
      unit.run()
    } catch (cause) {
      // On a full disk SQLite may end the whole transaction: then the units before this one are lost as well.
      if (!db.isTransaction) throw cause
      undo.run()
      unit.fail(failure(cause))
    }
    release.run()
  }

  const rollbackIfOpen = () => {
    try {
      if (db.isTransaction) rollback.run()
    } catch {
      // The transaction stays open, so the next batch goes through `whenFree`, which ends it or fails with the reason.
    }
  }

  return runBatch
}

const failAll = (batch: ReadonlyArray<Unit>, exit: Exit.Exit<never, SqlError>): ReadonlyArray<Unit> => {
  for (const unit of batch) unit.fail(exit)
  return batch
}

const failure = (cause: unknown): Exit.Exit<never, SqlError> =>
  isSqliteFailure(cause) ? Exit.fail(toSqlError(cause, "submit")) : Exit.die(cause)
