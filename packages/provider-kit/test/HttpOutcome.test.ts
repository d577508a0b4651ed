import { assert, describe, it } from "@effect/vitest"
import { invalidRequest, misconfigured, Outcome, type ProviderError, rateLimited } from "@paymux/core"
import { Effect, Fiber, Schema } from "effect"
import type { Scope } from "effect"
import { TestClock } from "effect/testing"
import * as HttpOutcome from "../src/HttpOutcome.ts"
import * as ProviderHttp from "../src/ProviderHttp.ts"
import { answerBytes, CLOSED_PORT, httpServer, rawServer, signal } from "./loopback.ts"
import { resetSocket } from "../../testkit/src/fake/resetSocket.ts"

const get = { method: "GET", path: "/v1/payments" } as const
const post = { method: "POST", path: "/v1/payments", body: { json: { amount: 100 } } } as const

/** An adapter's call: it sends a request and reads what came. */
type Call = Effect.Effect<Outcome.Succeeded, ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown, Scope.Scope>

const Payment = Schema.Struct({ id: Schema.String })

const pay = (http: ProviderHttp.ProviderHttp, request: ProviderHttp.Request = post): Call =>
  Effect.gen(function* () {
    const answer = yield* http.request(request)
    const { id } = yield* answer.decode(Payment)
    return Outcome.succeeded({ reference: id })
  })

const client = (baseUrl: string) => Effect.orDie(ProviderHttp.make({ baseUrl }))

const payAt = (baseUrl: string): Call => Effect.flatMap(client(baseUrl), pay)

/** Of a server that answers with these bytes and closes the connection. */
const answeredBy = (bytes: string): Call =>
  Effect.gen(function* () {
    const server = yield* rawServer((socket) => socket.once("data", () => socket.end(bytes)))
    return yield* payAt(server.url)
  })

/** Of a server that takes `request` and says nothing, until `after`. */
const neverAnswered = (scheme: "http:" | "https:", after: "2 seconds" | "20 seconds"): Call =>
  Effect.gen(function* () {
    const received = signal()
    const server = yield* rawServer((socket) => socket.once("data", () => received.fire()))
    const fiber = yield* Effect.forkChild(payAt(server.url.replace("http:", scheme)))
    yield* received.fired
    yield* TestClock.adjust(after)
    return yield* Fiber.join(fiber)
  })

const resetOnReuse: Call = Effect.gen(function* () {
  let requests = 0
  const server = yield* rawServer((socket) =>
    socket.on("data", () => (++requests === 1 ? socket.write(answerBytes("{}")) : resetSocket(socket)))
  )
  const http = yield* client(server.url)
  yield* http.request(get)
  return yield* pay(http)
})

const notSent: { readonly [reason in ProviderHttp.NotSent["reason"]]: readonly [Call, Outcome.NotExecuted] } = {
  invalid_request: [
    Effect.flatMap(client("http://127.0.0.1:1"), (http) => pay(http, { ...post, path: "/v1/../admin" })),
    Outcome.notExecuted({ reason: "adapter_fault" })
  ],
  dns: [payAt("https://provider.invalid"), Outcome.notExecuted({ reason: "not_sent", vendorCode: "dns_failed" })],
  refused: [
    payAt(`http://127.0.0.1:${CLOSED_PORT}`),
    Outcome.notExecuted({ reason: "not_sent", vendorCode: "connection_refused" })
  ],
  // No TCP connection leads to a multicast address.
  unreachable: [
    payAt("https://224.0.0.1"),
    Outcome.notExecuted({ reason: "not_sent", vendorCode: "host_unreachable" })
  ],
  connect_timeout: [
    neverAnswered("https:", "2 seconds"),
    Outcome.notExecuted({ reason: "not_sent", vendorCode: "connect_timeout" })
  ],
  tls: [
    Effect.gen(function* () {
      const server = yield* httpServer((_request, response) => response.end("{}"))
      return yield* payAt(server.url.replace("http:", "https:"))
    }),
    Outcome.notExecuted({ reason: "not_sent", vendorCode: "tls_failed" })
  ]
}

const sent: { readonly [reason in ProviderHttp.SentOutcomeUnknown["reason"]]: readonly [Call, Outcome.Unknown] } = {
  timeout: [neverAnswered("http:", "20 seconds"), Outcome.unknown({ reason: "timeout" })],
  reset: [answeredBy(""), Outcome.unknown({ reason: "reset" })],
  truncated: [answeredBy(answerBytes('{"id":"pay_1"}').slice(0, -3)), Outcome.unknown({ reason: "unreadable" })],
  too_large: [
    answeredBy(answerBytes(`{"id":"${"1".repeat(1024 * 1024)}"}`)),
    Outcome.unknown({ reason: "unreadable" })
  ],
  unreadable: [answeredBy(answerBytes("<html>")), Outcome.unknown({ reason: "unreadable" })],
  unexpected_shape: [answeredBy(answerBytes('{"id":7}')), Outcome.unknown({ reason: "unreadable" })]
}

/** What is made of a call, and the error of the client that it was made of. */
const madeOf = Effect.fnUntraced(function* <A, E, R>(call: Call, make: (call: Call) => Effect.Effect<A, E, R>) {
  const errors: Array<unknown> = []
  const outcome = yield* make(Effect.tapError(call, (error) => Effect.sync(() => errors.push(error))))
  return { outcome, reasons: errors.map((error) => (hasReason(error) ? error.reason : error)) }
})

const hasReason = Schema.is(Schema.Struct({ reason: Schema.String }))

describe("an operation that was not sent was not executed", () => {
  for (const [reason, [call, expected]] of Object.entries(notSent)) {
    it.effect(`${reason}: ${JSON.stringify(expected)}`, () =>
      Effect.gen(function* () {
        const made = yield* madeOf(call, HttpOutcome.operation)
        assert.deepStrictEqual(made, { outcome: expected, reasons: [reason] })
      })
    )
  }
})

describe("an inquiry that was not sent has learned nothing", () => {
  for (const [reason, [call]] of Object.entries(notSent)) {
    it.effect(reason, () =>
      Effect.gen(function* () {
        const made = yield* madeOf(call, HttpOutcome.inquiry)
        assert.deepStrictEqual(made, { outcome: Outcome.unknown({ reason: "reset" }), reasons: [reason] })
      })
    )
  }
})

describe("what was sent and not answered is unknown, of an operation and of an inquiry", () => {
  for (const [reason, [call, expected]] of Object.entries(sent)) {
    it.effect(`${reason}: ${JSON.stringify(expected)}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* madeOf(call, HttpOutcome.operation), { outcome: expected, reasons: [reason] })
        assert.deepStrictEqual(yield* madeOf(call, HttpOutcome.inquiry), { outcome: expected, reasons: [reason] })
      })
    )
  }

  it.effect("a reset on a kept connection is recognized", () =>
    Effect.gen(function* () {
      const outcome = Outcome.unknown({ reason: "reset_reused" })
      assert.deepStrictEqual(yield* madeOf(resetOnReuse, HttpOutcome.operation), { outcome, reasons: ["reset"] })
      assert.deepStrictEqual(yield* madeOf(resetOnReuse, HttpOutcome.inquiry), { outcome, reasons: ["reset"] })
    })
  )
})

describe("a page of a statement that is not answered is never a page", () => {
  const lasting: ReadonlySet<string> = new Set(["invalid_request", "too_large", "unexpected_shape"])
  for (const [reason, [call]] of [...Object.entries(notSent), ...Object.entries(sent)]) {
    const expected: ReturnType<typeof plain> = lasting.has(reason)
      ? { _tag: "InvalidRequest", detail: reason }
      : { _tag: "RateLimited", retryAfterMs: null }
    it.effect(`${reason}: ${expected._tag}`, () =>
      Effect.gen(function* () {
        const made = yield* madeOf(call, (page) => Effect.flip(HttpOutcome.statement(page)))
        assert.deepStrictEqual(made.reasons, [reason])
        assert.deepStrictEqual(plain(made.outcome.reason), expected)
      })
    )
  }

  for (const [status, expected] of [
    [400, { _tag: "InvalidRequest", detail: "E-51" }],
    [401, { _tag: "Misconfigured", detail: "E-51" }],
    [404, { _tag: "RateLimited", retryAfterMs: null }],
    [409, { _tag: "RateLimited", retryAfterMs: null }],
    [429, { _tag: "RateLimited", retryAfterMs: 7_000 }],
    [500, { _tag: "RateLimited", retryAfterMs: null }]
  ] as const) {
    it.effect(`a ${status}: ${expected._tag}`, () =>
      Effect.gen(function* () {
        const headers = { "retry-after": "7" }
        const server = yield* httpServer((_request, response) => response.writeHead(status, headers).end("{}"))
        const answer = yield* (yield* client(server.url)).request(get)
        assert.deepStrictEqual(
          plain((yield* Effect.flip(HttpOutcome.statementRefusal(answer, "E-51"))).reason),
          expected
        )
      })
    )
  }
})

describe("an outcome that the adapter decided is unchanged", () => {
  it.effect("an answer", () =>
    Effect.gen(function* () {
      const call = answeredBy(answerBytes('{"id":"pay_1"}'))
      assert.deepStrictEqual(yield* HttpOutcome.operation(call), Outcome.succeeded({ reference: "pay_1" }))
      assert.deepStrictEqual(yield* HttpOutcome.inquiry(call), Outcome.succeeded({ reference: "pay_1" }))
    })
  )

  for (const error of [misconfigured("http_401"), rateLimited(7_000), invalidRequest("http_400")]) {
    it.effect(`a ProviderError: ${error.reason._tag}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* Effect.flip(HttpOutcome.operation(Effect.fail(error))), error)
        assert.strictEqual(yield* Effect.flip(HttpOutcome.inquiry(Effect.fail(error))), error)
      })
    )
  }
})

/** What `ofStatus` says of an answer with this status and these headers. */
const said = Effect.fnUntraced(function* (
  status: number,
  headers: { readonly [name: string]: string } = {},
  vendorCode?: string
) {
  const server = yield* httpServer((_request, response) => response.writeHead(status, headers).end('{"error":"?"}'))
  const answer = yield* (yield* client(server.url)).request(post)
  assert.strictEqual(answer.status, status)
  return yield* Effect.match(
    vendorCode === undefined ? HttpOutcome.ofStatus(answer) : HttpOutcome.ofStatus(answer, vendorCode),
    { onFailure: ({ reason }) => plain(reason), onSuccess: (outcome) => outcome }
  )
})

/** Of errors `deepStrictEqual` compares the names and messages only. */
const plain = (reason: ProviderError["reason"]) => {
  switch (reason._tag) {
    case "RateLimited":
      return { _tag: reason._tag, retryAfterMs: reason.retryAfterMs }
    case "AccountNotEnabled":
      return { _tag: reason._tag, detail: reason.code }
    default:
      return { _tag: reason._tag, detail: reason.detail }
  }
}

type Said = Outcome.Unknown | ReturnType<typeof plain>

describe("a status that nothing else is known of", () => {
  const table: ReadonlyArray<readonly [what: string, ReadonlyArray<number>, (vendorCode: string) => Said]> = [
    ["InvalidRequest", [400, 422], (detail) => ({ _tag: "InvalidRequest", detail })],
    ["Misconfigured", [401, 403], (detail) => ({ _tag: "Misconfigured", detail })],
    ["RateLimited, without a time", [429], () => ({ _tag: "RateLimited", retryAfterMs: null })],
    ["unknown (duplicate)", [409], (vendorCode) => Outcome.unknown({ reason: "duplicate", vendorCode })],
    [
      "unknown (server_error)",
      [500, 501, 502, 503, 504, 520, 599],
      (vendorCode) => Outcome.unknown({ reason: "server_error", vendorCode })
    ],
    [
      "unknown (unmapped)",
      [
        200, 201, 202, 204, 301, 302, 304, 307, 308, 402, 404, 405, 406, 408, 410, 412, 415, 418, 423, 424, 425, 451,
        499
      ],
      (vendorCode) => Outcome.unknown({ reason: "unmapped", vendorCode })
    ]
  ]
  for (const [what, statuses, expected] of table) {
    for (const status of statuses) {
      it.effect(`${status} is ${what}, by the status or by the vendor's code`, () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* said(status), expected(`http_${status}`))
          assert.deepStrictEqual(yield* said(status, {}, "E-51"), expected("E-51"))
        })
      )
    }
  }

  const waits: { readonly [header: string]: number | null } = {
    "0": 0,
    "7": 7_000,
    " 120 ": 120_000,
    "Thu, 01 Jan 1970 00:01:30 GMT": 90_000,
    "Wed, 31 Dec 1969 00:00:00 GMT": 0,
    "": null,
    soon: null,
    "-5": null,
    "1.5": null,
    "1e3": null,
    "2026-01-01T00:00:00Z": null,
    ["9".repeat(400)]: null
  }
  for (const [header, retryAfterMs] of Object.entries(waits)) {
    it.effect(`429 with Retry-After "${header.slice(0, 32)}": ${retryAfterMs} ms`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* said(429, { "retry-after": header }), { _tag: "RateLimited", retryAfterMs })
      })
    )
  }

  it.effect("ends an operation and an inquiry as it ends a call", () =>
    Effect.gen(function* () {
      const server = yield* httpServer((_request, response) => response.writeHead(500).end())
      const http = yield* client(server.url)
      const call = Effect.flatMap(http.request(post), (answer) => HttpOutcome.ofStatus(answer))
      const expected = Outcome.unknown({ reason: "server_error", vendorCode: "http_500" })
      assert.deepStrictEqual(yield* HttpOutcome.operation(call), expected)
      assert.deepStrictEqual(yield* HttpOutcome.inquiry(call), expected)
    })
  )
})

describe("a call of several requests", () => {
  /** The first request is answered; then the port is closed. */
  const secondRefused = (
    first: (http: ProviderHttp.ProviderHttp) => ReturnType<ProviderHttp.ProviderHttp["request"]>
  ) =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.once("data", () => socket.end(answerBytes("{}"))))
      const before = yield* client(server.url)
      const after = yield* client(`http://127.0.0.1:${CLOSED_PORT}`)
      return yield* HttpOutcome.operation(Effect.andThen(first(before), pay(after)))
    })

  it.effect("whose first was sent is unknown when a later one is not sent", () =>
    Effect.gen(function* () {
      const seen = yield* secondRefused((http) => http.request(post))
      assert.strictEqual(seen._tag, "Unknown")
    })
  )

  it.effect("whose first only asked was not executed", () =>
    Effect.gen(function* () {
      const seen = yield* secondRefused((http) => http.request(get))
      assert.strictEqual(seen._tag, "NotExecuted")
    })
  )

  it.effect("whose first is harmless was not executed", () =>
    Effect.gen(function* () {
      const seen = yield* secondRefused((http) => HttpOutcome.harmless(http.request(post)))
      assert.strictEqual(seen._tag, "NotExecuted")
    })
  )

  it.effect("leaves no trace in the next one", () =>
    Effect.gen(function* () {
      yield* secondRefused((http) => http.request(post))
      const http = yield* client(`http://127.0.0.1:${CLOSED_PORT}`)
      assert.strictEqual((yield* HttpOutcome.operation(pay(http)))._tag, "NotExecuted")
    })
  )
})
