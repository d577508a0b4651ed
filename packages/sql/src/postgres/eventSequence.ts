/**
 * Reads the sequence of events on PostgreSQL. A commit may become visible after one with a greater position, so a page
 * ends before the first position that may still become visible.
 *
 * A transaction gets positions while it holds the table's write lock, and releases that lock after its rows became
 * visible. The statement that reads the last visible position (`until`) takes its snapshot first, and then reads the
 * locks. Every transaction with a position up to `until` got it earlier, so it has ended or holds one of these locks.
 * Once all of them have ended, a later statement sees every event up to `until`, and no further event can appear there.
 * `CREATE INDEX CONCURRENTLY` waits in the same way.
 */
import type { EventId, StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { numeral, numeralOrNull, textOrNull } from "../rows/ReadRow.ts"
import { eventsAfter } from "../store/eventSequence.ts"
import type { Place } from "../store/eventSequence.ts"

export const postgresEventsAfter = (runner: StatementRunner) =>
  eventsAfter(
    runner,
    mostScanned,
    Effect.fnUntraced(function* (id) {
      const [ends = {}] = yield* runner.read(selectEnds(id))
      const [after, until] = [numeralOrNull(ends, "after"), numeralOrNull(ends, "until") ?? 0]
      const writers = textOrNull(ends, "writers")
      const isSettled = writers === null || (id !== null && after === null) || (yield* haveEnded(runner, writers))
      return { after, until: isSettled ? until : yield* beforeGap(runner, { after: after ?? 0, until }) }
    })
  )

/** Waits for the transactions that write events, and returns whether they have ended. */
const haveEnded = ({ read }: StatementRunner, writers: string): Effect.Effect<boolean, StoreUnavailable> =>
  Effect.gen(function* () {
    for (let waited = 0; waited <= patience; waited += pause) {
      const [running] = yield* read(selectRunning(writers))
      if (running === undefined) return true
      yield* Effect.sleep(pause)
    }
    return false
  })

/** Finds the last position before the first missing one, which a running transaction may have. */
const beforeGap = ({ read }: StatementRunner, place: Place): Effect.Effect<number, StoreUnavailable> =>
  Effect.map(read(selectBeforeGap(place)), ([row]) => (row === undefined ? place.after : numeral(row, "position")))

/**
 * The maximum wait, ms. A commit takes a few ms; a transaction that stays open for long, because of a standby or an
 * operator, is not waited for.
 */
const patience = 200
const pause = 5

/** The maximum number of events that one statement scans, which takes the database some milliseconds. */
const mostScanned = 5_000

/** The transactions that may have written events, including prepared ones. */
const holdsTable = `locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted AND relation = 'payment_events'::regclass
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

const selectEnds =
  (after: EventId | null): StatementText =>
  ({ bind }) =>
    `SELECT (SELECT position FROM payment_events WHERE id = ${bind(after)}) AS after,
      (SELECT max(position) FROM payment_events) AS until,
      (SELECT json_agg(virtualtransaction)::text FROM pg_locks WHERE ${holdsTable}) AS writers`

const selectRunning =
  (writers: string): StatementText =>
  ({ bind }) =>
    `SELECT 1 AS running FROM pg_locks WHERE ${holdsTable}
      AND virtualtransaction IN (SELECT json_array_elements_text(${bind(writers)}::json)) LIMIT 1`

const selectBeforeGap =
  ({ after, until }: Place): StatementText =>
  ({ bind }) => {
    const first = bind(after)
    return `SELECT position FROM (
        SELECT position, lead(position) OVER (ORDER BY position) AS following FROM (
          SELECT ${first} AS position UNION ALL
          SELECT * FROM (SELECT position FROM payment_events WHERE position > ${first} AND position <= ${bind(until)}
            ORDER BY position LIMIT ${bind(mostScanned)}) AS following
        ) AS visible
      ) AS neighbors WHERE following IS DISTINCT FROM position + 1 ORDER BY position LIMIT 1`
  }
