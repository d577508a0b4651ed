/** The HTTP interface of a running Paymux as two handlers: the API, and in the sandbox its pages and simulate endpoint. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { checkoutLayer, checkoutRoutes, simulatedPages } from "@paymux/checkout"
import { LoadShedder } from "@paymux/core/engine"
import { HostedPage } from "@paymux/core/wire"
import {
  addressOf,
  controlApiLayer,
  controlRoutes,
  networkOf,
  pagesLayer,
  pagesRoutes,
  SimulatedPayer
} from "@paymux/dashboard"
import { cellPath, countProblem, HttpApp, HttpHandler, pageForm } from "@paymux/http"
import type { AddedRoute } from "@paymux/http"
import { SandboxPage, sandboxRoutes, SandboxSimulator } from "@paymux/sandbox"
import { Context, Effect, Layer } from "effect"
import { HttpMiddleware } from "effect/http"
import type { IncomingMessage, RequestListener } from "node:http"
import * as AdmissionGate from "./AdmissionGate.ts"
import { owner } from "./BasePath.ts"
import { keepNotice } from "./doctor/notices.ts"
import type { InFlight } from "./InFlight.ts"
import type { PaymuxSettings } from "./options/PaymuxOptions.ts"
import { MetricsText } from "./telemetry/MetricsText.ts"
import { simulatedPayer, simulatedPayerOf } from "./simulatedPayer.ts"
import { Installation } from "./secrets/Installation.ts"
import { simulateExtension } from "./simulateExtension.ts"

export interface Handlers {
  readonly node: RequestListener
  readonly fetch: (request: Request) => Promise<Response>
  /** The routes of the router, without the base path. */
  readonly routes: ReadonlyArray<AddedRoute>
}

/** The handlers exist until the scope closes, and answer requests until `inFlight` is closed. */
export const make = Effect.fnUntraced(function* (settings: PaymuxSettings, inFlight: InFlight) {
  const { keys, secrets } = yield* Installation
  const simulator = yield* SandboxSimulator
  const metrics = yield* MetricsText
  const { basePath, bodyLimits, cell, checkout, dashboard, rateLimit, trustedProxies } = settings
  const payerPath = `${basePath}${cellPath(cell)}`
  const sandbox = settings.sandbox !== null
  const appSchemes = [...new Set(Object.values(settings.returnSchemes).flat())]
  const api = HttpApp.layer({
    secrets,
    returnKey: keys.returns,
    basePath,
    bodyLimits,
    rateLimit,
    trustedProxies,
    keepNotice: yield* keepNotice,
    metrics: { text: metrics.text, token: settings.metricsToken },
    extensions: sandbox ? [simulateExtension(simulator, yield* HostedPage)] : [],
    routes: [
      ...(sandbox ? SandboxPage.routes : []),
      ...(checkout === null ? [] : checkoutRoutes),
      ...(dashboard === null ? [] : [...controlRoutes, ...pagesRoutes])
    ]
  })
  const page =
    checkout === null
      ? Layer.empty
      : checkoutLayer({
          secrets,
          options: checkout,
          basePath: payerPath,
          closing: inFlight.closing,
          simulate: sandbox ? simulatedPayer(simulator) : null,
          addressOf: (request) => {
            const address = addressOf(request, trustedProxies)
            return address === null ? null : networkOf(address)
          },
          form: pageForm
        })
  const simulatedPage = sandbox
    ? SandboxPage.layer(simulatedPages(checkout ?? {}, payerPath), pageForm, appSchemes)
    : Layer.empty
  const control =
    dashboard === null
      ? Layer.empty
      : Layer.merge(
          controlApiLayer({
            publicUrl: settings.publicUrl,
            // Another server on this database may have live providers, except if this server is a sandbox.
            hasLiveMode: !sandbox
          }),
          pagesLayer({ publicUrl: settings.publicUrl })
        )
  const simulated = sandbox ? simulatedPayerOf(simulator, new Set(sandboxRoutes().map(({ id }) => id))) : null
  const routes = Layer.mergeAll(api, page, simulatedPage, control).pipe(
    Layer.provide(Layer.succeed(SimulatedPayer, simulated))
  )
  const {
    effect,
    fetch,
    listener,
    routes: added
  } = Context.get(yield* Layer.build(HttpHandler.layer(routes)), HttpHandler)
  const routed: RequestListener = yield* NodeHttpServer.makeHandler(effect, { scope: yield* Effect.scope }).pipe(
    // The API creates the span of a request. A span of the server would contain the complete address.
    Effect.provideService(HttpMiddleware.TracerDisabledWhen, () => true)
  )
  const answer = yield* listener(routed)
  const services = yield* Effect.context<never>()
  const gate = AdmissionGate.make(basePath, inFlight, yield* LoadShedder, (code) => countProblem(code, services))
  const warn = (sentence: string) => Effect.runForkWith(services)(Effect.logWarning(sentence))
  const prepare = basePath === "" ? reportMount(owner(settings), warn) : restoreMount
  return {
    node: nodeHandler(prepare, gate, answer, bodyLimits.default),
    fetch: webHandler(gate, fetch),
    routes: added
  } satisfies Handlers
})

const nodeHandler =
  (
    prepare: (request: Mounted) => IncomingMessage,
    gate: AdmissionGate.AdmissionGate,
    answer: RequestListener,
    longestUnread: number
  ): RequestListener =>
  (received, response) => {
    // The client disconnected before the host passed the request on: `close` has been emitted, so `leave` would not be called.
    if (response.closed) return
    const request = prepare(received)
    const refusal = gate.enter(request.method, request.url ?? "")
    if (refusal !== null) {
      const { body, headers, status } = refusal
      const length = { "content-length": body.length }
      const last = hasLongBody(request, longestUnread) ? { connection: "close" } : {}
      response.writeHead(status, { ...headers, ...length, ...last }).end(body)
      return
    }
    response.once("close", gate.leave)
    answer(request, response)
  }

/**
 * Whether a body is longer than the limit, or of unknown length. The body of a rejected request is not read, and Node would
 * receive all of it to keep the connection. In HTTP/2 only the stream ends.
 */
const hasLongBody = ({ headers, httpVersionMajor }: IncomingMessage, limit: number): boolean =>
  httpVersionMajor < 2 && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > limit)

/** A request of a host such as Express, which removes its mount path from `url` and keeps the complete address in `originalUrl`. */
type Mounted = IncomingMessage & { readonly originalUrl?: unknown }

/**
 * Without a base path, `url` is not changed. The first request that is not found because of the mount path of the host is logged:
 * otherwise the fault is hard to diagnose.
 */
const reportMount = (owns: (path: string) => boolean, warn: (sentence: string) => void) => {
  const state = { isReported: false }
  return (request: Mounted): IncomingMessage => {
    const { originalUrl, url = "" } = request
    if (state.isReported || typeof originalUrl !== "string" || owns(url) || !owns(originalUrl)) return request
    state.isReported = true
    const mount = originalUrl.endsWith(url) ? originalUrl.slice(0, -url.length) : "a path"
    warn(
      `paymux.node is mounted at ${mount}, which the host takes from the path, so nothing is found there: mount it without a path, for what paymux.owns(path) says is its own.`
    )
    return request
  }
}

const restoreMount = (request: Mounted): IncomingMessage => {
  if (typeof request.originalUrl === "string") request.url = request.originalUrl
  return request
}

const webHandler =
  (gate: AdmissionGate.AdmissionGate, answer: Handlers["fetch"]): Handlers["fetch"] =>
  async (request) => {
    const refusal = gate.enter(request.method, request.url.slice(request.url.indexOf("/", "https://".length)))
    if (refusal !== null) {
      const { body, headers, status } = refusal
      return new Response(body, { status, headers })
    }
    try {
      return await answer(request)
    } finally {
      gate.leave()
    }
  }
