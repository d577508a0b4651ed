/** Units that wait for a group commit, and the exits that their callers get. */
import { Exit } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseFileLost } from "./DatabaseFiles.ts"
import { isSqliteFailure } from "./failureCodes.ts"
import type { SqliteDatabase } from "./SqliteClient.ts"
import { toSqlError } from "./SqliteError.ts"
import { resultOf, runSteps } from "./steps.ts"
import type { Commit, RunnableStep, Stop } from "./steps.ts"
import type { TransactionUnit } from "./transactions.ts"
import { WriterLost } from "./writer/Writer.ts"

type Database = SqliteDatabase["Service"]

export interface Unit extends TransactionUnit {
  dropped: boolean
  /** `null`: the unit is a function, which cannot be sent to the thread. */
  readonly steps: ReadonlyArray<RunnableStep> | null
  /** Called when the thread has run the steps of the unit. */
  readonly ran: (stop: Stop | null) => void
  readonly settle: () => void
}

export type Resume<A> = (exit: Exit.Exit<A, SqlError>) => void

export const unitOf = <A>(database: Database, work: (database: Database) => A, resume: Resume<A>): Unit => {
  const result = resultFor(resume)
  return { ...result.ends, dropped: false, steps: null, ran: notRun, run: () => result.set(work(database)) }
}

export const unitOfCommit = <A>({ prepare }: Database, commit: Commit<A>, resume: Resume<A>): Unit => {
  const result = resultFor(resume)
  // Here as in the thread, a row that cannot be read is a defect of the caller, and the writes stay.
  const ran = (stop: Stop | null) => {
    try {
      result.set(resultOf(commit, stop))
    } catch (cause) {
      result.ends.fail(cause)
    }
  }
  return { ...result.ends, dropped: false, steps: commit.steps, ran, run: () => ran(runSteps(prepare, commit.steps)) }
}

/** The last exit before the unit is settled counts: a batch may run twice. */
const resultFor = <A>(resume: Resume<A>) => {
  let exit: Exit.Exit<A, SqlError> = neverRun
  return {
    set: (value: A) => {
      exit = Exit.succeed(value)
    },
    ends: {
      fail: (cause: unknown) => {
        exit = failure(cause)
      },
      settle: () => resume(exit)
    }
  }
}

const neverRun: Exit.Exit<never, SqlError> = Exit.die(new Error("A unit was settled before it was run"))

const notRun = (): never => {
  throw new Error("The thread was given a function")
}

const failure = (cause: unknown): Exit.Exit<never, SqlError> => {
  if (isSqlError(cause)) return Exit.fail(cause)
  return isSqliteFailure(cause) || cause instanceof WriterLost || cause instanceof DatabaseFileLost
    ? Exit.fail(toSqlError(cause, "submit"))
    : Exit.die(cause)
}

/** The units that wait, in their order; at most `maxBatch` units are taken at once. */
export const waitingUnits = (maxBatch: number) => {
  let waiting: Array<Unit> = []
  return {
    count: (): number => waiting.length,
    add: (unit: Unit) => void waiting.push(unit),
    /** How many units can be sent to the thread: units after a function wait for that function. */
    leadingCommits: (): number => {
      const first = waiting.findIndex(({ steps }) => steps === null)
      return first === -1 ? waiting.length : first
    },
    /** Takes units from the queue, without those whose callers have gone. */
    take: (most: number): ReadonlyArray<Unit> => {
      const count = Math.min(most, maxBatch)
      const taken = waiting.slice(0, count)
      waiting = waiting.slice(count)
      return taken.filter((unit) => !unit.dropped)
    }
  }
}
