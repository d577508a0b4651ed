/**
 * Counts the next events: reads them, and adds their changes to the sums in one transaction with the cursor. Any number
 * of processes may do it at once: the one whose transaction comes second finds another version of the cursor and writes
 * nothing.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { makeDeltaSums } from "./Deltas.ts"
import type { DeltaSums } from "./Deltas.ts"
import { readPage } from "./EventFeed.ts"
import type { FeedEvent } from "./EventFeed.ts"
import { addRun, runsOf } from "./eventRuns.ts"
import { changeGeneration, readGeneration } from "./Generation.ts"
import { readFormer } from "./readFormer.ts"
import { writeDeltas } from "./writeDeltas.ts"

/**
 * The result of a step. `done`: no events remain for now. `more`: call again. `left`: another process counts these
 * events, or has counted them.
 */
export type RolledUp = "done" | "more" | "left"

/** The maximum number of pages in one transaction, so that many events share a flush of the disk. */
const mostPages = 8
const fewestEvents = 20
/** The number of runs that are decoded without a pause, in 1 to 2 ms. */
const runsOfTurn = 250

interface Limits {
  /** The maximum number of events on one page: on SQLite they are read without a pause, in 1 to 2 ms. */
  readonly events: number
  /**
   * The number of events on the first page of a transaction, when the number of rows that events change is still
   * unknown.
   */
  readonly first: number
  /** The approximate number of rows that one transaction changes. */
  readonly rows: number
}

const limitsOn = (sql: SqlClient.SqlClient): Limits =>
  sql.onDialectOrElse({
    pg: () => ({ events: 1_000, first: 1_000, rows: 5_000 }),
    // Nothing else runs while rows are written, which takes 4 to 6 µs for each. A transaction that is held open over turns
    // of the event loop would keep every payment waiting until its end.
    orElse: () => ({ events: 500, first: 100, rows: 800 })
  })

/**
 * Counts the next events.
 *
 * @internal Exported for its own tests.
 */
export const rollUp = Effect.fnUntraced(function* (
  which: number | "active",
  holder: string
): Effect.fn.Return<RolledUp, SqlError, SqlClient.SqlClient> {
  const read = yield* readGeneration(which, holder)
  if (read === null || read.isHeld) return "left"
  const sql = yield* SqlClient.SqlClient
  const limits = limitsOn(sql)
  const sums = makeDeltaSums(read.keptFrom)
  let { cursor } = read
  let isLast = false
  let events = 0
  let limit = limits.first
  for (let pages = 0; pages < mostPages && limit > 0 && !isLast; pages++) {
    const page = yield* readPage(cursor, limit)
    yield* addEvents(sums, page.events)
    cursor = page.cursor
    isLast = page.isLast
    events += page.events.length
    limit = nextLimit(limits, events, sums.rows())
  }
  const isMoved = cursor.position !== read.cursor.position || cursor.gaps.length + read.cursor.gaps.length > 0
  if (!isMoved) return "done"
  const write = Effect.gen(function* () {
    if (!(yield* changeGeneration(read, { cursor, keptFrom: read.keptFrom }, holder))) return false
    yield* writeDeltas(read.generation, sums.deltas())
    return true
  })
  if (!(yield* sql.withTransaction(write))) return "left"
  return isLast ? "done" : "more"
})

/**
 * Counts until no event is left, which may be the whole history. Uses at most a third of the time, and leaves the rest
 * to other work. `afterEach` runs after each step that leaves events.
 */
export const catchUp = Effect.fnUntraced(function* <E, R>(
  which: number | "active",
  holder: string,
  afterEach: Effect.Effect<void, E, R>
) {
  while (true) {
    const [took, rolled] = yield* Effect.timed(rollUp(which, holder))
    if (rolled !== "more") return
    yield* afterEach
    yield* Effect.sleep(Duration.times(took, 2))
  }
})

/**
 * The number of events that still fit into the transaction, if they change as many rows as the events before; 0 if it
 * is too small for a page.
 */
const nextLimit = (most: Limits, events: number, rows: number): number => {
  const fitting = Math.min(most.events, Math.floor((events * (most.rows - rows)) / Math.max(1, rows)))
  return fitting < fewestEvents ? 0 : fitting
}

const addEvents = Effect.fnUntraced(function* (sums: DeltaSums, events: ReadonlyArray<FeedEvent>) {
  const runs = runsOf(events)
  const former = yield* readFormer(runs)
  for (let turn = 0; turn < runs.length; turn += runsOfTurn) {
    yield* Effect.yieldNow
    for (const run of runs.slice(turn, turn + runsOfTurn)) addRun(sums, run, former.get(run))
  }
})
