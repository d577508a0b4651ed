/**
 * Paymux in your own server: one call, Promises, and a handler for `node:http` or anything that speaks `fetch`.
 *
 * @example
 * ```ts
 * import { createPaymux } from "paymux"
 * import { createServer } from "node:http"
 *
 * const paymux = await createPaymux({ sandbox: true, database: ":memory:" })
 * createServer(paymux.node).listen(3000)
 * const payment = await paymux.payments.create({
 *   amount: 10000,
 *   currency: "INR",
 *   payment_method: "upi",
 *   customer: { email: "asha@example.com", phone: "+919999999999" }
 * })
 * payment.status // => "succeeded"
 * await paymux.close()
 * ```
 */
import type { Tenant } from "@paymux/core"
import { Cause, Context, Effect, Exit, Layer, Metric, Result, Scope } from "effect"
import type { RequestListener } from "node:http"
import * as App from "./App.ts"
import { owner } from "./BasePath.ts"
import { theProgram } from "@paymux/dashboard"
import type { Actor } from "@paymux/dashboard"
import * as DashboardCalls from "./DashboardCalls.ts"
import type { DashboardOperations } from "./DashboardCalls.ts"
import { restoredWarnings } from "./doctor/restoredFindings.ts"
import { proxyWarnings } from "./doctor/notices.ts"
import * as EventListener from "./EventListener.ts"
import * as Handlers from "./Handlers.ts"
import * as HostServer from "./HostServer.ts"
import * as InFlight from "./InFlight.ts"
import { leavingOutUndefined } from "./leavingOutUndefined.ts"
import * as Operations from "./Operations.ts"
import type { PaymuxOptions, PaymuxSettings } from "./options/PaymuxOptions.ts"
import { settingsOf } from "./options/PaymuxOptions.ts"
import type { SandboxOption } from "./options/sandboxOption.ts"
import { startWarnings } from "./startSummary.ts"
import * as Logs from "./telemetry/Logs.ts"
import { MetricsText } from "./telemetry/MetricsText.ts"
import * as Otlp from "./telemetry/Otlp.ts"
import { actorFor, tenantFor } from "./options/tenantFor.ts"
import type { AccountOptions } from "./options/tenantFor.ts"

export interface Paymux extends Operations.Operations, AsyncDisposable {
  /** For `http.createServer`, or mounted in a host that is built on `node:http`. */
  readonly node: RequestListener
  /** For every host that speaks web standards. */
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * Whether a path, or a whole address, is for these handlers: for a host that mounts them on everything. Under a
   * `basePath` all of it is; at the root `/healthz`, `/readyz` and `/metrics` are left to the host.
   */
  readonly owns: (path: string) => boolean
  /**
   * The same operations for another account, such as a tenant of yours, in the same mode or another. Throws a
   * `PaymentError` (`InvalidPayment`) where it cannot be the name of one: 1 to 64 letters, digits, `_` or `-`.
   */
  readonly forAccount: (account: string, options?: AccountOptions) => Operations.Operations
  /** The people who may sign in to the dashboard with accounts of Paymux. */
  readonly dashboard: DashboardOperations
  /** Everything that is counted, as `GET /metrics` answers it: in the text format of Prometheus. */
  readonly metrics: () => Promise<string>
  /** The sandbox's readable test key; `null` without the sandbox. */
  readonly testKey: string | null
  /**
   * Shuts down in order. Event streams of payment pages end; `server` accepts no new connections and answers what was
   * requested; later requests get `503`, later calls `Unavailable`. Then sends to providers and webhooks in flight end, and
   * the database is closed. What is answered has 5 s, then webhooks have 3 s and sends 5 s. What takes longer is cut off,
   * and is found at the next start. A second call returns the promise of the first.
   *
   * @example
   * ```ts
   * process.once("SIGTERM", () => void paymux.close({ server }))
   * ```
   */
  readonly close: (options?: CloseOptions) => Promise<void>
}

interface CloseOptions {
  /**
   * The server in which Paymux is mounted, as `node:http`, Express's `app.listen`, Hono's `serve` or Fastify's `app.server`
   * return it. Without it the host stops its server itself.
   */
  readonly server?: HostServer.HostServer
}

/**
 * Opens the database, migrates it, starts the engine. Rejects with one error that names every fault of the options, and
 * leaves nothing open then.
 *
 * Rules that name a provider which is not there do not compile. Rules whose ids are known only to be text, such as those
 * of a JSON module, need `createPaymux<string>`: they are then checked at the start alone.
 */
export const createPaymux = async <
  const Id extends string = never,
  const Sandbox extends SandboxOption = string extends Id ? SandboxOption : false
>(
  options: PaymuxOptions<Id, Sandbox> = {}
): Promise<Paymux> => createPaymuxIn(Context.empty(), options)

/**
 * As `createPaymux`, with overridden references of Effect.
 *
 * @internal Exported for tests whose passwords need no expensive hashes.
 */
export const createPaymuxIn = async <const Id extends string, const Sandbox extends SandboxOption>(
  references: Context.Context<never>,
  options: PaymuxOptions<Id, Sandbox>
): Promise<Paymux> => {
  const settings = Result.getOrThrowWith(settingsOf(options), (invalid) => invalid)
  const scope = Scope.makeUnsafe()
  const inFlight = InFlight.make()
  const closed = onlyOnce((stop: Effect.Effect<void>) =>
    Effect.runPromise(Effect.andThen(inFlight.close(stop), Scope.close(scope, Exit.void)))
  )
  const close = ({ server }: CloseOptions = {}): Promise<void> =>
    server === undefined || HostServer.isHostServer(server)
      ? closed(server === undefined ? Effect.void : HostServer.stopped(server))
      : Promise.reject(new TypeError("close: `server` must be a server, such as http.createServer returns."))
  const started = await Effect.runPromiseExitWith(references)(start(settings, scope, inFlight))
  if (Exit.isSuccess(started)) return { ...started.value, close, [Symbol.asyncDispose]: () => close() }
  await close()
  throw Cause.squash(started.cause)
}

const start = Effect.fnUntraced(function* (
  settings: PaymuxSettings,
  scope: Scope.Closeable,
  inFlight: InFlight.InFlight
) {
  const gate = EventListener.makeGate()
  const context = yield* Layer.buildWithScope(Layer.provideMerge(App.layer(settings, gate), observed(settings)), scope)
  const { fetch, node } = yield* Scope.provide(Handlers.make(settings, inFlight), scope).pipe(
    Effect.provideContext(context)
  )
  const operationsOf = (tenant: Tenant, actor: Actor) => Operations.make(tenant, actor, context, inFlight)
  const testKey = settings.sandbox !== null ? yield* Effect.provideContext(Operations.testKey(settings), context) : null
  const proxied = yield* Effect.orElseSucceed(Effect.provideContext(proxyWarnings(settings), context), () => [])
  const restored = yield* Effect.orElseSucceed(Effect.provideContext(restoredWarnings, context), () => [])
  yield* Effect.forEach([...startWarnings(settings), ...proxied, ...restored], (warning) =>
    Effect.provideContext(Effect.logWarning(warning), context)
  )
  if (settings.telemetry !== null) yield* Effect.provideContext(Effect.forkIn(keepFresh, scope), context)
  gate.openSoon()
  return {
    ...operationsOf({ account: settings.account, livemode: settings.livemode }, theProgram),
    node,
    fetch,
    owns: owner(settings),
    forAccount: (account: string, options: AccountOptions = {}) =>
      operationsOf(tenantFor(settings, account, options), actorFor(options)),
    dashboard: leavingOutUndefined(
      DashboardCalls.make(settings, (actor) => Operations.runner(actor, context, inFlight))
    ),
    metrics: () =>
      Effect.runPromise(
        Effect.provideContext(
          MetricsText.use(({ text }) => text),
          context
        )
      ),
    testKey
  }
})

const onlyOnce = <A>(act: (argument: A) => Promise<void>) => {
  const state: { acted: Promise<void> | null } = { acted: null }
  return (argument: A) => (state.acted ??= act(argument))
}

/** Metrics that are sent are not scraped: what is sent is what was read last. */
const keepFresh = MetricsText.use(({ refresh }) => Effect.forever(Effect.andThen(refresh, Effect.sleep("15 seconds"))))

/** What everything logs, counts and traces to. Each has metrics of its own: there may be several in a process. */
const observed = ({ logs, telemetry }: PaymuxSettings) =>
  (telemetry === null ? Layer.empty : Otlp.layer(telemetry)).pipe(
    Layer.provideMerge(Layer.merge(Logs.layer(logs), Layer.succeed(Metric.MetricRegistry, new Map())))
  )
