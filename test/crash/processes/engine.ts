/**
 * An engine as it runs in production, with its HTTP interface, between ports that end the process at a crash point.
 * Its settings are argument 1; it sends its address over the channel, and ends with it.
 */
import { Engine, Ids } from "@paymux/core"
import type { Provider } from "@paymux/core"
import { NameDigest } from "@paymux/core/engine"
import { ApiKeys, HttpApp, HttpHandler, returnKey } from "@paymux/http"
import { Context, Effect, Exit, Layer, Logger, Redacted, Scope } from "effect"
import { closeSync, copyFileSync, openSync, rmSync, writeSync } from "node:fs"
import { createServer } from "node:http"
import { flushCompileCache } from "node:module"
import type { AddressInfo } from "node:net"
import * as InstallationNames from "../../../packages/paymux/src/InstallationNames.ts"
import { secretsOf } from "../../../packages/paymux/src/options/secretOption.ts"
import { Installation } from "../../../packages/paymux/src/secrets/Installation.ts"
import { crashingProvider, killMark } from "../crashingProvider.ts"
import { crashingStore } from "../crashingStore.ts"
import { makeCrashSwitch } from "../CrashSwitch.ts"
import { engineDatabase, fileOf } from "../Database.ts"
import { formerNames } from "../formerNames.ts"
import { nameDigest } from "../nameDigest.ts"
import { nextVersion } from "../nextVersion.ts"
import * as ScaledClock from "../ScaledClock.ts"
import { vendorProvider } from "../vendor/vendorProvider.ts"
import { makeListener } from "./listener.ts"
import type { EngineReady, EngineSettings, ToEngine } from "./Protocol.ts"

const settings: EngineSettings = JSON.parse(process.argv[2] ?? "{}")
const crash = makeCrashSwitch()
const clock = ScaledClock.makeScaledClock(settings.clock)

const instance = (id: "alpha" | "beta"): Provider =>
  crashingProvider(vendorProvider({ id, url: settings.vendor, mark: killMark(crash) }), crash)

/** The breakers by opossum read the machine's clock, which runs slower here. */
const scaled = (ms: number) => Math.ceil(ms / settings.clock.rate)

const engine = Engine.layer({
  providers: [instance("alpha"), instance("beta")],
  publicUrl: "http://localhost:4310",
  breaker: { windowMs: Math.max(1200, scaled(60_000)), openMs: scaled(30_000), probeLeaseMs: scaled(45_000) },
  reconciler: { every: 1000 }
})

const database = engineDatabase({
  url: settings.database,
  further: settings.version === "next" ? nextVersion : [],
  isWhole: settings.secrets !== undefined
})

/** As a server makes them of its secret: a request that is repeated has the names of the first one. */
const names =
  settings.secrets === undefined
    ? Layer.succeed(NameDigest, nameDigest)
    : Layer.orDie(Layer.provide(InstallationNames.layer, Installation.layer(secretsOf(settings.secrets))))
const ids = Layer.provide(Ids.layer, names)

const secret = Redacted.make("a secret of the crash tests")

const app = HttpHandler.layer(HttpApp.layer({ secrets: [secret], returnKey: returnKey(secret) })).pipe(
  Layer.provideMerge(Layer.merge(engine, ApiKeys.layer())),
  Layer.provideMerge(
    Layer.merge(crashingStore(crash), settings.version === "former" ? Layer.provide(formerNames, ids) : ids)
  ),
  Layer.provideMerge(database),
  Layer.provideMerge(
    Layer.merge(ScaledClock.layer(clock), Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)]))
  )
)

const scope = Scope.makeUnsafe()
const context = await Effect.runPromise(Layer.buildWithScope(app, scope))
const key = await Effect.runPromiseWith(context)(
  Effect.flatMap(ApiKeys, (keys) => keys.ensureReadableTestKey("default"))
)
const server = createServer(makeListener(Context.get(context, HttpHandler), crash))
server.keepAliveTimeout = 60_000

server.listen(settings.port, "127.0.0.1", () => {
  // A TCP server's address is never a pipe's name.
  const { port } = server.address() as AddressInfo
  process.send?.({ port, key } satisfies EngineReady)
  // Who is killed writes no cache at its end, and the next one starts twice as fast with it.
  flushCompileCache()
})

process.on("message", (message: ToEngine) => {
  if ("arm" in message) crash.arm(message.arm)
  else if ("stepClock" in message) clock.step(message.stepClock)
  else if ("free" in message) rmSync(message.free)
  else fillDisk(message.fill)
})

/** To the last byte: smaller and smaller pieces. */
const fillDisk = (file: string) => {
  const descriptor = openSync(file, "a")
  for (let size = 1 << 20; size >= 1; size /= 2) {
    try {
      while (true) writeSync(descriptor, Buffer.alloc(size))
    } catch {
      // No room for a piece of this size.
    }
  }
  closeSync(descriptor)
  process.send?.({ full: true })
}

/** No new requests, those that run are answered, sends in flight end. */
const drain = async () => {
  const closed = new Promise((resolve) => server.close(resolve))
  // Node keeps a connection that turns idle only now, and takes further requests on it.
  const closing = setInterval(() => server.closeIdleConnections(), 10)
  const late = setTimeout(() => server.closeAllConnections(), 5_000)
  await closed
  clearInterval(closing)
  clearTimeout(late)
  await Effect.runPromise(Scope.close(scope, Exit.void))
  if (settings.keepAt !== undefined) copyFileSync(fileOf(settings.database), settings.keepAt)
  process.exit(0)
}
process.once("SIGTERM", () => void drain())
process.once("disconnect", () => process.exit())
