/** What clients do with connections while they send a payment: the same on the direct route and through the router. */
import { assert, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { connect } from "node:net"
import type { Socket } from "node:net"
import { answerOf, minimal, TestServer, ways } from "../support/server.ts"

const body = JSON.stringify(minimal)

const head = (key: string, more = "Connection: close\r\n") =>
  `POST /v1/payments HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n`

/** After a first request the key is remembered, so the direct route takes the next ones. */
const known = Effect.gen(function* () {
  const server = yield* TestServer
  yield* server.ask({ body: minimal })
  return { ...server, before: yield* server.rows }
})

const connection = (url: string): Effect.Effect<Socket> =>
  Effect.callback((resume) => {
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1" }, () => resume(Effect.succeed(socket)))
    socket.on("error", () => {})
  })

const received = (socket: Socket): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    socket.on("data", (chunk: Buffer) => chunks.push(chunk))
    socket.on("close", () => resume(Effect.succeed(Buffer.concat(chunks).toString())))
  })

const quiet = Logger.layer([])

for (const way of ways)
  layer(TestServer.layer({ way, hardened: { requestTimeoutMs: 1000 } }), { excludeTestServices: true })(way, (it) => {
    it.effect("a body that comes in many parts is one payment", () =>
      Effect.gen(function* () {
        const { before, key, rows, url } = yield* known
        const socket = yield* connection(url)
        socket.write(head(key))
        for (const part of body.match(/.{1,30}/g) ?? []) {
          socket.write(part)
          yield* Effect.sleep(5)
        }
        assert.strictEqual(answerOf(yield* received(socket)).status, 201)
        assert.strictEqual((yield* rows).payments, before.payments + 1)
      })
    )

    it.effect("a client that hangs up in the middle of its body makes no payment, and delays no other client", () =>
      Effect.gen(function* () {
        const { ask, before, key, rows, url } = yield* known
        const socket = yield* connection(url)
        socket.write(`${head(key)}${body.slice(0, 20)}`)
        yield* Effect.sleep(20)
        socket.destroy()
        yield* Effect.sleep(20)
        assert.deepStrictEqual(yield* rows, before)
        assert.strictEqual((yield* ask({ body: minimal })).status, 201)
      }).pipe(Effect.provide(quiet))
    )

    it.effect("a client that ends its side before the body is whole gets 400", () =>
      Effect.gen(function* () {
        const { before, key, rows, url } = yield* known
        const socket = yield* connection(url)
        const answer = received(socket)
        socket.end(`${head(key)}${body.slice(0, 20)}`)
        assert.strictEqual(answerOf(yield* answer).status, 400)
        assert.deepStrictEqual(yield* rows, before)
      }).pipe(Effect.provide(quiet))
    )

    it.effect("a body that stops coming is 408", () =>
      Effect.gen(function* () {
        const { before, key, raw, rows } = yield* known
        assert.strictEqual(answerOf(yield* raw(head(key), body.slice(0, 20))).status, 408)
        assert.deepStrictEqual(yield* rows, before)
      }).pipe(Effect.provide(quiet))
    )

    it.effect("pipelined requests are answered in their order", () =>
      Effect.gen(function* () {
        const { key, raw } = yield* known
        const amounts = [11_111, 22_222, 33_333]
        const requests = amounts.map((amount) => head(key, "") + body.replace("10000", String(amount)))
        const text = yield* raw(...requests, head(key), body)
        const answered = [...text.matchAll(/"amount":(\d+)/g)].map(([, amount]) => Number(amount))
        assert.deepStrictEqual(answered, [...amounts, minimal.amount])
      })
    )

    it.effect("Expect: 100-continue: the body is asked for, and the connection is kept", () =>
      Effect.gen(function* () {
        const { key, raw } = yield* known
        const text = yield* raw(head(key, "Expect: 100-continue\r\n"), body, head(key), body)
        assert.deepStrictEqual(
          [...text.matchAll(/HTTP\/1.1 (\d+) /g)].map(([, status]) => status),
          ["100", "201", "201"]
        )
      })
    )
  })
