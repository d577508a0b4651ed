/**
 * The HTTP interface as Layers: routes for an `HttpRouter`, and a handler made from a router.
 *
 * `layer` adds the routes of the API, and the public routes of webhooks and returning payers; other Layers may add
 * plain routes. `HttpHandler` turns all of them into one handler: `fetch` for web `Request`s, `effect` for a server of
 * Effect, such as `NodeHttpServer.makeHandler`, and `listener` for `node:http`.
 *
 * `fetch` and `listener` answer most requests for new payments without the router. Global middleware of the router does
 * not apply to these: set `directRoute` to `false` if you add any.
 *
 * Gotchas: requests are not written to the log of the process, except internal errors. Each request is counted, and is
 * one span if tracing is on. A server of Effect adds a span of its own with the complete URL: provide
 * `HttpMiddleware.TracerDisabledWhen` to keep queries out of traces.
 *
 * @example
 * ```ts
 * const handler = HttpHandler.layer(HttpApp.layer({ secrets: [secret], returnKey: returnKey(secret) }))
 * const program = Effect.flatMap(HttpHandler, ({ fetch }) =>
 *   Effect.promise(() => fetch(new Request("http://localhost/healthz")))
 * )
 * ```
 */
import type { Inbox, Payments } from "@paymux/core"
import type { ServerSecrets } from "@paymux/core/wire"
import type { PaymentStore } from "@paymux/core/store"
import { Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import type { RequestListener } from "node:http"
import { HttpEffect, HttpMiddleware, HttpServer } from "effect/http"
import { HttpRouter } from "effect/http/HttpRouter"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql/SqlClient"
import { openApiDocument } from "./openapi/OpenApiDocument.ts"
import { Api } from "./routes/Api.ts"
import type { ApiKeys } from "./auth/ApiKeys.ts"
import { authenticationLayer } from "./auth/Authentication.ts"
import { docsHandlers } from "./routes/docsHandlers.ts"
import { directFetch, directListener, DirectRoute } from "./server/DirectRoute.ts"
import { bodyLimitDefaults } from "./request/BodyLimit.ts"
import type { BodyLimits } from "./request/BodyLimit.ts"
import { AddedRoutes, exactRouter } from "./server/ExactRouter.ts"
import type { AddedRoute } from "./server/ExactRouter.ts"
import { edge } from "./server/Edge.ts"
import { endpointRoute } from "./server/KnownRoute.ts"
import type { KnownRoute } from "./server/KnownRoute.ts"
import { Notices } from "./request/Notices.ts"
import type { KeepNotice } from "./request/Notices.ts"
import { proxyNotice } from "./server/proxyNotice.ts"
import { extensionRoute, extensionRoutes } from "./routes/Extension.ts"
import type { Extension } from "./routes/Extension.ts"
import { eventHandlers } from "./routes/eventHandlers.ts"
import { metricsRoute, metricsRoutes } from "./routes/metricsRoute.ts"
import type { MetricsOptions } from "./routes/metricsRoute.ts"
import { directCreate } from "./routes/createPayment.ts"
import { paymentHandlers } from "./routes/paymentHandlers.ts"
import { RateLimits } from "./auth/RateLimits.ts"
import { ReadShare } from "./server/ReadShare.ts"
import type { RateLimitSettings } from "./auth/RateLimits.ts"
import { refundHandlers } from "./routes/refundHandlers.ts"
import type { ReturnKey } from "./request/ReturnAddress.ts"
import { returnRoutes, returnRoutesKnown } from "./routes/returnRoutes.ts"
import { systemHandlers } from "./routes/systemHandlers.ts"
import { webhookRoute, webhookRoutes } from "./routes/webhookRoutes.ts"

export interface HttpAppOptions {
  /**
   * The secrets of this installation. The first secret signs the cursors of payment lists; every secret is accepted
   * when a cursor is verified.
   */
  readonly secrets: ServerSecrets
  /**
   * The key that signs the return addresses of the engine. The same key signs cursors of events, which receivers store.
   */
  readonly returnKey: ReturnKey
  readonly extensions?: ReadonlyArray<Extension>
  /** The rate limits of each account and mode. Default: none. See `rateLimitDefaults`. */
  readonly rateLimit?: RateLimitSettings | null
  /**
   * The routes that other Layers add to the router. With this list, a request with another method at their paths gets
   * 405 instead of 404.
   */
  readonly routes?: ReadonlyArray<KnownRoute>
  /** The options of `GET /metrics`. If omitted, the server has no such endpoint. */
  readonly metrics?: MetricsOptions
  /** Whether most requests for new payments bypass the router and its global middleware. Default: true. */
  readonly directRoute?: boolean
  /** The base path of all routes: `/payments` puts the API at `/payments/v1/…`. Default: empty. */
  readonly basePath?: string
  /** The limits of request bodies. Default: `bodyLimitDefaults`. */
  readonly bodyLimits?: BodyLimits
  /**
   * The number of trusted reverse proxies in front of this server. With 0 (default), requests that probably come
   * through a proxy are reported.
   */
  readonly trustedProxies?: number
  /** Stores notices for operators. By default, notices are only logged. */
  readonly keepNotice?: KeepNotice
}

/** The services that the routes of this API require. */
export type HttpAppServices = Payments | PaymentStore | Inbox | ApiKeys | SqlClient

/**
 * The layer that adds the routes of the API to the router. It also adds the edge: the middleware around all routes of
 * the router.
 */
export const layer = ({
  basePath = "",
  bodyLimits = bodyLimitDefaults,
  directRoute = true,
  extensions = [],
  keepNotice = () => Effect.void,
  metrics,
  rateLimit = null,
  returnKey,
  routes = [],
  secrets,
  trustedProxies = 0
}: HttpAppOptions): Layer.Layer<DirectRoute, never, HttpRouter | HttpAppServices> =>
  Layer.mergeAll(
    HttpApiBuilder.layer(Api).pipe(
      Layer.provide([
        paymentHandlers(secrets),
        refundHandlers,
        eventHandlers(returnKey),
        systemHandlers(() => openApiDocument(extensions, basePath)),
        docsHandlers(basePath)
      ]),
      Layer.provide(authenticationLayer),
      // `HttpApi` requires the services for file uploads and file responses, although no route here uses them.
      Layer.provide(HttpServer.layerServices)
    ),
    extensionRoutes(extensions),
    webhookRoutes,
    returnRoutes(returnKey),
    proxyNotice(trustedProxies),
    metrics === undefined ? Layer.empty : metricsRoutes(metrics),
    edge(
      [
        ...apiRoutes,
        webhookRoute(bodyLimits),
        ...(metrics === undefined ? [] : [metricsRoute]),
        ...extensions.map(extensionRoute),
        ...routes
      ],
      basePath,
      bodyLimits.default
    ),
    directRoute ? directCreate(basePath, bodyLimits.default) : Layer.succeed(DirectRoute, { accept: () => null })
  ).pipe(Layer.provide([RateLimits.layer(rateLimit), Notices.layer(keepNotice), ReadShare.layer]))

const apiRoutes: ReadonlyArray<KnownRoute> = [
  ...Object.values(Api.groups).flatMap((group) => Object.values(group.endpoints).map(endpointRoute)),
  ...returnRoutesKnown
]

/** The services that the HTTP server provides separately for each request. */
type Provided = HttpServerRequest | Scope.Scope

/** The handler of all routes that were added to the router. */
export class HttpHandler extends Context.Service<
  HttpHandler,
  {
    readonly fetch: (request: Request) => Promise<Response>
    readonly effect: Effect.Effect<HttpServerResponse, unknown, Provided>
    /**
     * A listener for `node:http` that answers most requests for new payments itself, and passes all others to
     * `otherwise`, the listener made from `effect`.
     */
    readonly listener: (otherwise: RequestListener) => Effect.Effect<RequestListener, never, Scope.Scope>
    /** The list of all routes that were added to the router. */
    readonly routes: ReadonlyArray<AddedRoute>
  }
>()("@paymux/http/HttpHandler") {
  /**
   * The layer of the handler for `routes`. The routes are built with this layer and take their dependencies from its
   * context, so that all parts share one engine. Paths match exactly as documented: case-sensitive, without a trailing
   * slash.
   */
  static readonly layer = <Out, R>(
    routes: Layer.Layer<Out, never, R>
  ): Layer.Layer<HttpHandler, never, Exclude<R, HttpRouter | AddedRoutes>> =>
    Layer.effect(HttpHandler, handler).pipe(Layer.provide(routes), Layer.provide(Layer.fresh(exactRouter)))
}

const handler = Effect.gen(function* () {
  const router = yield* HttpRouter
  // Each request runs with the context in which the handler was built, including its loggers.
  const built = yield* Effect.context<never>()
  // Effect's own tracing of requests is disabled, because the edge already creates the span of each request.
  const context = Context.add(built, HttpMiddleware.TracerDisabledWhen, () => true)
  const effect = router.asHttpEffect()
  const fetch = HttpEffect.toWebHandlerWith<never, Provided>(context)(effect)
  const direct = Context.getOrUndefined(built, DirectRoute)
  return HttpHandler.of({
    effect,
    routes: yield* AddedRoutes,
    fetch: direct === undefined ? fetch : yield* directFetch(direct, fetch),
    listener: (otherwise) => (direct === undefined ? Effect.succeed(otherwise) : directListener(direct, otherwise))
  })
})
