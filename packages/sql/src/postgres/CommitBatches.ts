/**
 * Batches commits that wait at the same time: they share statements, round trips and flushes to disk.
 *
 * A few batches run at once. If none is running, a commit is sent immediately and alone. Otherwise it waits until the
 * end of the event loop's turn and until fewer batches run, and is sent together with waiting commits of the same text.
 * Batches are not delayed by a timer.
 *
 * Gotchas: commits in one statement wait for each other's locks, but succeed or fail independently: if PostgreSQL rolls
 * back the statement, each commit is run again on its own and has a result of its own.
 */
import { Effect, Exit } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../rows/ReadRow.ts"
import { parametersOf } from "./commits.ts"
import type { Commit } from "./commits.ts"
import { late } from "./deadline.ts"
import { isLostRace, isUndone, mostRetries } from "./failures.ts"
import type { PostgresDatabase } from "./PostgresClient.ts"

export interface CommitBatches {
  /**
   * Runs a commit. Succeeds with the row that the statement returned for it, if any, once the statement is committed.
   *
   * - PostgreSQL undid the commit: only this caller fails, with `SqlError`.
   * - The connection is lost, or a deadline of the client or of the server (`statement_timeout`) passes: every caller
   *   of the statement fails with `SqlError`, and its writes may or may not be committed. The deadline of a commit
   *   counts from `submit`.
   * - A caller that is interrupted while its commit waits withdraws the commit; afterwards the commit is done or not,
   *   as a whole.
   */
  readonly submit: (commit: Commit) => Effect.Effect<Row | undefined, SqlError>
}

export interface CommitBatchesOptions {
  readonly database: PostgresDatabase["Service"]
  /** The maximum number of concurrent statements. Default 3. */
  readonly mostRunning?: number
  /** The maximum number of commits in one statement. Default 32. */
  readonly mostJoined?: number
}

export const make = ({ database, mostJoined = 32, mostRunning = 3 }: CommitBatchesOptions): CommitBatches => {
  const { deadlineMs, query } = database
  const waiting = new Map<string, Set<Waiting>>()
  let busy = 0
  let scheduled = false

  const submit = (commit: Commit): Effect.Effect<Row | undefined, SqlError> =>
    Effect.suspend(() =>
      busy === 0 && waiting.size === 0
        ? Effect.acquireUseRelease(
            enter,
            () => alone(commit),
            () => leave
          )
        : wait(commit)
    )

  const wait = (commit: Commit) =>
    Effect.callback<Row | undefined, SqlError>((resume) => {
      const one: Waiting = {
        commit,
        givenUp: false,
        settle: (exit) => {
          clearTimeout(timer)
          resume(exit)
        }
      }
      const giveUp = () => {
        clearTimeout(timer)
        one.givenUp = true
        const others = waiting.get(commit.text)
        if (others?.delete(one) && others.size === 0) waiting.delete(commit.text)
      }
      // This timer uses the machine's clock, like the deadline of every statement, even if a test has another clock.
      const timer = setTimeout(() => {
        giveUp()
        resume(Effect.fail(late(deadlineMs)))
      }, deadlineMs)
      waiting.set(commit.text, (waiting.get(commit.text) ?? new Set()).add(one))
      schedule()
      return Effect.sync(giveUp)
    })

  const enter = Effect.sync(() => {
    busy++
  })

  const leave = Effect.sync(() => {
    busy--
    start()
  })

  /** Sends the commits of one turn of the event loop together. */
  const schedule = () => {
    if (scheduled || busy >= mostRunning) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      start()
    })
  }

  const start = () => {
    while (busy < mostRunning) {
      const [next] = waiting
      if (next === undefined) return
      const [text, all] = next
      const batch = compatible(all, mostJoined)
      for (const one of batch) all.delete(one)
      // Commits of different SQL texts take turns.
      waiting.delete(text)
      if (all.size > 0) waiting.set(text, all)
      busy++
      // Commits that are run again do not delay the batches behind them.
      Effect.runFork(Effect.flatMap(Effect.ensuring(runBatch(text, batch), leave), apart))
    }
  }

  /** Runs the statement. Succeeds with the commits that must be run again, each on its own. */
  const runBatch = (text: string, batch: ReadonlyArray<Waiting>): Effect.Effect<ReadonlyArray<Waiting>> => {
    if (batch.length === 1) return Effect.as(apart(batch), [])
    return Effect.map(
      Effect.exit(
        run(
          text,
          batch.map(({ commit }) => commit)
        )
      ),
      (exit) => {
        if (Exit.isFailure(exit)) {
          const { cause } = exit
          const undone = cause.reasons.every((reason) => reason._tag === "Fail" && isUndone(reason.error))
          if (undone) return batch
          for (const { settle } of batch) settle(Exit.failCause(cause))
          return []
        }
        const rows = new Map(exit.value.map((row) => [row["payment_id"], row]))
        for (const { commit, settle } of batch) settle(Exit.succeed(rows.get(commit.paymentId)))
        return []
      }
    )
  }

  /**
   * Runs the commits again, each on its own. If the caller of a commit is gone, its result would not be read, so it is
   * not started again.
   */
  const apart = (batch: ReadonlyArray<Waiting>): Effect.Effect<void> =>
    Effect.forEach(
      batch.filter(({ givenUp }) => !givenUp),
      ({ commit, settle }) => Effect.map(Effect.exit(alone(commit)), settle),
      {
        concurrency: "unbounded",
        discard: true
      }
    )

  const alone = (commit: Commit) =>
    Effect.map(Effect.retry(run(commit.text, [commit]), { times: mostRetries, while: isLostRace }), ([row]) => row)

  const run = (text: string, commits: ReadonlyArray<Commit>) => query(text, parametersOf(commits))

  return { submit }
}

interface Waiting {
  readonly commit: Commit
  givenUp: boolean
  readonly settle: (exit: Exit.Exit<Row | undefined, SqlError>) => void
}

/**
 * Selects commits that can share a statement: no two need the same lock. They are sorted by their first lock, so that
 * all processes lock in the same order. PostgreSQL does not guarantee that order, and it locks the idempotency keys of
 * advances in the order of their payments. If two processes deadlock, PostgreSQL undoes one statement, and its commits
 * are run again.
 */
const compatible = (waiting: Iterable<Waiting>, most: number): ReadonlyArray<Waiting> => {
  const locked = new Set<string>()
  const batch: Array<Waiting> = []
  for (const one of waiting) {
    if (batch.length === most) break
    const { locks } = one.commit
    if (locks.some((lock) => locked.has(lock))) continue
    for (const lock of locks) locked.add(lock)
    batch.push(one)
  }
  return batch.toSorted((one, other) => (one.commit.locks[0] < other.commit.locks[0] ? -1 : 1))
}
