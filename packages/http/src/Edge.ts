/**
 * What holds for every request, whatever answers it: a `Request-Id`, `Cache-Control: no-store`, an address that can be
 * decoded, and a problem where no route is found or a route breaks.
 */
import { Cause, Context, Effect, Tracer } from "effect"
import type { Fiber, Layer, Types } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiProblem, problemResponse } from "./ApiProblem.ts"
import { CurrentRequestId, newRequestId } from "./RequestId.ts"

/** An address of the API and the methods it answers. */
export interface KnownRoute {
  readonly method: string
  /** As the router has it: `/v1/payments/:id`. */
  readonly path: string
}

/** A request that is answered at once, without the router: its method and its whole address are these. */
export interface DirectRoute {
  readonly method: string
  readonly url: string
  readonly answer: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}

/**
 * `routes`: those of whose addresses other methods are told 405 instead of 404. `direct` answers as the route of the
 * same address does, where the address is spelled without a query.
 */
export const edge = (
  routes: ReadonlyArray<KnownRoute>,
  direct?: DirectRoute
): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const allowed = methodsOf(routes)
  return HttpRouter.use((router) =>
    router.addGlobalMiddleware((handled) =>
      Effect.withFiber<HttpServerResponse.HttpServerResponse, Types.unhandled, HttpServerRequest.HttpServerRequest>(
        (fiber) => {
          // The router calls this with the request in the context.
          const request = Context.get(
            fiber.context as Context.Context<HttpServerRequest.HttpServerRequest>,
            HttpServerRequest.HttpServerRequest
          )
          const requestId = newRequestId()
          if (!isDecodable(request.url)) {
            return Effect.succeed(stamped(problemResponse(undecodable, requestId), requestId))
          }
          const answer = isFor(direct, request, fiber) ? Effect.interruptible(direct.answer(request)) : handled
          return Effect.matchCauseEffect(Effect.provideService(answer, CurrentRequestId, requestId), {
            onSuccess: (response) => Effect.succeed(stamped(response, requestId)),
            onFailure: (cause) =>
              Effect.map(afterFailure(cause, request, allowed, requestId), (response) => stamped(response, requestId))
          })
        }
      )
    )
  )
}

/** Where requests are traced, it is the router and the declared API that tell the tracer of the route. */
const isFor = (
  direct: DirectRoute | undefined,
  { method, url }: HttpServerRequest.HttpServerRequest,
  fiber: Fiber.Fiber<unknown, unknown>
): direct is DirectRoute =>
  direct !== undefined &&
  method === direct.method &&
  url === direct.url &&
  fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer

const undecodable = new ApiProblem({
  code: "invalid_request",
  detail: "The address is not valid percent-encoded UTF-8."
})

const stamped = (response: HttpServerResponse.HttpServerResponse, requestId: string) =>
  HttpServerResponse.setHeaders(
    response,
    response.headers["cache-control"] === undefined
      ? { "request-id": requestId, "cache-control": "no-store" }
      : { "request-id": requestId }
  )

const afterFailure = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  allowed: (path: string) => ReadonlyArray<string>,
  requestId: string
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  // The client went away: nobody reads an answer.
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  const error = Cause.squash(cause)
  if (HttpServerError.isHttpServerError(error)) {
    if (error.reason._tag === "RouteNotFound") return Effect.succeed(notRouted(request, allowed, requestId))
    if (error.reason._tag === "RequestParseError") {
      return Effect.succeed(problemResponse(new ApiProblem({ code: "invalid_request" }), requestId))
    }
  }
  return Effect.logError("A request broke", cause).pipe(
    Effect.annotateLogs({ requestId }),
    Effect.as(problemResponse(new ApiProblem({ code: "internal" }), requestId))
  )
}

const notRouted = (
  request: HttpServerRequest.HttpServerRequest,
  allowed: (path: string) => ReadonlyArray<string>,
  requestId: string
): HttpServerResponse.HttpServerResponse => {
  const allow = allowed(request.url.split(/[?#]/, 1)[0] ?? "")
  const isAddress = allow.length > 0
  if (isAddress && request.method === "OPTIONS") {
    return HttpServerResponse.empty({ status: 204, headers: { allow: allow.join(", ") } })
  }
  // A method that is answered gets here when a part of the path is too long to be the id of anything.
  return isAddress && !allow.includes(request.method)
    ? problemResponse(new ApiProblem({ code: "method_not_allowed", allow }), requestId)
    : problemResponse(new ApiProblem({ code: "not_found" }), requestId)
}

/** Which methods an address answers; none: there is no such address. */
const methodsOf = (routes: ReadonlyArray<KnownRoute>) => {
  const patterns = routes.map(({ method, path }) => ({
    // HEAD is answered wherever GET is.
    methods: method === "GET" ? ["GET", "HEAD"] : [method],
    pattern: new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:[A-Za-z_]+/g, "[^/]+")}$`)
  }))
  return (path: string): ReadonlyArray<string> => {
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)
    return methods.length === 0 ? [] : [...methods, "OPTIONS"].sort()
  }
}

const isDecodable = (url: string): boolean => {
  if (!url.includes("%")) return true
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}
