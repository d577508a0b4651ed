/**
 * Deletes and erases entries of the request log. The work is split into steps with pauses, so that a payment is delayed
 * by a few ms at most.
 */
import { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { firstRequestId } from "../request/RequestId.ts"

export const mapSqlError = Effect.mapError((cause: SqlError) => new StoreUnavailable({ cause }))

/** The maximum number of rows that one step deletes or updates. */
const batch = 500
/** The maximum number of rows that one step counts. */
const counted = 2_000
/** The pause between two steps, ms. */
const pause = 20
const kindsPerStep = 100

/** The id of a kind of requests. PostgreSQL may return a bigint as text. */
type Kind = number | string

/** Erases the stored bodies and problems of all requests for a payment. A payment may have a million requests. */
export const forgetPayment = (sql: SqlClient, paymentId: string) =>
  mapSqlError(
    inSteps(
      { kind: 0, id: "" },
      Effect.fnUntraced(function* (after: Position) {
        const step = yield* sql<Position>`SELECT kind, id FROM paymux_requests
          WHERE payment_id = ${paymentId} AND (kind, id) > (${after.kind}, ${after.id}) ORDER BY kind, id LIMIT ${batch}`
        const last = step.at(-1)
        if (last === undefined) return undefined
        yield* sql`UPDATE paymux_requests SET request = NULL, response = NULL
          WHERE payment_id = ${paymentId}
            AND (kind, id) > (${after.kind}, ${after.id}) AND (kind, id) <= (${last.kind}, ${last.id})
            AND (request IS NOT NULL OR response IS NOT NULL)`
        return step.length < batch ? undefined : last
      })
    )
  )

interface Position {
  readonly kind: Kind
  readonly id: string
}

/** Deletes the requests before a time (ms UTC), and kinds without requests that no running process uses. */
export const prune = Effect.fnUntraced(function* (sql: SqlClient, before: number) {
  const total = yield* deleteUntil(sql, firstRequestId(before))
  yield* eachKind(
    sql,
    (kind) => sql`DELETE FROM paymux_request_kinds WHERE id = ${kind} AND seen_at < ${before}
      AND NOT EXISTS (SELECT 1 FROM paymux_requests WHERE kind = ${kind})`
  )
  return total
}, mapSqlError)

/** Deletes the oldest requests beyond `most`. */
export const pruneBeyond = Effect.fnUntraced(function* (sql: SqlClient, most: number) {
  const end = cutOf(yield* countedParts(sql), most)
  return end === null ? 0 : yield* deleteUntil(sql, end)
}, mapSqlError)

/** A range of consecutive requests of one kind, with their number. */
interface Part {
  readonly requests: number
  /** The id of the newest request in the range. */
  readonly last: string
}

interface CountedPart {
  readonly requests: number | string
  /** The id of the newest request; `null`: no request was found. */
  readonly last: string | null
}

/**
 * Returns the id up to which requests have to be deleted, so that at most `most` remain. `null` if the log has no more
 * than `most` requests.
 */
const cutOf = (parts: ReadonlyArray<Part>, most: number): string | null => {
  let kept = 0
  for (const { last, requests } of parts.toSorted((a, b) => (a.last < b.last ? 1 : -1))) {
    kept += requests
    // The deletion boundary is exclusive. With the suffix `+`, it is just after the newest request of the range, so
    // that this request is deleted too.
    if (kept > most) return `${last}+`
  }
  return null
}

const countedParts = Effect.fnUntraced(function* (sql: SqlClient) {
  const parts: Array<Part> = []
  const countFrom = (kind: Kind) =>
    Effect.fnUntraced(function* (after: string) {
      const [part] = yield* sql<CountedPart>`
        SELECT count(*) AS requests, max(id) AS last FROM (
          SELECT id FROM paymux_requests WHERE kind = ${kind} AND id > ${after} ORDER BY id LIMIT ${counted}) AS part`
      if (part === undefined || part.last === null) return undefined
      const requests = Number(part.requests)
      parts.push({ requests, last: part.last })
      return requests < counted ? undefined : part.last
    })
  yield* eachKind(sql, (kind) => inSteps("", countFrom(kind)))
  return parts
})

/** Deletes requests whose ids are less than `end`. Returns their number. */
const deleteUntil = Effect.fnUntraced(function* (sql: SqlClient, end: string) {
  let total = 0
  const deleteSome = (kind: Kind) =>
    Effect.map(
      sql`DELETE FROM paymux_requests WHERE kind = ${kind} AND id IN (
        SELECT id FROM paymux_requests WHERE kind = ${kind} AND id < ${end} ORDER BY id LIMIT ${batch})
        RETURNING id`,
      ({ length }) => {
        total += length
        return length === batch ? kind : undefined
      }
    )
  yield* eachKind(sql, (kind) => inSteps(kind, deleteSome))
  return total
})

/** Calls `visit` with the id of every kind of request, for all accounts. */
const eachKind = (sql: SqlClient, visit: (kind: Kind) => Effect.Effect<unknown, SqlError>) =>
  inSteps(
    0,
    Effect.fnUntraced(function* (after: Kind) {
      const kinds = yield* sql<{ readonly id: Kind }>`
        SELECT id FROM paymux_request_kinds WHERE id > ${after} ORDER BY id LIMIT ${kindsPerStep}`
      for (const { id } of kinds) {
        yield* visit(id)
        yield* Effect.yieldNow
      }
      return kinds.length < kindsPerStep ? undefined : kinds.at(-1)?.id
    })
  )

/**
 * Runs `step` repeatedly, with a pause after each run. Each run starts at the position that the previous one returned;
 * the first starts at `first`. A step that returns `undefined` is the last.
 */
const inSteps = Effect.fnUntraced(function* <Place>(
  first: Place,
  step: (from: Place) => Effect.Effect<Place | undefined, SqlError>
) {
  for (let next = yield* step(first); next !== undefined; next = yield* step(next)) yield* Effect.sleep(pause)
})
