/** Which requests of a server are in the request log, and as what. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { RequestLog } from "../../src/index.ts"
import { acme, card, minimal, obedient, TestServer } from "../support/server.ts"

const tenant = { account: "default", livemode: false }

const requestsOf = RequestLog.use((log) => log.list(tenant, { limit: 100 })).pipe(
  Effect.map(({ data: requests }) => requests.toReversed())
)

const logging = TestServer.layer({ requestLog: true, providers: [acme(obedient)] })

describe("the request log of a server", () => {
  it.live("has each request with a valid key, by its route, and what it was about", () =>
    Effect.gen(function* () {
      const { ask, key } = yield* TestServer
      const headers = { "Idempotency-Key": "order-1" }
      const created = yield* ask({ path: "/v1/payments", body: card, headers })
      const { id } = JSON.parse(created.text)
      yield* ask({ path: "/v1/payments", body: card, headers })
      const refund = JSON.parse((yield* ask({ path: `/v1/payments/${id}/refunds`, body: { amount: 5 } })).text)
      yield* ask({ path: `/v1/refunds/${refund.id}` })
      yield* ask({ path: `/v1/payments/${id}?asha@example.com` })
      yield* ask({ path: "/v1/payments?customer_email=asha%40example.com" })
      yield* ask({ path: "/v1/payments/asha@example.com" })
      yield* ask({ path: "/v1/payments", body: "{" })
      const requests = yield* requestsOf
      assert.deepStrictEqual(
        requests.map(({ method, paymentId, path, problem, refundId, replayed, status }) => [
          `${method} ${path}`,
          status,
          problem,
          replayed,
          paymentId,
          refundId
        ]),
        [
          ["POST /v1/payments", 201, null, false, id, null],
          ["POST /v1/payments", 201, null, true, id, null],
          [`POST /v1/payments/${id}/refunds`, 201, null, false, id, refund.id],
          [`GET /v1/refunds/${refund.id}`, 200, null, false, id, refund.id],
          [`GET /v1/payments/${id}`, 200, null, false, id, null],
          ["GET /v1/payments", 200, null, false, null, null],
          ["GET /v1/payments/:id", 404, "not_found", false, null, null],
          ["POST /v1/payments", 400, "invalid_json", false, null, null]
        ]
      )
      assert.strictEqual(requests[0]?.id, created.headers["request-id"])
      assert.match(requests[0]?.keyId ?? "", /^key_/)
      assert.notInclude(JSON.stringify(requests), key)
      assert.notInclude(JSON.stringify(requests), "asha")
    }).pipe(Effect.provide(logging, { local: true }))
  )

  // The clock of a test does not run, so all requests are of one millisecond.
  it.effect("has requests of one millisecond in the order in which they came, page after page", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const log = yield* RequestLog
      const came: Array<string> = []
      for (let request = 0; request < 12; request++) {
        const answer = yield* ask({ path: request % 3 === 0 ? "/v1/payments/pay_1" : "/v1/payments" })
        came.push(answer.headers["request-id"] ?? "")
      }
      const listed: Array<string> = []
      for (let after: string | null | undefined; after !== null;) {
        const page = yield* log.list(tenant, { limit: 5, ...(after !== undefined && { after }) })
        listed.push(...page.data.map(({ id }) => id))
        after = page.next
      }
      assert.deepStrictEqual(listed, came.toReversed())
    }).pipe(Effect.provide(logging, { local: true }))
  )

  it.live("has the ids of a cell, also of requests under its path", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const { id } = JSON.parse((yield* ask({ path: "/v1/payments", body: card })).text)
      const refund = JSON.parse((yield* ask({ path: `/cells/eu1/v1/payments/${id}/refunds`, body: {} })).text)
      yield* ask({ path: `/v1/refunds/${refund.id}` })
      yield* ask({ path: `/v1/payments/${id}_` })
      assert.deepStrictEqual(
        (yield* requestsOf).map(({ paymentId, refundId }) => [paymentId, refundId]),
        [
          [id, null],
          [id, refund.id],
          [id, refund.id],
          [null, null]
        ]
      )
    }).pipe(Effect.provide(TestServer.layer({ cell: "eu1", requestLog: true, providers: [acme(obedient)] })))
  )

  it.live("shows of a rejected request what was wrong with it, and no value of it", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const log = yield* RequestLog
      const answer = yield* ask({
        path: "/v1/payments",
        body: {
          ...minimal,
          amount: "asha",
          metadata: { "asha@example.com": 5 },
          customer: { ...minimal.customer, nick: "asha" },
          description: "4111 1111 1111 111"
        }
      })
      assert.strictEqual(answer.status, 400)
      const details = yield* log.get(tenant, answer.headers["request-id"] ?? "")
      assert.deepStrictEqual(details?.request, {
        amount: "[text]",
        currency: "INR",
        payment_method: "upi",
        customer: { email: "[text]", phone: "[text]", "[name]": "[text]" },
        metadata: "[1 entries]",
        description: "[text]"
      })
      assert.strictEqual(details?.response?.code, "invalid_request")
      const pointers = (details?.response?.errors ?? []).map(({ pointer }) => pointer)
      assert.include(pointers, "/amount")
      assert.include(pointers, "/customer/nick")
      assert.include(pointers, "/metadata/[name]")
      assert.notMatch(JSON.stringify(details), /asha|example|4111/)
    }).pipe(Effect.provide(logging, { local: true }))
  )

  it.live("has no request without a valid key, of another address, or of another tenant", () =>
    Effect.gen(function* () {
      const { ask, newKey } = yield* TestServer
      yield* ask({ path: "/v1/payments", headers: { Authorization: null } })
      yield* ask({ path: "/v1/payments", headers: { Authorization: "Bearer asha" } })
      yield* ask({ path: "/v1/nothing" })
      yield* ask({ path: "/healthz" })
      yield* ask({ path: "/v1/openapi.json" })
      const other = yield* newKey("other", "test")
      yield* ask({ path: "/v1/payments", headers: { Authorization: `Bearer ${other}` } })
      assert.deepStrictEqual(yield* requestsOf, [])
      const others = yield* RequestLog.use((log) => log.list({ account: "other", livemode: false }, { limit: 10 }))
      assert.strictEqual(others.data.length, 1)
    }).pipe(Effect.provide(logging, { local: true }))
  )

  it.live("has no requests above the rate limit, and those that are not answered by the direct route", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      yield* ask({ path: "/payments/v1/payments?", body: minimal })
      const second = yield* ask({ path: "/payments/v1/payments", body: minimal })
      assert.strictEqual(second.status, 429)
      assert.deepStrictEqual(
        (yield* requestsOf).map(({ path, problem, status }) => [path, status, problem]),
        [["/v1/payments", 201, null]]
      )
    }).pipe(
      Effect.provide(
        TestServer.layer({
          requestLog: true,
          basePath: "/payments",
          rateLimit: { readsPerSecond: 1, writesPerSecond: 1 }
        }),
        { local: true }
      )
    )
  )

  it.live("is empty where it is off", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      yield* ask({ path: "/v1/payments", body: minimal })
      assert.deepStrictEqual(yield* requestsOf, [])
    }).pipe(Effect.provide(TestServer.layer(), { local: true }))
  )
})
