/**
 * The request log: the merchant's requests to `/v1`, newest first. Requests that share account, API key, route and
 * status are of one kind. A page reads the newest rows of each kind that the filters select, so its cost depends
 * neither on the length of the log nor on the number of matches.
 */
import type { Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { firstRequestId, requestTimeOf } from "../request/RequestId.ts"
import { forgetPayment, mapSqlError, prune, pruneBeyond } from "./requestPruning.ts"
import { CurrentRequestRecorder } from "./RequestRecorder.ts"

/** An entry of the request log: an authenticated request to `/v1` and the result of its response. */
export interface LoggedRequest {
  /** The id of the request, as in `Request-Id`. */
  readonly id: string
  /** The time at which the request was received, ms UTC. */
  readonly at: number
  readonly method: string
  /**
   * The path of the request without the query. Instead of a malformed id, it contains the placeholder of `route`, such
   * as `:id`.
   */
  readonly path: string
  /** The pattern of the route, such as `/v1/payments/:id`. */
  readonly route: string
  readonly status: number
  /** The problem code of the response; `null` if the request succeeded. */
  readonly problem: string | null
  /** The id of the API key of the request. */
  readonly keyId: string
  readonly durationMs: number
  /** Whether the response was replayed from an earlier request with the same idempotency key. */
  readonly replayed: boolean
  readonly paymentId: string | null
  readonly refundId: string | null
}

export interface RequestDetails extends LoggedRequest {
  /** The request body with masked values. `null` if there was no body, the body was too large, or it was erased. */
  readonly request: unknown
  /** The problem of the response; `null` if the request succeeded, or the problem was erased. */
  readonly response: ShownProblem | null
}

export interface ShownProblem {
  readonly code: string
  readonly detail: string
  readonly errors: ReadonlyArray<{ readonly pointer: string; readonly message: string }>
}

export const statusClasses = ["2xx", "4xx", "5xx"] as const
export type StatusClass = (typeof statusClasses)[number]

/** The filters of the list. An omitted filter matches all requests. */
export interface RequestQuery {
  readonly status?: number | StatusClass
  readonly method?: string
  /** Only requests of this route, such as `/v1/payments/:id`. */
  readonly route?: string
  readonly keyId?: string
  /** Only requests that were answered with this problem code. */
  readonly problem?: string
  readonly requestId?: string
  readonly paymentId?: string
  /** Only requests at this time or later, ms UTC. */
  readonly from?: number
  /** Only requests before this time, ms UTC. */
  readonly until?: number
  /** The `next` cursor of the previous page. */
  readonly after?: string
  /** The maximum number of requests on the page, 1 to 100. */
  readonly limit: number
}

/** The largest `limit` of a query. */
export const mostRequestsOfPage = 100

export interface RequestPage {
  readonly data: ReadonlyArray<LoggedRequest>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** Error: the cursor was not issued for a list of requests. */
export class RequestCursorInvalid extends Data.TaggedError("RequestCursorInvalid") {
  override get message(): string {
    return "The cursor must be the `next` of a former page of requests."
  }
}

export class RequestLog extends Context.Service<
  RequestLog,
  {
    /** Lists requests, newest first. */
    readonly list: (
      tenant: Tenant,
      query: RequestQuery
    ) => Effect.Effect<RequestPage, RequestCursorInvalid | StoreUnavailable>
    /** Finds a request; `null`: this account and mode has no such request, or it was deleted. */
    readonly get: (tenant: Tenant, id: string) => Effect.Effect<RequestDetails | null, StoreUnavailable>
    /** Erases the stored bodies of the requests of a payment. */
    readonly forgetPayment: (paymentId: string) => Effect.Effect<void, StoreUnavailable>
    /** Deletes the requests before a time (ms UTC), in small steps. Returns their number. */
    readonly prune: (before: number) => Effect.Effect<number, StoreUnavailable>
    /**
     * Deletes the oldest requests in small steps, so that at most `most` remain. It may delete up to 2,000 more of each
     * kind of request.
     */
    readonly pruneBeyond: (most: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@paymux/http/RequestLog") {
  /**
   * The layer of the request log. Before each read, it writes the entries that the recorder in this process has queued.
   */
  static readonly layer: Layer.Layer<RequestLog, never, SqlClient> = Layer.effect(
    RequestLog,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const recorder = yield* CurrentRequestRecorder
      const written = recorder === null ? Effect.void : recorder.flush
      return RequestLog.of({
        list: Effect.fnUntraced(function* (tenant, query) {
          yield* written
          if (query.after !== undefined && !isRequestId(query.after)) return yield* new RequestCursorInvalid()
          const rows = yield* mapSqlError(requestsStatement(sql, tenant, query).unprepared)
          const requests = rows.slice(0, query.limit).map(requestOf)
          return { data: requests, next: rows.length <= query.limit ? null : (requests.at(-1)?.id ?? null) }
        }),
        get: Effect.fnUntraced(function* ({ account, livemode }, id) {
          yield* written
          if (!isRequestId(id)) return null
          const [row] = yield* sql<Row & Bodies>`SELECT ${columns(sql)}, r.request, r.response
            FROM paymux_request_kinds AS k JOIN paymux_requests AS r ON r.kind = k.id
            WHERE k.account = ${account} AND k.livemode = ${livemode} AND r.id = ${id}`
          if (row === undefined) return null
          return {
            ...requestOf(row),
            request: row.request === null ? null : (JSON.parse(row.request) as unknown),
            // Cast at a boundary: the recorder wrote the JSON in this shape.
            response: row.response === null ? null : (JSON.parse(row.response) as ShownProblem)
          }
        }, mapSqlError),
        forgetPayment: (paymentId) => Effect.andThen(written, forgetPayment(sql, paymentId)),
        prune: (before) => prune(sql, before),
        pruneBeyond: (most) => pruneBeyond(sql, most)
      })
    })
  )
}

const isRequestId = (text: string): boolean => /^req_[0-9a-f]{32}$/.test(text)

/** @internal Exported for the test of its query plan. */
export const requestsStatement = (sql: SqlClient, tenant: Tenant, query: RequestQuery) => {
  const kinds = sql.and(kindConditions(sql, tenant, query))
  const own = sql.and(rowConditions(sql, query))
  const newest = sql`ORDER BY id DESC LIMIT ${query.limit + 1}`
  // Selects the newest matching requests of each kind. PostgreSQL and SQLite need different queries for this.
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
  sql: SqlClient,
  { account, livemode }: Tenant,
  { keyId, method, problem, route, status }: RequestQuery
) => [
  sql`k.account = ${account} AND k.livemode = ${livemode}`,
  ...(typeof status === "string" ? [sql`k.status / 100 = ${Number(status[0])}`] : equal(sql, { "k.status": status })),
  ...equal(sql, { "k.method": method, "k.route": route, "k.key_id": keyId, "k.problem": problem })
]

/** Builds the SQL conditions on a request's own row. Times are compared by request id, because ids sort by time. */
const rowConditions = (sql: SqlClient, { after, from = 0, paymentId, requestId, until }: RequestQuery) => [
  sql`id >= ${firstRequestId(from)}`,
  ...(until === undefined ? [] : [sql`id < ${firstRequestId(until)}`]),
  ...(after === undefined ? [] : [sql`id < ${after}`]),
  ...equal(sql, { id: requestId, payment_id: paymentId })
]

/** Builds one SQL equality condition for each column that has a value. */
const equal = (sql: SqlClient, values: { readonly [column: string]: string | number | undefined }) =>
  Object.entries(values).flatMap(([column, value]) =>
    value === undefined ? [] : [sql`${sql.literal(column)} = ${value}`]
  )

const columns = (sql: SqlClient) =>
  sql.literal(
    "r.id, r.microseconds, r.payment_id, r.refund_id, k.key_id, k.method, k.route, k.status, k.problem, k.replayed"
  )

interface Row {
  readonly id: string
  /** PostgreSQL drivers may return a bigint as text. */
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
