/**
 * The request log: the merchant's calls of `/v1`, newest first. A page reads the newest rows of each kind of request that the
 * filters select, so it costs the same however long the log is and however rare what it asks for.
 */
import type { Tenant } from "@paymux/core"
import { StoreUnavailable } from "@paymux/core/store"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { firstRequestId, requestTimeOf } from "../server/RequestId.ts"
import { CurrentRequestRecorder } from "./RequestRecorder.ts"

/** A call of `/v1` that was answered. */
export interface LoggedRequest {
  /** As in the header `Request-Id` of the response. */
  readonly id: string
  /** ms UTC at which the request came. */
  readonly at: number
  readonly method: string
  /** Without the query. An id that cannot exist is written as in `route`. */
  readonly path: string
  /** Such as `/v1/payments/:id`. */
  readonly route: string
  readonly status: number
  /** The code of the problem; `null`: the request succeeded. */
  readonly problem: string | null
  /** Of the API key. */
  readonly keyId: string
  readonly durationMs: number
  /** Whether the response is the stored one of an earlier request with the same idempotency key. */
  readonly replayed: boolean
  readonly paymentId: string | null
  readonly refundId: string | null
}

export interface RequestDetails extends LoggedRequest {
  /** The structure of the body, with masked values; `null`: none, or a large one, or erased. */
  readonly request: unknown
  /** What was wrong; `null`: the request succeeded, or it is erased. */
  readonly response: ShownProblem | null
}

export interface ShownProblem {
  readonly code: string
  readonly detail: string
  readonly errors: ReadonlyArray<{ readonly pointer: string; readonly message: string }>
}

export const statusClasses = ["2xx", "4xx", "5xx"] as const
export type StatusClass = (typeof statusClasses)[number]

/** Conditions that are left out exclude nothing. */
export interface RequestQuery {
  readonly status?: number | StatusClass
  readonly method?: string
  /** Such as `/v1/payments/:id`. */
  readonly route?: string
  readonly keyId?: string
  /** The code of a problem. */
  readonly problem?: string
  readonly requestId?: string
  readonly paymentId?: string
  /** ms UTC, inclusive. */
  readonly from?: number
  /** ms UTC, exclusive. */
  readonly until?: number
  /** The `next` of the page before. */
  readonly after?: string
  /** 1 to 1000. */
  readonly limit: number
}

export interface RequestPage {
  readonly requests: ReadonlyArray<LoggedRequest>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** The cursor is not one that a list of requests returned. */
export class RequestCursorInvalid extends Data.TaggedError("RequestCursorInvalid") {
  override get message(): string {
    return "The cursor must be the `next` of a former page of requests."
  }
}

export class RequestLog extends Context.Service<
  RequestLog,
  {
    /** Newest first. */
    readonly list: (
      tenant: Tenant,
      query: RequestQuery
    ) => Effect.Effect<RequestPage, RequestCursorInvalid | StoreUnavailable>
    /** `null`: this account and mode has no such request, or no longer. */
    readonly get: (tenant: Tenant, id: string) => Effect.Effect<RequestDetails | null, StoreUnavailable>
    /** Erases what was kept of the bodies of requests about a payment. */
    readonly forgetPayment: (paymentId: string) => Effect.Effect<void, StoreUnavailable>
    /** Deletes what came before a time (ms UTC), in small steps. Returns the number of requests. */
    readonly prune: (before: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@paymux/http/RequestLog") {
  /** What the server in the same process has not written yet is written before it is read. */
  static readonly layer: Layer.Layer<RequestLog, never, SqlClient.SqlClient> = Layer.effect(
    RequestLog,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const recorder = yield* CurrentRequestRecorder
      const written = recorder === null ? Effect.void : recorder.flush
      return RequestLog.of({
        list: (tenant, query) => Effect.andThen(written, list(sql, tenant, query)),
        get: (tenant, id) => Effect.andThen(written, get(sql, tenant, id)),
        forgetPayment: (paymentId) => Effect.andThen(written, forgetPayment(sql, paymentId)),
        prune: (before) => prune(sql, before)
      })
    })
  )
}

const list = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, tenant: Tenant, query: RequestQuery) {
  if (query.after !== undefined && !isRequestId(query.after)) return yield* new RequestCursorInvalid()
  const rows = yield* orUnavailable(requestsStatement(sql, tenant, query).unprepared)
  const requests = rows.slice(0, query.limit).map(requestOf)
  return { requests, next: rows.length <= query.limit ? null : (requests.at(-1)?.id ?? null) }
})

const get = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { account, livemode }: Tenant, id: string) {
  if (!isRequestId(id)) return null
  const [row] = yield* orUnavailable(
    sql<Row & Bodies>`SELECT ${columns(sql)}, r.request, r.response
      FROM paymux_request_kinds AS k JOIN paymux_requests AS r ON r.kind = k.id
      WHERE k.account = ${account} AND k.livemode = ${livemode} AND r.id = ${id}`
  )
  if (row === undefined) return null
  return {
    ...requestOf(row),
    request: row.request === null ? null : (JSON.parse(row.request) as unknown),
    // Boundary: the recorder wrote this shape.
    response: row.response === null ? null : (JSON.parse(row.response) as ShownProblem)
  }
})

export const isRequestId = (text: string): boolean => /^req_[0-9a-f]{32}$/.test(text)

export const requestsStatement = (sql: SqlClient.SqlClient, tenant: Tenant, query: RequestQuery) => {
  const { limit, paymentId } = query
  const kinds = sql.and(kindConditions(sql, tenant, query))
  const own = sql.and(rowConditions(sql, query))
  const newest = sql`ORDER BY id DESC LIMIT ${limit + 1}`
  if (paymentId !== undefined) {
    return sql<Row>`SELECT ${columns(sql)}
      FROM (SELECT * FROM paymux_requests WHERE payment_id = ${paymentId} AND ${own}) AS r
      JOIN paymux_request_kinds AS k ON k.id = r.kind WHERE ${kinds} ORDER BY r.id DESC LIMIT ${limit + 1}`
  }
  // Of each kind its newest: neither database knows the other's way to say so.
  const ofKinds = sql.onDialectOrElse({
    pg: () => sql`SELECT of_kind.kind, of_kind.id FROM paymux_request_kinds AS k CROSS JOIN LATERAL (
      SELECT kind, id FROM paymux_requests WHERE kind = k.id AND ${own} ${newest}) AS of_kind WHERE ${kinds}`,
    orElse: () => sql`SELECT r.kind, r.id FROM paymux_request_kinds AS k CROSS JOIN paymux_requests AS r
      WHERE ${kinds} AND r.kind = k.id
        AND r.id IN (SELECT id FROM paymux_requests WHERE kind = k.id AND ${own} ${newest})`
  })
  return sql<Row>`WITH newest AS (SELECT kind, id FROM (${ofKinds}) AS of_kinds ${newest})
    SELECT ${columns(sql)} FROM newest
    JOIN paymux_requests AS r ON r.kind = newest.kind AND r.id = newest.id
    JOIN paymux_request_kinds AS k ON k.id = newest.kind
    ORDER BY r.id DESC`
}

const kindConditions = (
  sql: SqlClient.SqlClient,
  { account, livemode }: Tenant,
  { keyId, method, problem, route, status }: RequestQuery
): ReadonlyArray<Statement.Fragment> => [
  sql`k.account = ${account} AND k.livemode = ${livemode}`,
  ...(typeof status === "number" ? [sql`k.status = ${status}`] : []),
  ...(typeof status === "string" ? [sql`k.status / 100 = ${Number(status[0])}`] : []),
  ...(method === undefined ? [] : [sql`k.method = ${method}`]),
  ...(route === undefined ? [] : [sql`k.route = ${route}`]),
  ...(keyId === undefined ? [] : [sql`k.key_id = ${keyId}`]),
  ...(problem === undefined ? [] : [sql`k.problem = ${problem}`])
]

/** Ids sort by time. */
const rowConditions = (
  sql: SqlClient.SqlClient,
  { after, from = 0, requestId, until }: RequestQuery
): ReadonlyArray<Statement.Fragment> => [
  sql`id >= ${firstRequestId(from)}`,
  ...(until === undefined ? [] : [sql`id < ${firstRequestId(until)}`]),
  ...(after === undefined ? [] : [sql`id < ${after}`]),
  ...(requestId === undefined ? [] : [sql`id = ${requestId}`])
]

/** In steps: a payment may have been looked at a million times. */
const forgetPayment = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, paymentId: string) {
  for (let after: string | undefined = ""; after !== undefined;) {
    const step: ReadonlyArray<{ readonly id: string }> = yield* orUnavailable(
      sql<{ readonly id: string }>`SELECT id FROM paymux_requests
        WHERE payment_id = ${paymentId} AND id > ${after} ORDER BY id LIMIT ${batch}`
    )
    const last = step.at(-1)?.id
    if (last === undefined) return
    yield* orUnavailable(sql`UPDATE paymux_requests SET request = NULL, response = NULL
      WHERE payment_id = ${paymentId} AND id > ${after} AND id <= ${last}
        AND (request IS NOT NULL OR response IS NOT NULL)`)
    after = step.length < batch ? undefined : last
    if (after !== undefined) yield* Effect.sleep(pause)
  }
})

const prune = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, before: number) {
  const end = firstRequestId(before)
  let total = 0
  for (let last = 0; ;) {
    const kinds = yield* orUnavailable(
      sql<{
        readonly id: number
      }>`SELECT id FROM paymux_request_kinds WHERE id > ${last} ORDER BY id LIMIT ${mostKinds}`
    )
    for (const { id } of kinds) {
      for (let deleted = batch; deleted === batch; total += deleted) {
        deleted = (yield* orUnavailable(sql`DELETE FROM paymux_requests WHERE kind = ${id} AND id IN (
          SELECT id FROM paymux_requests WHERE kind = ${id} AND id < ${end} ORDER BY id LIMIT ${batch})
          RETURNING id`)).length
        if (deleted === batch) yield* Effect.sleep(pause)
      }
      last = id
    }
    if (kinds.length < mostKinds) return total
    yield* Effect.sleep(pause)
  }
})

/** Rows of a step, so that a payment waits for a few ms at most. */
const batch = 500
/** ms */
const pause = 20
const mostKinds = 100

const orUnavailable = <A>(effect: Effect.Effect<A, SqlError>) =>
  Effect.mapError(effect, (cause) => new StoreUnavailable({ cause }))

const columns = (sql: SqlClient.SqlClient) =>
  sql.literal(
    "r.id, r.microseconds, r.payment_id, r.refund_id, k.key_id, k.method, k.route, k.status, k.problem, k.replayed"
  )

interface Row {
  readonly id: string
  /** PostgreSQL may return a bigint as text. */
  readonly microseconds: number | string
  readonly payment_id: string | null
  readonly refund_id: string | null
  readonly key_id: string
  readonly method: string
  readonly route: string
  readonly status: number | string
  readonly problem: string
  readonly replayed: boolean | number
}

interface Bodies {
  readonly request: string | null
  readonly response: string | null
}

const requestOf = (row: Row): LoggedRequest => ({
  id: row.id,
  at: requestTimeOf(row.id),
  method: row.method,
  path: pathOf(row),
  route: row.route,
  status: Number(row.status),
  problem: row.problem === "" ? null : row.problem,
  keyId: row.key_id,
  durationMs: Number(row.microseconds) / 1000,
  replayed: Boolean(row.replayed),
  paymentId: row.payment_id,
  refundId: row.refund_id
})

const pathOf = ({ payment_id, refund_id, route }: Row): string =>
  route
    .replace(/\/payments\/(:\w+)/, (same) => (payment_id === null ? same : `/payments/${payment_id}`))
    .replace(/\/refunds\/(:\w+)/, (same) => (refund_id === null ? same : `/refunds/${refund_id}`))
