/**
 * The circuit breakers of all processes that use this database, and the history of their transitions. A breaker belongs
 * to a provider instance, and so to live or test mode, but not to an account.
 */
import type { BreakerCause, Breakers, BreakerState } from "@paymux/core/engine"
import type { LogPlace, StoreUnavailable } from "@paymux/core/store"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../dialect/unavailable.ts"
import { conditionsOf, inPage, merged, readLogPage } from "../lists/logPage.ts"
import { inColumn, numeral, reading, text, word } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { presentBreakers, withProcess } from "./breakerProcesses.ts"
import type { RunningProcess } from "./breakerProcesses.ts"
import { recordBreakers } from "./recordBreakers.ts"
import type { RecordingOptions } from "./recordBreakers.ts"

/** A circuit breaker of one process. */
export interface ProcessBreaker {
  readonly provider: string
  readonly operation: string
  readonly state: BreakerState
  /** The cause of the last transition; `null`: the breaker never left its initial state. */
  readonly cause: BreakerCause | null
  /** The time at which the current state began, ms UTC, by the clock of the process. */
  readonly since: number
  /** The random id of the process, new at each start. */
  readonly process: string
  readonly host: string
  readonly pid: number
  /**
   * The time of the process's last report, ms UTC. It reports every 15 seconds, and is left out after a minute without
   * a report.
   */
  readonly seenAt: number
}

/** The filters of the list. An omitted filter excludes nothing. */
export interface BreakerFilter {
  readonly provider?: string
  readonly operation?: string
  readonly state?: BreakerState
}

/** A transition of a breaker between two states. */
export interface BreakerChange {
  /** The time of the transition, ms UTC, by the clock of the process. */
  readonly at: number
  readonly provider: string
  readonly operation: string
  readonly from: BreakerState
  readonly to: BreakerState
  readonly cause: BreakerCause
  readonly process: string
  readonly host: string
}

/** Only transitions into this state. */
export interface BreakerHistoryQuery extends BreakerFilter {
  /** Only transitions at this time or later, ms UTC. */
  readonly from?: number
  /** Only transitions before this time, ms UTC. */
  readonly until?: number
  /** The `next` cursor of the previous page; absent: the first page. */
  readonly after?: string
  /** The maximum number of transitions on the page, 1 to 1000. */
  readonly limit: number
}

export interface BreakerHistoryPage {
  readonly data: ReadonlyArray<BreakerChange>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** Error: the cursor was not issued for a history of breakers. */
export class BreakerCursorInvalid extends Data.TaggedError("BreakerCursorInvalid") {
  override get message(): string {
    return "The cursor must be the `next` of a former page of the history of breakers."
  }
}

export const breakerStates: ReadonlyArray<BreakerState> = ["closed", "open", "half_open"]

export class BreakerLog extends Context.Service<
  BreakerLog,
  {
    /** Lists the breakers of every running process, by provider, operation and process. */
    readonly list: (
      livemode: boolean,
      filter?: BreakerFilter
    ) => Effect.Effect<ReadonlyArray<ProcessBreaker>, StoreUnavailable>
    /** Lists the transitions of all processes, newest first. */
    readonly history: (
      livemode: boolean,
      query: BreakerHistoryQuery
    ) => Effect.Effect<BreakerHistoryPage, BreakerCursorInvalid | StoreUnavailable>
  }
>()("@paymux/sql/BreakerLog") {
  /** The log for a process that only reads it, such as a command. */
  static readonly layer: Layer.Layer<BreakerLog, never, SqlClient.SqlClient> = Layer.effect(
    BreakerLog,
    Effect.map(SqlClient.SqlClient, (sql) => BreakerLog.of({ list: list(sql, null), history: history(sql) }))
  )

  /**
   * A log that also records the breakers of this process, in the background: nothing waits for the recording, and a
   * failure is logged and retried. `list` returns this process's own breakers as they are now.
   */
  static readonly recordingLayer = (
    options: RecordingOptions
  ): Layer.Layer<BreakerLog, never, SqlClient.SqlClient | Breakers> =>
    Layer.effect(
      BreakerLog,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const own = yield* recordBreakers(options)
        return BreakerLog.of({ list: list(sql, own), history: history(sql) })
      })
    )
}

const list = (sql: SqlClient.SqlClient, own: Effect.Effect<RunningProcess> | null) =>
  Effect.fnUntraced(function* (livemode: boolean, { operation, provider, state }: BreakerFilter = {}) {
    const running = yield* unavailable(presentBreakers(sql))
    const here = own === null ? null : yield* own
    const processes = here === null ? running : [...running.filter(({ process }) => process !== here.process), here]
    return processes
      .flatMap(withProcess)
      .filter((breaker) => breaker.livemode === livemode && isAny(provider, breaker.provider))
      .filter((breaker) => isAny(operation, breaker.operation) && isAny(state, breaker.state))
      .map(({ livemode: _, ...breaker }): ProcessBreaker => breaker)
      .toSorted(byKey)
  })

const isAny = (wanted: string | undefined, value: string): boolean => wanted === undefined || wanted === value

const byKey = (a: ProcessBreaker, b: ProcessBreaker): number =>
  compare(a.provider, b.provider) || compare(a.operation, b.operation) || compare(a.process, b.process)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const history = (sql: SqlClient.SqlClient) => (livemode: boolean, query: BreakerHistoryQuery) =>
  Effect.map(
    readLogPage(
      query,
      () => new BreakerCursorInvalid(),
      (after) => historyStatement(sql, livemode, query, after),
      place,
      readChange
    ),
    ({ entries, next }): BreakerHistoryPage => ({ data: entries, next })
  )

const place = ["at", "id"] as const

/**
 * The SQL for a page of transitions. Each state has its own range of every index, so a list of all states merges the
 * newest transitions of each state.
 *
 * @internal Exported for the test of its query plan.
 */
export const historyStatement = (
  sql: SqlClient.SqlClient,
  livemode: boolean,
  { from, limit, operation, provider, state, until }: BreakerHistoryQuery,
  after: LogPlace | null
) => {
  const conditions = conditionsOf(sql, {
    "livemode =": livemode,
    "provider =": provider,
    "operation =": operation,
    "at >=": from,
    "at <": until
  })
  const { beyond, inOrder } = inPage(sql, place, after, limit)
  const branches = (state === undefined ? breakerStates : [state]).map(
    (each) => sql`SELECT * FROM breaker_transitions
      WHERE ${sql.and([...conditions, ...beyond, sql`to_state = ${each}`])} ${inOrder}`
  )
  return sql<Row>`${merged(sql, branches)} ${inOrder}`
}

const readChange = reading<BreakerChange>({
  at: numeral,
  provider: text,
  operation: text,
  from: inColumn("from_state", word<BreakerState>),
  to: inColumn("to_state", word<BreakerState>),
  cause: word,
  process: text,
  host: text
})
