/**
 * `GET /metrics`: metrics in the format of Prometheus, for operators. A client without permission gets 404, as for an
 * unknown path.
 */
import { Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { answered } from "../auth/RouteError.ts"
import type { KnownRoute } from "../server/KnownRoute.ts"
import { isSameText } from "../request/isSameText.ts"

export interface MetricsOptions {
  /** Formats the metrics in the text format of Prometheus. */
  readonly text: Effect.Effect<string>
  /**
   * The bearer token for `/metrics`. A client with this token may have any IP address. `null`: only local clients may
   * read.
   */
  readonly token: Redacted.Redacted | null
}

export const metricsRoute = { method: "GET", path: "/metrics", body: "none" } as const satisfies KnownRoute

export const metricsRoutes = ({ text, token }: MetricsOptions) =>
  HttpRouter.use((router) =>
    router.add(
      "*",
      metricsRoute.path,
      answered(
        Effect.gen(function* () {
          const request = yield* HttpServerRequest
          if (!mayRead(request, token)) return yield* new ApiProblem({ code: "not_found" })
          if (request.method === "OPTIONS") return HttpServerResponse.empty({ status: 204, headers: { allow } })
          if (request.method !== "GET" && request.method !== "HEAD") {
            return yield* new ApiProblem({ code: "method_not_allowed", allow: methods })
          }
          return HttpServerResponse.text(yield* text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
        })
      )
    )
  )

const methods = ["GET", "HEAD", "OPTIONS"]
const allow = methods.join(", ")

/**
 * Whether a client may read the metrics. If a token is configured, the request must carry it. Otherwise the client must
 * be local and use a local host name. This excludes requests that a proxy forwards, since all of them have the proxy as
 * peer, and web pages whose domain resolves to this machine (DNS rebinding).
 */
const mayRead = ({ headers, peerAddress }: HttpServerRequest, token: Redacted.Redacted | null): boolean =>
  token === null
    ? // If the request came through `fetch`, the peer of the connection is unknown, so access is denied.
      Option.exists(peerAddress, isLoopback) &&
      isLocalName.test(headers["host"] ?? "") &&
      !forwarding.some((name) => headers[name] !== undefined)
    : isToken(headers["authorization"], token)

const forwarding = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "cf-connecting-ip",
  "true-client-ip"
]

const isLoopback = (address: string): boolean => /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/i.test(address)

const isLocalName = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i

const isToken = (authorization: string | undefined, token: Redacted.Redacted): boolean => {
  const given = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? "")?.[1]
  return given !== undefined && isSameText(given, Redacted.value(token))
}
