import { assert, describe, it } from "@effect/vitest"
import { eventBody } from "@paymux/core/wire"
import { Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import type { IncomingMessage, RequestListener } from "node:http"
import { createServer as createTcpServer } from "node:net"
import type { AddressInfo, Server, Socket } from "node:net"
import { Webhook } from "standardwebhooks"
import { loopback, NodeWebhookHttp, WebhookHttp, WebhookSender } from "../src/index.ts"
import { addEndpoint, deliveryRows, eventually, knownSecret, many, environment } from "./TestEnvironment.ts"
import { resetSocket } from "../../testkit/src/fake/resetSocket.ts"

/** Listens on a free port of the loopback for as long as the scope lives. */
const listening = (server: Server) => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.once("close", () => sockets.delete(socket))
  })
  return Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly sockets: ReadonlySet<Socket> }>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        // A TCP server's address is never a string.
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, sockets }))
      })
    }),
    () =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
  )
}

const serving = (answer: RequestListener) => listening(createServer(answer))

/** What the library makes of a request: the event, or why it refuses it. */
const verified = (library: Webhook, body: Buffer, headers: IncomingMessage["headers"]): unknown => {
  try {
    return library.verify(body, headers as Record<string, string>) // single headers, as the standard has them
  } catch (cause) {
    return String(cause)
  }
}

/** Answers every connection with the same bytes, whatever is asked. */
const talking = (speak: (socket: Socket) => void) =>
  listening(createTcpServer((socket) => socket.once("data", () => speak(socket))))

const post = (url: string, body = "{}") =>
  Effect.flatMap(WebhookHttp, (http) => http.post({ url, livemode: false, headers: { "webhook-id": "evt_1" }, body }))

const http = NodeWebhookHttp.layer({ allow: loopback })
const withHttp = Effect.provide(http)

const readBody = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // no encoding is set
  return Buffer.concat(chunks)
}

const rude: ReadonlyArray<readonly [string, (socket: Socket) => void, RegExp]> = [
  ["closes without a word", (socket: Socket) => void socket.end(), /^ECONNRESET$/],
  ["resets", resetSocket, /^ECONNRESET$/],
  ["speaks something else", (socket: Socket) => void socket.end("SSH-2.0-OpenSSH\r\n"), /^HPE_/],
  [
    "never ends its headers",
    (socket: Socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(70_000)}`),
    /^HPE_HEADER_OVERFLOW$/
  ],
  [
    "changes the protocol",
    (socket: Socket) =>
      void socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    /^(ECONNRESET|connection_closed)$/
  ]
]

describe("NodeWebhookHttp", () => {
  it.live("closes its connections when it is no longer used, and not only when they have been idle", () =>
    Effect.gen(function* () {
      const { sockets, url } = yield* serving((_, response) => void response.end("{}"))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Effect.provideContext(post(url), yield* Layer.build(http))
          assert.strictEqual(sockets.size, 1)
        })
      )
      // Less than the four seconds after which an idle connection ends.
      const closed = yield* Effect.timeoutOption(eventually(Effect.sync(() => sockets.size === 0)), "2 seconds")
      assert.isTrue(Option.isSome(closed))
    })
  )

  it.effect("posts the bytes as they are, and answers the status and Retry-After", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { url } = yield* serving((request, response) => {
        void readBody(request).then((body) => {
          seen.push([request.method, request.url, request.headers["webhook-id"], body.toString()])
          response.writeHead(503, { "retry-after": "7" }).end("later")
        })
      })
      assert.deepStrictEqual(yield* post(`${url}/hook?a=b`, `{"name":"Zoë 💸"}`), {
        status: 503,
        retryAfter: "7",
        firstBytes: Buffer.from("later")
      })
      assert.deepStrictEqual(seen, [["POST", "/hook?a=b", "evt_1", `{"name":"Zoë 💸"}`]])
    }).pipe(withHttp)
  )

  it.effect.each([301, 302, 303, 307, 308])("does not follow a %d", (status) =>
    Effect.gen(function* () {
      const paths: Array<string | undefined> = []
      const { url } = yield* serving((request, response) => {
        paths.push(request.url)
        response.writeHead(status, { location: "/elsewhere" }).end()
      })
      assert.strictEqual((yield* post(`${url}/hook`)).status, status)
      assert.deepStrictEqual(paths, ["/hook"])
    }).pipe(withHttp)
  )

  it.effect("uses one connection for many events", () =>
    Effect.gen(function* () {
      let connections = 0
      const server = createServer((request, response) => void request.resume().on("end", () => response.end("ok")))
      server.on("connection", () => connections++)
      const { url } = yield* listening(server)
      for (let n = 0; n < 5; n++) {
        yield* post(url)
        // The connection is free once the answer's end has been read.
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      assert.isAtMost(connections, 2)
    }).pipe(withHttp)
  )

  it.effect("a reply that never comes to its end is cut, and its status counts", () =>
    Effect.gen(function* () {
      const { sockets, url } = yield* serving((_, response) => void response.writeHead(200).write("o"))
      assert.strictEqual((yield* post(url)).status, 200)
      yield* eventually(Effect.sync(() => sockets.size === 0))
    }).pipe(withHttp)
  )

  it.effect("a reply that pours without end is cut, and its status counts", () =>
    Effect.gen(function* () {
      let poured = 0
      const { sockets, url } = yield* serving((_, response) => {
        response.writeHead(200)
        const pour = () => {
          do poured += 16_384
          while (!response.destroyed && response.write("x".repeat(16_384)))
        }
        response.on("drain", pour)
        pour()
      })
      assert.strictEqual((yield* post(url)).status, 200)
      yield* eventually(Effect.sync(() => sockets.size === 0))
      // What the two ends buffer, not what can be sent until a timer ends it.
      assert.isBelow(poured, 32 * 1024 * 1024)
    }).pipe(withHttp)
  )

  it.effect("an interrupted post lets go of its connection", () =>
    Effect.gen(function* () {
      const { sockets, url } = yield* serving(() => {})
      const posting = yield* Effect.forkChild(post(url))
      yield* eventually(Effect.sync(() => sockets.size === 1))
      yield* Fiber.interrupt(posting)
      yield* eventually(Effect.sync(() => sockets.size === 0))
    }).pipe(withHttp)
  )

  it.effect.each(rude)("a receiver that %s is an error with a code", ([, speak, code]) =>
    Effect.gen(function* () {
      const { url } = yield* talking(speak)
      assert.match((yield* Effect.flip(post(url))).code, code)
    }).pipe(withHttp)
  )

  it.effect("a closed port is an error with a code", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(serving(() => {}))
      assert.strictEqual((yield* Effect.flip(post(url))).code, "ECONNREFUSED")
    }).pipe(withHttp)
  )
})

describe("WebhookSender over HTTP", () => {
  it.effect("a receiver that fails twice gets the same event three times, each verified by standardwebhooks", () =>
    Effect.gen(function* () {
      const library = new Webhook(Redacted.value(knownSecret))
      const received: Array<{ readonly id: unknown; readonly event: unknown }> = []
      const { url } = yield* serving((request, response) => {
        void readBody(request).then((body) => {
          received.push({ id: request.headers["webhook-id"], event: verified(library, body, request.headers) })
          response.writeHead(received.length < 3 ? 500 : 204).end()
        })
      })
      // The library goes by the clock of the machine, and takes what is up to 5 minutes older or younger.
      yield* TestClock.setTime(new Date().getTime() - 200_000)
      yield* addEndpoint(url, { secret: knownSecret })
      const [event] = yield* many(1)
      yield* Layer.build(WebhookSender.layer({ version: "0.0.0", gather: 0, grace: 0 }).pipe(Layer.provide(http)))
      const attempts = Effect.map(deliveryRows, ([row]) => row?.attempts ?? 0)
      yield* TestClock.adjust(0)
      yield* eventually(Effect.map(attempts, (count) => count === 1))
      yield* TestClock.adjust(7000)
      yield* eventually(Effect.map(attempts, (count) => count === 2))
      yield* TestClock.adjust("5 minutes")
      yield* TestClock.adjust("31 seconds")
      yield* eventually(Effect.map(attempts, (count) => count === 3))
      assert.deepStrictEqual(
        received,
        [1, 2, 3].map(() => ({ id: event?.id, event: event === undefined ? null : JSON.parse(eventBody(event)) }))
      )
      assert.strictEqual((yield* deliveryRows)[0]?.status, "delivered")
    }).pipe(Effect.provide(environment()))
  )
})
