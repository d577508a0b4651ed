import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { rateLimitDefaults, RateLimits } from "../../src/auth/RateLimits.ts"
import type { Extension } from "../../src/routes/Extension.ts"
import { acme, minimal, obedient, TestServer } from "../support/server.ts"
import type { Answer, Ask } from "../support/server.ts"

const shop = { account: "shop", livemode: true }

describe("RateLimits", () => {
  const limited = Effect.provide(RateLimits.layer({ writesPerSecond: 4, readsPerSecond: 2 }))
  /** How many of so many were let through. */
  const through = (count: number, method = "POST", tenant = shop) =>
    RateLimits.useSync(
      ({ take }) => Array.from({ length: count }, () => take(tenant, method)).filter((taken) => taken).length
    )

  it.effect("let a second's worth through at once, and then as much as time has brought", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* through(10), 4)
      yield* TestClock.adjust(249)
      assert.strictEqual(yield* through(10), 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* through(10), 1)
      yield* TestClock.adjust(500)
      assert.strictEqual(yield* through(10), 2)
    }).pipe(limited)
  )

  it.effect("never save up more than a second's worth", () =>
    Effect.gen(function* () {
      yield* through(1)
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* through(10), 4)
    }).pipe(limited)
  )

  it.effect("what is refused costs nothing: who goes on asking is let through as soon as who waits", () =>
    Effect.gen(function* () {
      yield* through(4)
      for (let ms = 0; ms < 25; ms++) {
        assert.strictEqual(yield* through(1), 0)
        yield* TestClock.adjust(10)
      }
      assert.strictEqual(yield* through(1), 1)
    }).pipe(limited)
  )

  it.effect("are apart for reads and writes, for accounts and for modes", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* through(10), 4)
      assert.strictEqual(yield* through(10, "GET"), 2)
      assert.strictEqual(yield* through(10, "HEAD"), 0)
      assert.strictEqual(yield* through(10, "POST", { account: "shop", livemode: false }), 4)
      assert.strictEqual(yield* through(10, "POST", { account: "other", livemode: true }), 4)
    }).pipe(limited)
  )

  it.effect("a wall clock that is set back refuses no request", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      yield* through(4)
      yield* TestClock.setTime(0)
      yield* TestClock.adjust(1000)
      assert.strictEqual(yield* through(10), 4)
    }).pipe(limited)
  )

  it.effect("there is no limit unless it is configured", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* through(100_000), 100_000)
    }).pipe(Effect.provide(RateLimits.layer(null)))
  )

  it("are a thousand writes and a thousand reads by default", () => {
    assert.deepStrictEqual(rateLimitDefaults, { writesPerSecond: 1000, readsPerSecond: 1000 })
  })
})

const ping: Extension = {
  method: "POST",
  path: "/v1/ping",
  handle: () => Effect.succeed({ status: 200, body: {} })
}

/** The clock of a test does not run: what was used up stays used up until it is moved. */
const server = TestServer.layer({
  providers: [acme(obedient)],
  extensions: [ping],
  rateLimit: { writesPerSecond: 2, readsPerSecond: 2 }
})

const code = ({ text }: Answer): string => JSON.parse(text).code

describe("over HTTP", () => {
  layer(server)((it) => {
    it.effect("one write too many is 429 with Retry-After, is not done, and leaves its idempotency key free", () =>
      Effect.gen(function* () {
        const { ask, rows } = yield* TestServer
        yield* TestClock.adjust(1000)
        const headers = { "Idempotency-Key": "order-1" }
        yield* ask({ body: minimal })
        yield* ask({ body: minimal })
        const before = yield* rows
        const refused = yield* ask({ body: minimal, headers })
        assert.strictEqual(refused.status, 429)
        assert.strictEqual(code(refused), "rate_limited")
        assert.strictEqual(refused.headers["retry-after"], "1")
        assert.strictEqual(refused.headers["content-type"], "application/problem+json")
        assert.deepStrictEqual(yield* rows, before)
        yield* TestClock.adjust(500)
        const made = yield* ask({ body: minimal, headers })
        assert.strictEqual(made.status, 201)
        assert.isUndefined(made.headers["idempotent-replayed"])
      })
    )

    it.effect.each([
      { path: "/v1/payments" },
      { path: "/v1/payments?from=shop" },
      { path: "/v1/payments/pay_01jd8w6x2vh6k9v0q3f7m5t1ac/capture" },
      { path: "/v1/payments/pay_01jd8w6x2vh6k9v0q3f7m5t1ac/cancel" },
      { path: "/v1/payments/pay_01jd8w6x2vh6k9v0q3f7m5t1ac/refunds" },
      { path: "/v1/ping" }
    ] satisfies ReadonlyArray<Ask>)("POST $path is limited before its body is read", ({ path }) =>
      Effect.gen(function* () {
        const { ask, key, raw } = yield* TestServer
        yield* TestClock.adjust(1000)
        yield* ask({ path: "/v1/ping", body: {} })
        yield* ask({ path: "/v1/ping", body: {} })
        const head = [
          `POST ${path} HTTP/1.1`,
          "Host: localhost",
          "Connection: close",
          `Authorization: Bearer ${key}`,
          "Content-Type: application/json",
          "Content-Length: 5000",
          "",
          ""
        ]
        assert.match(yield* raw(head.join("\r\n")), /^HTTP\/1.1 429 [^]*"code":"rate_limited"/)
      })
    )

    it.effect("reads go on while writes are refused, and the other way round", () =>
      Effect.gen(function* () {
        const { ask } = yield* TestServer
        yield* TestClock.adjust(1000)
        const ways = [
          { ask: { body: minimal }, ok: 201 },
          { ask: { path: "/v1/payments?limit=1" }, ok: 200 }
        ] as const
        for (const way of ways) {
          const statuses = yield* Effect.forEach(Array.from({ length: 3 }), () =>
            Effect.map(ask(way.ask), ({ status }) => status)
          )
          assert.deepStrictEqual(statuses, [way.ok, way.ok, 429])
        }
      })
    )

    it.effect("another account is not held up", () =>
      Effect.gen(function* () {
        const { ask, newKey } = yield* TestServer
        yield* TestClock.adjust(1000)
        const other = { Authorization: `Bearer ${yield* newKey("other", "test")}` }
        for (let n = 0; n < 3; n++) yield* ask({ body: minimal })
        assert.strictEqual((yield* ask({ body: minimal })).status, 429)
        assert.strictEqual((yield* ask({ body: minimal, headers: other })).status, 201)
      })
    )

    it.effect("a key that is none uses nothing up, and providers, shoppers and monitors are not limited", () =>
      Effect.gen(function* () {
        const { ask } = yield* TestServer
        yield* TestClock.adjust(1000)
        const open: ReadonlyArray<readonly [Ask, number]> = [
          [{ body: minimal, headers: { Authorization: "Bearer none" } }, 401],
          [{ path: "/webhooks/none", body: {}, headers: { Authorization: null } }, 404],
          [{ path: "/return/pay_01jd8w6x2vh6k9v0q3f7m5t1ac/none", headers: { Authorization: null } }, 404],
          [{ path: "/healthz", headers: { Authorization: null } }, 200],
          [{ path: "/readyz", headers: { Authorization: null } }, 200],
          [{ path: "/v1/openapi.json", headers: { Authorization: null } }, 200]
        ]
        for (const [request, status] of open) {
          for (let n = 0; n < 4; n++) assert.strictEqual((yield* ask(request)).status, status, request.path)
        }
        assert.strictEqual((yield* ask({ body: minimal })).status, 201)
      })
    )
  })
})
