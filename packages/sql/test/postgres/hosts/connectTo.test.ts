import { assert, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { connectTo } from "../../../src/postgres/hosts/connectTo.ts"

it.live("a server that takes the connection and never answers is given up, and its connection is closed", () =>
  Effect.gen(function* () {
    const closed = yield* Deferred.make<void>()
    const silent = createServer((socket) => {
      socket.on("error", () => undefined)
      socket.on("close", () => Effect.runSync(Deferred.succeed(closed, undefined)))
      socket.resume()
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))),
      () => Effect.sync(() => silent.close())
    )
    // Boundary: it listens on a port.
    const { port } = silent.address() as AddressInfo
    const error = yield* Effect.flip(connectTo({ host: "127.0.0.1", port }, "require"))
    assert.strictEqual(error.message, `127.0.0.1:${port}: no answer within 5 s`)
    assert.isFalse(error.isUnknownHost)
    yield* Deferred.await(closed)
  })
)
