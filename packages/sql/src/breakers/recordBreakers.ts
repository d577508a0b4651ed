/**
 * Writes the transitions of this process's breakers to the database, in the background.
 *
 * The subscription to `Breakers` is the queue of the writer: while the database is unavailable, it keeps the newest
 * 1,024 transitions and drops older ones. If the response to a written batch is lost, the batch is written again; the
 * second write adds no rows.
 */
import { Breakers } from "@paymux/core/engine"
import type { BreakerTransition } from "@paymux/core/engine"
import { Clock, Effect, PubSub, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { forgetProcess, reportBreakers, reportEvery } from "./breakerProcesses.ts"
import { pruneTransitions } from "./pruneTransitions.ts"

export interface RecordingOptions {
  /** The id of the process, new at each start. */
  readonly process: string
  readonly host: string
  readonly pid: number
  /** Whether a provider instance is in live mode. */
  readonly isLive: (provider: string) => boolean
  /** The retention period of transitions, ms; `null`: they are kept forever. */
  readonly keepFor: number | null
}

interface NumberedTransition extends BreakerTransition {
  readonly sequence: number
}

/**
 * Starts the background recording, which runs until the scope closes. Returns an effect that reads the current report
 * of this process.
 */
export const recordBreakers = Effect.fnUntraced(function* (options: RecordingOptions) {
  const sql = yield* SqlClient.SqlClient
  const breakers = yield* Breakers
  const transitions = yield* breakers.subscribe
  const written = { sequence: 0 }
  const unwritten: Array<NumberedTransition> = []

  const numbered = (taken: ReadonlyArray<BreakerTransition>) => {
    for (const transition of taken) unwritten.push({ ...transition, sequence: ++written.sequence })
  }
  const write = Effect.suspend(() => insert(sql, options, unwritten)).pipe(
    Effect.tap(Effect.sync(() => void unwritten.splice(0)))
  )
  const here = presentOf(options, breakers)
  // A process whose providers were never called has nothing to report.
  const report = Effect.flatMap(here, (process) =>
    process.breakers.length === 0 ? Effect.void : reportBreakers(sql, process)
  )
  const atTheEnd = Effect.gen(function* () {
    numbered(yield* PubSub.takeUpTo(transitions, queueLength))
    yield* write
    yield* forgetProcess(sql, options.process)
  })

  yield* Effect.addFinalizer(() => logged(Effect.timeoutOption(atTheEnd, longestEnd)))
  yield* PubSub.takeBetween(transitions, 1, batch).pipe(
    Effect.map(numbered),
    Effect.andThen(Effect.retry(Effect.tapError(write, notWritten), untilBack)),
    Effect.andThen(logged(report)),
    Effect.forever,
    Effect.forkScoped
  )
  yield* logged(report).pipe(Effect.andThen(Effect.sleep(reportEvery)), Effect.forever, Effect.forkScoped)
  const { keepFor } = options
  if (keepFor !== null) {
    yield* logged(pruneTransitions(sql, keepFor)).pipe(
      Effect.andThen(Effect.sleep("1 hour")),
      Effect.forever,
      Effect.forkScoped
    )
  }
  return here
})

/** The number of transitions in one statement. */
const batch = 100
/** The queue length of the subscription to `Breakers`. */
const queueLength = 1024
/** The time that a shutdown waits for the last transitions, ms. */
const longestEnd = 2_000

const untilBack = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("30 seconds")])

const notWritten = (cause: SqlError) =>
  Effect.logWarning("Recording transitions of circuit breakers failed; retrying", cause)

const logged = <A>(effect: Effect.Effect<A, SqlError>) =>
  Effect.catchCause(Effect.asVoid(effect), (cause) =>
    Effect.logWarning("Recording the state of circuit breakers failed; retrying", cause)
  )

const presentOf = ({ host, isLive, pid, process }: RecordingOptions, breakers: Breakers["Service"]) =>
  Effect.gen(function* () {
    const all = yield* breakers.snapshot
    return {
      process,
      host,
      pid,
      seenAt: yield* Clock.currentTimeMillis,
      breakers: all.map(({ cause, key, since, state }) => ({
        ...key,
        livemode: isLive(key.provider),
        state,
        cause,
        since
      }))
    }
  })

const insert = (
  sql: SqlClient.SqlClient,
  { host, isLive, process }: RecordingOptions,
  transitions: ReadonlyArray<NumberedTransition>
): Effect.Effect<void, SqlError> => {
  const [first, ...others] = transitions.map(({ at, cause, from, key, sequence, to }) => ({
    process,
    sequence,
    host,
    livemode: isLive(key.provider),
    provider: key.provider,
    operation: key.operation,
    from_state: from,
    to_state: to,
    cause,
    at
  }))
  return first === undefined
    ? Effect.void
    : Effect.asVoid(
        sql`INSERT INTO breaker_transitions ${sql.insert([first, ...others])}
          ON CONFLICT (process, sequence) DO NOTHING`.unprepared
      )
}
