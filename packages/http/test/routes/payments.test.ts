import { assert, describe, it, layer } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import type { ProviderOperation } from "@paymux/core"
import { Deferred, Effect, Fiber } from "effect"
import { acme, card, minimal, TestServer } from "../support/server.ts"
import type { Answer } from "../support/server.ts"

const keyed = (key: string, authorization?: string) => ({
  "Idempotency-Key": key,
  ...(authorization !== undefined && { Authorization: `Bearer ${authorization}` })
})
const as = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })
const parsed = ({ text }: Answer) => JSON.parse(text)
const withoutRequestId = (answer: Answer) => ({ ...parsed(answer), request_id: "" })
const ids = (answer: Answer): ReadonlyArray<string> => parsed(answer).data.map(({ id }: { id: string }) => id)

layer(TestServer.layer({ providers: [acme(), acme({ id: "acme_live", mode: "live" })] }), {
  excludeTestServices: true
})("payments over HTTP", (it) => {
  it.effect("the minimal request works exactly as it is documented", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const answer = yield* ask({ body: minimal })
      assert.strictEqual(answer.status, 201)
      const payment = parsed(answer)
      assert.deepInclude(payment, {
        object: "payment",
        livemode: false,
        status: "succeeded",
        amount: 10000,
        currency: "INR",
        payment_method: "upi",
        provider: "acme"
      })
      assert.deepStrictEqual(payment.customer, { ...minimal.customer, name: null, address: null })
      assert.strictEqual(answer.headers["content-type"], "application/json")
      assert.strictEqual(answer.headers["location"], `/v1/payments/${payment.id}`)
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      assert.match(answer.headers["request-id"] ?? "", /^req_[0-9a-f]{32}$/)
      const again = yield* ask({ path: `/v1/payments/${payment.id}` })
      assert.strictEqual(again.status, 200)
      assert.deepStrictEqual(parsed(again), payment)
    })
  )

  it.effect.each(["application/json; charset=utf-8", 'APPLICATION/JSON;charset="UTF-8"'])("%s is JSON", (type) =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      assert.strictEqual((yield* ask({ body: minimal, headers: { "Content-Type": type } })).status, 201)
    })
  )

  it.effect("a payment is made, replayed and refused alike where the address has a query", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const [path, withQuery] = ["/v1/payments", "/v1/payments?from=shop"]
      const headers = keyed("with-a-query")
      const made = yield* ask({ method: "POST", path, body: minimal, headers })
      const replayed = yield* ask({ method: "POST", path: withQuery, body: minimal, headers })
      assert.deepStrictEqual([made.status, replayed.status], [201, 201])
      assert.strictEqual(replayed.text, made.text)
      assert.strictEqual(replayed.headers["idempotent-replayed"], "true")
      for (const refused of [
        { body: { ...minimal, amount: 0 } },
        { body: minimal, headers: { Authorization: "Bearer none" } },
        { body: minimal, headers: { "Content-Type": "text/plain" } }
      ]) {
        const [plain, queried] = yield* Effect.all([
          ask({ ...refused, method: "POST", path }),
          ask({ ...refused, method: "POST", path: withQuery })
        ])
        assert.strictEqual(plain.status, queried.status)
        assert.deepStrictEqual(withoutRequestId(plain), withoutRequestId(queried))
        assert.strictEqual(parsed(plain).request_id, plain.headers["request-id"])
        assert.deepStrictEqual(Object.keys(plain.headers).sort(), Object.keys(queried.headers).sort())
      }
    })
  )

  it.effect("the same key and request answer the same bytes, whatever the order of keys and white space", () =>
    Effect.gen(function* () {
      const { ask, rows } = yield* TestServer
      const headers = keyed("!order-42~")
      const first = yield* ask({ body: minimal, headers })
      const before = yield* rows
      const reordered = JSON.stringify(Object.fromEntries(Object.entries(minimal).toReversed()), null, 2)
      const second = yield* ask({ body: reordered, headers })
      assert.strictEqual(second.status, 201)
      assert.strictEqual(second.text, first.text)
      assert.strictEqual(second.headers["location"], first.headers["location"])
      assert.strictEqual(second.headers["idempotent-replayed"], "true")
      assert.isUndefined(first.headers["idempotent-replayed"])
      assert.deepStrictEqual(yield* rows, before)
    })
  )

  it.effect("the same key with another request is refused", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const first = { ...minimal, client: { ip: "192.0.2.1", user_agent: "Mozilla/5.0" } }
      const { id } = parsed(yield* ask({ body: first, headers: keyed("k2") }))
      const differing: ReadonlyArray<readonly [pointer: string, body: object]> = [
        ["/amount", { ...first, amount: 1 }],
        ["/client/ip", { ...first, client: { ...first.client, ip: "198.51.100.9" } }],
        ["/client/ip", minimal],
        ["/metadata/a~1b", { ...first, metadata: { "a/b": "1" } }]
      ]
      for (const [pointer, body] of differing) {
        const answer = yield* ask({ body, headers: keyed("k2") })
        assert.strictEqual(answer.status, 422)
        const { code, detail, errors, payment_id } = parsed(answer)
        assert.deepStrictEqual([code, payment_id], ["idempotency_key_reused", id])
        assert.deepStrictEqual(errors, [{ pointer, message: "differs from the first request under this key" }])
        assert.include(detail, id)
        assert.notInclude(answer.text, "192.0.2.1")
      }
    })
  )

  it.effect("a second payment of an order is refused with the first one, unless it is of another account or mode", () =>
    Effect.gen(function* () {
      const { ask, newKey } = yield* TestServer
      const key = yield* newKey("orderer", "test")
      const body = { ...minimal, order: "order 1001 & more" }
      const first = parsed(yield* ask({ body, ...as(key) }))
      assert.strictEqual(first.order, body.order)
      const headers = keyed("second-of-the-order", key)
      for (const more of [{}, { order_replaces: true }]) {
        const answer = yield* ask({ body: { ...body, ...more }, headers })
        assert.strictEqual(answer.status, 409)
        const { code, detail, payment_id } = parsed(answer)
        assert.deepStrictEqual([code, payment_id], ["order_taken", first.id])
        assert.include(detail, "which is paid; nothing was done.")
        assert.notInclude(answer.text, body.order)
      }
      const other = yield* ask({ body: { ...body, order: "order 1002" }, headers })
      assert.strictEqual(other.status, 201)
      assert.strictEqual((yield* ask({ body, ...as(yield* newKey("another orderer", "test")) })).status, 201)
      assert.strictEqual((yield* ask({ body, ...as(yield* newKey("orderer", "live")) })).status, 201)
      const query = `order=${encodeURIComponent(body.order)}&order=none`
      assert.deepStrictEqual(ids(yield* ask({ path: `/v1/payments?${query}`, ...as(key) })), [first.id])
      assert.notProperty(parsed(yield* ask({ body: minimal, ...as(key) })), "order")
    })
  )

  it.effect("a key is free in another account and in the other mode, and payments are absent there", () =>
    Effect.gen(function* () {
      const { ask, newKey } = yield* TestServer
      const others = [yield* newKey("default", "live"), yield* newKey("other", "test"), yield* newKey("other", "live")]
      const mine = yield* ask({ body: minimal, headers: keyed("shared") })
      const created = [parsed(mine).id]
      for (const other of others) {
        const answer = yield* ask({ body: minimal, headers: keyed("shared", other) })
        assert.strictEqual(answer.status, 201, answer.text)
        assert.isUndefined(answer.headers["idempotent-replayed"])
        created.push(parsed(answer).id)
        const foreign = yield* ask({ path: `/v1/payments/${parsed(mine).id}`, ...as(other) })
        const missing = yield* ask({ path: "/v1/payments/pay_01jd8w6x2vh6k9v0q3f7m5t1ac", ...as(other) })
        assert.strictEqual(foreign.status, 404)
        assert.deepStrictEqual(withoutRequestId(foreign), withoutRequestId(missing))
        assert.notInclude(ids(yield* ask({ path: "/v1/payments?limit=100", ...as(other) })), parsed(mine).id)
      }
      assert.strictEqual(new Set(created).size, 4)
    })
  )

  it.effect("a local return_url is for test mode", () =>
    Effect.gen(function* () {
      const { ask, newKey } = yield* TestServer
      const body = { ...card, return_url: "http://localhost:3000/back" }
      assert.strictEqual((yield* ask({ body })).status, 201)
      const refused = yield* ask({ body, ...as(yield* newKey("default", "live")) })
      assert.strictEqual(refused.status, 400)
      assert.strictEqual(parsed(refused).errors[0].pointer, "/return_url")
    })
  )

  it.effect("HEAD answers as GET does, without a body; OPTIONS names the methods; a method override is ignored", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const head = yield* ask({ method: "HEAD" })
      assert.strictEqual(head.status, 200)
      assert.strictEqual(head.text, "")
      const options = yield* ask({ method: "OPTIONS", headers: { Authorization: null } })
      assert.strictEqual(options.status, 204)
      assert.strictEqual(options.headers["allow"], "GET, HEAD, OPTIONS, POST")
      const refused = yield* ask({ method: "PATCH", path: "/v1/payments/pay_1" })
      assert.strictEqual(refused.headers["allow"], "GET, HEAD, OPTIONS")
      const read = yield* ask({ method: "GET", headers: { "X-HTTP-Method-Override": "DELETE" } })
      assert.strictEqual(read.status, 200)
    })
  )
})

layer(TestServer.layer(), { excludeTestServices: true })("the list of payments", (it) => {
  it.effect("pages forth and back meet every payment once, newest first", () =>
    Effect.gen(function* () {
      const { ask, newKey } = yield* TestServer
      const key = yield* newKey("lister", "test")
      const made: Array<string> = []
      for (let i = 0; i < 5; i++) {
        const answer = yield* ask({
          body: { ...minimal, metadata: { order_id: `${i % 2}`, "a[b]": "c d" } },
          ...as(key)
        })
        made.push(parsed(answer).id)
      }
      // Ids of one millisecond have no other order than the list's.
      const created = made.toSorted().toReversed()
      const page = (query: string) => ask({ path: `/v1/payments?${query}`, ...as(key) })
      const all = yield* page("")
      assert.deepStrictEqual(ids(all), created)
      assert.deepInclude(parsed(all), { object: "list", has_more: false, next_cursor: null })
      const first = yield* page("limit=2")
      assert.isTrue(parsed(first).has_more)
      const second = yield* page(`limit=2&starting_after=${parsed(first).next_cursor}`)
      const third = yield* page(`limit=2&starting_after=${parsed(second).next_cursor}`)
      assert.deepStrictEqual([...ids(first), ...ids(second), ...ids(third)], created)
      assert.isFalse(parsed(third).has_more)
      const back = yield* page(`limit=1&ending_before=${parsed(second).next_cursor}`)
      assert.deepStrictEqual(ids(back), created.slice(2, 3))
      const further = yield* page(`limit=2&ending_before=${parsed(back).next_cursor}`)
      assert.deepStrictEqual(ids(further), created.slice(0, 2))
    })
  )

  it.effect("filters: any of several values, metadata by key, times with a zone", () =>
    Effect.gen(function* () {
      const { ask, newKey } = yield* TestServer
      const key = yield* newKey("filterer", "test")
      for (const body of [minimal, card, { ...card, metadata: { order_id: "a b&c", "x[y]": "z" } }]) {
        assert.strictEqual((yield* ask({ body, ...as(key) })).status, 201)
      }
      const count = (query: string) =>
        Effect.map(ask({ path: `/v1/payments?${query}`, ...as(key) }), (answer) => {
          assert.strictEqual(answer.status, 200, answer.text)
          return ids(answer).length
        })
      assert.strictEqual(yield* count("payment_method=upi"), 1)
      assert.strictEqual(yield* count("payment_method=upi&payment_method=card"), 3)
      assert.strictEqual(yield* count("status=succeeded&currency=EUR"), 2)
      assert.strictEqual(yield* count("status=pending&status=failed"), 0)
      assert.strictEqual(yield* count("provider=acme&customer_email=asha%40example.com"), 3)
      assert.strictEqual(yield* count("metadata[order_id]=a+b%26c"), 1)
      assert.strictEqual(yield* count("metadata%5Bx%5By%5D%5D=z"), 1)
      assert.strictEqual(yield* count("metadata[order_id]=other"), 0)
      assert.strictEqual(yield* count("created_after=2026-01-31T12:00:00%2B05:30"), 3)
      assert.strictEqual(yield* count("created_before=2020-02-29T23:59:59.123z"), 0)
    })
  )

  const rangesOfAmounts: ReadonlyArray<readonly [query: string, pointer: string | null]> = [
    ["amount_min=5", "amount_min"],
    ["amount_max=5", "amount_max"],
    ["amount_min=5&amount_max=6", "amount_min"],
    ["amount_min=5&currency=EUR&currency=INR", "amount_min"],
    ["amount_max=5&currency=EUR&currency=INR", "amount_max"],
    ["amount_min=6&amount_max=5&currency=EUR", "amount_min"],
    ["amount_min=10&amount_max=9&currency=EUR", "amount_min"],
    ["amount_min=5&amount_max=5&currency=EUR", null],
    ["amount_min=9&amount_max=10&currency=EUR&currency=EUR", null],
    ["amount_min=5&currency=EUR", null],
    ["amount_max=5&currency=EUR", null]
  ]
  it.effect("by amount names one currency, and a range that is not empty", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      for (const [query, pointer] of rangesOfAmounts) {
        const answer = yield* ask({ path: `/v1/payments?${query}` })
        assert.strictEqual(answer.status, pointer === null ? 200 : 400, query)
        assert.strictEqual(parsed(answer).errors?.[0].pointer ?? null, pointer, query)
      }
    })
  )

  it.effect("a cursor that was changed anywhere, or that another account or mode was given, is refused", () =>
    Effect.gen(function* () {
      const { ask, newKey } = yield* TestServer
      const key = yield* newKey("cursors", "test")
      for (let i = 0; i < 2; i++) yield* ask({ body: minimal, ...as(key) })
      const cursor: string = parsed(yield* ask({ path: "/v1/payments?limit=1", ...as(key) })).next_cursor
      const status = (cursor: string, key: string) =>
        Effect.map(ask({ path: `/v1/payments?starting_after=${cursor}`, ...as(key) }), ({ status }) => status)
      assert.strictEqual(yield* status(cursor, key), 200)
      for (let i = 0; i < cursor.length; i++) {
        const other = cursor[i] === "A" ? "B" : "A"
        assert.strictEqual(yield* status(cursor.slice(0, i) + other + cursor.slice(i + 1), key), 400, `at ${i}`)
      }
      assert.strictEqual(yield* status(`${cursor}%3D`, key), 400)
      assert.strictEqual(yield* status(`${cursor}A`, key), 400)
      assert.strictEqual(yield* status(cursor, yield* newKey("cursors", "live")), 400)
      assert.strictEqual(yield* status(cursor, yield* newKey("thief", "test")), 400)
    })
  )
})

describe("one key, many requests at once", () => {
  it.live("is sent once: a repeat while it runs gets 409, a later one the stored response", () => {
    const sent: Array<ProviderOperation> = []
    const begun = Deferred.makeUnsafe<void>()
    const released = Deferred.makeUnsafe<void>()
    const create = (operation: ProviderOperation) =>
      Effect.sync(() => void sent.push(operation)).pipe(
        Effect.andThen(Deferred.succeed(begun, undefined)),
        Effect.andThen(Deferred.await(released)),
        Effect.as(Outcome.succeeded())
      )
    return Effect.gen(function* () {
      const { ask, rows } = yield* TestServer
      const same = ask({ body: minimal, headers: keyed("once") })
      const racing = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 8 }, () => same),
          { concurrency: 8 }
        )
      )
      yield* Deferred.await(begun)
      const inFlight = yield* same
      assert.strictEqual(inFlight.status, 409)
      assert.strictEqual(parsed(inFlight).code, "idempotency_in_flight")
      assert.match(inFlight.headers["retry-after"] ?? "", /^[1-9]\d*$/)
      yield* Deferred.succeed(released, undefined)
      const answers = yield* Fiber.join(racing)
      const after = yield* same
      assert.strictEqual(after.headers["idempotent-replayed"], "true")
      for (const answer of answers) {
        assert.include([201, 409], answer.status)
        if (answer.status === 201) assert.strictEqual(answer.text, after.text)
      }
      assert.strictEqual(sent.length, 1)
      assert.deepStrictEqual(yield* rows, { payments: 1, keys: 1 })
    }).pipe(Effect.provide(TestServer.layer({ providers: [acme({ create })] })))
  })
})

describe("a card that was declined for good", () => {
  const declined = Outcome.declined({ code: "lost_or_stolen", retry: "never" })
  const known = { ...card, payment_method_details: { card: { token: "tok_1", fingerprint: "fp_1" } } }

  it.live("is not tried again: 422, nothing is written, and the key stays free", () =>
    Effect.gen(function* () {
      const { ask, rows } = yield* TestServer
      assert.deepInclude(parsed(yield* ask({ body: known })), { status: "failed" })
      const before = yield* rows
      const answer = yield* ask({ body: known, headers: keyed("again") })
      assert.strictEqual(answer.status, 422)
      assert.deepInclude(parsed(answer), {
        code: "card_not_retried",
        detail: "This card was declined for good. Ask for another one."
      })
      assert.match(answer.headers["retry-after"] ?? "", /^25\d{5}$/, "about 30 days")
      assert.deepStrictEqual(yield* rows, before)
      const other = { ...card, payment_method_details: { card: { token: "tok_2", fingerprint: "fp_2" } } }
      assert.strictEqual((yield* ask({ body: other, headers: keyed("again") })).status, 201)
    }).pipe(Effect.provide(TestServer.layer({ providers: [acme({ create: () => Effect.succeed(declined) })] })))
  )
})

describe("modes", () => {
  it.live("a sandbox token with a live key is handed on like any other", () => {
    const sent: Array<ProviderOperation> = []
    const create = (operation: ProviderOperation) => Effect.sync(() => (sent.push(operation), Outcome.succeeded()))
    return Effect.gen(function* () {
      const { ask, newKey } = yield* TestServer
      const body = { ...card, payment_method_details: { card: { token: "tok_declined" } } }
      const answer = yield* ask({ body, ...as(yield* newKey("default", "live")) })
      assert.deepInclude(parsed(answer), { livemode: true, status: "succeeded", provider: "real" })
      assert.deepInclude(sent[0]?.method, { token: "tok_declined" })
    }).pipe(Effect.provide(TestServer.layer({ providers: [acme({ id: "real", mode: "live", create })] })))
  })

  it.live("a test key where there is no test instance finds no route", () =>
    Effect.gen(function* () {
      const { ask, rows } = yield* TestServer
      const answer = yield* ask({ body: minimal, headers: keyed("k") })
      assert.strictEqual(answer.status, 422)
      assert.deepInclude(parsed(answer), {
        code: "no_route",
        errors: [{ pointer: "", message: "real: mode_mismatch" }]
      })
      assert.deepStrictEqual(yield* rows, { payments: 0, keys: 0 })
    }).pipe(Effect.provide(TestServer.layer({ providers: [acme({ id: "real", mode: "live" })] })))
  )
})
