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
import { Cause, Effect, Exit, Layer, Logger, Result, Scope } from "effect"
import type { RequestListener } from "node:http"
import * as App from "./App.ts"
import * as EventListener from "./EventListener.ts"
import * as Handlers from "./Handlers.ts"
import * as Operations from "./Operations.ts"
import type { PaymuxOptions } from "./PaymuxOptions.ts"
import { settingsOf } from "./PaymuxOptions.ts"

export interface Paymux extends Operations.Operations, AsyncDisposable {
  /** For `http.createServer`, or mounted in a host that is built on `node:http`. */
  readonly node: RequestListener
  /** For every host that speaks web standards. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The sandbox's readable test key; `null` without the sandbox. */
  readonly testKey: string | null
  /** Lets sends in flight end (five seconds at most), then closes the database. */
  readonly close: () => Promise<void>
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
  const Sandbox extends boolean = string extends Id ? boolean : false
>(
  options: PaymuxOptions<Id, Sandbox> = {}
): Promise<Paymux> => {
  const settings = Result.getOrThrowWith(settingsOf(options), (invalid) => invalid)
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const started = await Effect.runPromiseExit(start(settings, scope))
  if (Exit.isSuccess(started)) return { ...started.value, close, [Symbol.asyncDispose]: close }
  await close()
  throw Cause.squash(started.cause)
}

const start = Effect.fnUntraced(function* (settings: Parameters<typeof App.layer>[0], scope: Scope.Scope) {
  const gate = EventListener.makeGate()
  const context = yield* Layer.buildWithScope(Layer.provideMerge(App.layer(settings, gate), logger), scope)
  const handlers = yield* Scope.provide(Handlers.make(settings), scope).pipe(Effect.provideContext(context))
  const operations = Operations.make(settings, context)
  const testKey = settings.sandbox ? yield* Effect.provideContext(Operations.testKey(settings), context) : null
  gate.openSoon()
  return { ...operations, ...handlers, testKey }
})

/** Logs go to standard error: standard output is the host's. */
const logger = Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])
