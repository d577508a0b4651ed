/** Malformed input of every kind: a problem, no row, no idempotency key used, nothing echoed. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { generate } from "../../src/auth/ApiKey.ts"
import { ApiKeys, problemCodes } from "../../src/index.ts"
import type { ProblemCode } from "../../src/index.ts"
import { answerOf, card, minimal, TestServer, ways } from "../support/server.ts"
import type { Answer, Ask } from "../support/server.ts"

type Row = readonly [name: string, status: number, code: ProblemCode, ask: Ask]

const json = JSON.stringify(minimal)
const withField = (field: string) => `{${field},${json.slice(1)}`
const post = (fields: object): Ask => ({ body: { ...minimal, ...fields } })
const get = (path: string): Ask => ({ path })
const list = (query: string): Ask => get(`/v1/payments?${query}`)
const typed = (type: string | null): Ask => ({ body: json, headers: { "Content-Type": type } })
const keyed = (key: string | ReadonlyArray<string>): Ask => ({ body: json, headers: { "Idempotency-Key": key } })
const upi = (vpa: string): Ask => post({ payment_method_details: { upi: { vpa } } })
const returning = (return_url: string): Ask => ({ body: { ...card, return_url } })

const malformed: ReadonlyArray<Row> = [
  ["empty body", 400, "invalid_json", { body: "" }],
  ["no body at all", 400, "invalid_json", { method: "POST", headers: { "Content-Type": "application/json" } }],
  ["truncated JSON", 400, "invalid_json", { body: json.slice(0, -1) }],
  ["trailing data", 400, "invalid_json", { body: `${json}{}` }],
  ["[]", 400, "invalid_json", { body: "[]" }],
  ["null", 400, "invalid_json", { body: "null" }],
  ["a string", 400, "invalid_json", { body: `"payment"` }],
  ["duplicate key", 400, "invalid_json", { body: withField(`"amount":1`) }],
  ["duplicate key, escaped", 400, "invalid_json", { body: withField(`"\\u0061mount":1`) }],
  ["duplicate nested key", 400, "invalid_json", { body: withField(`"metadata":{"a":"1","a":"2"}`) }],
  ["__proto__ at the top", 400, "invalid_json", { body: withField(`"__proto__":{}`) }],
  ["unknown field", 400, "invalid_request", { body: withField(`"colour":"turquoise"`) }],
  ["unknown nested field", 400, "invalid_request", post({ customer: { ...minimal.customer, age: 3 } })],
  ["lone surrogate", 400, "invalid_json", { body: withField(`"description":"\\ud800"`) }],
  ["invalid UTF-8", 400, "invalid_json", { body: Buffer.from(withField(`"description":"\xff"`), "latin1") }],
  ["NUL", 400, "invalid_json", { body: withField(`"description":"\\u0000"`) }],
  ["no Content-Type", 415, "unsupported_media_type", typed(null)],
  ["text/plain", 415, "unsupported_media_type", typed("text/plain")],
  ["a form", 415, "unsupported_media_type", typed("application/x-www-form-urlencoded")],
  ["XML", 415, "unsupported_media_type", typed("application/xml")],
  ["another charset", 415, "unsupported_media_type", typed("application/json; charset=utf-16")],
  ["compressed", 415, "unsupported_media_type", { body: json, headers: { "Content-Encoding": "gzip" } }],
  [
    "compressed on its way",
    415,
    "unsupported_media_type",
    {
      body: `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`,
      headers: { "Content-Length": null, "Transfer-Encoding": "gzip, chunked" }
    }
  ],
  [
    "two types",
    400,
    "invalid_request",
    { body: json, headers: { "Content-Type": ["application/json", "text/plain"] } }
  ],
  ["64 KiB + 1", 413, "payload_too_large", { body: `${json}${" ".repeat(65_537 - json.length)}` }],
  [
    "64 KiB + 1 in chunks",
    413,
    "payload_too_large",
    {
      body: `10001\r\n${json}${" ".repeat(65_537 - json.length)}\r\n0\r\n\r\n`,
      headers: { "Content-Length": null, "Transfer-Encoding": "chunked" }
    }
  ],
  ["depth 10,000", 400, "invalid_json", { body: withField(`"metadata":${"[".repeat(1e4)}${"]".repeat(1e4)}`) }],
  ["too many metadata keys", 400, "invalid_request", post({ metadata: manyKeys(5000) })],
  ["100,000 metadata keys", 413, "payload_too_large", post({ metadata: manyKeys(100_000) })],
  ["a metadata key of 41", 400, "invalid_request", post({ metadata: { ["k".repeat(41)]: "" } })],
  ["a metadata value of 501", 400, "invalid_request", post({ metadata: { k: "v".repeat(501) } })],
  ["a metadata value that is no text", 400, "invalid_request", post({ metadata: { k: 1 } })],
  ["unknown path", 404, "not_found", get("/v1/payment")],
  ["a path that goes up", 404, "not_found", get("/v1/payments/..%2f..%2fetc")],
  ["malformed percent-encoding", 400, "invalid_request", get("/v1/payments/%E0%A4%A")],
  ["percent-encoding of no UTF-8", 400, "invalid_request", get("/v1/payments?provider=%ff")],
  ["a trailing slash", 404, "not_found", get("/v1/payments/")],
  ["a parameter in the path", 404, "not_found", get("/v1/payments;limit=0")],
  ["a parameter in the path of a POST", 404, "not_found", { path: "/v1/payments;a?b=c", body: json }],
  ["a fragment", 400, "invalid_request", { path: "/v1/payments#a", body: json }],
  ["a method that the address does not answer", 405, "method_not_allowed", { method: "DELETE" }],
  ["PUT with a body", 405, "method_not_allowed", { method: "PUT", body: json }],
  [
    "a method override",
    400,
    "invalid_json",
    { body: "", headers: { "X-HTTP-Method-Override": "GET", "X-HTTP-Method": "GET", "X-Method-Override": "GET" } }
  ]
]

const business: ReadonlyArray<Row> = [
  ["amount 0", 400, "invalid_request", post({ amount: 0 })],
  ["amount −1", 400, "invalid_request", post({ amount: -1 })],
  ["amount 1.5", 400, "invalid_request", post({ amount: 1.5 })],
  ["amount as text", 400, "invalid_request", post({ amount: "100" })],
  ["amount 2^53 + 1", 400, "invalid_json", { body: json.replace("10000", "9007199254740993") }],
  ["amount 1e400", 400, "invalid_json", { body: json.replace("10000", "1e400") }],
  ["amount NaN", 400, "invalid_json", { body: json.replace("10000", "NaN") }],
  ["no amount", 400, "invalid_request", { body: { ...minimal, amount: undefined } }],
  ["lower-case currency", 400, "invalid_request", { body: { ...card, currency: "eur" } }],
  ["unknown currency", 400, "invalid_request", { body: { ...card, currency: "ABC" } }],
  ["obsolete currency", 400, "invalid_request", { body: { ...card, currency: "HRK" } }],
  ["UPI in euro", 400, "invalid_request", post({ currency: "EUR" })],
  ["over the declared limit", 422, "no_route", post({ amount: 1_00_000_01 })],
  ["VPA a@b@c", 400, "invalid_request", upi("a@b@c")],
  ["VPA of 300 characters", 400, "invalid_request", upi(`${"a".repeat(295)}@bank`)],
  ["short phone", 400, "invalid_request", post({ customer: { ...minimal.customer, phone: "+91999" } })],
  ["letters in a phone", 400, "invalid_request", post({ customer: { ...minimal.customer, phone: "+91asdfghjklm" } })],
  ["no country code", 400, "invalid_request", post({ customer: { ...minimal.customer, phone: "9999999999" } })],
  ["a currency that no provider takes", 422, "no_route", { body: { ...card, currency: "CHF" } }],
  [
    "a chain that no provider has",
    422,
    "no_route",
    {
      body: {
        ...minimal,
        currency: "USD",
        payment_method: "stablecoin",
        payment_method_details: { stablecoin: { asset: "USDC", network: "ethereum" } }
      }
    }
  ],
  ["return_url javascript:", 400, "invalid_request", returning("javascript:alert(1)")],
  ["return_url data:", 400, "invalid_request", returning("data:text/html,x")],
  ["return_url to a private host", 400, "invalid_request", returning("https://10.0.0.1/back")],
  ["return_url to a private host, folded", 400, "invalid_request", returning("https://0x7f000001/back")],
  ["empty key", 400, "idempotency_key_invalid", keyed("")],
  ["key of 256 characters", 400, "idempotency_key_invalid", keyed("k".repeat(256))],
  ["key that is not ASCII", 400, "idempotency_key_invalid", keyed("schlüssel")],
  ["key with a space", 400, "idempotency_key_invalid", keyed("a b")],
  ["key with a tab", 400, "idempotency_key_invalid", keyed("a\tb")],
  ["key that holds a card number", 400, "raw_card_data_not_accepted", keyed("key-4242424242424242")],
  ["two keys", 400, "idempotency_key_invalid", keyed(["a", "b"])],
  ["the same key twice", 400, "idempotency_key_invalid", keyed(["a", "a"])],
  ["key with CR", 400, "invalid_request", keyed("a\rb")],
  ["key with LF", 400, "invalid_request", keyed("a\nb")],
  ["id with NUL", 404, "not_found", get("/v1/payments/pay_%00")],
  ["id of 10 KB", 404, "not_found", get(`/v1/payments/pay_${"0".repeat(10_000)}`)],
  ["id with SQL", 404, "not_found", get("/v1/payments/pay_'%20OR%201=1--")],
  ["an id that does not exist", 404, "not_found", get("/v1/payments/pay_01jd8w6x2vh6k9v0q3f7m5t1ac")],
  ["limit 0", 400, "invalid_request", list("limit=0")],
  ["limit −1", 400, "invalid_request", list("limit=-1")],
  ["limit 101", 400, "invalid_request", list("limit=101")],
  ["limit abc", 400, "invalid_request", list("limit=abc")],
  ["limit 1e1", 400, "invalid_request", list("limit=1e1")],
  ["limit twice", 400, "invalid_request", list("limit=1&limit=2")],
  ["unknown parameter", 400, "invalid_request", list("colour=red")],
  ["__proto__ as a parameter", 400, "invalid_request", list("__proto__=1")],
  ["unknown status", 400, "invalid_request", list("status=done")],
  ["one of several statuses unknown", 400, "invalid_request", list("status=pending&status=done")],
  ["a cursor that is none", 400, "invalid_request", list("starting_after=pay_01jd8w6x2vh6k9v0q3f7m5t1ac")],
  ["an empty cursor", 400, "invalid_request", list("ending_before=")],
  ["both cursors", 400, "invalid_request", list("starting_after=a&ending_before=b")],
  ["date without a zone", 400, "invalid_request", list("created_after=2026-01-31T12:00:00")],
  ["date that does not exist", 400, "invalid_request", list("created_before=2026-02-30T12:00:00Z")],
  ["day alone", 400, "invalid_request", list("created_before=2026-01-31")],
  ["metadata without a key", 400, "invalid_request", list("metadata[]=1")],
  ["NUL in a filter", 400, "invalid_request", list("metadata[order_id]=%00")]
]

const CARD = "4242424242424242"
const rawCards: ReadonlyArray<Row> = (
  [
    ["description", post({ description: `charge ${CARD} please` })],
    ["a metadata value, with spaces", post({ metadata: { note: "4242 4242 4242 4242" } })],
    ["a metadata value, with dashes", post({ metadata: { note: "4242-4242-4242-4242" } })],
    ["a metadata key", post({ metadata: { [CARD]: "x" } })],
    ["the name", post({ customer: { ...minimal.customer, name: CARD } })],
    ["a token", { body: { ...card, payment_method_details: { card: { token: CARD } } } }],
    ["a number", { body: withField(`"number":${CARD}`) }],
    ["an unknown field", { body: withField(`"note":"${CARD}"`) }],
    ["a CVV field", { body: { ...card, payment_method_details: { card: { token: "tok", cvv: "917" } } } }],
    ["a card number field", { body: withField(`"card_number":"917"`) }]
  ] satisfies ReadonlyArray<readonly [string, Ask]>
).map(([name, ask]) => [`raw card data in ${name}`, 400, "raw_card_data_not_accepted", ask])

const bearer = (authorization: string | null, ask: Ask = { body: json }): Ask => ({
  ...ask,
  headers: { ...ask.headers, Authorization: authorization }
})
const wrongChecksum = `pmx_test_${"a".repeat(38)}`

const auth: ReadonlyArray<Row> = [
  ["no key", 401, "unauthorized", bearer(null)],
  ["no key on get", 401, "unauthorized", bearer(null, get("/v1/payments/pay_1"))],
  ["no key on list", 401, "unauthorized", bearer(null, list("limit=0"))],
  ["Basic", 401, "unauthorized", bearer("Basic cG14OnRlc3Q=")],
  ["a key with a bad checksum", 401, "unauthorized", bearer(`Bearer ${wrongChecksum}`)],
  ["a key that was never issued", 401, "unauthorized", bearer(`Bearer ${generate("test")}`)],
  [
    "two keys",
    400,
    "invalid_request",
    { body: json, headers: { Authorization: [`Bearer ${wrongChecksum}`, "Basic x"] } }
  ],
  // The key is judged before the body is looked at.
  ["no key and no JSON", 401, "unauthorized", bearer(null, { body: "{", headers: { "Content-Type": "text/plain" } })],
  ["no key and too large", 413, "payload_too_large", bearer(null, { body: "x".repeat(70_000) })]
]

function manyKeys(count: number): { [key: string]: string } {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, "v"]))
}

const TEST_ONLY_SECRETS = [
  CARD,
  "4242 4242",
  "4242-4242",
  "917",
  wrongChecksum,
  "cG14OnRlc3Q=",
  "alert(1)",
  "turquoise"
]

const assertProblem = (answer: Answer, status: number, code: ProblemCode) => {
  assert.strictEqual(answer.status, status, answer.text)
  assert.strictEqual(answer.headers["content-type"], "application/problem+json")
  assert.strictEqual(answer.headers["cache-control"], "no-store")
  const problem = JSON.parse(answer.text)
  assert.strictEqual(problem.code, code, answer.text)
  assert.strictEqual(problem.status, status)
  assert.strictEqual(problem.type, `/docs/problems/${code}`)
  assert.match(problem.request_id, /^req_[0-9a-f]{32}$/)
  for (const secret of TEST_ONLY_SECRETS) assert.notInclude(answer.text.replace(problem.request_id, ""), secret)
  if (status === 401) assert.strictEqual(answer.headers["www-authenticate"], "Bearer")
  if (status === 405) assert.match(answer.headers["allow"] ?? "", /GET/)
  if (status === 409 || status === 503) assert.match(answer.headers["retry-after"] ?? "", /^[1-9]\d*$/)
  if (code === "no_route") assert.isNotEmpty(problem.errors)
}

for (const way of ways)
  layer(TestServer.layer({ way }), { excludeTestServices: true })(`a malformed request, ${way}`, (it) => {
    const rows = [...malformed, ...business, ...rawCards, ...auth]

    it.effect.each(rows)("%s → %i %s", ([, status, code, ask]) =>
      Effect.gen(function* () {
        const server = yield* TestServer
        const before = yield* server.rows
        const answer = yield* server.ask({ ...ask, headers: { "Idempotency-Key": "unused-key", ...ask.headers } })
        assertProblem(answer, status, code)
        assert.deepStrictEqual(yield* server.rows, before)
      })
    )

    it.effect("a revoked key is refused, a key of the same account is not", () =>
      Effect.gen(function* () {
        const server = yield* TestServer
        const keys = yield* ApiKeys
        const key = yield* server.newKey("leaver", "test")
        const headers = { Authorization: `Bearer ${key}` }
        assert.strictEqual((yield* server.ask({ headers })).status, 200)
        const [record] = yield* keys.list("leaver")
        yield* keys.revoke(record?.keyId ?? "")
        assertProblem(yield* server.ask({ headers }), 401, "unauthorized")
      })
    )

    it.effect("the key that the refused requests carried is still free", () =>
      Effect.gen(function* () {
        const server = yield* TestServer
        const answer = yield* server.ask({ body: minimal, headers: { "Idempotency-Key": "unused-key" } })
        assert.strictEqual(answer.status, 201)
        assert.isUndefined(answer.headers["idempotent-replayed"])
      })
    )

    const HOST = "Host: localhost\r\n"
    const CHUNKED = "Transfer-Encoding: chunked\r\n"
    const POST = "POST /v1/payments HTTP/1.1\r\n"
    const parser: ReadonlyArray<readonly [string, number, ProblemCode, string]> = [
      ["CL and TE", 400, "invalid_request", `${POST}${HOST}Content-Length: 2\r\n${CHUNKED}\r\n{}`],
      ["two CL", 400, "invalid_request", `${POST}${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
      ["no Host", 400, "invalid_request", `${POST}Content-Length: 2\r\n\r\n{}`],
      ["40 KB of headers", 431, "headers_too_large", `${POST}${HOST}X: ${"x".repeat(40_000)}\r\n\r\n`]
    ]
    it.effect.each(parser)("%s → %i %s", ([, status, code, bytes]) =>
      Effect.gen(function* () {
        const server = yield* TestServer
        const before = yield* server.rows
        assertProblem(answerOf(yield* server.raw(bytes)), status, code)
        assert.deepStrictEqual(yield* server.rows, before)
      })
    )

    it.effect("1e3 is 1000", () =>
      Effect.gen(function* () {
        const { ask } = yield* TestServer
        const answer = yield* ask({ body: json.replace("10000", "1e3") })
        assert.strictEqual(answer.status, 201, answer.text)
        assert.strictEqual(JSON.parse(answer.text).amount, 1000)
      })
    )

    it.effect.each(["JPY", "KWD"])("%s keeps its own smallest unit", (currency) =>
      Effect.gen(function* () {
        const { ask } = yield* TestServer
        const answer = yield* ask({ body: { ...card, currency, amount: 1234 } })
        assert.deepInclude(JSON.parse(answer.text), { status: "succeeded", amount: 1234, currency })
      })
    )

    it.effect("what the parser or an unknown code would answer is in the table of problems", () =>
      Effect.sync(() => {
        for (const [, , code] of rows) assert.include(problemCodes, code)
      })
    )
  })

const slow: ReadonlyArray<readonly [string, string]> = [
  ["a body that never comes", "Content-Length: 10\r\n\r\n{"],
  ["chunks without an end", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"]
]

for (const way of ways)
  layer(TestServer.layer({ hardened: { requestTimeoutMs: 500 }, way }), { excludeTestServices: true })(
    `too slow, ${way}`,
    (it) => {
      it.effect.each(slow)("%s → 408", ([, rest]) =>
        Effect.gen(function* () {
          const { key, raw, rows } = yield* TestServer
          const head = `POST /v1/payments HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`
          const answer = answerOf(yield* raw(`${head}Content-Type: application/json\r\n${rest}`))
          assertProblem(answer, 408, "request_timeout")
          assert.deepStrictEqual(yield* rows, { payments: 0, keys: 0 })
        })
      )
    }
  )
