/**
 * Writes the request log in batches, off the path of a request: a request adds one object to a list in memory, and nothing
 * waits for it. When the list is full, or the database does not answer, entries are dropped and counted.
 */
import { Context, Effect, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { countNotLogged, registryOf } from "../server/RequestTelemetry.ts"
import type { RequestNote } from "./RequestNote.ts"
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

/** Entries in memory at most. */
const capacity = 4_096
/** Rows of a statement: the event loop is held for a few ms. More at once cost less each. */
const batch = 512
/** ms */
const interval = 1_000

interface Entry {
  readonly note: LoggedNote
  readonly answered: AnsweredRequest
}

/** Writes once a second, and what is left when the scope closes. */
export const requestRecorder: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effect(
  CurrentRequestRecorder,
  Effect.gen(function* () {
    const registry = yield* registryOf
    const write = writer(yield* SqlClient.SqlClient)
    let waiting: Array<Entry> = []

    const writeOrDrop = (entries: ReadonlyArray<Entry>) =>
      Effect.catchCause(write(entries), (cause) => {
        countNotLogged("not_written", entries.length, registry)
        return Effect.logWarning(`${entries.length} requests were not written to the request log`, cause)
      })

    const oneAtATime = yield* Semaphore.make(1)
    const flush = Effect.gen(function* () {
      const entries = waiting
      waiting = []
      for (let at = 0; at < entries.length; at += batch) {
        yield* writeOrDrop(entries.slice(at, at + batch))
        yield* Effect.yieldNow
      }
    }).pipe((flush) => oneAtATime.withPermit(flush), Effect.uninterruptible)

    yield* Effect.addFinalizer(() => flush)
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(interval), flush)))
    return {
      flush,
      record: (note, answered) => {
        if (!isOfAccount(note)) return
        // The payment or refund itself shows what a request asked for that succeeded.
        if (note.problem === null) note.body = undefined
        if (waiting.length < capacity) waiting.push({ note, answered })
        else countNotLogged("queue_full", 1, registry)
      }
    }
  })
)

const isOfAccount = (note: RequestNote): note is LoggedNote => note.principal !== null

/** One statement for a batch. */
const writer = (sql: SqlClient.SqlClient) => {
  const kindId = kindIds(sql)
  const insert = sql.onDialectOrElse({ pg: () => insertOnPostgres(sql), orElse: () => insertOnSqlite(sql) })
  return Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>): Effect.fn.Return<void, SqlError> {
    const rows: Array<Values> = []
    for (const { answered, note } of entries) {
      const kind = kindOf(note, answered)
      const id = kindId.known(kind) ?? (yield* kindId.stored(kind))
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

/** The ids of kinds never change: this process looks up each once. */
const kindIds = (sql: SqlClient.SqlClient) => {
  const ids = new Map<string, number>()
  const stored = Effect.fnUntraced(function* (kind: RequestKind) {
    const { account, keyId, livemode, method, problem, replayed, route, status } = kind
    yield* sql`INSERT INTO paymux_request_kinds
        (account, livemode, key_id, method, route, status, problem, replayed)
      VALUES (${account}, ${livemode}, ${keyId}, ${method}, ${route}, ${status}, ${problem}, ${replayed})
      ON CONFLICT DO NOTHING`
    const [found] = yield* sql<{ readonly id: number }>`SELECT id FROM paymux_request_kinds
      WHERE account = ${account} AND livemode = ${livemode} AND key_id = ${keyId} AND method = ${method}
        AND route = ${route} AND status = ${status} AND problem = ${problem} AND replayed = ${replayed}`
    if (found === undefined) return yield* Effect.die(new Error("A kind of request is missing after it was written"))
    if (ids.size >= mostKinds) ids.clear()
    ids.set(nameOf(kind), found.id)
    return found.id
  })
  return { known: (kind: RequestKind): number | undefined => ids.get(nameOf(kind)), stored }
}

const mostKinds = 20_000

/** No part but the last may have a space in it. */
const nameOf = ({ account, keyId, livemode, method, problem, replayed, route, status }: RequestKind): string =>
  `${account} ${livemode} ${keyId} ${method} ${status} ${problem} ${replayed} ${route}`
