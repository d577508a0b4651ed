/**
 * Writes the request log in batches in the background: a request only adds one object to a queue in memory. If the
 * queue is full, or the database does not answer, entries are dropped and counted.
 */
import { Clock, Context, Effect, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { countNotLogged, registryOf } from "../request/RequestTelemetry.ts"
import type { NotedProblem, Principal, RequestNote } from "../request/RequestNote.ts"
import { kindOf, rowOf } from "./requestRow.ts"
import type { AnsweredRequest, LoggedNote, RequestKind } from "./requestRow.ts"

export interface RequestRecorder {
  readonly record: (note: RequestNote, answered: AnsweredRequest) => void
  /** Writes all recorded entries. It never fails. */
  readonly flush: Effect.Effect<void>
}

/** The recorder of the request log; `null`: requests are not logged. */
export const CurrentRequestRecorder = Context.Reference<RequestRecorder | null>("@paymux/http/RequestRecorder", {
  defaultValue: () => null
})

/** The maximum number of queued entries. */
const capacity = 4_096
/** The maximum size in memory of the entries that are queued or being written, in bytes. */
const maxBytes = 8 * 1024 * 1024
/**
 * The maximum number of rows in one `INSERT` statement; `batchBytes` limits the bytes of their entries. A statement of
 * this size blocks the event loop for a few ms; larger batches cost less per row.
 */
const batch = 512
const batchBytes = 256 * 1024
/** The interval between two writes, ms. */
const interval = 1_000

interface Entry {
  readonly note: LoggedNote
  readonly answered: AnsweredRequest
  /** The approximate size of the entry in memory, in bytes. */
  readonly bytes: number
}

/** The recorder. It writes once a second, and the remaining entries when the scope closes. */
export const requestRecorder: Layer.Layer<never, never, SqlClient> = Layer.effect(
  CurrentRequestRecorder,
  Effect.gen(function* () {
    const registry = yield* registryOf
    const write = writer(yield* SqlClient)
    let queue: Array<Entry> = []
    let bytes = 0

    const writeOrDrop = (entries: ReadonlyArray<Entry>) =>
      Effect.catchCause(write(entries), (cause) => {
        countNotLogged("not_written", entries.length, registry)
        return Effect.logWarning(`${entries.length} requests were not written to the request log`, cause)
      })

    const oneAtATime = yield* Semaphore.make(1)
    const flush = Effect.gen(function* () {
      const entries = queue
      queue = []
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
        // Requests with a 429 are not logged, since an API key may cause thousands per second:
        // `paymux_http_problems_total` counts them.
        if (note.principal === null || answered.status === 429) return
        const entry = entryOf(note, note.principal, answered)
        if (queue.length >= capacity || bytes + entry.bytes > maxBytes) {
          return countNotLogged("queue_full", 1, registry)
        }
        queue.push(entry)
        bytes += entry.bytes
      }
    }
  })
)

/**
 * Creates the queued entry of a request. It copies only the fields that are written, since the bytes of the body may
 * belong to a larger buffer, which would stay in memory.
 */
const entryOf = (note: RequestNote, principal: Principal, answered: AnsweredRequest): Entry => {
  const { body, id, paymentId } = note
  const problem = note.problem === null ? null : shortened(note.problem)
  // The body of a successful request is not stored: the payment or refund contains its data.
  const kept = problem === null || body === undefined ? undefined : new Uint8Array(body)
  return {
    note: { id, paymentId, principal, problem, body: kept },
    answered,
    bytes: 256 + answered.url.length + (kept?.length ?? 0) + (problem === null ? 0 : lengthOf(problem))
  }
}

const maxErrors = 10

const shortened = ({ code, detail, errors }: NotedProblem): NotedProblem => ({
  code,
  ...(detail !== undefined && { detail }),
  ...(errors !== undefined && { errors: errors.slice(0, maxErrors) })
})

const lengthOf = ({ detail = "", errors = [] }: NotedProblem): number =>
  errors.reduce((sum, { message, pointer }) => sum + message.length + pointer.length, detail.length)

/** Returns the entries from index `from` on that the next statement writes, at least one. */
const batchAt = (entries: ReadonlyArray<Entry>, from: number): ReadonlyArray<Entry> => {
  let end = from
  for (let bytes = 0; end < from + batch && end < entries.length; end++) {
    bytes += entries[end]?.bytes ?? 0
    if (bytes > batchBytes && end > from) break
  }
  return entries.slice(from, end)
}

/**
 * The maximum time in ms for which the fiber masks bodies without a pause. Then it yields, so that requests are
 * handled.
 */
const maxTurn = 2

/** Writes a batch with one statement. */
const writer = (sql: SqlClient) => {
  const kindId = kindIds(sql)
  const insert = (rows: ReadonlyArray<Values>) =>
    sql.onDialectOrElse({ pg: () => insertOnPostgres(sql, rows), orElse: () => insertOnSqlite(sql, rows) })
  return Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
    const clock = yield* Clock.Clock
    const millisecond = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
    const now = clock.currentTimeMillisUnsafe()
    const rows: Array<Values> = []
    let turn = millisecond()
    for (const { answered, note } of entries) {
      if (millisecond() - turn >= maxTurn) {
        yield* Effect.yieldNow
        turn = millisecond()
      }
      const kind = kindOf(note, answered)
      const id = kindId.known(kind, now) ?? (yield* kindId.stored(kind, now))
      rows.push([id, ...rowOf(note, answered)])
    }
    yield* insert(rows)
  })
}

type Values = ReadonlyArray<string | number | null>

const columns = "kind, id, microseconds, payment_id, refund_id, request, response"

/**
 * Inserts rows on SQLite. Only the statement for a full batch is kept as a prepared statement, because a busy server
 * repeats it.
 */
const insertOnSqlite = (sql: SqlClient, rows: ReadonlyArray<Values>) => {
  const values = rows.map(() => "(?, ?, ?, ?, ?, ?, ?)").join(", ")
  const statement = sql.unsafe(`INSERT INTO paymux_requests (${columns}) VALUES ${values}`, rows.flat())
  return rows.length === batch ? statement : statement.unprepared
}

/** Inserts rows on PostgreSQL. All rows of the batch are one JSON parameter. */
const insertOnPostgres = (sql: SqlClient, rows: ReadonlyArray<Values>) =>
  sql`INSERT INTO paymux_requests (${sql.literal(columns)})
    SELECT (r ->> 0)::bigint, r ->> 1, (r ->> 2)::bigint, r ->> 3, r ->> 4, r ->> 5, r ->> 6
    FROM json_array_elements(${JSON.stringify(rows)}::json) AS r`

/**
 * Creates the cache of the ids of request kinds. Each kind is looked up again once an hour. The look-up updates
 * `seen_at`, so that a kind in use is not deleted while no request refers to it.
 */
const kindIds = (sql: SqlClient) => {
  const ids = new Map<string, { readonly id: number; readonly seenAt: number }>()
  const known = (kind: RequestKind, now: number): number | undefined => {
    const found = ids.get(nameOf(kind))
    return found === undefined || now - found.seenAt >= refreshAfter ? undefined : found.id
  }
  const stored = Effect.fnUntraced(function* (kind: RequestKind, now: number) {
    const [found] = yield* sql<{ readonly id: number }>`INSERT INTO paymux_request_kinds
      ${sql.insert({ ...kind, seen_at: now })}
      ON CONFLICT (account, livemode, key_id, method, route, status, problem, replayed)
        DO UPDATE SET seen_at = excluded.seen_at
      RETURNING id`
    if (found === undefined) return yield* Effect.die(new Error("A kind of request is missing after it was written"))
    if (ids.size >= maxKinds) ids.clear()
    ids.set(nameOf(kind), { id: found.id, seenAt: now })
    return found.id
  })
  return { known, stored }
}

/** The time after which a kind is looked up again, ms. */
const refreshAfter = 3_600_000
const maxKinds = 20_000

/**
 * Returns the cache key of a kind: its columns, joined by spaces. The key is unique, because only the last column, the
 * route, may contain a space.
 */
const nameOf = (kind: RequestKind): string => Object.values(kind).join(" ")
