/** The port of a server: many connections in one turn, one server at a time, and none after its end. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { createServer, get } from "node:http"
import type { Server } from "node:http"
import { connect, createServer as createNetServer } from "node:net"
import type { AddressInfo } from "node:net"
import { Worker } from "node:worker_threads"
import * as Listening from "../../src/server/Listening.ts"
import { hardenedServer } from "../../src/server/NodeServer.ts"

const at = { host: "127.0.0.1", port: 0 }

const listening = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = hardenedServer((_request, response) => void response.end("here"), { headersTimeoutMs: 200 })
    return { server, ...(await Listening.listen(server, at)) }
  }),
  ({ close, server }) =>
    Effect.promise(
      () =>
        new Promise<void>((resolve) => {
          close(resolve)
          server.closeAllConnections()
        })
    )
)

const connections = (port: number, count: number) =>
  Array.from({ length: count }, () => connect({ port, host: "127.0.0.1" }).on("error", () => undefined))

const read = (port: number) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve) =>
        get({ port, host: "127.0.0.1", agent: false }, (response) => {
          let text = ""
          response.setEncoding("utf8")
          response.on("data", (chunk) => (text += chunk)).on("end", () => resolve(text))
        }).on("error", ({ message }) => resolve(message))
      )
  )

const waiting = 48

/** Opens connections, and counts those that the kernel has. */
const client = `
const { port, open, waiting } = require("node:worker_threads").workerData
for (let i = 0; i < waiting; i++) {
  require("node:net").connect({ port, host: "127.0.0.1" }).on("connect", () => {
    Atomics.add(open, 0, 1)
    Atomics.notify(open, 0)
  })
}`

/** In how many turns of the event loop connections were accepted that had waited while it was held. */
const turnsOf = async (server: Server, port: number): Promise<number> => {
  const open = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(client, { eval: true, workerData: { port, open, waiting } })
  for (let count = 0; count < waiting; count = Atomics.load(open, 0)) Atomics.wait(open, 0, count)
  const accepted: Array<number> = []
  let turn = 0
  server.on("connection", () => accepted.push(turn))
  while (accepted.length < waiting) {
    turn += 1
    await new Promise(setImmediate)
  }
  await worker.terminate()
  return new Set(accepted).size
}

describe("listening", () => {
  it.effect.skipIf(process.platform !== "linux")(
    "accepts several connections in one turn (Linux, where sockets share a port)",
    () =>
      Effect.gen(function* () {
        const { port, server } = yield* listening
        const turns = yield* Effect.promise(() => turnsOf(server, port))
        assert.isAtMost(turns, waiting / 2)
        // One socket alone accepts one a turn.
        const alone = createServer()
        yield* Effect.promise(() => new Promise<void>((resolve) => alone.listen(at, resolve)))
        assert.strictEqual(yield* Effect.promise(() => turnsOf(alone, (alone.address() as AddressInfo).port)), waiting)
        alone.closeAllConnections()
        alone.close()
      })
  )

  it.effect("answers on every connection, whichever socket accepted it", () =>
    Effect.gen(function* () {
      const { port } = yield* listening
      const texts = yield* Effect.forEach(Array.from({ length: 64 }), () => read(port), { concurrency: 16 })
      assert.deepStrictEqual([...new Set(texts)], ["here"])
    })
  )

  it.live("ends every connection whose head does not come", () =>
    Effect.gen(function* () {
      const { port } = yield* listening
      const closed = connections(port, 64).map(
        (one) => new Promise<string>((resolve) => one.on("data", (bytes) => resolve(String(bytes).slice(0, 12))))
      )
      const answers = yield* Effect.promise(() => Promise.all(closed))
      assert.deepStrictEqual([...new Set(answers)], ["HTTP/1.1 408"])
    })
  )

  it.effect("fails where another server has the port, whether or not that one shares it", () =>
    Effect.gen(function* () {
      const { port } = yield* listening
      const again = yield* Effect.flip(
        Effect.tryPromise({
          try: () => Listening.listen(createServer(), { ...at, port }),
          catch: (error) => (error instanceof Error && "code" in error ? error.code : error)
        })
      )
      assert.strictEqual(again, "EADDRINUSE")
      const other = createNetServer()
      yield* Effect.promise(() => new Promise<void>((resolve) => other.listen(at, resolve)))
      // A TCP server's address is never a pipe's name.
      const taken = (other.address() as AddressInfo).port
      const refused = yield* Effect.exit(
        Effect.tryPromise(() => Listening.listen(createServer(), { ...at, port: taken }))
      )
      other.close()
      assert.strictEqual(refused._tag, "Failure")
    })
  )

  it.effect("accepts nothing after its end, on any of its sockets", () =>
    Effect.gen(function* () {
      const { close, port, server } = yield* Effect.promise(async () => {
        const server = hardenedServer((_request, response) => void response.end("here"))
        return { server, ...(await Listening.listen(server, at)) }
      })
      assert.strictEqual(yield* read(port), "here")
      yield* Effect.promise(() => new Promise<void>((resolve) => (close(resolve), server.closeAllConnections())))
      const texts = yield* Effect.forEach(Array.from({ length: 32 }), () => read(port))
      for (const text of texts) assert.match(text, /ECONNREFUSED/)
    })
  )

  // The last request is rarely of the socket that listened first, whose connections alone the server knows: three times never.
  it.live.each([1, 2, 3])("has not ended while a request waits, whichever socket accepted it (%s)", () =>
    Effect.gen(function* () {
      const waiting: Array<() => void> = []
      const server = hardenedServer((_request, response) => void waiting.push(() => response.end("late")))
      const { close, port } = yield* Effect.promise(() => Listening.listen(server, at))
      const answers = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 32 }), () => read(port), { concurrency: "unbounded" }),
        { startImmediately: true }
      )
      while (waiting.length < 32) yield* Effect.sleep(5)
      const state = { isClosed: false }
      const closed = new Promise<void>((resolve) => close(() => ((state.isClosed = true), resolve())))
      for (const answer of waiting.slice(0, -1)) answer()
      yield* Effect.sleep(100)
      assert.isFalse(state.isClosed)
      waiting.at(-1)?.()
      assert.deepStrictEqual([...new Set(yield* Fiber.join(answers))], ["late"])
      yield* Effect.promise(() => closed)
    })
  )

  it.effect("is what the port is for again, at once", () =>
    Effect.gen(function* () {
      const first = yield* Effect.scoped(Effect.map(listening, ({ port }) => port))
      const server = createServer((_request, response) => void response.end("next"))
      const { close } = yield* Effect.promise(() => Listening.listen(server, { ...at, port: first }))
      assert.strictEqual(yield* read(first), "next")
      yield* Effect.promise(() => new Promise<void>((resolve) => (close(resolve), server.closeAllConnections())))
    })
  )
})
