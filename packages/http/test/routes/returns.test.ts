/** The shopper's return: what the adapter receives, where the shopper is sent, and which requests are refused. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import type { OperationId, PaymentId, ProviderOperation } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { returnAddress, returnKey } from "../../src/index.ts"
import { acme, card, secret, TestServer } from "../support/server.ts"
import type { Answer, Ask } from "../support/server.ts"

interface Came {
  readonly operation: ProviderOperation
  readonly query: { readonly [key: string]: string }
}

const came: Array<Came> = []
const lastCame = () => came.at(-1)

/** A provider with a page of its own, that decides by what its own book says and not by the query. */
const hosted = (decided: () => Outcome.InquiryOutcome = () => Outcome.pending()) =>
  acme({
    create: ({ id, returnUrl }) =>
      Effect.succeed(
        Outcome.pending({
          reference: `ord_${id}`,
          nextAction: { type: "redirect", url: `https://pay.example/?back=${returnUrl}`, expiresAt: null }
        })
      ),
    complete: (operation, query) => Effect.sync(() => (came.push({ operation, query }), decided()))
  })

/** A payment that waits for its payer, and the path that its provider was given. */
const payment = Effect.fnUntraced(function* (fields: object = {}) {
  const { ask } = yield* TestServer
  const { id, next_action } = JSON.parse((yield* ask({ body: { ...card, ...fields } })).text)
  const address = String(next_action.url).replace("https://pay.example/?back=", "")
  const path = address.replace("http://localhost:4310", "")
  // Its payment id is not in it: a request that is repeated after its commit was lost has another one.
  assert.match(path, /^\/return\/op_[0-9a-z]{26}\/[\w-]{22}$/)
  return { id: String(id), operation: path.split("/")[2] ?? "", path }
})

const back = Effect.fnUntraced(function* (path: string, change: Ask = {}) {
  const { ask } = yield* TestServer
  return yield* ask({ path, ...change, headers: { Authorization: null, ...change.headers } })
})

// Boundary of a test: the id was just answered.
const record = (id: string) => Effect.orDie(PaymentStore.use((store) => store.get(id as PaymentId)))
const form = (body: string): Ask => ({ body, headers: { "Content-Type": "application/x-www-form-urlencoded" } })
const quiet = <A, E, R>(server: Layer.Layer<A, E, R>) => Layer.provide(server, Logger.layer([]))

const assertPage = (answer: Answer, status: number, words: string) => {
  assert.strictEqual(answer.status, status, answer.text)
  assert.strictEqual(answer.headers["content-type"], "text/html; charset=utf-8")
  assert.include(answer.text, `<h1>${words}</h1>`)
  assertGuarded(answer)
}

/** The page is not cached, not framed, and sends no referrer. */
const assertGuarded = ({ headers }: Answer) => {
  assert.strictEqual(headers["cache-control"], "no-store")
  assert.strictEqual(headers["referrer-policy"], "no-referrer")
  assert.match(headers["content-security-policy"] ?? "", /^default-src 'none'.*frame-ancestors 'none'/)
}

layer(TestServer.layer({ providers: [hosted()] }), { excludeTestServices: true })("the shopper's return", (it) => {
  it.effect("hands the query to the adapter and goes on to the merchant, whose own query is kept as it was", () =>
    Effect.gen(function* () {
      const { id, path } = yield* payment({ return_url: "https://shop.example/done?order=a%20b+c&x#top" })
      const answer = yield* back(`${path}?status=ok&ref=1%2B1&status=again`)
      assert.strictEqual(answer.status, 303)
      assert.strictEqual(answer.headers["location"], `https://shop.example/done?order=a%20b+c&x&payment_id=${id}#top`)
      assertGuarded(answer)
      assert.deepStrictEqual(lastCame()?.query, { status: "ok", ref: "1+1" })
      assert.strictEqual(lastCame()?.operation.paymentId, id)
    })
  )

  it.effect("a payment_id that stands in the merchant's query is replaced", () =>
    Effect.gen(function* () {
      const { id, path } = yield* payment({ return_url: "https://shop.example/done?payment_id=other" })
      assert.strictEqual((yield* back(path)).headers["location"], `https://shop.example/done?payment_id=${id}`)
    })
  )

  it.effect("shows the status of the payment if the merchant has no page; the query is not trusted", () =>
    Effect.gen(function* () {
      const { id, path } = yield* payment()
      const answer = yield* back(`${path}?status=succeeded&amount=1&<script>=<script>`.replaceAll("<", "%3C"))
      assertPage(answer, 200, "Payment is being processed")
      assert.notInclude(answer.text, "script")
      assert.strictEqual((yield* record(id))?.payment.state.status, "pending")
    })
  )

  it.effect("takes a posted form, as a bank's page sends it", () =>
    Effect.gen(function* () {
      const { path } = yield* payment({ return_url: "https://shop.example/done" })
      const answer = yield* back(`${path}?transStatus=N&leg=2`, form("transStatus=Y&cres=e%2Bf"))
      assert.strictEqual(answer.status, 303)
      assert.deepStrictEqual(lastCame()?.query, { transStatus: "Y", cres: "e+f", leg: "2" })
      assert.strictEqual((yield* back(path, { method: "POST" })).status, 303)
    })
  )

  it.effect("is refused without the token of this payment", () =>
    Effect.gen(function* () {
      const { id, operation, path } = yield* payment({ return_url: "https://shop.example/done" })
      const { path: other } = yield* payment()
      const token = path.slice(path.lastIndexOf("/") + 1)
      const forged = returnAddress({ key: returnKey(Redacted.make("another secret")), publicUrl: "" })
      const unmade = returnAddress({ key: returnKey(secret), publicUrl: "" })
      // Boundary of a test: ids of the right shape.
      const as = (text: string) => text as OperationId
      const paths = [
        path.slice(0, -1),
        `${path}A`,
        `${path}%3D`,
        path.replace(token, other.slice(other.lastIndexOf("/") + 1)),
        forged(as(operation)),
        unmade(as("op_01jd8w6x2vh6k9v0q3f7m5t1ac")),
        path.replace(operation, "op_1"),
        path.replace(operation, id),
        path.replace(operation, operation.toUpperCase()),
        `/return/${operation}/%00`,
        `/return/${operation}/${"0".repeat(5_000)}`
      ]
      for (let i = 1; i <= token.length; i++) {
        const letter = path.at(-i) === "A" ? "B" : "A"
        paths.push(path.slice(0, path.length - i) + letter + path.slice(path.length - i + 1))
      }
      const before = came.length
      for (const path of paths) {
        const answer = yield* back(path)
        assert.strictEqual(answer.status, 404, path)
        assert.isUndefined(answer.headers["location"])
      }
      assertPage(yield* back(path.slice(0, -1)), 404, "Not found")
      assert.strictEqual(came.length, before)
    })
  )

  const parameters = (count: number) => Array.from({ length: count }, (_, n) => `k${n}=v`).join("&")
  const refusals: ReadonlyArray<readonly [string, number, string, Ask]> = [
    ["51 parameters", 400, `?${parameters(51)}`, {}],
    ["51 parameters in both", 400, `?${parameters(26)}`, form(parameters(25))],
    ["8 KiB + 1 of a query", 413, `?a=${"b".repeat(8 * 1024 - 1)}`, {}],
    ["8 KiB + 1 of a form", 413, "", form(`a=${"b".repeat(8 * 1024 - 1)}`)],
    ["JSON", 415, "", { body: {} }],
    ["a compressed form", 415, "", { body: "a=b", headers: { "Content-Encoding": "gzip" } }]
  ]
  it.effect.each(refusals)("refuses %s with %i, and the adapter is not asked", ([, status, query, asked]) =>
    Effect.gen(function* () {
      const { path } = yield* payment()
      const before = came.length
      assertPage(yield* back(`${path}${query}`, asked), status, "This page cannot be shown")
      assert.strictEqual(came.length, before)
    })
  )

  it.effect("50 parameters, and 8 KiB, are read", () =>
    Effect.gen(function* () {
      const { path } = yield* payment()
      for (const query of [parameters(50), `a=${"b".repeat(8 * 1024 - 2)}`]) {
        assert.strictEqual((yield* back(`${path}?${query}`)).status, 200)
      }
      assert.strictEqual((yield* back(path, { method: "DELETE" })).status, 405)
    })
  )
})

describe("the shopper's return", () => {
  const ends = [
    ["succeeded", Outcome.succeeded(), "Payment succeeded"],
    ["failed", Outcome.declined({ code: "authentication_failed", retry: "same_later" }), "Payment failed"],
    ["authorized", Outcome.authorized(), "Payment authorized"]
  ] as const
  it.live.each(ends)(
    "of a payment that has %s says so, twice alike, and the adapter's word counts once",
    ([, end, words]) =>
      Effect.gen(function* () {
        const capture_method = end._tag === "Authorized" ? "manual" : "automatic"
        const { id, path } = yield* payment({ capture_method })
        assertPage(yield* back(`${path}?status=cancel`), 200, words)
        const settled = yield* record(id)
        assertPage(yield* back(path), 200, words)
        assert.deepStrictEqual(yield* record(id), settled)
      }).pipe(Effect.provide(TestServer.layer({ providers: [hosted(() => end)] })))
  )

  it.live("does not keep the shopper when the adapter breaks", () => {
    const broken = () => {
      throw new Error("the adapter broke")
    }
    return Effect.gen(function* () {
      const { path } = yield* payment({ return_url: "https://shop.example/done" })
      assert.strictEqual((yield* back(path)).status, 303)
    }).pipe(Effect.provide(quiet(TestServer.layer({ providers: [hosted(broken)] }))))
  })

  it.live("does not keep the shopper when what the adapter says cannot be written", () =>
    Effect.gen(function* () {
      const { id, path } = yield* payment({ return_url: "https://shop.example/done" })
      const sql = yield* SqlClient.SqlClient
      yield* sql`DROP TABLE evidence`
      assert.strictEqual((yield* back(path)).status, 303)
      assert.strictEqual((yield* record(id))?.payment.state.status, "pending")
    }).pipe(Effect.provide(quiet(TestServer.layer({ providers: [hosted(() => Outcome.succeeded())] }))))
  )

  it.live("says to come again while the database is away", () =>
    Effect.gen(function* () {
      const { path } = yield* payment({ return_url: "https://shop.example/done" })
      const sql = yield* SqlClient.SqlClient
      yield* sql`ALTER TABLE payments RENAME TO elsewhere`
      const answer = yield* back(path)
      assertPage(answer, 503, "One moment")
      assert.match(answer.headers["retry-after"] ?? "", /^[1-9]\d*$/)
      yield* sql`ALTER TABLE elsewhere RENAME TO payments`
      assert.strictEqual((yield* back(path)).status, 303)
    }).pipe(Effect.provide(quiet(TestServer.layer({ providers: [hosted()] }))))
  )
})
