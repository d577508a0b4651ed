import { assert, describe, it } from "@effect/vitest"
import { Payments } from "@paymux/core"
import { Effect, Layer, Logger } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { SqliteDatabase } from "../../../sql/src/sqlite/SqliteClient.ts"
import { edge } from "../../src/server/Edge.ts"
import type { Extension } from "../../src/index.ts"
import { ApiProblem, CurrentRequestId, HttpHandler } from "../../src/index.ts"
import { minimal, TestServer } from "../support/server.ts"

const simulate: Extension = {
  method: "POST",
  path: "/v1/sandbox/payments/:id/simulate",
  handle: ({ body, params, tenant }) =>
    params["id"] === "none"
      ? Effect.fail(new ApiProblem({ code: "not_found" }))
      : Effect.succeed({ status: 202, body: { id: params["id"], tenant, body } }),
  operation: { summary: "Simulate", tags: ["Sandbox"] }
}

const broken: Extension = {
  method: "GET",
  path: "/v1/broken",
  handle: () => Effect.die(new Error("detail that is internal detail"))
}

const withExtensions = TestServer.layer({ extensions: [simulate, broken] })
const path = "/v1/sandbox/payments/pay_1/simulate"

describe("an extension", () => {
  it.live("gets tenant, path and strict body, and its problems are sent", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const answer = yield* ask({ path, body: { outcome: "succeeded" } })
      assert.strictEqual(answer.status, 202)
      assert.deepStrictEqual(JSON.parse(answer.text), {
        id: "pay_1",
        tenant: { account: "default", livemode: false },
        body: { outcome: "succeeded" }
      })
      const code = (ask: Effect.Effect<{ readonly text: string }>) =>
        Effect.map(ask, ({ text }) => JSON.parse(text).code)
      assert.strictEqual(yield* code(ask({ path: path.replace("pay_1", "none"), body: {} })), "not_found")
      assert.strictEqual(yield* code(ask({ path, body: `{"a":1,"a":2}` })), "invalid_json")
      assert.strictEqual(yield* code(ask({ path, body: {}, headers: { Authorization: null } })), "unauthorized")
      assert.strictEqual(yield* code(ask({ path, method: "GET" })), "method_not_allowed")
    }).pipe(Effect.provide(withExtensions))
  )

  it.live("that breaks answers 500 without a detail; the log has it, under the request's id", () => {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
    return Effect.gen(function* () {
      const { ask } = yield* TestServer
      const answer = yield* ask({ path: "/v1/broken" })
      assert.strictEqual(answer.status, 500)
      const problem = JSON.parse(answer.text)
      assert.strictEqual(problem.code, "internal")
      assert.strictEqual(problem.request_id, answer.headers["request-id"])
      assert.notInclude(answer.text, "internal detail")
      const line = lines.find((line) => line.includes("internal detail"))
      assert.include(line, problem.request_id)
    }).pipe(Effect.provide(Layer.provide(withExtensions, logger)))
  })

  it.live("no log line holds what a refused request held", () => {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
    return Effect.gen(function* () {
      const { ask, key } = yield* TestServer
      yield* ask({ body: { ...minimal, description: "4242424242424242" } })
      yield* ask({ path: "/v1/payments/4242424242424242" })
      yield* ask({ path: "/v1/broken?number=4242424242424242" })
      assert.notInclude(lines.join(), "4242424242424242")
      assert.notInclude(lines.join(), key)
    }).pipe(Effect.provide(Layer.provide(withExtensions, logger)))
  })
})

describe("the system's routes", () => {
  it.live("healthz and readyz are open; readyz says 503 when the database does not answer", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const open = (path: string) => ask({ path, headers: { Authorization: null } })
      assert.strictEqual((yield* open("/healthz")).status, 200)
      assert.strictEqual((yield* open("/readyz")).text, `{"status":"ok"}`)
      const sql = yield* SqlClient.SqlClient
      yield* sql`DROP TABLE paymux_api_keys`
      assert.strictEqual((yield* open("/healthz")).status, 200)
      const unready = yield* open("/readyz")
      assert.strictEqual(unready.status, 503)
      assert.match(unready.headers["retry-after"] ?? "", /^[1-9]\d*$/)
      assert.strictEqual(JSON.parse(unready.text).code, "service_unavailable")
    }).pipe(Effect.provide(TestServer.layer()), Effect.provide(Logger.layer([])))
  )

  it.live(
    "readyz is 503 while commits of payments fail, although a small one fits, and 200 once one has succeeded",
    () =>
      Effect.gen(function* () {
        const { ask } = yield* TestServer
        const readyz = ask({ path: "/readyz", headers: { Authorization: null } })
        const { db } = yield* SqliteDatabase
        const pages = Number(db.prepare("PRAGMA page_count").get()?.["page_count"])
        db.exec(`PRAGMA max_page_count = ${pages + 4}`)
        let created = 201
        for (let count = 0; count < 200 && created === 201; count++) created = (yield* ask({ body: minimal })).status
        assert.strictEqual(created, 503)
        assert.strictEqual((yield* readyz).status, 503)
        db.exec("PRAGMA max_page_count = 100000")
        assert.strictEqual((yield* ask({ body: minimal })).status, 201)
        assert.strictEqual((yield* readyz).status, 200)
      }).pipe(Effect.provide(TestServer.layer()), Effect.provide(Logger.layer([])))
  )

  it.live("fetch answers what the socket answers, from the same engine", () =>
    Effect.gen(function* () {
      const { ask, key } = yield* TestServer
      const { fetch } = yield* HttpHandler
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "k" }
      const request = () =>
        new Request("http://localhost/v1/payments", { method: "POST", headers, body: JSON.stringify(minimal) })
      const first = yield* Effect.promise(() => fetch(request()))
      assert.strictEqual(first.status, 201)
      const replayed = yield* ask({ body: minimal, headers: { "Idempotency-Key": "k" } })
      assert.strictEqual(replayed.text, yield* Effect.promise(() => first.text()))
      const payments = yield* Payments
      const { id } = JSON.parse(replayed.text)
      const record = yield* payments.get({ account: "default", livemode: false }, id)
      assert.strictEqual(record.payment.id, id)
      const large = new Request("http://localhost/v1/payments", { method: "POST", headers, body: "x".repeat(65_537) })
      assert.strictEqual((yield* Effect.promise(() => fetch(large))).status, 413)
    }).pipe(Effect.provide(TestServer.layer()))
  )

  it.live("other routes of the router share the request's id and the rules of the edge", () =>
    Effect.gen(function* () {
      const { fetch } = yield* HttpHandler
      const response = yield* Effect.promise(() => fetch(new Request("http://localhost/page")))
      assert.strictEqual(response.headers.get("request-id"), yield* Effect.promise(() => response.text()))
      assert.strictEqual(response.headers.get("cache-control"), "max-age=60")
    }).pipe(Effect.provide(HttpHandler.layer(page)))
  )
})

const page = Layer.merge(
  edge([]),
  HttpRouter.use((router) =>
    router.add(
      "GET",
      "/page",
      Effect.map(CurrentRequestId, (id) => HttpServerResponse.text(id, { headers: { "cache-control": "max-age=60" } }))
    )
  )
)
