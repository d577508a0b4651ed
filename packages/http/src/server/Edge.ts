/**
 * The edge: the middleware around all routes. It adds the headers `Request-Id` and `Cache-Control: no-store`, and
 * rejects invalid URLs and bodies. It returns problems for unknown paths and internal errors, and it counts, logs and
 * traces each request.
 */
import { Cell } from "@paymux/core/store"
import { isTraced } from "@paymux/core/telemetry"
import { Cause, Clock, Context, Effect } from "effect"
import type { Fiber, Types } from "effect"
import { HttpRouter, HttpServerError, HttpServerResponse } from "effect/http"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { ApiProblem, misdirected } from "../problems/ApiProblem.ts"
import { toResponse } from "../problems/Answer.ts"
import { mounted } from "../request/BasePath.ts"
import { announcedBody, bodyRefusal, discardBody, isOfUncertainLength, isUnreadBeyond } from "./admitBody.ts"
import { bodyLimitDefaults, CurrentBodyLimit } from "../request/BodyLimit.ts"
import { inCell } from "./CellPath.ts"
import * as Exchange from "./Exchange.ts"
import { CurrentRequestNote } from "../request/RequestNote.ts"
import { pathOf, routesAt } from "./KnownRoute.ts"
import type { KnownRoute } from "./KnownRoute.ts"
import { CurrentRequestId } from "../request/RequestId.ts"
import { otherLabel, traceIdOf } from "../request/RequestTelemetry.ts"
import { asRequestSpan } from "./RequestSpan.ts"

/**
 * Adds the edge to the router. At the paths of `routes`, other methods get 405 instead of 404. All routes are under
 * `basePath`, and also under the path of the `Cell`. `bodyLimit` is the maximum size of a body, in bytes, for routes
 * that declare none.
 */
export const edge = (routes: ReadonlyArray<KnownRoute>, basePath = "", bodyLimit = bodyLimitDefaults.default) => {
  const known = routesAt(routes)
  return HttpRouter.use((router) =>
    Effect.flatMap(Effect.zip(Exchange.sinks, Cell), ([sinks, here]) =>
      router.addGlobalMiddleware((handled) =>
        mounted(basePath)(
          Effect.withFiber<HttpServerResponse.HttpServerResponse, Types.unhandled, HttpServerRequest>((fiber) => {
            // Cast at a boundary: the router provides the request to its middleware.
            const received = Context.get(fiber.context as Context.Context<HttpServerRequest>, HttpServerRequest)
            const clock = fiber.getRef(Clock.Clock)
            const { cell, url } = inCell(received.url)
            const request = cell === null ? received : received.modify({ url })
            const { method } = request
            const path = pathOf(url)
            const there = known(path)
            const route = there[0]?.path ?? otherLabel
            const exchange = Exchange.begin(sinks, { method, url, route, basePath, clock })
            const { note, requestId } = exchange
            const body = announcedBody(request)
            const taken =
              body === "absent" ? undefined : (there.find(isFor(method)) ?? known(filled(path)).find(isFor(method)))
            const limit = typeof taken?.body === "number" ? taken.body : bodyLimit
            // If tracing is on, this function runs within the span of the request.
            const answer = (inner: Fiber.Fiber<unknown, unknown>) => {
              const problemResponse = (problem: ApiProblem) =>
                toResponse(Exchange.refuse(exchange, problem, traceIdOf(inner)))
              const refused = (problem: ApiProblem) => taken?.refused?.(problem) ?? problemResponse(problem)
              const done = (response: HttpServerResponse.HttpServerResponse) => {
                const headers = Exchange.end(exchange, response)
                const isLast = isUnreadBeyond(request, body, limit)
                return HttpServerResponse.setHeaders(response, isLast ? { ...headers, connection: "close" } : headers)
              }
              const fault = cell === null || cell === here ? null : misdirected("address", cell, here)
              const addressRefusal = addressFault(url) ?? fault
              if (addressRefusal !== null) return Effect.succeed(done(problemResponse(addressRefusal)))
              const refusal = taken === undefined ? null : bodyRefusal(body, limit)
              if (refusal !== null) return Effect.succeed(done(refused(refusal)))
              const isRead = taken !== undefined && taken.body !== "none"
              // `Context.add` is used instead of a merge, which would copy all services for each request.
              const named = Effect.updateContext(handled, (context: Context.Context<never>) => {
                const known = context.pipe(
                  Context.add(CurrentRequestId, requestId),
                  Context.add(CurrentRequestNote, note)
                )
                const limited = isRead ? Context.add(known, CurrentBodyLimit, limit) : known
                return cell === null ? limited : Context.add(limited, HttpServerRequest, request)
              })
              const handledOrProblem = Effect.matchCauseEffect(named, {
                onSuccess: (response) => Effect.succeed(done(response)),
                onFailure: (cause) => Effect.map(afterFailure(cause, method, there, requestId, problemResponse), done)
              })
              return taken !== undefined && !isRead && isOfUncertainLength(request, body)
                ? Effect.matchEffect(discardBody(request, limit), {
                    onSuccess: () => handledOrProblem,
                    onFailure: (problem) => Effect.succeed(done(refused(problem)))
                  })
                : handledOrProblem
            }
            return isTraced(fiber) ? asRequestSpan(request, route, requestId, Effect.withFiber(answer)) : answer(fiber)
          })
        )
      )
    )
  )
}

/**
 * Replaces empty path segments by `-`, since the router accepts an empty segment as a parameter, but `KnownRoute` does
 * not.
 */
const filled = (path: string): string => path.replaceAll(/\/(?=\/|$)/g, "/-")

/** Whether a route handles a method. Every GET route also handles HEAD. */
const isFor = (requested: string) => (route: KnownRoute) => route.method === (requested === "HEAD" ? "GET" : requested)

/** The response to a problem of the request. */
type ProblemResponse = (problem: ApiProblem) => HttpServerResponse.HttpServerResponse

/**
 * The maximum length of a request URL. It equals the limit of `node:http` for a request's head, because a server of web
 * `Request`s may have no limit of its own.
 */
const maxAddressLength = 16 * 1024

const addressTooLong = new ApiProblem({ code: "headers_too_large", detail: "The address is longer than 16 KiB." })

const undecodable = new ApiProblem({
  code: "invalid_request",
  detail: "The address is not valid percent-encoded UTF-8."
})

const afterFailure = (
  cause: Cause.Cause<unknown>,
  method: string,
  there: ReadonlyArray<KnownRoute>,
  requestId: string,
  problemResponse: ProblemResponse
) => {
  // An interruption means that the client disconnected, so no response is sent.
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  const error = Cause.squash(cause)
  const reason = HttpServerError.isHttpServerError(error) ? error.reason._tag : null
  if (reason === "RouteNotFound") return Effect.succeed(notRouted(method, there, problemResponse))
  if (reason === "RequestParseError")
    return Effect.succeed(problemResponse(new ApiProblem({ code: "invalid_request" })))
  return Effect.map(logBroken(cause, requestId), () => problemResponse(internal))
}

export const logBroken = (cause: Cause.Cause<unknown>, requestId: string) =>
  Effect.annotateLogs(Effect.logError("A request broke", cause), "request_id", requestId)

export const internal = new ApiProblem({ code: "internal" })

/**
 * Builds the response to a request for which the router found no route. `there` lists the known routes of the path,
 * with their methods.
 */
const notRouted = (method: string, there: ReadonlyArray<KnownRoute>, problemResponse: ProblemResponse) => {
  const methods = there.flatMap((route) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method]))
  const allow = [...new Set([...methods, "OPTIONS"])].sort()
  if (there.length > 0 && method === "OPTIONS") {
    return HttpServerResponse.empty({ status: 204, headers: { allow: allow.join(", ") } })
  }
  // If the path supports the method, the response is 404: the router found no route because a parameter in the path is
  // too long.
  return there.length > 0 && !allow.includes(method)
    ? problemResponse(new ApiProblem({ code: "method_not_allowed", allow }))
    : problemResponse(notFound)
}

const notFound = new ApiProblem({ code: "not_found" })

/** Returns the problem of an invalid request URL; `null` if the URL is valid. */
const addressFault = (url: string): ApiProblem | null => {
  if (url.length > maxAddressLength) return addressTooLong
  if (!isDecodable(url)) return undecodable
  return hasParameters(url) ? notFound : null
}

/**
 * Whether a path contains `;`. Such a path is unknown, since `/healthz;v=1` is another path than `/healthz` (RFC 3986 §
 * 3.3). The router would read `;` like `?` and find a route.
 */
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
