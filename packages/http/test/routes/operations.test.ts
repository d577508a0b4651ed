/** Capture, cancel and refund over HTTP: what they do, each refusal, and that each is done once under its key. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import type { ProviderOperation } from "@paymux/core"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { HttpHandler } from "../../src/index.ts"
import type { ProblemCode } from "../../src/index.ts"
import { acme, card, manual, minimal, obedient, TestServer } from "../support/server.ts"
import type { Answer, Ask } from "../support/server.ts"

const parsed = ({ text }: Answer) => JSON.parse(text)
const withoutRequestId = (answer: Answer) => ({ ...parsed(answer), request_id: "" })
const keyed = (key: string) => ({ "Idempotency-Key": key })
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

/** A payment that was just made; `path` leads to what is done about it. */
const made = Effect.fnUntraced(function* (body: object, headers: Ask["headers"] = {}) {
  const { ask } = yield* TestServer
  const answer = yield* ask({ body, headers })
  assert.strictEqual(answer.status, 201, answer.text)
  const { id } = parsed(answer)
  return { id: String(id), path: (name: string) => `/v1/payments/${id}/${name}` }
})

const assertProblem = (answer: Answer, status: number, code: ProblemCode) => {
  assert.deepInclude({ status: answer.status, ...parsed(answer) }, { status, code }, answer.text)
  assert.strictEqual(answer.headers["content-type"], "application/problem+json")
}

layer(TestServer.layer({ providers: [acme(obedient)] }), { excludeTestServices: true })("capture and cancel", (it) => {
  it.effect("a capture takes all of a hold", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const { id, path } = yield* made(manual)
      const answer = yield* ask({ path: path("capture"), body: {} })
      assert.strictEqual(answer.status, 200, answer.text)
      const payment = parsed(answer)
      assert.deepInclude(payment, { id, status: "succeeded", amount_captured: manual.amount })
      assert.deepInclude(payment.operations[0], { kind: "capture", status: "succeeded", amount: manual.amount })
      assert.deepStrictEqual(parsed(yield* ask({ path: `/v1/payments/${id}` })), payment)
      assert.strictEqual(answer.headers["content-type"], "application/json")
    })
  )

  it.effect("a capture takes a part, once; more than there is is refused before anything is sent", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const { path } = yield* made(manual)
      const tooMuch = yield* ask({ path: path("capture"), body: { amount: manual.amount + 1 } })
      assertProblem(tooMuch, 400, "invalid_request")
      assert.strictEqual(parsed(tooMuch).errors[0].pointer, "/amount")
      const part = yield* ask({ path: path("capture"), body: { amount: 4000 } })
      assert.deepInclude(parsed(part), { status: "succeeded", amount_captured: 4000 })
      const second = yield* ask({ path: path("capture"), body: { amount: 1000 } })
      assertProblem(second, 409, "operation_not_supported")
      assert.strictEqual(parsed(second).detail, "A payment that is succeeded cannot be captured.")
    })
  )

  const bodies: ReadonlyArray<readonly [string, Ask]> = [
    ["without a body", { method: "POST" }],
    ["without a body, of length 0", { method: "POST", headers: { "Content-Length": "0" } }],
    ["with an empty body and a content type", { body: "" }],
    ["with an empty object", { body: {} }]
  ]
  it.effect.each(bodies)("a cancel %s lets go of a hold", ([, body]) =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const { path } = yield* made(manual)
      const answer = yield* ask({ ...body, path: path("cancel") })
      assert.strictEqual(answer.status, 200, answer.text)
      assert.deepInclude(parsed(answer), { status: "canceled", amount_captured: 0 })
      assertProblem(yield* ask({ path: path("capture"), body: {} }), 409, "operation_not_supported")
    })
  )

  it.effect("money that was taken is not canceled", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const { id, path } = yield* made(card)
      const refused = yield* ask({ path: path("cancel"), body: {} })
      assertProblem(refused, 409, "operation_not_supported")
      assert.strictEqual(parsed(refused).detail, "A payment that is succeeded cannot be canceled.")
      assert.strictEqual(parsed(yield* ask({ path: `/v1/payments/${id}` })).status, "succeeded")
    })
  )
})

layer(TestServer.layer({ providers: [acme(obedient)] }), { excludeTestServices: true })("refunds", (it) => {
  it.effect("two equal ones are two, and what is left can be refunded without an amount", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const { id, path } = yield* made(card)
      const body = { amount: 3000, reason: "one of three" }
      const first = yield* ask({ path: path("refunds"), body })
      const second = yield* ask({ path: path("refunds"), body })
      assert.deepStrictEqual([first.status, second.status], [201, 201], second.text)
      assert.notStrictEqual(parsed(first).id, parsed(second).id)
      assert.deepInclude(parsed(first), {
        object: "refund",
        livemode: false,
        payment: id,
        status: "succeeded",
        amount: 3000,
        currency: "EUR",
        reason: "one of three",
        failure: null,
        provider: "acme"
      })
      const rest = yield* ask({ path: path("refunds"), body: {} })
      assert.deepInclude(parsed(rest), { status: "succeeded", amount: card.amount - 6000, reason: null })
      assert.deepInclude(parsed(yield* ask({ path: `/v1/payments/${id}` })), {
        status: "succeeded",
        amount_captured: card.amount,
        amount_refunded: card.amount
      })
      const none = yield* ask({ path: path("refunds"), body: {} })
      assertProblem(none, 409, "operation_not_supported")

      assert.strictEqual(first.headers["location"], `/v1/refunds/${parsed(first).id}`)
      const found = yield* ask({ path: first.headers["location"] ?? "" })
      assert.deepStrictEqual([found.status, found.text], [200, first.text])
      const list = yield* ask({ path: path("refunds") })
      assert.deepStrictEqual(parsed(list), {
        object: "list",
        data: [rest, second, first].map(parsed),
        has_more: false,
        next_cursor: null
      })
    })
  )

  it.effect("more than was taken, and is left, is refused", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const { path } = yield* made(manual)
      assertProblem(yield* ask({ path: path("refunds"), body: {} }), 409, "operation_not_supported")
      yield* ask({ path: path("capture"), body: { amount: 5000 } })
      assertProblem(yield* ask({ path: path("refunds"), body: { amount: 5001 } }), 400, "invalid_request")
      assert.strictEqual((yield* ask({ path: path("refunds"), body: { amount: 2000 } })).status, 201)
      const over = yield* ask({ path: path("refunds"), body: { amount: 3001 } })
      assertProblem(over, 400, "invalid_request")
      assert.deepStrictEqual(parsed(over).errors, [
        { pointer: "/amount", message: "must be at most 3000, the remaining amount" }
      ])
      assert.strictEqual(parsed(yield* ask({ path: path("refunds") })).data.length, 1)
    })
  )
})

const calls = (sent: Array<ProviderOperation>, kind: ProviderOperation["kind"]) =>
  sent.filter((operation) => operation.kind === kind).length

describe("an idempotency key", () => {
  const sent: Array<ProviderOperation> = []
  const counted = (operation: ProviderOperation) => Effect.sync(() => (sent.push(operation), Outcome.succeeded()))
  const server = TestServer.layer({ providers: [acme({ capture: counted, cancel: counted, refund: counted })] })

  const posts = [
    {
      name: "capture",
      kind: "capture",
      payment: manual,
      body: { amount: 700 },
      other: { amount: 701 },
      pointer: "/amount",
      status: 200
    },
    {
      name: "refunds",
      kind: "refund",
      payment: card,
      body: { amount: 700 },
      other: { reason: "x" },
      pointer: "/reason",
      status: 201
    },
    { name: "cancel", kind: "cancel", payment: manual, body: {}, other: null, status: 200 }
  ] as const

  it.live.each(posts)("of $name answers the same bytes, and the provider is asked once", (post) =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const { path } = yield* made(post.payment)
      const before = calls(sent, post.kind)
      const again = ask({ path: path(post.name), body: post.body, headers: keyed("k") })
      const first = yield* again
      assert.strictEqual(first.status, post.status, first.text)
      assert.isUndefined(first.headers["idempotent-replayed"])
      for (const replay of yield* Effect.all([again, again, again], { concurrency: 3 })) {
        assert.deepStrictEqual([replay.status, replay.text], [first.status, first.text])
        assert.strictEqual(replay.headers["idempotent-replayed"], "true")
        assert.strictEqual(replay.headers["location"], first.headers["location"])
      }
      assert.strictEqual(calls(sent, post.kind) - before, 1)
      const { path: elsewhere } = yield* made(post.payment)
      const reused = yield* ask({ path: elsewhere(post.name), body: post.body, headers: keyed("k") })
      assertProblem(reused, 422, "idempotency_key_reused")
      const payment = path("").split("/").at(-2)
      assert.deepInclude(JSON.parse(reused.text), { payment_id: payment })
      assert.strictEqual(JSON.parse(reused.text).errors[0].pointer, "id")
      if (post.other !== null) {
        const changed = yield* ask({ path: path(post.name), body: post.other, headers: keyed("k") })
        assertProblem(changed, 422, "idempotency_key_reused")
        const { errors, payment_id } = JSON.parse(changed.text)
        assert.deepStrictEqual([payment_id, errors[0].pointer], [payment, post.pointer])
      }
      assert.strictEqual(calls(sent, post.kind) - before, 1)
    }).pipe(Effect.provide(server))
  )

  it.live("is free at each endpoint, and a refused request has not used it", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const headers = keyed("everywhere")
      const { path } = yield* made(manual, headers)
      assertProblem(yield* ask({ path: path("refunds"), body: {}, headers }), 409, "operation_not_supported")
      assertProblem(yield* ask({ path: path("capture"), body: { amount: 0 }, headers }), 400, "invalid_request")
      assert.strictEqual((yield* ask({ path: path("capture"), body: {}, headers })).status, 200)
      assert.strictEqual((yield* ask({ path: path("refunds"), body: {}, headers })).status, 201)
    }).pipe(Effect.provide(server))
  )
})

describe("what is not to be had", () => {
  it.live("another account's or mode's payment and refund are as absent as missing ones", () =>
    Effect.gen(function* () {
      const { ask, newKey } = yield* TestServer
      const { id, path } = yield* made(card)
      const refund = parsed(yield* ask({ path: path("refunds"), body: { amount: 1 } }))
      const others = [yield* newKey("other", "test"), yield* newKey("default", "live")]
      const mine = [
        { path: path("capture"), body: {} },
        { path: path("cancel"), body: {} },
        { path: path("refunds"), body: {} },
        { path: path("refunds") },
        { path: `/v1/refunds/${refund.id}` }
      ]
      const missing = (path: string) => path.replace(/(pay|re)_[0-9a-z]{26}/, "$1_01jd8w6x2vh6k9v0q3f7m5t1ac")
      for (const other of others) {
        for (const asked of mine) {
          const foreign = yield* ask({ ...asked, headers: bearer(other) })
          const absent = yield* ask({ ...asked, path: missing(asked.path), headers: bearer(other) })
          assertProblem(foreign, 404, "not_found")
          assert.deepStrictEqual(withoutRequestId(foreign), withoutRequestId(absent))
        }
      }
      assert.strictEqual(parsed(yield* ask({ path: `/v1/payments/${id}` })).amount_refunded, 1)
    }).pipe(Effect.provide(TestServer.layer({ providers: [acme(obedient)] })))
  )

  it.live("what the provider cannot do is refused with its sentence, and nothing is written", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const held = yield* made(manual)
      const taken = yield* made(minimal)
      const paths = [held.path("capture"), held.path("cancel"), taken.path("refunds")]
      for (const [index, verb] of ["capture", "cancel", "refund"].entries()) {
        const refused = yield* ask({ path: paths[index] ?? "", body: {}, headers: keyed("k") })
        assertProblem(refused, 409, "operation_not_supported")
        assert.strictEqual(parsed(refused).detail, `acme cannot ${verb} this payment.`)
      }
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        (yield* sql<{ kind: string }>`SELECT kind FROM operations`).map(({ kind }) => kind),
        ["create", "create"]
      )
    }).pipe(Effect.provide(TestServer.layer()))
  )

  it.live("a provider that says no fails the refund, and the next one may be tried", () => {
    const refund = () => Effect.succeed(Outcome.declined({ code: "account_closed", retry: "never" }))
    return Effect.gen(function* () {
      const { ask } = yield* TestServer
      const { id, path } = yield* made(card)
      const failed = yield* ask({ path: path("refunds"), body: {} })
      assert.strictEqual(failed.status, 201)
      assert.deepInclude(parsed(failed), { status: "failed", amount: card.amount })
      assert.strictEqual(parsed(failed).failure.code, "account_closed")
      assert.strictEqual((yield* ask({ path: path("refunds"), body: {} })).status, 201)
      assert.strictEqual(parsed(yield* ask({ path: `/v1/payments/${id}` })).amount_refunded, 0)
    }).pipe(Effect.provide(TestServer.layer({ providers: [acme({ refund })] })))
  })

  it.live("while a capture is in flight, a cancel is refused with Retry-After", () => {
    const begun = Deferred.makeUnsafe<void>()
    const released = Deferred.makeUnsafe<void>()
    const capture = () =>
      Deferred.succeed(begun, undefined).pipe(Effect.andThen(Deferred.await(released)), Effect.as(Outcome.succeeded()))
    return Effect.gen(function* () {
      const { ask } = yield* TestServer
      const { path } = yield* made(manual)
      const same = ask({ path: path("capture"), body: {}, headers: keyed("k") })
      const running = yield* Effect.forkChild(same)
      yield* Deferred.await(begun)
      const refused = yield* ask({ path: path("cancel"), body: {} })
      assertProblem(refused, 409, "operation_in_flight")
      assert.match(refused.headers["retry-after"] ?? "", /^[1-9]\d*$/)
      assertProblem(yield* same, 409, "idempotency_in_flight")
      yield* Deferred.succeed(released, undefined)
      const answer = yield* Fiber.join(running)
      assert.strictEqual(parsed(answer).status, "succeeded")
      assert.strictEqual((yield* same).text, answer.text)
    }).pipe(Effect.provide(TestServer.layer({ providers: [acme({ ...obedient, capture })] })))
  })
})

describe("many at once", () => {
  const atOnce = (asks: ReadonlyArray<Ask>) =>
    Effect.flatMap(TestServer, ({ ask }) => Effect.all(asks.map(ask), { concurrency: "unbounded" }))
  const times = <A>(count: number, item: A): ReadonlyArray<A> => Array.from({ length: count }, () => item)
  const statuses = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status)

  const sent: Array<ProviderOperation> = []
  const slowly = (operation: ProviderOperation) =>
    Effect.promise(() => new Promise((resolve) => setImmediate(resolve))).pipe(
      Effect.andThen(Effect.sync(() => (sent.push(operation), Outcome.succeeded())))
    )
  const server = TestServer.layer({ providers: [acme({ capture: slowly, cancel: slowly, refund: slowly })] })

  it.live("refunds never give back more than was taken", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const { id, path } = yield* made(card)
      const amount = card.amount / 4
      const answers = yield* atOnce(times(12, { path: path("refunds"), body: { amount } }))
      assert.strictEqual(statuses(answers).filter((status) => status === 201).length, 4)
      for (const refused of answers.filter(({ status }) => status !== 201)) {
        assert.include([400, 409], refused.status, refused.text)
      }
      assert.strictEqual(calls(sent, "refund"), 4)
      assert.strictEqual(parsed(yield* ask({ path: `/v1/payments/${id}` })).amount_refunded, card.amount)
    }).pipe(Effect.provide(server))
  )

  it.live("the same refund under one key is one", () =>
    Effect.gen(function* () {
      const before = calls(sent, "refund")
      const { path } = yield* made(card)
      const same: Ask = { path: path("refunds"), body: { amount: 1 }, headers: keyed("once") }
      const answers = yield* atOnce(times(12, same))
      const bodies = answers.filter(({ status }) => status === 201).map(({ text }) => text)
      assert.isNotEmpty(bodies)
      assert.strictEqual(new Set(bodies).size, 1)
      for (const refused of answers.filter(({ status }) => status !== 201)) {
        assertProblem(refused, 409, "idempotency_in_flight")
      }
      assert.strictEqual(calls(sent, "refund") - before, 1)
    }).pipe(Effect.provide(server))
  )

  it.live("of captures and cancels of a hold, one wins", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round++) {
        sent.length = 0
        const { id, path } = yield* made(manual)
        const answers = yield* atOnce([
          ...times(3, { path: path("capture"), body: {} }),
          ...times(3, { path: path("cancel"), body: {} })
        ])
        assert.strictEqual(statuses(answers).filter((status) => status === 200).length, 1)
        assert.strictEqual(sent.length, 1)
        const { ask } = yield* TestServer
        const { amount_captured, status } = parsed(yield* ask({ path: `/v1/payments/${id}` }))
        assert.strictEqual(status, sent[0]?.kind === "capture" ? "succeeded" : "canceled")
        assert.strictEqual(amount_captured, status === "succeeded" ? manual.amount : 0)
      }
    }).pipe(Effect.provide(server))
  )
})

describe("over fetch", () => {
  it.live("a cancel without a body is one, too", () =>
    Effect.gen(function* () {
      const { fetch } = yield* HttpHandler
      const { key } = yield* TestServer
      const { path } = yield* made(manual)
      const request = new Request(`http://localhost${path("cancel")}`, { method: "POST", headers: bearer(key) })
      const response = yield* Effect.promise(() => fetch(request))
      assert.strictEqual(response.status, 200)
    }).pipe(Effect.provide(TestServer.layer({ providers: [acme(obedient)] })))
  )
})

type Row = readonly [name: string, status: number, code: ProblemCode, path: string, ask: Ask]
const CARD = "4242 4242 4242 4242"

const amounts = ["capture", "refunds"].flatMap((path): ReadonlyArray<Row> => [
  [`${path} of 0`, 400, "invalid_request", path, { body: { amount: 0 } }],
  [`${path} of −1`, 400, "invalid_request", path, { body: { amount: -1 } }],
  [`${path} of 1.5`, 400, "invalid_request", path, { body: { amount: 1.5 } }],
  [`${path} of "1"`, 400, "invalid_request", path, { body: { amount: "1" } }],
  [`${path} of null`, 400, "invalid_request", path, { body: { amount: null } }],
  [`${path} of 2^53 + 1`, 400, "invalid_json", path, { body: `{"amount":9007199254740993}` }],
  [`${path} twice`, 400, "invalid_json", path, { body: `{"amount":1,"amount":2}` }],
  [`${path} without a body`, 415, "unsupported_media_type", path, { method: "POST" }],
  [`${path} with an empty body`, 400, "invalid_json", path, { body: "" }],
  [`${path} with a list`, 400, "invalid_json", path, { body: "[]" }]
])
const everywhere = ["capture", "refunds", "cancel"].flatMap((path): ReadonlyArray<Row> => [
  [`${path} with an unknown field`, 400, "invalid_request", path, { body: { color: "turquoise" } }],
  [`${path} with __proto__`, 400, "invalid_json", path, { body: `{"__proto__":{}}` }],
  [`${path} with raw card data`, 400, "raw_card_data_not_accepted", path, { body: { note: CARD } }],
  [
    `${path} as a form`,
    415,
    "unsupported_media_type",
    path,
    { body: "a=1", headers: { "Content-Type": "text/plain" } }
  ],
  [`${path} compressed`, 415, "unsupported_media_type", path, { body: {}, headers: { "Content-Encoding": "gzip" } }],
  [`${path} of 64 KiB + 1`, 413, "payload_too_large", path, { body: " ".repeat(65_537) }],
  [`${path} with an empty key`, 400, "idempotency_key_invalid", path, { body: {}, headers: keyed("") }],
  [
    `${path} with two keys`,
    400,
    "idempotency_key_invalid",
    path,
    { body: {}, headers: { "Idempotency-Key": ["a", "b"] } }
  ],
  [`${path} without an API key`, 401, "unauthorized", path, { body: {}, headers: { Authorization: null } }],
  [`${path} by PUT`, 405, "method_not_allowed", path, { method: "PUT", body: {} }]
])
const reasons: ReadonlyArray<Row> = [
  ["a reason of 501", 400, "invalid_request", "refunds", { body: { reason: "r".repeat(501) } }],
  ["a reason that is no text", 400, "invalid_request", "refunds", { body: { reason: 1 } }],
  ["a card number as the reason", 400, "raw_card_data_not_accepted", "refunds", { body: { reason: `for ${CARD}` } }]
]
const ids: ReadonlyArray<Row> = [
  ["a refund's id with SQL", 404, "not_found", "/v1/refunds/re_'%20OR%201=1--", {}],
  ["a refund's id of 10 KB", 404, "not_found", `/v1/refunds/re_${"0".repeat(10_000)}`, {}],
  ["a refund's id with NUL", 404, "not_found", "/v1/refunds/re_%00", {}],
  ["a payment's id as a refund's", 404, "not_found", "/v1/refunds/pay_01jd8w6x2vh6k9v0q3f7m5t1ac", {}],
  ["refunds from a cursor", 400, "invalid_request", "/v1/payments/pay_01jd8w6x2vh6k9v0q3f7m5t1ac/refunds?limit=1", {}],
  ["refunds of no payment", 404, "not_found", "/v1/payments/pay_1/refunds", {}],
  ["a capture of no payment", 404, "not_found", "/v1/payments/pay_1/capture", { body: {} }]
]

layer(TestServer.layer({ providers: [acme(obedient)] }), { excludeTestServices: true })("a malformed request", (it) => {
  it.effect.each([...amounts, ...everywhere, ...reasons, ...ids])("%s → %i %s", ([, status, code, path, asked]) =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const payment = yield* made(path === "refunds" ? card : manual)
      const before = yield* ask({ path: `/v1/payments/${payment.id}` })
      const answer = yield* ask({ ...asked, path: path.startsWith("/") ? path : payment.path(path) })
      assertProblem(answer, status, code)
      if (status === 405) assert.include(answer.headers["allow"], "POST")
      for (const secret of ["4242", "turquoise"]) {
        assert.notInclude(answer.text.replace(parsed(answer).request_id, ""), secret)
      }
      assert.strictEqual((yield* ask({ path: `/v1/payments/${payment.id}` })).text, before.text)
    })
  )

  it.effect("a reason of 500 characters is kept", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const { path } = yield* made(card)
      const reason = "ü".repeat(500)
      assert.strictEqual(parsed(yield* ask({ path: path("refunds"), body: { reason } })).reason, reason)
    })
  )
})
