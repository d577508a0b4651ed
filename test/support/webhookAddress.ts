/** Where a provider's webhooks reach `paymux`, on a server of its own until the scope ends. */
import { Effect } from "effect"
import type { Scope } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Paymux } from "paymux"

export const webhookAddress = (paymux: Paymux, provider: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = createServer(paymux.node).listen(0, "127.0.0.1")
        await once(server, "listening")
        return server
      }),
      (server) => Effect.promise(async () => void server.close())
    ),
    // A TCP server's address is never a pipe's name.
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/${provider}`
  )
