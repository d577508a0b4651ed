/**
 * A server as it runs in production: the engine on PostgreSQL, its HTTP interface and the adapter of the vendor. Its
 * settings are argument 1; it sends its port over the channel, and ends with it. Its clock may be wrong.
 */
import { Engine, Ids } from "@paymux/core"
import type { Provider } from "@paymux/core"
import { ApiKeys, HttpApp, HttpHandler, returnKey } from "@paymux/http"
import { Context, Effect, Layer, Logger, Redacted, Scope } from "effect"
import { createServer } from "node:http"
import { flushCompileCache } from "node:module"
import type { AddressInfo } from "node:net"
import { makeCrashSwitch } from "../../crash/CrashSwitch.ts"
import { engineDatabase } from "../../crash/Database.ts"
import { makeListener } from "../../crash/processes/listener.ts"
import type { EngineReady } from "../../crash/processes/Protocol.ts"
import * as ScaledClock from "../../crash/ScaledClock.ts"
import { vendorProvider } from "../../crash/vendor/vendorProvider.ts"
import type { ServerSettings } from "../ServerSettings.ts"

const settings: ServerSettings = JSON.parse(process.argv[2] ?? "{}")

const instance = (id: "alpha" | "beta"): Provider => {
  const provider = vendorProvider({ id, url: settings.vendor, mark: () => ({}) })
  const { capabilities } = provider
  const { create, ...others } = capabilities.operations
  const inquiry = { by: "reference", notFoundIsFinalAfter: settings.notFoundIsFinalAfter } as const
  return id === "beta"
    ? provider
    : { ...provider, capabilities: { ...capabilities, operations: { ...others, create: { ...create, inquiry } } } }
}

const engine = Engine.layer({ providers: settings.providers.map(instance), publicUrl: "http://localhost:4310" })

const secret = Redacted.make("a secret of these tests")

const app = HttpHandler.layer(HttpApp.layer({ secrets: [secret], returnKey: returnKey(secret) })).pipe(
  Layer.provideMerge(Layer.merge(engine, ApiKeys.layer())),
  Layer.provideMerge(Ids.layer),
  Layer.provideMerge(engineDatabase({ url: settings.database })),
  Layer.provideMerge(
    Layer.merge(
      ScaledClock.layer(ScaledClock.makeScaledClock(settings.clock)),
      Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])
    )
  )
)

const context = await Effect.runPromise(Layer.buildWithScope(app, Scope.makeUnsafe()))
const key = await Effect.runPromiseWith(context)(
  Effect.flatMap(ApiKeys, (keys) => keys.ensureReadableTestKey("default"))
)
const server = createServer(makeListener(Context.get(context, HttpHandler), makeCrashSwitch()))

server.listen(0, "127.0.0.1", () => {
  // Boundary: a TCP server's address is never a pipe's name.
  const { port } = server.address() as AddressInfo
  process.send?.({ port, key } satisfies EngineReady)
  flushCompileCache()
})
process.once("disconnect", () => process.exit())
