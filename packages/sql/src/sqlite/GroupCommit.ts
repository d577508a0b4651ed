/**
 * Group commit: the commits that wait in one turn of the event loop are one transaction. While more keep arriving, the transaction
 * waits for a few turns.
 *
 * A durable commit costs one flush of the disk however much it writes, so callers that write at the same time share it. The work of
 * one caller is a unit: a commit as data (see `Commit`), or a synchronous function. No timer collects units: a unit that is submitted
 * alone is committed at the end of the current turn.
 *
 * Under load, units that are data are sent to a thread that writes, half of those under way at a time, so that the event loop can
 * prepare the next ones. Order is kept: a unit that is a function waits for the thread, and later units wait for that unit.
 *
 * Gotchas: a unit may run twice, so its only effect is SQL, and it does not catch errors of SQLite. Deferred constraints are checked
 * at COMMIT, where a violation fails the whole batch: do not use them.
 */
import { Effect, Exit } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseFileLost } from "./DatabaseFiles.ts"
import { isSqliteFailure } from "./failureCodes.ts"
import type { SqliteDatabase } from "./SqliteClient.ts"
import { toSqlError } from "./SqliteError.ts"
import { resultOf, runSteps } from "./steps.ts"
import type { Commit, Stop } from "./steps.ts"
import { transactions } from "./transactions.ts"
import type { TransactionUnit } from "./transactions.ts"
import { WriterLost } from "./writer/Writer.ts"
import type { Writer, WrittenCommit } from "./writer/Writer.ts"

type Database = SqliteDatabase["Service"]

export interface GroupCommit {
  /**
   * Runs `work` inside a transaction shared with other callers, and succeeds with its value once the transaction is on
   * the disk.
   *
   * - `work` returns: committed. To refuse without failing (a lost compare-and-set), write nothing and return so.
   * - `work` throws an error of SQLite: only this caller fails, with `SqlError`, and none of its writes are kept.
   *   Anything else that it throws is a defect of this caller.
   * - BEGIN or COMMIT fails (disk full, another process holds the file), or the files of the database were lost: every
   *   caller of the batch fails with `SqlError`.
   * - A commit as data succeeds with the result of the first need that is not met; then nothing is written.
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
  readonly submit: <A>(work: Work<A>) => Effect.Effect<A, SqlError>
}

export interface GroupCommitOptions {
  readonly database: Database
  /**
   * The maximum number of units in one transaction, which limits the time that the event loop is blocked. Default 256.
   */
  readonly maxBatch?: number
  /** The thread that writes. Default: no thread, so that everything is written on the event loop. */
  readonly writer?: Writer | null
  /**
   * The minimum number of waiting commits for which the thread is used, at least 1. Default 16: for fewer commits, a
   * message costs more than it saves.
   */
  readonly fewestSent?: number | undefined
}

/** The maximum number of event loop turns during which a batch may grow. */
const mostTurns = 4

/** The maximum number of batches that the thread has at a time: one that it writes, and the next. */
export const mostSent = 2

/** The maximum number of batches that the thread writes before other users of the connection get their turn. */
const mostInLease = 8

export const make = (options: GroupCommitOptions): GroupCommit => {
  const { database } = options
  const { add } = queueOf(options)

  const submit = <A>(work: Work<A>) => {
    const queued = Effect.callback<A, SqlError>((resume) => {
      const unit = unitOf(database, work, resume)
      add(unit)
      return Effect.sync(() => {
        unit.dropped = true
      })
    })
    return Effect.withFiber<A, SqlError>((fiber) =>
      database.inTransaction(fiber.context)
        ? Effect.die(
            new Error("GroupCommit was called inside SqlClient.withTransaction, where it would wait for itself")
          )
        : queued
    )
  }
  return { submit }
}

/** The work of one caller. A function runs on the event loop; only a commit as data can be sent to the thread. */
type Work<A> = ((database: Database) => A) | Commit<A>

/** A unit of work that waits for its transaction. */
interface Unit extends TransactionUnit {
  dropped: boolean
  /** The commit as data; `null`: the unit is a function. */
  readonly written: WrittenCommit | null
  /** Resumes the caller with the unit's last result, because a batch may run twice. */
  readonly settle: () => void
}

const unitOf = <A>(database: Database, work: Work<A>, resume: (exit: Exit.Exit<A, SqlError>) => void): Unit => {
  let exit: Exit.Exit<A, SqlError> = neverRun
  const fail = (cause: unknown) => {
    exit = failure(cause)
  }
  const settle = () => resume(exit)
  if (typeof work === "function") {
    const run = () => {
      exit = Exit.succeed(work(database))
    }
    return { dropped: false, written: null, run, fail, settle }
  }
  // If the result row cannot be read, the caller gets a defect and the writes stay, as for a commit in the thread.
  const done = (stop: Stop | null) => {
    try {
      exit = Exit.succeed(resultOf(work, stop))
    } catch (cause) {
      fail(cause)
    }
  }
  const { steps } = work
  return {
    dropped: false,
    written: { steps, done, fail },
    run: () => done(runSteps(database.prepare, steps)),
    fail,
    settle
  }
}

const neverRun: Exit.Exit<never, SqlError> = Exit.die(new Error("A unit was settled before it was run"))

const failure = (cause: unknown): Exit.Exit<never, SqlError> => {
  if (isSqlError(cause)) return Exit.fail(cause)
  return isSqliteFailure(cause) || cause instanceof WriterLost || cause instanceof DatabaseFileLost
    ? Exit.fail(toSqlError(cause, "submit"))
    : Exit.die(cause)
}

const queueOf = ({ database, fewestSent = 16, maxBatch = 256, writer = null }: GroupCommitOptions) => {
  const { db, files } = database
  const runBatch = transactions(db)
  const waiting: Array<Unit> = []
  const fewest = Math.max(1, fewestSent)
  /** The number of batches that the thread has, and of the units in them. */
  const sent = { batches: 0, units: 0 }
  /** A moving estimate of the number of concurrent units. */
  let underWay = 0
  /**
   * The permit of the connection, while the queue holds it. The queue holds it while the thread may write, so that
   * nothing else writes.
   */
  let lease: Lease | null = null
  let asked = false
  let scheduled = false
  let gathered = 0
  let turns = 0

  const add = (unit: Unit) => {
    waiting.push(unit)
    const half = underWay / 2
    const isChunk = half >= fewest && sent.batches < mostSent && !asked && isSendable(half)
    if (!isChunk) return schedule()
    if (lease === null) ask()
    else if (lease.left > 0) send(lease)
  }

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
    // Waits another turn while more units arrive: a turn of the event loop costs less than another flush of the disk.
    const count = waiting.length
    if (count > gathered && count < maxBatch && ++turns < mostTurns) return nextTurn()
    scheduled = false
    // Returns without a batch: the reply of the thread, or the granted permit, starts the next one.
    if (asked || sent.batches > 0) return
    if (lease !== null) {
      if (lease.left > 0 && isSendable(fewest)) send(lease)
      else lease.end()
      return
    }
    // A batch on the event loop runs without a pause, so it needs the permit only if a transaction is open. If the
    // database is closed, the batch fails.
    if (isSendable(fewest) || (db.isOpen && db.isTransaction)) ask()
    else settle(runNext())
  }

  /** Requests the permit; then the waiting units are sent to the thread, or are run here. */
  const ask = () => {
    asked = true
    Effect.runFork(
      Effect.match(database.whenFree(granted), {
        onSuccess: settle,
        onFailure: (error) => {
          asked = false
          const batch = take(waiting.length)
          for (const unit of batch) unit.fail(error)
          settle(batch)
        }
      })
    )
  }

  const granted = Effect.callback<ReadonlyArray<Unit>>((resume) => {
    asked = false
    if (!isSendable(fewest)) return resume(Effect.succeed(runNext()))
    lease = {
      left: mostInLease,
      end: () => {
        lease = null
        resume(Effect.succeed([]))
      }
    }
    send(lease)
  })

  /** Takes at most `maxBatch` units from the queue, without those whose callers have gone. */
  const take = (most: number): ReadonlyArray<Unit> => {
    underWay = Math.max(waiting.length + sent.units, underWay * 0.9)
    const taken = waiting.splice(0, Math.min(most, maxBatch))
    return taken.filter((unit) => !unit.dropped)
  }

  const runNext = (): ReadonlyArray<Unit> => {
    const batch = take(waiting.length)
    if (!isRefused(batch)) runBatch(batch)
    return batch
  }

  /** Checks for a copy over the file before the commit, whose checkpoint could write over the copy. */
  const isRefused = (batch: ReadonlyArray<Unit>): boolean => {
    const lost = files.checkContent()
    if (lost !== null) for (const unit of batch) unit.fail(lost)
    return lost !== null
  }

  const settle = (batch: ReadonlyArray<Unit>) => {
    // Checked after the commit and before its acknowledgement: the next start finds only the contents of the files of these
    // names.
    const lost = batch.length === 0 ? null : files.check()
    if (lost !== null) for (const unit of batch) unit.fail(lost)
    if (waiting.length > 0 || lease !== null) schedule()
    for (const unit of batch) unit.settle()
  }

  /** Whether at least this many waiting units can be sent to the thread. */
  const isSendable = (most: number): boolean =>
    writer !== null && waiting.length >= most && db.isOpen && writer.isReady() && leadingCommits() >= most

  /** The number of waiting units that can be sent to the thread: units after a function wait for that function. */
  const leadingCommits = (): number => {
    const first = waiting.findIndex(({ written }) => written === null)
    return first === -1 ? waiting.length : first
  }

  const send = (current: Lease) => {
    const batch = take(leadingCommits())
    current.left--
    sent.batches++
    sent.units += batch.length
    const settled = () => {
      sent.batches--
      sent.units -= batch.length
      settle(batch)
    }
    if (isRefused(batch)) setImmediate(settled)
    else
      writer?.send(
        batch.flatMap(({ written }) => written ?? []),
        settled
      )
  }

  return { add }
}

interface Lease {
  /** The number of batches that may still be sent under this permit. */
  left: number
  /** Releases the permit. */
  readonly end: () => void
}
