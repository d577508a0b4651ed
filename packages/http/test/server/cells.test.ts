/** Requests that name a cell: by their key, or by their address. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ApiKey from "../../src/auth/ApiKey.ts"
import { cellPath, inCell } from "../../src/server/CellPath.ts"
import { acme, minimal, obedient, TestServer, ways } from "../support/server.ts"
import type { Answer } from "../support/server.ts"

const problemOf = ({ headers, status, text }: Answer) => {
  const { code, detail, request_id } = JSON.parse(text)
  assert.strictEqual(request_id, headers["request-id"])
  return { status, code, detail }
}

describe("the path of a cell", () => {
  it("is empty outside of cells, and otherwise the start of an address", () => {
    assert.strictEqual(cellPath(null), "")
    assert.strictEqual(cellPath("eu1"), "/cells/eu1")
  })

  it.each(["/", "/webhooks/acme", "/v1/payments?limit=1", "/pay/pay_1/t/events", "//x", "/cells/us1/v1"])(
    "is taken from before %s",
    (url) => {
      assert.deepStrictEqual(inCell(`/cells/eu1${url}`), { cell: "eu1", url })
    }
  )

  it.each([
    "/v1/payments",
    "/cells",
    "/cells/",
    "/cells/eu1",
    "/cells/eu1?x=/",
    "/cells/EU1/v1",
    "/cells/%65u1/v1",
    "/cells/europe001/v1",
    "/cells//v1",
    "/v1/cells/eu1/x",
    "//cells/eu1/x",
    "/cells/eu1;a/x",
    "http://host/cells/eu1/x"
  ])("is not in %s", (url) => {
    assert.deepStrictEqual(inCell(url), { cell: null, url })
  })
})

describe.each(ways)("a server of a cell, %s", (way) => {
  const eu1 = TestServer.layer({ cell: "eu1", way, providers: [acme(obedient)], requestLog: true })

  it.live("makes and reads payments whose ids have its name, also under its path", () =>
    Effect.gen(function* () {
      const { ask, key } = yield* TestServer
      assert.match(key, /^pmx_test_eu1_/)
      const paths = ["/v1/payments", "/v1/payments", "/cells/eu1/v1/payments"]
      for (const path of paths) {
        const created = yield* ask({ path, body: minimal })
        assert.strictEqual(created.status, 201)
        const { id } = JSON.parse(created.text)
        assert.match(id, /^pay_[0-9a-z]{26}_eu1$/)
        assert.strictEqual(created.headers["location"], `/v1/payments/${id}`)
        assert.strictEqual((yield* ask({ path: `${path}/${id}` })).text, created.text)
        const refund = yield* ask({ path: `${path}/${id}/refunds`, body: {} })
        assert.match(JSON.parse(refund.text).id, /^re_[0-9a-z]{26}_eu1$/)
        assert.strictEqual((yield* ask({ path: refund.headers["location"] ?? "" })).status, 200)
      }
      const listed = yield* ask({ path: "/v1/payments?limit=2" })
      assert.lengthOf(JSON.parse(listed.text).data, 2)
      const cursor = JSON.parse(listed.text).next_cursor
      assert.lengthOf(JSON.parse((yield* ask({ path: `/v1/payments?starting_after=${cursor}` })).text).data, 1)
      const replayed = { headers: { "Idempotency-Key": "order-1" }, body: minimal }
      assert.strictEqual((yield* ask(replayed)).text, (yield* ask(replayed)).text)
    }).pipe(Effect.provide(eu1))
  )

  it.live("refuses a key of another cell with 421, names both, and does nothing", () =>
    Effect.gen(function* () {
      const { ask, rows } = yield* TestServer
      const headers = { Authorization: `Bearer ${ApiKey.generate("live", undefined, "us1")}` }
      const refusal = {
        status: 421,
        code: "misdirected_request",
        detail: "The API key is of cell us1, and this is cell eu1."
      }
      assert.deepStrictEqual(problemOf(yield* ask({ headers, body: minimal })), refusal)
      assert.deepStrictEqual(problemOf(yield* ask({ headers })), refusal)
      assert.deepStrictEqual(yield* rows, { payments: 0, keys: 0 })
      for (const key of [ApiKey.generate("test"), ApiKey.generate("test", undefined, "eu1"), "pmx_test_us1_x"]) {
        const { status } = yield* ask({ headers: { Authorization: `Bearer ${key}` } })
        assert.strictEqual(status, 401, key)
      }
    }).pipe(Effect.provide(eu1))
  )

  it.live("refuses every address of another cell with 421, before it is looked at", () =>
    Effect.gen(function* () {
      const { ask, rows } = yield* TestServer
      const refusal = {
        status: 421,
        code: "misdirected_request",
        detail: "The address is of cell us1, and this is cell eu1."
      }
      for (const path of ["/v1/payments", "/webhooks/acme", "/webhooks/none", "/pay/x/y", "/return/x/y", "/healthz"]) {
        const answers = [
          yield* ask({ path: `/cells/us1${path}` }),
          yield* ask({ path: `/cells/us1${path}`, body: minimal })
        ]
        for (const answer of answers) assert.deepStrictEqual(problemOf(answer), refusal, path)
      }
      assert.deepStrictEqual(yield* rows, { payments: 0, keys: 0 })
    }).pipe(Effect.provide(eu1))
  )

  it.live("answers under its own path what it answers without", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      for (const ask_ of [
        { path: "/healthz" },
        { path: "/v1/payments/none" },
        { path: "/webhooks/none", body: {} },
        { path: "/return/x/y" },
        { path: "/nothing" },
        { path: "/v1/payments", method: "DELETE" },
        { path: "/healthz;v=1" },
        { path: "/%E0%A4%A" }
      ]) {
        const [plain, answer] = [yield* ask(ask_), yield* ask({ ...ask_, path: `/cells/eu1${ask_.path}` })]
        assert.deepStrictEqual(
          [answer.status, answer.headers["allow"]],
          [plain.status, plain.headers["allow"]],
          ask_.path
        )
      }
      for (const path of ["/cells/EU1/healthz", "/cells/eu1healthz", "/cells/eu1", "/cells/eu1/cells/eu1/healthz"]) {
        assert.strictEqual((yield* ask({ path })).status, 404, path)
      }
    }).pipe(Effect.provide(eu1))
  )

  it.live("names the other cell of an id that it does not find", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const [pay, re] = [`pay_${"0".repeat(26)}`, `re_${"0".repeat(26)}`]
      const text = "The id is of cell us1, and this is cell eu1."
      const problem = (detail: string) => ({ status: 404, code: "not_found", detail })
      const missing = problem(`There is no such payment. ${text}`)
      assert.deepStrictEqual(problemOf(yield* ask({ path: `/v1/payments/${pay}_us1` })), missing)
      assert.deepStrictEqual(problemOf(yield* ask({ path: `/v1/payments/${pay}_us1/refunds`, body: {} })), missing)
      assert.deepStrictEqual(
        problemOf(yield* ask({ path: `/v1/refunds/${re}_us1` })),
        problem(`There is no such refund. ${text}`)
      )
      for (const id of [pay, `${pay}_eu1`, `${pay}_US1`]) {
        const answer = yield* ask({ path: `/v1/payments/${id}` })
        assert.deepStrictEqual(problemOf(answer), problem("There is no such payment."))
      }
    }).pipe(Effect.provide(eu1))
  )
})

describe("a server that is not a cell", () => {
  it.live("refuses keys and addresses of any cell with 421", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const headers = { Authorization: `Bearer ${ApiKey.generate("test", undefined, "us1")}` }
      const detail = (what: string) => `The ${what} is of cell us1, and this server is not a cell.`
      const problem = (what: string) => ({ status: 421, code: "misdirected_request", detail: detail(what) })
      assert.deepStrictEqual(problemOf(yield* ask({ headers })), problem("API key"))
      assert.deepStrictEqual(problemOf(yield* ask({ path: "/cells/us1/healthz" })), problem("address"))
    }).pipe(Effect.provide(TestServer.layer()))
  )
})

describe("a cell under a base path", () => {
  it.live("is read behind the base path", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      assert.strictEqual((yield* ask({ path: "/shop/cells/eu1/healthz" })).status, 200)
      assert.strictEqual((yield* ask({ path: "/cells/eu1/shop/healthz" })).status, 404)
      const created = yield* ask({ path: "/shop/cells/eu1/v1/payments", body: minimal })
      assert.match(created.headers["location"] ?? "", /^\/shop\/v1\/payments\/pay_[0-9a-z]{26}_eu1$/)
      assert.strictEqual((yield* ask({ path: "/shop/cells/us1/healthz" })).status, 421)
    }).pipe(Effect.provide(TestServer.layer({ cell: "eu1", basePath: "/shop" })))
  )
})
