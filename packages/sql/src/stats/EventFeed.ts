/**
 * Reads the events in the order of their positions, page by page, each exactly once. On SQLite, commits become visible in that
 * order. On PostgreSQL a commit may become visible after one with a greater position: see `gaps.ts`.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { flag, numeral, reading, text, textOrNull } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { gapsAmong, isOpenGap, without } from "./gaps.ts"
import type { Gap, Snapshot } from "./gaps.ts"

/** The position up to which events were read, except the events in the gaps. */
export interface FeedCursor {
  readonly position: number
  readonly gaps: ReadonlyArray<Gap>
}

export interface FeedEvent {
  readonly position: number
  readonly paymentId: string
  /** The number of the event within its payment: 1, 2, 3 … */
  readonly sequence: number
  readonly account: string
  readonly livemode: boolean
  /** The public JSON of the payment after the event, and of its refund. */
  readonly payment: string
  readonly refund: string | null
}

export interface FeedPage {
  readonly events: ReadonlyArray<FeedEvent>
  readonly cursor: FeedCursor
  /** Whether no further event can be read at the moment, so that the next page would be empty. */
  readonly isLast: boolean
}

/** Reads at most `limit` events after the cursor, and in addition the events that became visible in its gaps. */
export const readPage = Effect.fnUntraced(function* (
  cursor: FeedCursor,
  limit: number
): Effect.fn.Return<FeedPage, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.onDialectOrElse({
    pg: () => postgresPage(sql, cursor, limit),
    orElse: () => sqlitePage(sql, cursor, limit)
  })
})

const columns = "position, payment_id, sequence, account, livemode, payment, refund"

const sqlitePage = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, cursor: FeedCursor, limit: number) {
  const rows = yield* sql<Row>`SELECT ${sql.literal(columns)} FROM payment_events
    WHERE position > ${cursor.position} ORDER BY position LIMIT ${limit}`
  const events = rows.map(readFeedEvent)
  return {
    events,
    cursor: { position: events.at(-1)?.position ?? cursor.position, gaps: [] },
    isLast: events.length < limit
  }
})

/** Reads a page in one statement, so that the snapshot is the one in which its rows were visible. */
const postgresPage = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, cursor: FeedCursor, limit: number) {
  const ranges = JSON.stringify(cursor.gaps)
  const rows = yield* sql<Row>`
    SELECT seen.*, event.* FROM (
      SELECT pg_snapshot_xmin(snapshot)::text AS oldest, pg_snapshot_xmax(snapshot)::text AS next,
        (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
      FROM pg_current_snapshot() AS snapshot
    ) AS seen LEFT JOIN (
      SELECT * FROM (SELECT ${sql.literal(columns)} FROM payment_events
        WHERE position > ${cursor.position} ORDER BY position LIMIT ${limit}) AS following
      UNION ALL
      SELECT * FROM (SELECT ${sql.literal(columns)} FROM json_to_recordset(${ranges}::json) AS gap ("from" bigint, "to" bigint)
        JOIN payment_events ON position BETWEEN gap."from" AND gap."to" LIMIT ${mostFound}) AS found
    ) AS event ON true ORDER BY event.position`
  const [first] = rows
  if (first === undefined) return { events: [], cursor, isLast: true }
  const snapshot = readSnapshot(first)
  const events = rows.filter((row) => row["position"] !== null).map(readFeedEvent)
  const positions = events.map(({ position }) => position)
  const following = positions.filter((position) => position > cursor.position)
  const found = positions.filter((position) => position <= cursor.position)
  const left = without(cursor.gaps, found)
  // Closes gaps only if the limit cut off no visible event: otherwise an event at a missing position may be visible.
  const open = found.length < mostFound ? left.filter((gap) => isOpenGap(gap, snapshot)) : left
  return {
    events,
    cursor: {
      position: following.at(-1) ?? cursor.position,
      gaps: [...open, ...gapsAmong(cursor.position, following, snapshot)]
    },
    isLast: following.length < limit && found.length < mostFound
  }
})

/** The most events in gaps that one page returns. */
const mostFound = 500

const readSnapshot = reading<Snapshot>({ oldest: text, next: text, now: numeral })

const readFeedEvent = reading<FeedEvent>({
  position: numeral,
  paymentId: text,
  sequence: numeral,
  account: text,
  livemode: flag,
  payment: text,
  refund: textOrNull
})
