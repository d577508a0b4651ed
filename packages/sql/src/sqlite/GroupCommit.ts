/**
 * Group commit: what waits in a turn of the event loop, or in a few while more keep coming, is one SQLite transaction.
 *
 * A durable commit costs one flush of the disk however much it holds, so callers that write at the same time share it.
 * No timer gathers them: a unit submitted alone is committed at the end of the current turn.
 *
 * Where many wait, and a thread is there that writes, it is given those that are data (see `Commit`): half of what is under way
 * at a time, so that the event loop prepares the next ones while it writes. Order is kept: what is a function waits for the
 * thread, and what comes after it waits as well.
 *
 * Gotchas: a unit is a plain synchronous function. It may run twice, so its only effect is SQL, and it lets the errors
 * of SQLite escape. Deferred constraints are checked at COMMIT, where a violation fails the whole batch: do not use them.
 */
import { Effect, Exit } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { SqliteDatabase } from "./SqliteClient.ts"
import type { Commit } from "./steps.ts"
import { transactions } from "./transactions.ts"
import { unitOf, unitOfCommit, waitingUnits } from "./units.ts"
import type { Resume, Unit } from "./units.ts"
import type { Writer, WrittenCommit } from "./writer/Writer.ts"

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
  /** The same for a commit as data: any of its needs that is not met is its result, and no failure. */
  readonly commit: <A>(commit: Commit<A>) => Effect.Effect<A, SqlError>
}

export interface GroupCommitOptions {
  readonly database: Database
  /** The most units in one transaction, so that the event loop is not held for long. Default 256. */
  readonly maxBatch?: number
  /** Default: none, and everything is written on the event loop. */
  readonly writer?: Writer | null
  /** How many commits must wait for the writer to be given them. Default 16: for fewer, a message costs more than it saves. */
  readonly fewestSent?: number | undefined
}

/** Turns of the event loop that a batch may grow over. */
const mostTurns = 4

/** Batches that the thread has at a time: one that it writes, and the next. */
const mostSent = 2

export const make = (options: GroupCommitOptions): GroupCommit => {
  const { database } = options
  const { add } = queueOf(options)

  const enqueue = <A>(makeUnit: (resume: Resume<A>) => Unit) =>
    Effect.callback<A, SqlError>((resume) => {
      const unit = makeUnit(resume)
      add(unit)
      return Effect.sync(() => {
        unit.dropped = true
      })
    })

  const outsideTransaction = <A>(queued: Effect.Effect<A, SqlError>) =>
    Effect.withFiber<A, SqlError>((fiber) =>
      database.inTransaction(fiber.context)
        ? Effect.die(
            new Error("GroupCommit was called inside SqlClient.withTransaction, where it would wait for itself")
          )
        : queued
    )

  return {
    submit: (work) => outsideTransaction(enqueue((resume) => unitOf(database, work, resume))),
    commit: (commit) => outsideTransaction(enqueue((resume) => unitOfCommit(database, commit, resume)))
  }
}

const queueOf = ({ database, fewestSent = 16, maxBatch = 256, writer = null }: GroupCommitOptions) => {
  const { db } = database
  const runBatch = transactions(db)
  const waiting = waitingUnits(maxBatch)
  /** What the thread has: batches, and units in them. */
  const sent = { batches: 0, units: 0 }
  /** How many units are under way at a time, of late. */
  let underWay = 0
  let scheduled = false
  let gathered = 0
  let turns = 0

  const add = (unit: Unit) => {
    waiting.add(unit)
    const half = underWay / 2
    if (sent.batches < mostSent && half >= fewestSent && isSendable(half)) send()
    else schedule()
  }

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    turns = 0
    nextTurn()
  }

  const nextTurn = () => {
    gathered = waiting.count()
    setImmediate(turn)
  }

  const turn = () => {
    // While more arrive, a further turn costs less than a further flush of the disk.
    const count = waiting.count()
    if (count > gathered && count < maxBatch && ++turns < mostTurns) return nextTurn()
    scheduled = false
    // Its answer leads here again.
    if (sent.batches > 0) return
    if (isSendable(fewestSent)) return send()
    // A batch runs without a pause: if no transaction is open, it interferes with nothing and needs no permit.
    // If the database is closed, the batch fails.
    if (db.isOpen && db.isTransaction) runWhenFree()
    else settle(runNext())
  }

  const runWhenFree = () => {
    scheduled = true
    const settleNext = (batch: ReadonlyArray<Unit>) => {
      scheduled = false
      settle(batch)
    }
    Effect.runFork(
      Effect.match(database.whenFree(Effect.sync(runNext)), {
        onSuccess: settleNext,
        onFailure: (error) => {
          const batch = take(waiting.count())
          for (const unit of batch) unit.end(Exit.fail(error))
          settleNext(batch)
        }
      })
    )
  }

  const take = (most: number): ReadonlyArray<Unit> => {
    underWay = Math.max(waiting.count() + sent.units, underWay * 0.9)
    return waiting.take(most)
  }

  const runNext = (): ReadonlyArray<Unit> => {
    const batch = take(waiting.count())
    runBatch(batch)
    return batch
  }

  const settle = (batch: ReadonlyArray<Unit>) => {
    if (waiting.count() > 0) schedule()
    for (const unit of batch) unit.settle()
  }

  /** Whether the thread can have so many. */
  const isSendable = (fewest: number): boolean =>
    writer !== null && waiting.leadingCommits() >= fewest && db.isOpen && !db.isTransaction && writer.isReady()

  const send = () => {
    const batch = take(waiting.leadingCommits())
    sent.batches++
    sent.units += batch.length
    writer?.send(batch.map(writtenBy), () => {
      sent.batches--
      sent.units -= batch.length
      settle(batch)
    })
  }

  return { add }
}

const writtenBy = ({ fail, ran, steps }: Unit): WrittenCommit => ({ steps: steps ?? [], done: ran, fail })
