/**
 * The edge around all routes: it adds `Request-Id` and `Cache-Control: no-store`, rejects invalid addresses and bodies, answers
 * unknown addresses and internal errors with problems, and counts, logs and traces each request.
 */
import { Cell } from "@paymux/core/store"
import { isTraced } from "@paymux/core/telemetry"
import { Cause, Clock, Context, Effect } from "effect"
import type { Fiber, Layer, Types } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiProblem, misdirected } from "../problems/ApiProblem.ts"
import { toResponse } from "../problems/Answer.ts"
import { mounted } from "../request/BasePath.ts"
import { announcedBody, bodyRefusal, bodyRules, discardBody, isOfUncertainLength, isUnreadBeyond } from "./admitBody.ts"
import { bodyLimitDefaults, CurrentBodyLimit } from "../request/BodyLimit.ts"
import { inCell } from "./CellPath.ts"
import * as Exchange from "./Exchange.ts"
import { CurrentRequestNote } from "../request/RequestNote.ts"
import { CurrentRequestRecorder } from "../requestLog/RequestRecorder.ts"
import { matcherOf, pathOf, routesOf } from "./KnownRoute.ts"
import type { KnownRoute } from "./KnownRoute.ts"
import { CurrentRequestId } from "../request/RequestId.ts"
import { registryOf, traceIdOf } from "../request/RequestTelemetry.ts"
import { asRequestSpan } from "./RequestSpan.ts"

/**
 * `routes`: other methods at their addresses get 405 instead of 404. All routes are under `basePath`, and also under the path of
 * the `Cell`. `bodyLimit`: the limit of a body, in bytes, if its route declares none.
 */
export const edge = (
  routes: ReadonlyArray<KnownRoute>,
  basePath = "",
  bodyLimit = bodyLimitDefaults.default
): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const allowed = methodsOf(routes)
  const ruleOf = bodyRules(routes, bodyLimit)
  const routeOf = routesOf(routes)
  return HttpRouter.use((router) =>
    Effect.flatMap(Effect.zip(sinks, Cell), ([sinks, here]) =>
      router.addGlobalMiddleware((handled) =>
        mounted(basePath)(
          Effect.withFiber<HttpServerResponse.HttpServerResponse, Types.unhandled, HttpServerRequest.HttpServerRequest>(
            (fiber) => {
              // Boundary: the router provides the request.
              const received = Context.get(
                fiber.context as Context.Context<HttpServerRequest.HttpServerRequest>,
                HttpServerRequest.HttpServerRequest
              )
              const clock = fiber.getRef(Clock.Clock)
              const { cell, url } = inCell(received.url)
              const request = cell === null ? received : received.modify({ url })
              const { method } = request
              const route = routeOf(url)
              const exchange = Exchange.begin(sinks, { method, url, route, basePath, clock })
              const { note, requestId } = exchange
              const body = announcedBody(request)
              const rule = body._tag === "Absent" ? null : ruleOf(method, url)
              // Within the span of the request, if tracing is on.
              const answer = (inner: Fiber.Fiber<unknown, unknown>) => {
                const problemResponse = (problem: ApiProblem) =>
                  toResponse(Exchange.refuse(exchange, problem, traceIdOf(inner)))
                const refused = (problem: ApiProblem) => rule?.refused?.(problem) ?? problemResponse(problem)
                const done = (response: HttpServerResponse.HttpServerResponse) => {
                  const headers = Exchange.end(exchange, response)
                  const isLast = body._tag !== "Absent" && isUnreadBeyond(request, body, rule?.limit ?? bodyLimit)
                  return HttpServerResponse.setHeaders(response, isLast ? { ...headers, connection: "close" } : headers)
                }
                if (request.url.length > maxAddressLength) return Effect.succeed(done(problemResponse(addressTooLong)))
                if (!isDecodable(request.url)) return Effect.succeed(done(problemResponse(undecodable)))
                if (hasParameters(request.url)) return Effect.succeed(done(problemResponse(unknownAddress)))
                if (cell !== null && cell !== here)
                  return Effect.succeed(done(problemResponse(misdirected("address", cell, here))))
                const refusal = rule === null ? null : bodyRefusal(body, rule)
                if (refusal !== null) return Effect.succeed(done(refused(refusal)))
                // `Context.add` and not a merge, which would copy all services for each request.
                const named = Effect.updateContext(handled, (context: Context.Context<never>) => {
                  const known = context.pipe(
                    Context.add(CurrentRequestId, requestId),
                    Context.add(CurrentRequestNote, note)
                  )
                  const limited = rule?.isRead === true ? Context.add(known, CurrentBodyLimit, rule.limit) : known
                  return cell === null ? limited : Context.add(limited, HttpServerRequest.HttpServerRequest, request)
                })
                const handledOrProblem = Effect.matchCauseEffect(named, {
                  onSuccess: (response) => Effect.succeed(done(response)),
                  onFailure: (cause) =>
                    Effect.map(afterFailure(cause, request, allowed, requestId, problemResponse), done)
                })
                return rule !== null && !rule.isRead && isOfUncertainLength(request, body)
                  ? Effect.matchEffect(discardBody(request, rule.limit), {
                      onSuccess: () => handledOrProblem,
                      onFailure: (problem) => Effect.succeed(done(refused(problem)))
                    })
                  : handledOrProblem
              }
              return isTraced(fiber)
                ? asRequestSpan(request, route, requestId, Effect.withFiber(answer))
                : answer(fiber)
            }
          )
        )
      )
    )
  )
}

/** The metrics registry and the recorder, read once when the routes are built. */
export const sinks: Effect.Effect<Exchange.Sinks> = Effect.map(
  Effect.zip(registryOf, CurrentRequestRecorder),
  ([registry, recorder]) => ({ registry, recorder })
)

/** The response to a problem of the request. */
type ProblemResponse = (problem: ApiProblem) => HttpServerResponse.HttpServerResponse

/** Maximum length of an address: the limit of `node:http` for a head. A server of web requests may have no limit. */
const maxAddressLength = 16 * 1024

const addressTooLong = new ApiProblem({ code: "headers_too_large", detail: "The address is longer than 16 KiB." })

const undecodable = new ApiProblem({
  code: "invalid_request",
  detail: "The address is not valid percent-encoded UTF-8."
})

const afterFailure = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  allowed: (path: string) => ReadonlyArray<string>,
  requestId: string,
  problemResponse: ProblemResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  // The client disconnected: the response would not be read.
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  const error = Cause.squash(cause)
  if (HttpServerError.isHttpServerError(error)) {
    if (error.reason._tag === "RouteNotFound") return Effect.succeed(notRouted(request, allowed, problemResponse))
    if (error.reason._tag === "RequestParseError") {
      return Effect.succeed(problemResponse(new ApiProblem({ code: "invalid_request" })))
    }
  }
  return Effect.map(logBroken(cause, requestId), () => problemResponse(internal))
}

export const logBroken = (cause: Cause.Cause<unknown>, requestId: string): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logError("A request broke", cause), "request_id", requestId)

export const internal = new ApiProblem({ code: "internal" })

const notRouted = (
  request: HttpServerRequest.HttpServerRequest,
  allowed: (path: string) => ReadonlyArray<string>,
  problemResponse: ProblemResponse
): HttpServerResponse.HttpServerResponse => {
  const allow = allowed(pathOf(request.url))
  const isAddress = allow.length > 0
  if (isAddress && request.method === "OPTIONS") {
    return HttpServerResponse.empty({ status: 204, headers: { allow: allow.join(", ") } })
  }
  // The router does not find a known method if a parameter of the path is too long.
  return isAddress && !allow.includes(request.method)
    ? problemResponse(new ApiProblem({ code: "method_not_allowed", allow }))
    : problemResponse(new ApiProblem({ code: "not_found" }))
}

/** The methods of an address; empty: unknown address. */
const methodsOf = (routes: ReadonlyArray<KnownRoute>) => {
  const known = routes.map((route) => ({
    // HEAD is supported wherever GET is.
    methods: route.method === "GET" ? ["GET", "HEAD"] : [route.method],
    matches: matcherOf(route)
  }))
  return (path: string): ReadonlyArray<string> => {
    const methods = [...new Set(known.filter(({ matches }) => matches(path)).flatMap(({ methods }) => methods))]
    return methods.length === 0 ? [] : [...methods, "OPTIONS"].sort()
  }
}

const unknownAddress = new ApiProblem({ code: "not_found" })

/** `/healthz;v=1` is another address than `/healthz` (RFC 3986 § 3.3): the router would read `;` as it reads `?`. */
const hasParameters = (url: string): boolean => {
  const at = url.indexOf(";")
  return at >= 0 && !/[?#]/.test(url.slice(0, at))
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
