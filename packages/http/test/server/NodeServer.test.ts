import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import type { RequestListener } from "node:http"
import { connect } from "node:net"
import type { AddressInfo } from "node:net"
import { hardenedServer } from "../../src/server/NodeServer.ts"
import type { HardenedServerOptions } from "../../src/server/NodeServer.ts"

/** Answers what it was sent, once it has all of it. */
const echo: RequestListener = (request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => response.end(`${request.method} ${Buffer.concat(chunks).toString()}`))
  request.on("error", () => {})
}

const started = (handler: RequestListener = echo, options: HardenedServerOptions = {}) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof hardenedServer>>((resume) => {
      const server = hardenedServer(handler, { requestId: () => "req_1", ...options })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(
    Effect.map((server) => {
      // A TCP server's address is never a pipe's name.
      const { port } = server.address() as AddressInfo
      return { port }
    })
  )

/** Sends bytes and never ends its side; answers all that came until the server ended the connection. */
const conversation = ({ port }: { readonly port: number }, ...sent: ReadonlyArray<string | Uint8Array>) =>
  Effect.callback<string>((resume) => {
    const chunks: Array<Buffer> = []
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: false })
    for (const bytes of sent) socket.write(bytes)
    socket.on("data", (chunk: Buffer) => chunks.push(chunk))
    // A reset after the answer loses nothing that had arrived.
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(Buffer.concat(chunks).toString())))
    return Effect.sync(() => socket.destroy())
  })

const answers = (text: string) =>
  text
    .split(/(?=HTTP\/1\.1 )/)
    .filter((answer) => answer !== "")
    .map((answer) => {
      const [head = "", body = ""] = answer.split("\r\n\r\n")
      return { status: Number(head.split(" ")[1]), head: head.toLowerCase(), body }
    })

const assertRefused = (text: string, status: number, code: string) => {
  const all = answers(text)
  assert.strictEqual(all.length, 1, text)
  const [answer] = all
  assert.strictEqual(answer?.status, status, text)
  assert.include(answer?.head, "content-type: application/problem+json")
  assert.include(answer?.head, "connection: close")
  assert.deepInclude(JSON.parse(answer?.body ?? ""), { status, code, request_id: "req_1" })
}

const HOST = "Host: x\r\n"

type Row = readonly [name: string, bytes: string | Uint8Array]

describe("hardenedServer", () => {
  it.live("a well-formed request reaches the handler, with a length, in chunks, or without a body", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const text = yield* conversation(
        server,
        `POST / HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\nab`,
        `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1\r\nc\r\n0\r\n\r\n`,
        `GET / HTTP/1.1\r\n${HOST}X-HTTP-Method-Override: DELETE\r\nConnection: close\r\n\r\n`
      )
      assert.deepStrictEqual(
        answers(text).map(({ status }) => status),
        [200, 200, 200]
      )
      assert.deepStrictEqual(text.match(/POST ab|POST c|(?:GET|DELETE) /g), ["POST ab", "POST c", "GET "])
    })
  )

  it.live.each<Row>([
    [
      "Content-Length and Transfer-Encoding",
      `POST / HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
    ],
    [
      "Transfer-Encoding and Content-Length",
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`
    ],
    ["two Content-Length", `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ["the same Content-Length twice", `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`],
    ["a list of lengths", `POST / HTTP/1.1\r\n${HOST}Content-Length: 1, 1\r\n\r\na`],
    ["a negative length", `POST / HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
    [
      "a transfer coding after chunked",
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`
    ],
    ["a chunk without a size", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ["no Host", "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab"],
    ...["a b", "a/b", "user@shop.example", "shop.example:80x", "[::1", "<script>", "a,b@c", "shop.example:123456"].map(
      (host): Row => [`the Host ${host}`, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`]
    ),
    [
      "a Transfer-Encoding in HTTP/1.0",
      `POST / HTTP/1.0\r\n${HOST}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n`
    ],
    ["two Hosts", `GET / HTTP/1.1\r\n${HOST}hOsT: y\r\n\r\n`],
    ["two credentials", `GET / HTTP/1.1\r\n${HOST}Authorization: Bearer a\r\naUTHORIZATION: Bearer b\r\n\r\n`],
    [
      "two content types",
      `POST / HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-type: text/plain\r\nContent-Length: 2\r\n\r\nab`
    ],
    ["a fragment in the address", `GET /a#b HTTP/1.1\r\n${HOST}\r\n`],
    ["a space before a colon", `GET / HTTP/1.1\r\n${HOST}Content-Length : 1\r\n\r\na`],
    ["NUL in a header", `GET / HTTP/1.1\r\n${HOST}X-A: a\0b\r\n\r\n`],
    ["a lone CR in a header", `GET / HTTP/1.1\r\n${HOST}X-A: a\rX-B: b\r\n\r\n`],
    ["no HTTP at all", "hello\r\n\r\n"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["TLS", new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])],
    ["an unknown Expect", `POST / HTTP/1.1\r\n${HOST}Expect: magic\r\nContent-Length: 2\r\n\r\nab`]
  ])("%s: 400, and no handler gets it whole", ([, bytes]) =>
    Effect.gen(function* () {
      let handled = 0
      // Where only the body is malformed the head reaches the handler; the end never does.
      const server = yield* started((request, response) => {
        request.on("end", () => handled++)
        echo(request, response)
      })
      assertRefused(yield* conversation(server, bytes), 400, "invalid_request")
      assert.strictEqual(handled, 0)
    })
  )

  it.live.each([
    "shop.example",
    "SHOP.example:443",
    "127.0.0.1:4310",
    "[::1]:4310",
    "[2001:db8::1]",
    "a_b.internal",
    ""
  ])("the Host %j is served", (host) =>
    Effect.gen(function* () {
      const server = yield* started()
      const text = yield* conversation(server, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      assert.strictEqual(answers(text)[0]?.status, 200, text)
    }).pipe(Effect.scoped)
  )

  it.live("an HTTP/1.0 request needs no Host", () =>
    Effect.gen(function* () {
      const server = yield* started()
      assert.strictEqual(answers(yield* conversation(server, "GET / HTTP/1.0\r\n\r\n"))[0]?.status, 200)
    })
  )

  it.live("an offer to upgrade is ignored: the request is answered as it stands", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const upgrade = `GET / HTTP/1.1\r\n${HOST}Connection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`
      assert.strictEqual(answers(yield* conversation(server, upgrade))[0]?.status, 200)
    })
  )

  it.live("Expect: 100-continue asks for the body once it is read", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const post = `POST / HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{}`
      const all = answers(yield* conversation(server, post))
      assert.deepStrictEqual(
        all.map(({ body, status }) => [status, body]),
        [
          [100, ""],
          [200, "POST {}"]
        ]
      )
    })
  )

  it.live("Expect: 100-continue is not answered with 100 before a refusal, which ends the connection", () =>
    Effect.gen(function* () {
      const server = yield* started((_request, response) => response.writeHead(401).end())
      const post = `POST / HTTP/1.1\r\n${HOST}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n`
      const all = answers(yield* conversation(server, post))
      assert.deepStrictEqual(
        all.map(({ status }) => status),
        [401]
      )
      assert.include(all[0]?.head, "connection: close")
    })
  )

  it.live("CONNECT: 405", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const text = yield* conversation(server, "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n")
      assertRefused(text, 405, "method_not_allowed")
    })
  )

  it.live("40 KB of headers, in one or in many: 431", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const one = `X-Big: ${"a".repeat(40_000)}\r\n`
      const many = Array.from({ length: 1000 }, (_, i) => `X-${i}: ${"a".repeat(34)}\r\n`).join("")
      for (const headers of [one, many]) {
        const text = yield* conversation(server, `GET / HTTP/1.1\r\n${HOST}${headers}\r\n`)
        assertRefused(text, 431, "headers_too_large")
      }
      const fits = `X-Big: ${"a".repeat(15_000)}\r\nConnection: close\r\n`
      assert.strictEqual(answers(yield* conversation(server, `GET / HTTP/1.1\r\n${HOST}${fits}\r\n`))[0]?.status, 200)
    })
  )

  it.live.each<Row>([
    ["a head that does not end", `POST / HTTP/1.1\r\n${HOST}`],
    ["nothing at all", ""],
    ["a body that does not end", `POST / HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\nabc`],
    ["chunks without an end", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`]
  ])("%s: 408", ([, bytes]) =>
    Effect.gen(function* () {
      const server = yield* started(echo, { requestTimeoutMs: 200 })
      assertRefused(yield* conversation(server, bytes), 408, "request_timeout")
    })
  )

  it.live("the head has its own, shorter time", () =>
    Effect.gen(function* () {
      const server = yield* started(echo, { headersTimeoutMs: 100, requestTimeoutMs: 2000 })
      assertRefused(yield* conversation(server, "POST / HTTP/1.1\r\n"), 408, "request_timeout")
    })
  )

  it.live("a request that comes after one still in work is refused after that one was answered", () =>
    Effect.gen(function* () {
      const reached = yield* Deferred.make<() => void>()
      const server = yield* started((_request, response) => {
        Deferred.doneUnsafe(
          reached,
          Effect.succeed(() => void response.end("paid"))
        )
      })
      const text = yield* Effect.forkChild(
        conversation(server, `POST / HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\nab`, "garbage\r\n\r\n")
      )
      const answer = yield* Deferred.await(reached)
      // The garbage was read before an answer was given: a connection from outside has its turn of the event loop first.
      yield* Effect.callback<void>((resume) => void setImmediate(() => setImmediate(() => resume(Effect.void))))
      answer()
      const [first, second] = answers(yield* Fiber.join(text))
      assert.deepInclude(first, { status: 200 })
      assert.include(first?.body, "paid")
      assert.strictEqual(second?.status, 400)
    })
  )

  it.live.each<Row>([
    ["two Hosts", `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`],
    ["an unknown Expect", `GET / HTTP/1.1\r\n${HOST}Expect: magic\r\n\r\n`]
  ])("what comes after a request that was refused for %s is not done", ([, bytes]) =>
    Effect.gen(function* () {
      const handled: Array<string | undefined> = []
      const server = yield* started((request, response) => {
        handled.push(request.url)
        echo(request, response)
      })
      const post = (path: string) => `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\nab`
      const text = yield* conversation(server, `${post("/before")}${String(bytes)}${post("/after")}`)
      assert.deepStrictEqual(
        answers(text).map(({ status }) => status),
        [200, 400]
      )
      assert.deepStrictEqual(handled, ["/before"])
    })
  )

  it.live("nothing is written into an answer that has begun", () =>
    Effect.gen(function* () {
      const server = yield* started(
        (_request, response) => {
          response.writeHead(200, { "content-length": "100" })
          response.write("begun")
        },
        { requestTimeoutMs: 200 }
      )
      const text = yield* conversation(server, `POST / HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\nabc`)
      assert.isTrue(text.endsWith("begun"))
      assert.notInclude(text, "problem")
    })
  )

  it.live.each<Row>([
    ["does not end", `POST / HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\nabc`],
    ["is malformed", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`]
  ])("a request that was answered before its body came, and whose body %s, has no second answer", ([, bytes]) =>
    Effect.gen(function* () {
      const server = yield* started((_request, response) => void response.writeHead(401).end("key"), {
        requestTimeoutMs: 200
      })
      const all = answers(yield* conversation(server, bytes))
      assert.deepStrictEqual(
        all.map(({ status }) => status),
        [401]
      )
    })
  )

  it.live("a refusal repeats nothing of the request", () =>
    Effect.gen(function* () {
      const server = yield* started()
      const text = yield* conversation(server, `GET /4111111111111111 HTTP/1.1\r\nAuthorization: pmx_live_x\r\n\r\n`)
      assertRefused(text, 400, "invalid_request")
      assert.notMatch(text, /4111|pmx_live/)
    })
  )
})
