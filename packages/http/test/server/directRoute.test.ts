/** What goes through the router although it asks for a payment: the direct route answers neither more nor less. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { minimal, TestServer, ways } from "../support/server.ts"
import type { Ask } from "../support/server.ts"

/** How many of these requests the router answers, once the key is known. */
const routed = (asks: ReadonlyArray<Ask>) =>
  Effect.gen(function* () {
    const { ask, routed } = yield* TestServer
    yield* ask({ body: minimal })
    const before = routed()
    yield* Effect.forEach(asks, ask)
    return routed() - before
  })

const usual: Ask = { body: minimal }

describe("the direct route", () => {
  // The clock of a test does not run, so the key stays known.
  it.effect("answers every usual request of a known key, and the ones it refuses after their body", () =>
    Effect.gen(function* () {
      const refused: ReadonlyArray<Ask> = [{ body: "{" }, { body: { ...minimal, amount: 0 } }]
      assert.strictEqual(yield* routed([usual, ...refused, usual]), 0)
    }).pipe(Effect.provide(TestServer.layer()))
  )

  it.effect("leaves to the router what it would have to refuse before", () =>
    Effect.gen(function* () {
      const others: ReadonlyArray<Ask> = [
        { ...usual, path: "/v1/payments?a=b" },
        { ...usual, method: "PUT" },
        { ...usual, headers: { "Content-Type": "text/plain" } },
        { ...usual, headers: { "Content-Encoding": "gzip" } },
        { ...usual, headers: { "Idempotency-Key": "a b" } },
        { ...usual, headers: { Authorization: "Bearer x" } },
        { body: " ".repeat(65_537) }
      ]
      assert.strictEqual(yield* routed(others), others.length)
    }).pipe(Effect.provide(TestServer.layer()))
  )

  it.effect("leaves what is above the rate limit to the router", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* routed([usual, usual, usual]), 2)
    }).pipe(Effect.provide(TestServer.layer({ rateLimit: { writesPerSecond: 2, readsPerSecond: 2 } })))
  )

  it.effect("is under the base path, and so is the address of the new payment", () =>
    Effect.gen(function* () {
      const { ask, routed } = yield* TestServer
      const under: Ask = { ...usual, path: "/pay/v1/payments" }
      yield* ask(under)
      const { headers } = yield* ask(under)
      assert.match(headers["location"] ?? "", /^\/pay\/v1\/payments\/pay_/)
      assert.strictEqual(routed(), 1)
    }).pipe(Effect.provide(TestServer.layer({ basePath: "/pay" })))
  )

  for (const way of ways) {
    it.effect(`answers 503 while the database fails, and logs the cause under the id of the request (${way})`, () => {
      const logged: Array<Record<string, unknown>> = []
      const logger = Logger.map(Logger.formatStructured, (line) => void logged.push({ ...line }))
      return Effect.gen(function* () {
        const { ask, routed } = yield* TestServer
        const sql = yield* SqlClient.SqlClient
        yield* ask(usual)
        const before = routed()
        yield* sql`DROP TABLE payments`
        const { headers, status, text } = yield* ask(usual)
        assert.strictEqual(routed() - before, way === "direct" ? 0 : 1)
        assert.strictEqual(status, 503)
        assert.notInclude(text, "no such table")
        const lines = logged.map(({ annotations, level, message }) => [level, annotations, JSON.stringify(message)])
        assert.lengthOf(lines, 1)
        assert.deepStrictEqual(lines[0]?.slice(0, 2), ["ERROR", { request_id: headers["request-id"] }])
        assert.match(String(lines[0]?.[2]), /^\["The database did not answer",.*no such table: payments/)
      }).pipe(Effect.provide(TestServer.layer({ way })), Effect.provide(Logger.layer([logger])))
    })
  }

  it.live("is off with a tracer: each request is a span, on node:http and through fetch", () => {
    const spans: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        spans.push(options.name)
        return new Tracer.NativeSpan(options)
      }
    })
    return Effect.gen(function* () {
      const { ask, fetch, key } = yield* TestServer
      for (let request = 0; request < 3; request++) yield* ask(usual)
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
      const body = JSON.stringify(minimal)
      const response = yield* Effect.promise(() =>
        fetch(
          new Request("http://localhost/v1/payments", {
            method: "POST",
            headers: { ...headers, "content-length": String(body.length) },
            body
          })
        )
      )
      assert.strictEqual(response.status, 201)
      assert.strictEqual(spans.filter((name) => name === "POST /v1/payments").length, 4)
    }).pipe(
      Effect.provide(Layer.provide(TestServer.layer(), Layer.succeed(Tracer.Tracer, tracer))),
      Effect.provide(Logger.layer([]))
    )
  })
})
