/** The request log on both databases, against a plain filter of everything that was recorded. */
import { assert, describe, it } from "@effect/vitest"
import { PostgresClient, runMigrations, SqliteClient } from "@paymux/sql"
import { Clock, Effect, Fiber, Layer, Metric, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { setImmediate } from "node:timers/promises"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { apiKeyMigrations, RequestLog, requestRecorder } from "../../src/index.ts"
import type { RequestQuery } from "../../src/index.ts"
import { ApiProblem } from "../../src/problems/ApiProblem.ts"
import { requestsStatement } from "../../src/requestLog/RequestLog.ts"
import { CurrentRequestRecorder } from "../../src/requestLog/RequestRecorder.ts"
import type { RequestRecorder } from "../../src/requestLog/RequestRecorder.ts"
import { requestRetention } from "../../src/requestLog/requestRetention.ts"
import { newRequestId, requestTimeOf } from "../../src/request/RequestId.ts"

const start = 1_790_000_000_000
const mine = { account: "shop", livemode: true }
const tenants = [mine, { account: "shop", livemode: false }, { account: "other", livemode: true }] as const
const payments = ["pay_01jd0000000000000000000001", "pay_01jd0000000000000000000002"] as const

const logged = Layer.provideMerge(RequestLog.layer, requestRecorder)

const sqlite: Layer.Layer<SqlClient.SqlClient> = Layer.effectDiscard(runMigrations([apiKeyMigrations])).pipe(
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
  Layer.orDie
)
const postgres: Layer.Layer<SqlClient.SqlClient> = Layer.unwrap(
  Effect.map(temporaryDatabase([apiKeyMigrations]), (url) => PostgresClient.layer({ url: Redacted.make(url) }))
).pipe(Layer.orDie)

const eventLoopTurn = Effect.promise(() => setImmediate())

const recorderOf = Effect.map(CurrentRequestRecorder, (recorder) => {
  if (recorder === null) throw new Error("The test has no recorder")
  return recorder
})

/** The `n`th request of a mixed traffic; several come in one millisecond. */
const requestOf = (n: number) => {
  const failed = n % 3 === 0
  const payment = payments[n % 2] ?? payments[0]
  const status = failed ? (n % 6 === 0 ? 404 : 503) : n % 5 === 0 ? 200 : 201
  const route = n % 5 === 0 ? "/v1/payments/:id" : "/v1/payments"
  return {
    tenant: tenants[n % 7 === 0 ? 1 : n % 11 === 0 ? 2 : 0] ?? mine,
    id: newRequestId(start + Math.floor((n * 37) % 23)),
    keyId: `key_${n % 2}`,
    method: n % 5 === 0 ? "GET" : "POST",
    route,
    status,
    problem: failed ? (status === 404 ? ("not_found" as const) : ("overloaded" as const)) : null,
    payment: n % 5 === 0 || !failed ? payment : null,
    url: n % 5 === 0 ? `/v1/payments/${payment}?x=asha` : "/v1/payments"
  }
}

type Traffic = ReturnType<typeof requestOf>

const bytesOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body))

const record = ({ record }: RequestRecorder, request: Traffic, body: unknown = { amount: 5, reason: "Asha" }) =>
  record(
    {
      id: request.id,
      principal: { ...request.tenant, keyId: request.keyId },
      body: bytesOf(body),
      problem: request.problem === null ? null : new ApiProblem({ code: request.problem }),
      paymentId: null
    },
    {
      method: request.method,
      route: request.route,
      url: request.url,
      status: request.status,
      microseconds: 2_500,
      location: request.status === 201 ? `/v1/payments/${request.payment}` : undefined,
      replayed: false
    }
  )

const matches = (query: Omit<RequestQuery, "limit">) => (request: Traffic) => {
  const at = Number.parseInt(request.id.slice(4, 16), 16)
  return (
    (query.status === undefined ||
      (typeof query.status === "number"
        ? request.status === query.status
        : String(request.status).startsWith(query.status.slice(0, 1)))) &&
    (query.method === undefined || request.method === query.method) &&
    (query.route === undefined || request.route === query.route) &&
    (query.keyId === undefined || request.keyId === query.keyId) &&
    (query.problem === undefined || request.problem === query.problem) &&
    (query.requestId === undefined || request.id === query.requestId) &&
    (query.paymentId === undefined || request.payment === query.paymentId) &&
    at >= (query.from ?? 0) &&
    at < (query.until ?? Infinity)
  )
}

const pages = Effect.fnUntraced(function* (tenant: typeof mine, query: Omit<RequestQuery, "limit">, limit: number) {
  const log = yield* RequestLog
  const found: Array<string> = []
  for (let after: string | null | undefined; after !== null;) {
    const page = yield* log.list(tenant, { ...query, limit, ...(after === undefined ? {} : { after }) })
    if (page.next !== null) assert.strictEqual(page.data.length, limit)
    found.push(...page.data.map(({ id }) => id))
    after = page.next
  }
  return found
})

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const)("the request log on %s", (_, database) => {
  const onDatabase = <A, E>(test: Effect.Effect<A, E, RequestLog | SqlClient.SqlClient>) =>
    test.pipe(Effect.provide(Layer.provideMerge(logged, database), { local: true }))

  it.live("has each request of its account and mode once, newest first, under every filter and page size", () =>
    onDatabase(
      Effect.gen(function* () {
        const recorder = yield* recorderOf
        const traffic = Array.from({ length: 60 }, (_, n) => requestOf(n))
        for (const request of traffic) record(recorder, request)
        const queries: ReadonlyArray<Omit<RequestQuery, "limit">> = [
          {},
          { status: "2xx" },
          { status: "4xx" },
          { status: "5xx", keyId: "key_1" },
          { status: 404 },
          { status: 500 },
          { method: "GET" },
          { method: "GET", status: "4xx" },
          { route: "/v1/payments", problem: "overloaded" },
          { keyId: "key_0" },
          { keyId: "key_none" },
          { problem: "not_found" },
          { requestId: traffic[1]?.id ?? "" },
          { requestId: traffic[7]?.id ?? "" },
          { paymentId: payments[0] },
          { paymentId: payments[1], status: "2xx", from: start + 4 },
          { from: start + 5, until: start + 11 },
          { from: start + 5, until: start + 11, method: "POST", status: 201 }
        ]
        for (const tenant of tenants) {
          for (const query of queries) {
            const expected = traffic
              .filter((request) => request.tenant === tenant)
              .filter(matches(query))
              .map(({ id }) => id)
              .toSorted()
              .toReversed()
            for (const limit of [7, 100]) assert.deepStrictEqual(yield* pages(tenant, query, limit), expected)
          }
        }
      })
    )
  )

  it.live("shows a request with the structure of its body only if it failed, and to its own account and mode", () =>
    onDatabase(
      Effect.gen(function* () {
        const recorder = yield* recorderOf
        const log = yield* RequestLog
        const [failed, succeeded] = [requestOf(15), requestOf(1)]
        record(recorder, failed)
        record(recorder, succeeded)
        assert.deepStrictEqual(yield* log.get(failed.tenant, failed.id), {
          id: failed.id,
          at: start + ((15 * 37) % 23),
          method: "GET",
          path: `/v1/payments/${failed.payment}`,
          route: "/v1/payments/:id",
          status: 503,
          problem: "overloaded",
          keyId: "key_1",
          durationMs: 2.5,
          replayed: false,
          paymentId: failed.payment,
          refundId: null,
          request: { amount: 5, reason: "[text]" },
          response: {
            code: "overloaded",
            detail: "More payments are being made than this server can take: nothing was done, ask again later.",
            errors: []
          }
        })
        assert.deepInclude(yield* log.get(succeeded.tenant, succeeded.id), { request: null, response: null })
        for (const other of tenants.slice(1)) assert.isNull(yield* log.get(other, failed.id))
        for (const id of ["", "req_1", "' OR 1=1 --", "req_\u0000"]) assert.isNull(yield* log.get(mine, id))
      })
    )
  )

  it.live("erases what is kept of the bodies of requests about a payment, and nothing else", () =>
    onDatabase(
      Effect.gen(function* () {
        const recorder = yield* recorderOf
        const log = yield* RequestLog
        const traffic = Array.from({ length: 3_000 }, (_, n) => requestOf(n)).filter(({ tenant }) => tenant === mine)
        for (const request of traffic) record(recorder, request)
        yield* log.forgetPayment(payments[0])
        const sql = yield* SqlClient.SqlClient
        const kept = yield* sql<{ readonly id: string }>`SELECT id FROM paymux_requests
          WHERE request IS NOT NULL AND response IS NOT NULL ORDER BY id`
        assert.deepStrictEqual(
          kept.map(({ id }) => id),
          traffic
            .filter(({ payment, problem }) => problem !== null && payment !== payments[0])
            .map(({ id }) => id)
            .toSorted()
        )
        assert.strictEqual((yield* sql`SELECT id FROM paymux_requests`).length, traffic.length)
      })
    )
  )

  it.live("deletes what is older, in steps, and nothing else", () =>
    onDatabase(
      Effect.gen(function* () {
        const recorder = yield* recorderOf
        const log = yield* RequestLog
        const traffic = Array.from({ length: 2_500 }, (_, n) => requestOf(n)).filter(({ tenant }) => tenant === mine)
        for (const request of traffic) record(recorder, request)
        yield* recorder.flush
        const older = traffic.filter(matches({ until: start + 12 }))
        assert.strictEqual(yield* log.prune(start + 12), traffic.filter(matches({ until: start + 12 })).length)
        assert.strictEqual((yield* pages(mine, {}, 100)).length, traffic.length - older.length)
        assert.strictEqual(yield* log.prune(start + 12), 0)
      })
    )
  )

  it.live("deletes the oldest beyond the largest number, and nothing if there are no more", () =>
    onDatabase(
      Effect.gen(function* () {
        const recorder = yield* recorderOf
        const log = yield* RequestLog
        // One account alone at first, then two of them in turns.
        const traffic = Array.from({ length: 7_000 }, (_, n) => requestOf(n < 2_000 || n % 2 === 0 ? 1 : 7))
        for (const [n, request] of traffic.entries()) {
          record(recorder, { ...request, id: newRequestId(start + n) })
          if (n % 3_500 === 0) yield* recorder.flush
        }
        yield* recorder.flush
        assert.strictEqual(yield* log.pruneBeyond(7_000), 0)
        const deleted = yield* log.pruneBeyond(5_000)
        const sql = yield* SqlClient.SqlClient
        const [left] = yield* sql<{ readonly requests: number | string; readonly first: string }>`
          SELECT count(*) AS requests, min(id) AS first FROM paymux_requests`
        assert.strictEqual(Number(left?.requests), 7_000 - deleted)
        // Of all accounts alike, the newest.
        assert.strictEqual(requestTimeOf(left?.first ?? ""), start + deleted)
        assert.strictEqual(deleted, 2_000)
      })
    )
  )

  it.live("deletes a kind of request without requests, unless a process may still use it", () =>
    onDatabase(
      Effect.gen(function* () {
        const recorder = yield* recorderOf
        const log = yield* RequestLog
        const sql = yield* SqlClient.SqlClient
        const kinds = sql`SELECT id FROM paymux_request_kinds`
        for (const n of [1, 2]) record(recorder, requestOf(n))
        yield* recorder.flush
        const [one] = yield* kinds
        yield* sql`UPDATE paymux_request_kinds SET seen_at = ${start - 7_200_000} WHERE id = ${one?.["id"]}`
        yield* log.prune(start - 1)
        assert.strictEqual((yield* kinds).length, 2)
        yield* log.prune(start + 1_000)
        assert.strictEqual((yield* kinds).length, 1)
        yield* log.prune((yield* Clock.currentTimeMillis) + 1)
        assert.strictEqual((yield* kinds).length, 0)
      })
    )
  )

  it.live("refuses a cursor of another kind", () =>
    onDatabase(
      Effect.gen(function* () {
        const log = yield* RequestLog
        for (const after of ["", "x", "1.1", "req_1", `${newRequestId()} `]) {
          assert.strictEqual((yield* Effect.flip(log.list(mine, { limit: 1, after })))._tag, "RequestCursorInvalid")
        }
      })
    )
  )

  it.live("is shared by processes that record the same kinds of request at once", () =>
    onDatabase(
      Effect.gen(function* () {
        const elsewhere = Layer.fresh(requestRecorder)
        const traffic = Array.from({ length: 60 }, (_, n) => requestOf(n))
        yield* Effect.all(
          Array.from({ length: 3 }, (_, process) =>
            Effect.gen(function* () {
              const recorder = yield* recorderOf
              for (const [n, request] of traffic.entries()) if (n % 3 === process) record(recorder, request)
              yield* recorder.flush
            }).pipe(Effect.provide(elsewhere, { local: true }))
          ),
          { concurrency: "unbounded" }
        )
        const own = traffic.filter(({ tenant }) => tenant === mine)
        assert.strictEqual((yield* pages(mine, {}, 100)).length, own.length)
        const sql = yield* SqlClient.SqlClient
        const [twice] = yield* sql`SELECT account, livemode, key_id, method, route, status, problem, replayed
          FROM paymux_request_kinds GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 HAVING count(*) > 1`
        assert.isUndefined(twice)
      })
    )
  )
})

/** The clock of the test, with other parts. */
const clockWith = (changes: Partial<Clock.Clock>) =>
  Effect.map(Clock.Clock, (clock): Clock.Clock => ({
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
    currentTimeMillis: clock.currentTimeMillis,
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
    currentTimeNanos: clock.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration),
    ...changes
  }))

const countDropped = Effect.map(Metric.snapshot, (all) =>
  all
    .filter(({ id }) => id === "paymux_request_log_dropped_total")
    .map(({ attributes, state }) => [attributes?.["reason"], "count" in state ? Number(state.count) : null])
)

describe("the recorder of requests", () => {
  const rows = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT id FROM paymux_requests`)

  const withRecorder = <A, E>(test: Effect.Effect<A, E, RequestLog | SqlClient.SqlClient>) =>
    test.pipe(
      Effect.provide(Layer.provideMerge(logged, sqlite), { local: true }),
      Effect.provideService(Metric.MetricRegistry, new Map())
    )

  it.effect("writes once a second, in the background", () =>
    withRecorder(
      Effect.gen(function* () {
        record(yield* recorderOf, requestOf(1))
        yield* TestClock.adjust(900)
        assert.strictEqual((yield* rows).length, 0)
        yield* TestClock.adjust(200)
        assert.strictEqual((yield* rows).length, 1)
      })
    )
  )

  it.effect("writes what is left when it is closed", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(recorderOf, (recorder) =>
        Effect.sync(() => Array.from({ length: 1_300 }, (_, n) => record(recorder, requestOf(n))))
      ).pipe(Effect.provide(requestRecorder, { local: true }))
      assert.strictEqual((yield* rows).length, 1_300)
    }).pipe(Effect.provide(sqlite, { local: true }))
  )

  it.effect("drops and counts what comes beyond its capacity, and records nothing without a key", () =>
    withRecorder(
      Effect.gen(function* () {
        const recorder = yield* recorderOf
        for (let n = 0; n < 4_100; n++) record(recorder, requestOf(n))
        yield* recorder.flush
        assert.strictEqual((yield* rows).length, 4_096)
        assert.deepStrictEqual(yield* countDropped, [["queue_full", 4]])
        recorder.record(
          {
            id: newRequestId(),
            principal: null,
            body: bytesOf({}),
            problem: new ApiProblem({ code: "unauthorized" }),
            paymentId: null
          },
          {
            method: "GET",
            route: "/v1/payments",
            url: "/v1/payments",
            status: 401,
            microseconds: 1,
            location: undefined,
            replayed: false
          }
        )
        yield* recorder.flush
        assert.strictEqual((yield* rows).length, 4_096)
      })
    )
  )

  it.effect("holds 8 MiB at most, of the bodies as they came, also while the database does not take them", () =>
    withRecorder(
      Effect.gen(function* () {
        const recorder = yield* recorderOf
        const sql = yield* SqlClient.SqlClient
        const body = { expand: Array.from({ length: 2_650 }, () => []) }
        const size = bytesOf(body).length
        assert.isTrue(size > 7_900 && size <= 8_192)
        const fits = Math.floor((8 * 1024 * 1024) / (size + 256 + requestOf(3).url.length))
        yield* sql`ALTER TABLE paymux_requests RENAME TO away`
        for (let n = 0; n < fits + 5; n++) record(recorder, requestOf(3), body)
        assert.deepStrictEqual(yield* countDropped, [["queue_full", 5]])
        yield* recorder.flush
        yield* sql`ALTER TABLE away RENAME TO paymux_requests`
        for (let n = 0; n < 100; n++) record(recorder, { ...requestOf(3), id: newRequestId() }, body)
        yield* recorder.flush
        assert.deepStrictEqual(yield* countDropped, [
          ["queue_full", 5],
          ["not_written", fits]
        ])
        assert.strictEqual((yield* rows).length, 100)
      })
    )
  )

  it.effect("keeps ten errors of a problem", () =>
    withRecorder(
      Effect.gen(function* () {
        const recorder = yield* recorderOf
        const log = yield* RequestLog
        const errors = Array.from({ length: 5_000 }, (_, n) => ({ pointer: `/a${n}`, message: "is not a known field" }))
        const { id, tenant } = requestOf(3)
        recorder.record(
          {
            id,
            principal: { ...tenant, keyId: "key_1" },
            body: bytesOf({}),
            problem: new ApiProblem({ code: "invalid_request", errors }),
            paymentId: null
          },
          {
            method: "POST",
            route: "/v1/payments",
            url: "/v1/payments",
            status: 400,
            microseconds: 1,
            location: undefined,
            replayed: false
          }
        )
        assert.deepStrictEqual((yield* log.get(tenant, id))?.response?.errors, errors.slice(0, 10))
      })
    )
  )

  it.effect("gives requests their turn every few ms while it masks", () =>
    withRecorder(
      Effect.gen(function* () {
        const recorder = yield* recorderOf
        for (let n = 0; n < 300; n++) record(recorder, requestOf(n))
        let time = 0n
        // Each look at the time finds 1 ms more.
        const slow = yield* clockWith({ monotonicTimeNanosUnsafe: () => (time += 1_000_000n) })
        let turns = 0
        const counting = yield* Effect.forkChild(
          Effect.forever(Effect.tap(eventLoopTurn, () => Effect.sync(() => turns++)))
        )
        yield* Effect.provideService(recorder.flush, Clock.Clock, slow)
        yield* Fiber.interrupt(counting)
        assert.isAtLeast(turns, 50)
      })
    )
  )

  it.effect("looks up a kind of request again after an hour, so that none is written to a deleted one", () =>
    withRecorder(
      Effect.gen(function* () {
        const recorder = yield* recorderOf
        const log = yield* RequestLog
        const at = (time: number) =>
          Effect.provideServiceEffect(Clock.Clock, clockWith({ currentTimeMillisUnsafe: () => start + time }))
        record(recorder, requestOf(1))
        yield* at(1_000)(recorder.flush)
        assert.strictEqual(yield* log.prune(start + 2_000), 1)
        const again = { ...requestOf(1), id: newRequestId(start + 3_700_000) }
        record(recorder, again)
        yield* at(3_700_000)(recorder.flush)
        assert.deepStrictEqual(
          (yield* log.list(mine, { limit: 10 })).data.map(({ id }) => id),
          [again.id]
        )
      })
    )
  )

  it.effect("drops and counts what the database does not take, and goes on", () =>
    withRecorder(
      Effect.gen(function* () {
        const recorder = yield* recorderOf
        const sql = yield* SqlClient.SqlClient
        yield* sql`ALTER TABLE paymux_requests RENAME TO away`
        record(recorder, requestOf(1))
        yield* recorder.flush
        yield* sql`ALTER TABLE away RENAME TO paymux_requests`
        record(recorder, requestOf(2))
        yield* recorder.flush
        assert.strictEqual((yield* rows).length, 1)
        assert.deepStrictEqual(yield* countDropped, [["not_written", 1]])
      })
    )
  )

  it.effect("keeps requests for as long as the option says", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      yield* Effect.map(recorderOf, (recorder) => record(recorder, requestOf(1))).pipe(
        Effect.provide(requestRecorder, { local: true })
      )
      yield* Layer.build(Layer.provide(requestRetention(3_600_000), RequestLog.layer))
      const pruned = Effect.repeat(eventLoopTurn, { times: 50 })
      yield* TestClock.adjust("1 minute")
      yield* pruned
      yield* TestClock.adjust("58 minutes")
      assert.strictEqual((yield* rows).length, 1)
      yield* TestClock.adjust("3 minutes")
      yield* pruned
      assert.strictEqual((yield* rows).length, 0)
    }).pipe(Effect.scoped, Effect.provide(sqlite, { local: true }))
  )
})

it.effect("reads the newest of each kind from the index alone, on SQLite", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const plan = (query: RequestQuery) => {
      const [text, parameters] = requestsStatement(sql, mine, query).compile()
      return Effect.map(sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, parameters), (steps) =>
        steps.map(({ detail }) => detail).filter((detail) => /^(?:SEARCH|SCAN)/.test(detail))
      )
    }
    const all = yield* plan({ limit: 20, status: "4xx" })
    assert.isTrue(
      all.some((step) => /paymux_requests USING PRIMARY KEY \(kind=\? AND id>\?/.test(step)),
      all.join("\n")
    )
    assert.isFalse(
      all.some((step) => /^SCAN (?!newest|of_kinds)/.test(step)),
      all.join("\n")
    )
    const ofPayment = yield* plan({ limit: 20, paymentId: payments[0] })
    assert.match(ofPayment[0] ?? "", /paymux_request_kinds|^SEARCH k /)
    assert.isTrue(
      ofPayment.some((step) => /paymux_requests_by_payment \(payment_id=\? AND kind=\? AND id>\?/.test(step)),
      ofPayment.join("\n")
    )
  }).pipe(Effect.provide(sqlite, { local: true }))
)
