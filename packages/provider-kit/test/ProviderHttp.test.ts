import { assert, describe, it } from "@effect/vitest"
import { selfSigned } from "@paymux/testkit"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import * as TestClock from "effect/testing/TestClock"
import type { ServerResponse } from "node:http"
import { inspect } from "node:util"
import * as Tls from "node:tls"
import { Footprint } from "../src/Footprint.ts"
import * as ProviderHttp from "../src/ProviderHttp.ts"
import * as RequestHeaders from "../src/RequestHeaders.ts"
import { answerBytes, CLOSED_PORT, httpServer, httpsServer, rawServer, signal } from "./loopback.ts"
import { resetSocket } from "../../testkit/src/fake/resetSocket.ts"

const get = { method: "GET", path: "/v1/payments" } as const
const post = { method: "POST", path: "/v1/payments", body: { json: { amount: 100 } } } as const

const client = (baseUrl: string, options: Partial<ProviderHttp.Options> = {}) =>
  ProviderHttp.make({ baseUrl, ...options })

/** How a request ended, as the words that the failover table asks for. */
const ending = <A, E extends { readonly _tag: string; readonly reason: string }>(effect: Effect.Effect<A, E>) =>
  Effect.match(effect, { onFailure: (error) => `${error._tag}:${error.reason}`, onSuccess: () => "Answer" })

describe("not sent: no byte of the request was written", () => {
  it.effect("a refused port", () =>
    Effect.gen(function* () {
      const http = yield* client(`http://127.0.0.1:${CLOSED_PORT}`)
      const error = yield* Effect.flip(http.request(post))
      assert.strictEqual(error._tag, "NotSent")
      assert.strictEqual(error.reason, "refused")
      assert.strictEqual(error.code, "ECONNREFUSED")
    })
  )

  it.effect("a host name that does not exist", () =>
    Effect.gen(function* () {
      const http = yield* client("https://provider.invalid", { connectTimeout: "20 seconds" })
      assert.strictEqual(yield* ending(http.request(post)), "NotSent:dns")
    })
  )

  it.effect("TLS spoken to a plaintext port: the handshake fails and nothing falls back", () =>
    Effect.gen(function* () {
      let requests = 0
      const server = yield* httpServer((_request, response) => {
        requests++
        response.end("{}")
      })
      const http = yield* client(server.url.replace("http:", "https:"))
      assert.strictEqual(yield* ending(http.request(post)), "NotSent:tls")
      assert.strictEqual(requests, 0)
    })
  )

  it.effect("a connection closed within the TLS handshake", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.once("data", () => socket.destroy()))
      const http = yield* client(server.url.replace("http:", "https:"))
      assert.strictEqual(yield* ending(http.request(post)), "NotSent:tls")
    })
  )

  it.effect("a handshake that never ends: connect timeout", () =>
    Effect.gen(function* () {
      const greeted = signal()
      const closed = signal()
      const server = yield* rawServer((socket) => {
        socket.once("data", () => greeted.fire())
        socket.once("close", () => closed.fire())
      })
      const http = yield* client(server.url.replace("http:", "https:"))
      const fiber = yield* Effect.forkChild(ending(http.request(post)))
      yield* greeted.fired
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "NotSent:connect_timeout")
      yield* closed.fired
    })
  )

  const farFuture = new Date("2099-01-01T00:00:00Z")
  const certificates = {
    "of an unknown issuer": { certificate: selfSigned({ ip: "127.0.0.1", notAfter: farFuture }), trusted: false },
    "of another host": { certificate: selfSigned({ dnsName: "other.example", notAfter: farFuture }), trusted: true },
    "that has expired": {
      certificate: selfSigned({ ip: "127.0.0.1", notAfter: new Date("2021-01-01T00:00:00Z") }),
      trusted: true
    }
  }
  for (const [name, { certificate, trusted }] of Object.entries(certificates)) {
    it.effect(`a certificate ${name}, even where the process has switched verification off`, () =>
      Effect.gen(function* () {
        let requests = 0
        const server = yield* httpsServer(certificate, (_request, response) => {
          requests++
          response.end("{}")
        })
        if (trusted) yield* trust(certificate.cert)
        yield* environment("NODE_TLS_REJECT_UNAUTHORIZED", "0")
        const http = yield* client(server.url)
        assert.strictEqual(yield* ending(http.request(post)), "NotSent:tls")
        assert.strictEqual(requests, 0)
      })
    )
  }

  it.effect("what an adapter may not send is refused before a connection is opened", () =>
    Effect.gen(function* () {
      let connections = 0
      const server = yield* rawServer(() => connections++)
      const http = yield* client(server.url)
      const refused: ReadonlyArray<ProviderHttp.Request> = [
        { ...get, headers: { "x-key": "a\r\nx-injected: 1" } },
        { ...get, headers: { "Content-Length": "0" } },
        { ...get, headers: { host: "elsewhere" } },
        { ...get, path: "payments" },
        { ...get, path: "/v1/../admin" },
        { ...get, path: ["v1", "..", "admin"] },
        { ...get, path: ["v1", ""] },
        { ...get, path: "/v1/payments?x=1" },
        { ...get, path: "/v1/a b" },
        { ...get, path: ["v1", "\ud800"] },
        { ...post, body: { json: 1n } },
        { ...post, body: { json: undefined } },
        { ...post, body: { form: { "a][b": "1" } } }
      ]
      for (const request of refused) {
        assert.strictEqual(yield* ending(http.request(request)), "NotSent:invalid_request", inspect(request))
      }
      assert.strictEqual(connections, 0)
    })
  )
})

describe("sent, outcome unknown", () => {
  it.effect("reset before the first byte of the answer", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.once("data", () => resetSocket(socket)))
      const http = yield* client(server.url)
      const error = yield* Effect.flip(http.request(post))
      assert.strictEqual(error._tag, "SentOutcomeUnknown")
      assert.strictEqual(error.reason, "reset")
      assert.isFalse(error._tag === "SentOutcomeUnknown" && error.reusedConnection)
    })
  )

  it.effect("an orderly close before the first byte of the answer", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.once("data", () => socket.end()))
      const http = yield* client(server.url)
      assert.strictEqual(yield* ending(http.request(post)), "SentOutcomeUnknown:reset")
    })
  )

  it.effect("reset on a reused keep-alive connection, which is not sent again", () =>
    Effect.gen(function* () {
      let requests = 0
      const server = yield* rawServer((socket) =>
        socket.on("data", () => {
          requests++
          if (requests === 1) socket.write(answerBytes("{}"))
          else resetSocket(socket)
        })
      )
      const http = yield* client(server.url)
      yield* http.request(get)
      const error = yield* Effect.flip(http.request(get))
      assert.strictEqual(error._tag, "SentOutcomeUnknown")
      assert.strictEqual(error.reason, "reset")
      assert.isTrue(error._tag === "SentOutcomeUnknown" && error.reusedConnection)
      assert.strictEqual(requests, 2)
    })
  )

  it.effect("half a body", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) =>
        socket.once("data", () => socket.end(answerBytes('{"status":"captured"}').slice(0, -5)))
      )
      const http = yield* client(server.url)
      const error = yield* Effect.flip(http.request(post))
      assert.strictEqual(error.reason, "truncated")
      assert.strictEqual(error._tag === "SentOutcomeUnknown" ? error.status : undefined, 200)
    })
  )

  it.effect("half of a chunked body", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) =>
        socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"))
      )
      const http = yield* client(server.url)
      assert.strictEqual(yield* ending(http.request(post)), "SentOutcomeUnknown:truncated")
    })
  )

  it.effect("a body that never ends is cut at 1 MiB, and its connection closed", () =>
    Effect.gen(function* () {
      const closed = signal()
      const server = yield* httpServer((_request, response) => {
        const chunk = Buffer.alloc(64 * 1024, "x")
        const pour = () => {
          while (!response.destroyed && response.write(chunk)) continue
        }
        response.on("drain", pour)
        response.on("close", () => closed.fire())
        pour()
      })
      const http = yield* client(server.url)
      assert.strictEqual(yield* ending(http.request(get)), "SentOutcomeUnknown:too_large")
      yield* closed.fired
    })
  )

  it.effect("a body over the size that the client allows, and none up to it", () =>
    Effect.gen(function* () {
      const size = 2 * 1024 * 1024
      const server = yield* httpServer((_request, response) => response.end(Buffer.alloc(size, "x")))
      const of = (maxBodyBytes: number) => Effect.orDie(ProviderHttp.make({ baseUrl: server.url, maxBodyBytes }))
      assert.strictEqual((yield* (yield* of(size)).request(get)).bytes.byteLength, size)
      assert.strictEqual(yield* ending((yield* of(size - 1)).request(get)), "SentOutcomeUnknown:too_large")
    })
  )

  it.effect("no answer before the deadline", () =>
    Effect.gen(function* () {
      const received = signal()
      const closed = signal()
      const server = yield* rawServer((socket) => {
        socket.once("data", () => received.fire())
        socket.once("close", () => closed.fire())
      })
      const http = yield* client(server.url)
      const fiber = yield* Effect.forkChild(ending(http.request({ ...post, timeout: "7 seconds" })))
      yield* received.fired
      yield* TestClock.adjust("7 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "SentOutcomeUnknown:timeout")
      yield* closed.fired
    })
  )

  it.effect("a body dripped past the deadline: what keeps arriving does not move it", () =>
    Effect.gen(function* () {
      const began = signal()
      const closed = signal()
      const server = yield* httpServer((_request, response) => {
        response.write("{")
        const drip = setInterval(() => response.write(" "), 1)
        response.on("close", () => {
          clearInterval(drip)
          closed.fire()
        })
        began.fire()
      })
      const http = yield* client(server.url)
      const fiber = yield* Effect.forkChild(ending(http.request(get)))
      yield* began.fired
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "SentOutcomeUnknown:timeout")
      yield* closed.fired
    })
  )

  it.effect("the deadline holds also where the caller cannot be interrupted", () =>
    Effect.gen(function* () {
      const received = signal()
      const server = yield* rawServer((socket) => socket.once("data", () => received.fire()))
      const http = yield* client(server.url)
      const fiber = yield* Effect.forkChild(Effect.uninterruptible(ending(http.request(post))))
      yield* received.fired
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "SentOutcomeUnknown:timeout")
    })
  )

  it.effect("an answer that is not HTTP", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.once("data", () => socket.end("hello\r\n\r\n")))
      const http = yield* client(server.url)
      assert.strictEqual(yield* ending(http.request(post)), "SentOutcomeUnknown:unreadable")
    })
  )

  const bodies: Record<string, { readonly bytes: Uint8Array; readonly encoding?: string }> = {
    "garbage for JSON": { bytes: Buffer.from("<html>") },
    "an empty body": { bytes: Buffer.alloc(0) },
    "a body that is not UTF-8": { bytes: Buffer.from([0x22, 0xff, 0x22]) },
    "a compressed body that was not asked for": { bytes: Buffer.from("{}"), encoding: "gzip" }
  }
  for (const [name, { bytes, encoding }] of Object.entries(bodies)) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const server = yield* httpServer((_request, response) => {
          if (encoding !== undefined) response.setHeader("content-encoding", encoding)
          response.end(bytes)
        })
        const http = yield* client(server.url)
        const answer = yield* http.request(get)
        assert.strictEqual(yield* ending(answer.json), "SentOutcomeUnknown:unreadable")
      })
    )
  }

  it.effect("a 200 of another shape says where, and quotes nothing", () =>
    Effect.gen(function* () {
      const server = yield* httpServer((_request, response) => response.end('{"payment":{"status":"cs_secret_1"}}'))
      const http = yield* client(server.url)
      const answer = yield* http.request(get)
      const Payment = Schema.Struct({ payment: Schema.Struct({ status: Schema.Literals(["paid", "open"]) }) })
      const error = yield* Effect.flip(answer.decode(Payment))
      assert.strictEqual(error.reason, "unexpected_shape")
      assert.deepStrictEqual(error.at, ["$.payment.status"])
      assert.notInclude(inspect(error, { depth: 9 }) + JSON.stringify(error) + String(error), "cs_secret_1")
    })
  )
})

describe("a definite answer", () => {
  it.effect("arrives with status, headers and JSON; unknown fields are ignored", () =>
    Effect.gen(function* () {
      const server = yield* httpServer((_request, response) => {
        response.writeHead(402, { "X-Request-Id": "r1" }).end('{"id":"pay_1","amount":170.00,"more":1}')
      })
      const http = yield* client(server.url)
      const answer = yield* http.request(get)
      assert.strictEqual(answer.status, 402)
      assert.strictEqual(answer.header("X-Request-Id"), "r1")
      assert.deepStrictEqual(yield* answer.decode(Schema.Struct({ id: Schema.String })), { id: "pay_1" })
      assert.deepStrictEqual(yield* answer.jsonWithNumberText, { id: "pay_1", amount: "170.00", more: "1" })
    })
  )

  it.effect("may arrive after the connect timeout, until the deadline", () =>
    Effect.gen(function* () {
      const received = signal<ServerResponse>()
      const server = yield* httpServer((_request, response) => received.fire(response))
      const http = yield* client(server.url, { connectTimeout: "2 seconds" })
      const fiber = yield* Effect.forkChild(ending(http.request({ ...post, timeout: "7 seconds" })))
      const response = yield* received.fired
      yield* TestClock.adjust("6999 millis")
      response.end("{}")
      assert.strictEqual(yield* Fiber.join(fiber), "Answer")
    })
  )

  it.effect("may end with the connection, where it has no length", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) =>
        socket.once("data", () => socket.end('HTTP/1.1 200 OK\r\n\r\n{"id":1}'))
      )
      const http = yield* client(server.url)
      assert.deepStrictEqual(yield* (yield* http.request(get)).json, { id: 1 })
    })
  )

  it.effect("may come before the request was read to its end: then the connection is closed", () =>
    Effect.gen(function* () {
      const closed = signal()
      const server = yield* rawServer((socket) => {
        socket.once("close", () => closed.fire())
        socket.once("data", () => {
          socket.pause()
          socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
          // A paused socket does not see its end: read on once the answer was taken.
          Effect.runFork(
            Effect.andThen(
              answered.fired,
              Effect.sync(() => socket.resume())
            )
          )
        })
      })
      const answered = signal()
      const http = yield* client(server.url)
      const answer = yield* http.request({ ...post, body: { json: "x".repeat(32 * 1024 * 1024) } })
      assert.strictEqual(answer.status, 413)
      answered.fire()
      yield* closed.fired
    })
  )

  it.effect("the request on the wire is what was asked for", () =>
    Effect.gen(function* () {
      const seen: Array<{ line: string; headers: Record<string, unknown>; body: string }> = []
      const server = yield* httpServer((request, response) => {
        let body = ""
        request.on("data", (chunk) => (body += String(chunk)))
        request.on("end", () => {
          seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
          response.end("{}")
        })
      })
      const http = yield* client(`${server.url}/pg/`, {
        headers: { ...RequestHeaders.basic("key", Redacted.make("s")) }
      })
      yield* http.request({ method: "GET", path: ["orders", "a/b c"], query: { limit: 2 } })
      yield* http.request({ ...post, headers: { "Idempotency-Key": "k" }, body: { form: { a: { b: "c d" } } } })
      yield* http.request({ method: "POST", path: "/cancel" })
      assert.deepStrictEqual(
        seen.map(({ line, body }) => [line, body]),
        [
          ["GET /pg/orders/a%2Fb%20c?limit=2", ""],
          ["POST /pg/v1/payments", "a[b]=c%20d"],
          ["POST /pg/cancel", ""]
        ]
      )
      assert.strictEqual(seen[1]?.headers["authorization"], "Basic a2V5OnM=")
      assert.strictEqual(seen[1]?.headers["idempotency-key"], "k")
      assert.strictEqual(seen[1]?.headers["content-type"], "application/x-www-form-urlencoded")
      assert.strictEqual(seen[2]?.headers["content-length"], "0")
    })
  )

  it.effect("a redirect is an answer and is not followed", () =>
    Effect.gen(function* () {
      const paths: Array<string | undefined> = []
      const server = yield* httpServer((request, response) => {
        paths.push(request.url)
        response.writeHead(307, { location: "/elsewhere" }).end()
      })
      const http = yield* client(server.url)
      assert.strictEqual((yield* http.request(post)).status, 307)
      assert.deepStrictEqual(paths, ["/v1/payments"])
    })
  )

  it.effect("a proxy in the environment is not used", () =>
    Effect.gen(function* () {
      const server = yield* httpServer((_request, response) => response.end("{}"))
      yield* environment("HTTP_PROXY", `http://127.0.0.1:${CLOSED_PORT}`)
      yield* environment("NODE_USE_ENV_PROXY", "1")
      const http = yield* client(server.url)
      assert.strictEqual((yield* http.request(get)).status, 200)
    })
  )

  it.effect("a trusted certificate is accepted, and its connection kept", () =>
    Effect.gen(function* () {
      const certificate = selfSigned({ ip: "127.0.0.1", notAfter: new Date("2099-01-01T00:00:00Z") })
      const ports = new Set<number | undefined>()
      const server = yield* httpsServer(certificate, (request, response) => {
        ports.add(request.socket.remotePort)
        response.end("{}")
      })
      yield* trust(certificate.cert)
      const http = yield* client(server.url)
      for (let i = 0; i < 3; i++) assert.strictEqual((yield* http.request(post)).status, 200)
      assert.strictEqual(ports.size, 1)
    })
  )

  const waits: ReadonlyArray<readonly [string, Option.Option<number>]> = [
    ["120", Option.some(120_000)],
    ["Thu, 01 Jan 1970 00:01:30 GMT", Option.some(90_000)],
    ["Wed, 31 Dec 1969 00:00:00 GMT", Option.some(0)],
    ["-5", Option.none()],
    ["1.5", Option.none()],
    ["soon", Option.none()]
  ]
  for (const [value, expected] of waits) {
    it.effect(`429 with Retry-After: ${value}`, () =>
      Effect.gen(function* () {
        const server = yield* httpServer((_request, response) =>
          response.writeHead(429, { "retry-after": value }).end()
        )
        const http = yield* client(server.url)
        const answer = yield* http.request(get)
        assert.strictEqual(answer.status, 429)
        assert.deepStrictEqual(Option.map(yield* answer.retryAfter, Duration.toMillis), expected)
      })
    )
  }
})

describe("connections", () => {
  it.effect("interruption closes the connection", () =>
    Effect.gen(function* () {
      const received = signal()
      const closed = signal()
      const server = yield* rawServer((socket) => {
        socket.once("data", () => received.fire())
        socket.once("close", () => closed.fire())
      })
      const http = yield* client(server.url)
      const fiber = yield* Effect.forkChild(http.request(post))
      yield* received.fired
      yield* Fiber.interrupt(fiber)
      yield* closed.fired
    })
  )

  it.effect("interruption within the TLS handshake closes the connection", () =>
    Effect.gen(function* () {
      const greeted = signal()
      const closed = signal()
      const server = yield* rawServer((socket) => {
        socket.once("data", () => greeted.fire())
        socket.once("close", () => closed.fire())
      })
      const http = yield* client(server.url.replace("http:", "https:"))
      const fiber = yield* Effect.forkChild(http.request(post))
      yield* greeted.fired
      yield* Fiber.interrupt(fiber)
      yield* closed.fired
    })
  )

  it.effect("an answer ends the deadlines of its request", () =>
    Effect.gen(function* () {
      const server = yield* httpServer((_request, response) => response.end("{}"))
      const http = yield* client(server.url)
      const clock = yield* Clock.Clock
      const waiting = new Set<object>()
      const counting: Clock.Clock = {
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
        currentTimeMillis: clock.currentTimeMillis,
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
        currentTimeNanos: clock.currentTimeNanos,
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) =>
          Effect.suspend(() => {
            const sleep = {}
            waiting.add(sleep)
            return Effect.ensuring(
              clock.sleep(duration),
              Effect.sync(() => waiting.delete(sleep))
            )
          })
      }
      yield* Effect.replicateEffect(http.request(get), 3).pipe(Effect.provideService(Clock.Clock, counting))
      yield* Effect.yieldNow
      assert.strictEqual(waiting.size, 0)
    })
  )

  it.effect("the end of the scope closes kept connections", () =>
    Effect.gen(function* () {
      const closed = signal()
      const server = yield* rawServer((socket) => {
        socket.on("data", () => socket.write(answerBytes("{}")))
        socket.once("close", () => closed.fire())
      })
      yield* Effect.scoped(Effect.flatMap(client(server.url), (http) => http.request(get)))
      yield* closed.fired
    })
  )

  for (const late of [false, true]) {
    it.effect(`an answer sent twice (${late ? "later" : "at once"}) is never read as the next request's`, () =>
      Effect.gen(function* () {
        const firstGone = signal()
        const once = signal()
        const server = yield* rawServer((socket, index) => {
          if (index === 0) socket.once("close", () => firstGone.fire())
          socket.on("data", () => {
            const answer = answerBytes(`{"connection":${index}}`)
            if (index > 0) return socket.write(answer)
            if (!late) return socket.write(answer + answer)
            socket.write(answer)
            Effect.runFork(
              Effect.andThen(
                once.fired,
                Effect.sync(() => socket.write(answer))
              )
            )
          })
        })
        const http = yield* client(server.url, { idleTimeout: "1 hour" })
        yield* http.request(get)
        once.fire()
        yield* firstGone.fired
        assert.deepStrictEqual(yield* (yield* http.request(get)).json, { connection: 1 })
      })
    )
  }

  it.effect("base URLs that are not https are refused, loopback aside, and are not repeated", () =>
    Effect.gen(function* () {
      const refused = {
        "http://api.example.com": "not_https",
        "ftp://127.0.0.1": "not_https",
        "http://127.0.0.1.example.com": "not_https",
        "api.example.com": "not_a_url",
        "https://user:hunter2@api.example.com": "has_credentials",
        "https://api.example.com?key=hunter2": "has_query"
      }
      for (const [url, reason] of Object.entries(refused)) {
        const error = yield* Effect.flip(client(url))
        assert.strictEqual(error.reason, reason, url)
        assert.notInclude(inspect(error), "hunter2")
      }
    })
  )
})

describe("secrets", () => {
  it("a user name with a colon is refused for HTTP Basic: the rest of it would be read as the password", () => {
    assert.throws(
      () => RequestHeaders.basic("key:live", Redacted.make("s")),
      TypeError,
      "a user name for HTTP Basic cannot contain a colon"
    )
  })

  it.effect("are sent, and show in no error, answer or span", () =>
    Effect.gen(function* () {
      const secret = "sk_live_canary_1"
      let sent: string | undefined
      const server = yield* httpServer((request, response) => {
        sent = request.headers.authorization
        if (request.url === "/reset") resetSocket(request.socket)
        else response.end(`{"client_secret":"${secret}"}`)
      })
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const options = { headers: RequestHeaders.bearer(Redacted.make(secret)) }
      const http = yield* client(server.url, options)
      const request = (part: Partial<ProviderHttp.Request>) =>
        http.request({ ...post, body: { json: { secret } }, ...part }).pipe(Effect.withTracer(tracer))
      const answer = yield* request({})
      assert.strictEqual(sent, `Bearer ${secret}`)
      const reset = yield* Effect.exit(request({ path: "/reset" }))
      const invalid = yield* Effect.exit(request({ headers: { "x-secret": Redacted.make(`${secret}\n`) } }))
      assert.deepStrictEqual(
        spans.map((span) => span.attributes.get("http.response.status_code")),
        [200, undefined, undefined]
      )
      for (const value of [http, options, answer, reset, invalid, spans]) {
        assert.notInclude(inspect(value, { depth: 20, showHidden: true }), secret)
        if (value !== spans) assert.notInclude(JSON.stringify(value), secret)
      }
    })
  )
})

/** This thread's trusted certificates, until the scope ends. */
const trust = (certificate: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = Tls.getCACertificates("default")
      Tls.setDefaultCACertificates([...before, certificate])
      return before
    }),
    (before) => Effect.sync(() => Tls.setDefaultCACertificates(before))
  )

const environment = (name: string, value: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = process.env[name]
      process.env[name] = value
      return before
    }),
    (before) =>
      Effect.sync(() => {
        if (before === undefined) delete process.env[name]
        else process.env[name] = before
      })
  )

describe("the footprint of a call", () => {
  const leftBy = (request: Effect.Effect<unknown, unknown>) =>
    Effect.gen(function* () {
      const footprint = { left: false }
      yield* Effect.exit(Effect.provideService(request, Footprint, footprint))
      return footprint.left
    })

  it.effect("is left by what may have had an effect: sent, and no look-up", () =>
    Effect.gen(function* () {
      const server = yield* httpServer((_request, response) => response.writeHead(500).end("{}"))
      const broken = yield* rawServer((socket) => socket.once("data", () => socket.destroy()))
      const [http, breaking] = [yield* client(server.url), yield* client(broken.url)]
      const unreachable = yield* client(`http://127.0.0.1:${CLOSED_PORT}`)
      assert.isTrue(yield* leftBy(http.request(post)))
      assert.isTrue(yield* leftBy(breaking.request(post)))
      assert.isFalse(yield* leftBy(unreachable.request(post)))
      for (const each of [http, breaking]) assert.isFalse(yield* leftBy(each.request(get)))
    })
  )
})
