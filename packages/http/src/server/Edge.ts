/**
 * What holds for every request, whatever answers it: a `Request-Id`, `Cache-Control: no-store`, an address that can be
 * decoded, a problem where no route is found or a route breaks; it is counted, and traced if tracing is on.
 */
import { Cell } from "@paymux/core/store"
import { isTraced } from "@paymux/core/telemetry"
import { Cause, Clock, Context, Effect } from "effect"
import type { Fiber, Layer, Types } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiProblem, misdirected } from "../problems/ApiProblem.ts"
import { toResponse } from "../problems/Answer.ts"
import { mounted } from "../request/BasePath.ts"
import { announcedBody, bodyRefusal, bodyRules, dropped, isLeftUnread, isOfUncertainLength } from "./admitBody.ts"
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
 * `routes`: those of whose addresses other methods get 405 instead of 404. All of them are under `basePath`, and again under the
 * path of the `Cell`. `bodyLimit`: how many bytes a body may have if its route declares no limit of its own.
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
    Effect.flatMap(Effect.zip(reports, Cell), ([reports, here]) =>
      router.addGlobalMiddleware((handled) =>
        mounted(basePath)(
          Effect.withFiber<HttpServerResponse.HttpServerResponse, Types.unhandled, HttpServerRequest.HttpServerRequest>(
            (fiber) => {
              // The router calls this with the request in the context.
              const received = Context.get(
                fiber.context as Context.Context<HttpServerRequest.HttpServerRequest>,
                HttpServerRequest.HttpServerRequest
              )
              const clock = fiber.getRef(Clock.Clock)
              const { cell, url } = inCell(received.url)
              const request = cell === null ? received : received.modify({ url })
              const { method } = request
              const route = routeOf(url)
              const exchange = Exchange.begin(reports, { method, url, route, basePath, clock })
              const { note, requestId } = exchange
              const body = announcedBody(request)
              const rule = body._tag === "Absent" ? null : ruleOf(method, url)
              // Within the request's span, where there is one.
              const answer = (inner: Fiber.Fiber<unknown, unknown>) => {
                const tell = (problem: ApiProblem) => toResponse(Exchange.refuse(exchange, problem, traceIdOf(inner)))
                const refused = (problem: ApiProblem) => rule?.refused?.(problem) ?? tell(problem)
                const done = (response: HttpServerResponse.HttpServerResponse) => {
                  const headers = Exchange.end(exchange, response)
                  const isLast = body._tag !== "Absent" && isLeftUnread(request, body, rule?.limit ?? bodyLimit)
                  return HttpServerResponse.setHeaders(response, isLast ? { ...headers, connection: "close" } : headers)
                }
                if (request.url.length > longestAddress) return Effect.succeed(done(tell(addressTooLong)))
                if (!isDecodable(request.url)) return Effect.succeed(done(tell(undecodable)))
                if (hasParameters(request.url)) return Effect.succeed(done(tell(unknownAddress)))
                if (cell !== null && cell !== here)
                  return Effect.succeed(done(tell(misdirected("address", cell, here))))
                const refusal = rule === null ? null : bodyRefusal(body, rule)
                if (refusal !== null) return Effect.succeed(done(refused(refusal)))
                // Added and not merged, which would copy every service for each request.
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
                  onFailure: (cause) => Effect.map(afterFailure(cause, request, allowed, requestId, tell), done)
                })
                return rule !== null && !rule.isRead && isOfUncertainLength(request, body)
                  ? Effect.matchEffect(dropped(request, rule.limit), {
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

/** What is reported to: read once, where the routes are built. */
export const reports: Effect.Effect<Exchange.Reports> = Effect.map(
  Effect.zip(registryOf, CurrentRequestRecorder),
  ([registry, recorder]) => ({ registry, recorder })
)

/** Responds with a problem of this request. */
type Tell = (problem: ApiProblem) => HttpServerResponse.HttpServerResponse

/** As many as `node:http` takes for a whole head. A server of web requests may set no limit. */
const longestAddress = 16 * 1024

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
  tell: Tell
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  // The client disconnected: the response would not be read.
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  const error = Cause.squash(cause)
  if (HttpServerError.isHttpServerError(error)) {
    if (error.reason._tag === "RouteNotFound") return Effect.succeed(notRouted(request, allowed, tell))
    if (error.reason._tag === "RequestParseError") {
      return Effect.succeed(tell(new ApiProblem({ code: "invalid_request" })))
    }
  }
  return Effect.map(logBroken(cause, requestId), () => tell(internal))
}

export const logBroken = (cause: Cause.Cause<unknown>, requestId: string): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logError("A request broke", cause), "request_id", requestId)

export const internal = new ApiProblem({ code: "internal" })

const notRouted = (
  request: HttpServerRequest.HttpServerRequest,
  allowed: (path: string) => ReadonlyArray<string>,
  tell: Tell
): HttpServerResponse.HttpServerResponse => {
  const allow = allowed(pathOf(request.url))
  const isAddress = allow.length > 0
  if (isAddress && request.method === "OPTIONS") {
    return HttpServerResponse.empty({ status: 204, headers: { allow: allow.join(", ") } })
  }
  // A method that is answered gets here when a part of the path is too long to be the id of anything.
  return isAddress && !allow.includes(request.method)
    ? tell(new ApiProblem({ code: "method_not_allowed", allow }))
    : tell(new ApiProblem({ code: "not_found" }))
}

/** Which methods an address answers; none: there is no such address. */
const methodsOf = (routes: ReadonlyArray<KnownRoute>) => {
  const known = routes.map((route) => ({
    // HEAD is answered wherever GET is.
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
