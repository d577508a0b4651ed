/**
 * The sequence of events on PostgreSQL. A commit may become visible after one with a greater position, so a page ends before
 * the first position that may still become visible.
 *
 * A transaction gets positions while it has the table locked for writing, and releases that lock after its rows became visible.
 * The statement that reads the last visible position (`until`) reads the locks after its snapshot. Any transaction with
 * a position up to `until` got that position before, so the transaction has ended or is among those that hold the lock. Once
 * these have ended, a later statement sees every event up to `until` that there will ever be. `CREATE INDEX CONCURRENTLY` waits
 * in the same way.
 */
import type { Tenant } from "@paymux/core"
import { eventTypes, resumeMargin, timeOfEventId } from "@paymux/core/store"
import type { EventId, EventsAfter, PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { eventId, readEventsPage, selectPage } from "../store/eventSequence.ts"
import type { Place } from "../store/eventSequence.ts"
import { numeral, numeralOrNull, textOrNull } from "../rows/ReadRow.ts"
import { statementOf } from "./postgresDialect.ts"
import type { Run } from "./statementRunner.ts"

export const eventsAfter = (run: Run): PaymentStore["Service"]["eventsAfter"] =>
  Effect.fnUntraced(function* (tenant, query): Effect.fn.Return<EventsAfter, StoreUnavailable> {
    const [ends = {}] = yield* run(selectEnds(query.after))
    const after = query.after === null ? 0 : numeralOrNull(ends, "after")
    if (query.after !== null && after === null) {
      const [resume] = yield* run(selectResume(tenant, query.after))
      return { _tag: "EventNotStored", resumeAfter: resume === undefined ? null : eventId(resume, "id") }
    }
    const place = { after: after ?? 0, until: numeralOrNull(ends, "until") ?? 0 }
    const writers = textOrNull(ends, "writers")
    const isSettled = writers === null || (yield* haveEnded(run, writers))
    const until = isSettled ? place.until : yield* beforeGap(run, place)
    const page = yield* run(statementOf(selectPage(tenant, query, { ...place, until }, mostScanned)))
    return readEventsPage(page, query, mostScanned)
  })

/** Waits for the transactions that write events, and returns whether they have ended. */
const haveEnded = (run: Run, writers: string): Effect.Effect<boolean, StoreUnavailable> =>
  Effect.gen(function* () {
    for (let waited = 0; waited <= patience; waited += pause) {
      const [running] = yield* run(selectRunning(writers))
      if (running === undefined) return true
      yield* Effect.sleep(pause)
    }
    return false
  })

/** The last position before the first missing one, which one of the transactions may have. */
const beforeGap = (run: Run, place: Place): Effect.Effect<number, StoreUnavailable> =>
  Effect.map(run(selectBeforeGap(place)), ([row]) => (row === undefined ? place.after : numeral(row, "position")))

/** ms. A commit takes a few ms; a transaction that stays open for long, because of a standby or an operator, is not waited for. */
const patience = 200
const pause = 5

/** The most events that one statement scans: some milliseconds of the database. */
const mostScanned = 5_000

/** Transactions that may have written events, including prepared ones. */
const holdsTable = `locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted AND relation = 'payment_events'::regclass
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

const selectEnds = (after: EventId | null) =>
  statementOf(
    ({ bind }) => `SELECT (SELECT position FROM payment_events WHERE id = ${bind(after)}) AS after,
      (SELECT max(position) FROM payment_events) AS until,
      (SELECT json_agg(virtualtransaction)::text FROM pg_locks WHERE ${holdsTable}) AS writers`
  )

const selectRunning = (writers: string) =>
  statementOf(
    ({ bind }) => `SELECT 1 AS running FROM pg_locks WHERE ${holdsTable}
      AND virtualtransaction IN (SELECT json_array_elements_text(${bind(writers)}::json)) LIMIT 1`
  )

const selectBeforeGap = ({ after, until }: Place) =>
  statementOf(({ bind }) => {
    const first = bind(after)
    return `SELECT position FROM (
        SELECT position, lead(position) OVER (ORDER BY position) AS following FROM (
          SELECT ${first} AS position UNION ALL
          SELECT * FROM (SELECT position FROM payment_events WHERE position > ${first} AND position <= ${bind(until)}
            ORDER BY position LIMIT ${bind(mostScanned)}) AS following
        ) AS visible
      ) AS neighbors WHERE following IS DISTINCT FROM position + 1 ORDER BY position LIMIT 1`
  })

/** Each event type has its own range of the index. */
const selectResume = ({ account, livemode }: Tenant, missing: EventId) =>
  statementOf(
    ({ bind }) => `SELECT newest.id FROM unnest(${bind(eventTypes)}) AS kind (type) CROSS JOIN LATERAL (
        SELECT id, created_at, position FROM payment_events
        WHERE account = ${bind(account)} AND livemode = ${bind(livemode)}
          AND payment_events.type = kind.type AND created_at < ${bind(timeOfEventId(missing) - resumeMargin)}
        ORDER BY created_at DESC, position DESC LIMIT 1
      ) AS newest ORDER BY newest.created_at DESC, newest.position DESC LIMIT 1`
  )
