/**
 * Batches commits that wait at the same time: they share statements, round trips and flushes to disk.
 *
 * A few batches run at once. A commit that finds none running is sent immediately and alone. Otherwise it waits until the
 * end of the event loop's turn and until fewer batches run, and is sent together with waiting commits of the same text. No
 * timer collects them.
 *
 * Gotchas: commits of one statement wait for each other's locks. They are independent all the same: where PostgreSQL
 * undid the statement, each is run again on its own and has a result of its own.
 */
import { Effect, Exit } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../ReadRow.ts"
import { late } from "./deadline.ts"
import { isLostRace, isUndone, mostRetries } from "./failures.ts"
import * as FrequentTexts from "./FrequentTexts.ts"
import type { FrequentText } from "./FrequentTexts.ts"
import { rowOf } from "./joined.ts"
import type { CommitStatement } from "./joined.ts"
import type { PostgresDatabase } from "./PostgresClient.ts"

/** A commit that is to be made. */
export interface Commit {
  readonly statement: CommitStatement
  /** The payment and the keys that it locks, the first to be locked first: a statement holds each once. */
  readonly locks: readonly [string, ...ReadonlyArray<string>]
}

export interface CommitBatches {
  /**
   * Succeeds with the row of the commit's own statement, once that is committed.
   *
   * - PostgreSQL undid the commit: only this caller fails, with `SqlError`.
   * - The connection is lost, or the deadline passes: every caller of the statement fails with `SqlError`, and what they
   *   asked for is done or not. The deadline of a commit counts from here.
   * - A caller that is interrupted while its commit waits takes it back; afterwards it is done or not, as a whole.
   */
  readonly submit: (commit: Commit) => Effect.Effect<Row | undefined, SqlError>
}

export interface CommitBatchesOptions {
  readonly database: PostgresDatabase["Service"]
  /** Statements under way at a time. Default 4. */
  readonly mostRunning?: number
  /** Commits in one statement, a power of two. Default 8. */
  readonly mostJoined?: number
}

export const make = ({ database, mostRunning = 4, mostJoined = 8 }: CommitBatchesOptions): CommitBatches => {
  const { deadlineMs, query } = database
  const texts = FrequentTexts.make({ most: 8, period: 2_000 })
  const waiting = new Map<FrequentText, Set<Waiting>>()
  let busy = 0
  let scheduled = false

  const submit = (commit: Commit): Effect.Effect<Row | undefined, SqlError> =>
    Effect.suspend(() => {
      const text = texts.of(commit.statement)
      // Rare ones are spared the wait: they could not go with others.
      if (text === null) return alone(commit)
      return busy === 0 && waiting.size === 0
        ? Effect.acquireUseRelease(
            enter,
            () => alone(commit),
            () => leave
          )
        : wait(text, commit)
    })

  const wait = (text: FrequentText, commit: Commit) =>
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
        const others = waiting.get(text)
        if (others?.delete(one) && others.size === 0) waiting.delete(text)
      }
      // The machine's own timer, as for every statement.
      const timer = setTimeout(() => {
        giveUp()
        resume(Effect.fail(late(deadlineMs)))
      }, deadlineMs)
      waiting.set(text, (waiting.get(text) ?? new Set()).add(one))
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

  /** What comes in one turn goes together. */
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
      // The texts take turns.
      waiting.delete(text)
      if (all.size > 0) waiting.set(text, all)
      busy++
      Effect.runFork(Effect.ensuring(runBatch(text, batch), leave))
    }
  }

  const runBatch = (text: FrequentText, batch: ReadonlyArray<Waiting>): Effect.Effect<void> => {
    if (batch.length === 1) return apart(batch)
    const params = batch.flatMap(({ commit }) => commit.statement.params)
    return Effect.flatMap(Effect.exit(query(text.joined(batch.length), params)), (exit) => {
      if (Exit.isFailure(exit)) {
        const { cause } = exit
        const undone = cause.reasons.every((reason) => reason._tag === "Fail" && isUndone(reason.error))
        return undone ? apart(batch) : Effect.sync(() => batch.forEach(({ settle }) => settle(Exit.failCause(cause))))
      }
      const row = exit.value[0] ?? {}
      return Effect.sync(() => batch.forEach(({ settle }, member) => settle(Exit.succeed(rowOf(row, member)))))
    })
  }

  const apart = (batch: ReadonlyArray<Waiting>): Effect.Effect<void> =>
    Effect.forEach(batch.filter(isWanted), ({ commit, settle }) => Effect.map(Effect.exit(alone(commit)), settle), {
      concurrency: "unbounded",
      discard: true
    })

  const alone = ({ statement }: Commit) =>
    Effect.map(
      Effect.retry(query(statement.sql, statement.params), { times: mostRetries, while: isLostRace }),
      ([row]) => row
    )

  return { submit }
}

interface Waiting {
  readonly commit: Commit
  givenUp: boolean
  readonly settle: (exit: Exit.Exit<Row | undefined, SqlError>) => void
}

/** If the caller of a commit is gone, its result would not be read, so it is not started again. */
const isWanted = ({ givenUp }: Waiting): boolean => !givenUp

/**
 * Those that go together: no two lock the same, their number is a power of two, and they stand in the order of their
 * locks, as in the statements of other processes. PostgreSQL does not promise to keep to it.
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
  const size = 2 ** Math.floor(Math.log2(batch.length))
  return batch.slice(0, size).toSorted((one, other) => (one.commit.locks[0] < other.commit.locks[0] ? -1 : 1))
}
