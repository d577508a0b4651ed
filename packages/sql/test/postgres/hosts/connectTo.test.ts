import { assert, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import { connectTo } from "../../../src/postgres/hosts/connectTo.ts"

/** A server that does so with each connection, and when one was closed. */
const serverOf = Effect.fnUntraced(function* (onConnection: (socket: Socket) => void) {
  const closed = yield* Deferred.make<void>()
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.on("close", () => Effect.runSync(Deferred.succeed(closed, undefined)))
    onConnection(socket)
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () => Effect.sync(() => server.close())
  )
  // Boundary: it listens on a port.
  const { port } = server.address() as AddressInfo
  return { address: { host: "127.0.0.1", port }, closed }
})

it.live("a server that takes the connection and never answers is given up, and its connection is closed", () =>
  Effect.gen(function* () {
    const { address, closed } = yield* serverOf((socket) => socket.resume())
    const error = yield* Effect.flip(connectTo(address, "require"))
    assert.strictEqual(error.message, `127.0.0.1:${address.port}: no answer within 5 s`)
    assert.isFalse(error.isUnknownHost)
    yield* Deferred.await(closed)
  })
)

/** Answers each request for TLS so. */
const answering = (answer: string) => serverOf((socket) => socket.once("data", () => socket.write(answer)))

it.live.each([
  ["require", "N"],
  ["prefer", "E"],
  ["require", "E"]
] as const)("with TLS at %s a connection is refused and closed if the server answers %s", ([tls, answer]) =>
  Effect.gen(function* () {
    const { address, closed } = yield* answering(answer)
    const error = yield* Effect.flip(connectTo(address, tls))
    assert.strictEqual(error.message, `127.0.0.1:${address.port}: the server refused TLS`)
    yield* Deferred.await(closed)
  })
)

it.live("a connection is open without TLS where the server has none and TLS is only preferred", () =>
  Effect.gen(function* () {
    const { address } = yield* answering("N")
    const socket = yield* connectTo(address, "prefer")
    assert.isFalse("encrypted" in socket)
    assert.isTrue(socket.writable)
    socket.destroy()
  })
)
