/**
 * Writes the request log in batches, off the path of a request: a request adds one object to a list in memory, and nothing
 * waits for it. When the list is full, or the database does not answer, entries are dropped and counted.
 */
import { Clock, Context, Effect, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { countNotLogged, registryOf } from "../request/RequestTelemetry.ts"
import type { NotedProblem, Principal, RequestNote } from "../request/RequestNote.ts"
import { kindOf, rowOf } from "./requestRow.ts"
import type { AnsweredRequest, LoggedNote, RequestKind } from "./requestRow.ts"

export interface RequestRecorder {
  readonly record: (note: RequestNote, answered: AnsweredRequest) => void
  /** Writes what was recorded so far. It never fails. */
  readonly flush: Effect.Effect<void>
}

/** `null`: requests are not logged. */
export const CurrentRequestRecorder = Context.Reference<RequestRecorder | null>("@paymux/http/RequestRecorder", {
  defaultValue: () => null
})

/** Entries that wait at most. */
const capacity = 4_096
/** Bytes in memory at most, of what waits and what is being written. */
const mostBytes = 8 * 1024 * 1024
/** Rows of a statement, and bytes of their entries: the event loop is held for a few ms. More at once cost less each. */
const batch = 512
const batchBytes = 256 * 1024
/** ms */
const interval = 1_000

interface Entry {
  readonly note: LoggedNote
  readonly answered: AnsweredRequest
  /** About what it holds in memory. */
  readonly bytes: number
}

/** Writes once a second, and what is left when the scope closes. */
export const requestRecorder: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effect(
  CurrentRequestRecorder,
  Effect.gen(function* () {
    const registry = yield* registryOf
    const write = writer(yield* SqlClient.SqlClient)
    let waiting: Array<Entry> = []
    let bytes = 0

    const writeOrDrop = (entries: ReadonlyArray<Entry>) =>
      Effect.catchCause(write(entries), (cause) => {
        countNotLogged("not_written", entries.length, registry)
        return Effect.logWarning(`${entries.length} requests were not written to the request log`, cause)
      })

    const oneAtATime = yield* Semaphore.make(1)
    const flush = Effect.gen(function* () {
      const entries = waiting
      waiting = []
      for (let at = 0; at < entries.length;) {
        if (at > 0) yield* Effect.yieldNow
        const next = batchAt(entries, at)
        yield* writeOrDrop(next)
        at += next.length
        for (const entry of next) bytes -= entry.bytes
      }
    }).pipe((flush) => oneAtATime.withPermit(flush), Effect.uninterruptible)

    yield* Effect.addFinalizer(() => flush)
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(interval), flush)))
    return {
      flush,
      record: (note, answered) => {
        // One key may be answered thousands of 429 in a second: `paymux_http_problems_total` counts them.
        if (note.principal === null || answered.status === 429) return
        const entry = entryOf(note, note.principal, answered)
        if (waiting.length >= capacity || bytes + entry.bytes > mostBytes) {
          return countNotLogged("queue_full", 1, registry)
        }
        waiting.push(entry)
        bytes += entry.bytes
      }
    }
  })
)

/** Only what is written of it, and the bytes of the body alone: they may be a part of a larger buffer. */
const entryOf = (note: RequestNote, principal: Principal, answered: AnsweredRequest): Entry => {
  const { body, id, paymentId } = note
  const problem = note.problem === null ? null : shortened(note.problem)
  // The payment or refund itself shows what a request asked for that succeeded.
  const kept = problem === null || body === undefined ? undefined : new Uint8Array(body)
  return {
    note: { id, paymentId, principal, problem, body: kept },
    answered,
    bytes: 256 + answered.url.length + (kept?.length ?? 0) + (problem === null ? 0 : lengthOf(problem))
  }
}

const mostErrors = 10

const shortened = ({ code, detail, errors }: NotedProblem): NotedProblem => ({
  code,
  ...(detail !== undefined && { detail }),
  ...(errors !== undefined && { errors: errors.slice(0, mostErrors) })
})

const lengthOf = ({ detail = "", errors = [] }: NotedProblem): number =>
  errors.reduce((sum, { message, pointer }) => sum + message.length + pointer.length, detail.length)

/** The next entries of one statement: at least one. */
const batchAt = (entries: ReadonlyArray<Entry>, from: number): ReadonlyArray<Entry> => {
  let end = from
  for (let bytes = 0; end < from + batch && end < entries.length; end++) {
    bytes += entries[end]?.bytes ?? 0
    if (bytes > batchBytes && end > from) break
  }
  return entries.slice(from, end)
}

/** ms that are masked before requests have their turn. */
const longestTurn = 2

/** One statement for a batch. */
const writer = (sql: SqlClient.SqlClient) => {
  const kindId = kindIds(sql)
  const insert = sql.onDialectOrElse({ pg: () => insertOnPostgres(sql), orElse: () => insertOnSqlite(sql) })
  return Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>): Effect.fn.Return<void, SqlError> {
    const clock = yield* Clock.Clock
    const millisecond = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
    const now = clock.currentTimeMillisUnsafe()
    const rows: Array<Values> = []
    let turn = millisecond()
    for (const { answered, note } of entries) {
      if (millisecond() - turn >= longestTurn) {
        yield* Effect.yieldNow
        turn = millisecond()
      }
      const kind = kindOf(note, answered)
      const id = kindId.known(kind, now) ?? (yield* kindId.stored(kind, now))
      const row = rowOf(note, answered)
      rows.push([id, row.id, row.microseconds, row.payment, row.refund, row.request, row.response])
    }
    yield* insert(rows)
  })
}

type Values = ReadonlyArray<string | number | null>

const columns = "kind, id, microseconds, payment_id, refund_id, request, response"

/** Prepared for a whole batch: that is what a busy server writes. */
const insertOnSqlite = (sql: SqlClient.SqlClient) => (rows: ReadonlyArray<Values>) => {
  const values = Array.from(rows, () => "(?, ?, ?, ?, ?, ?, ?)").join(", ")
  const statement = sql.unsafe(`INSERT INTO paymux_requests (${columns}) VALUES ${values}`, rows.flat())
  return rows.length === batch ? statement : statement.unprepared
}

/** All rows are one parameter. */
const insertOnPostgres = (sql: SqlClient.SqlClient) => (rows: ReadonlyArray<Values>) =>
  sql`INSERT INTO paymux_requests (${sql.literal(columns)})
    SELECT (r ->> 0)::bigint, r ->> 1, (r ->> 2)::bigint, r ->> 3, r ->> 4, r ->> 5, r ->> 6
    FROM json_array_elements(${JSON.stringify(rows)}::json) AS r`

/**
 * The ids of kinds, which this process looks up once an hour: that is noted in the kind, so that one in use is not deleted
 * while it has no requests.
 */
const kindIds = (sql: SqlClient.SqlClient) => {
  const ids = new Map<string, { readonly id: number; readonly seenAt: number }>()
  const known = (kind: RequestKind, now: number): number | undefined => {
    const found = ids.get(nameOf(kind))
    return found === undefined || now - found.seenAt >= lookUpAgain ? undefined : found.id
  }
  const stored = Effect.fnUntraced(function* (kind: RequestKind, now: number) {
    const { account, keyId, livemode, method, problem, replayed, route, status } = kind
    const [found] = yield* sql<{ readonly id: number }>`INSERT INTO paymux_request_kinds
        (account, livemode, key_id, method, route, status, problem, replayed, seen_at)
      VALUES (${account}, ${livemode}, ${keyId}, ${method}, ${route}, ${status}, ${problem}, ${replayed}, ${now})
      ON CONFLICT (account, livemode, key_id, method, route, status, problem, replayed)
        DO UPDATE SET seen_at = excluded.seen_at
      RETURNING id`
    if (found === undefined) return yield* Effect.die(new Error("A kind of request is missing after it was written"))
    if (ids.size >= mostKinds) ids.clear()
    ids.set(nameOf(kind), { id: found.id, seenAt: now })
    return found.id
  })
  return { known, stored }
}

/** ms */
const lookUpAgain = 3_600_000
const mostKinds = 20_000

/** No part but the last may have a space in it. */
const nameOf = ({ account, keyId, livemode, method, problem, replayed, route, status }: RequestKind): string =>
  `${account} ${livemode} ${keyId} ${method} ${status} ${problem} ${replayed} ${route}`
