/**
 * What is counted and traced of each request, by its route: `/v1/payments/:id`, never the address itself. The names are
 * OpenTelemetry's semantic conventions for HTTP servers; the span continues the `traceparent` of the request.
 */
import { annotated, isTraced, MetricFamily, redactText } from "@paymux/core/telemetry"
import type { MetricDescription } from "@paymux/core/telemetry"
import { Context, Data, Effect, Metric, Option } from "effect"
import type { Fiber, Tracer } from "effect"
import { HttpTraceContext } from "effect/http"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { matcherOf } from "./KnownRoute.ts"
import type { KnownRoute } from "./KnownRoute.ts"

const requests = MetricFamily.counter("paymux_http_requests_total", "HTTP requests, by status of the response.", [
  "method",
  "route",
  "status"
])
const durations = MetricFamily.histogram(
  "paymux_http_request_duration_seconds",
  "Time from the request's headers to the response.",
  ["route"]
)
const problems = MetricFamily.counter("paymux_http_problems_total", "Problem responses, by code.", ["code"])

const notLogged = MetricFamily.counter(
  "paymux_request_log_dropped_total",
  "Requests that were answered and are not in the request log. `queue_full`: more came than could be written. `not_written`: the database failed.",
  ["reason"]
)

const refusedWebhooks = MetricFamily.counter(
  "paymux_webhooks_refused_total",
  "Webhooks of providers that were refused, by provider instance. Many with `bad_signature` and no accepted ones mean a wrong secret.",
  ["provider", "reason"]
)
const refusedKeys = MetricFamily.counter(
  "paymux_api_keys_refused_total",
  "Requests with an API key that was refused. Many with `unknown` mean that keys are guessed.",
  ["reason"]
)

export const httpMetricDescriptions: ReadonlyArray<MetricDescription> = [
  requests,
  durations,
  problems,
  notLogged,
  refusedWebhooks,
  refusedKeys
]

/** For an address that is none of ours, and for a method that HTTP does not know. */
const OTHER = "other"
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

export interface Answered {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly seconds: number
}

export const countAnswer = ({ method, route, seconds, status }: Answered, context: Context.Context<never>): void => {
  MetricFamily.count(requests.of(methods.has(method) ? method : OTHER, route, String(status)), context)
  durations.of(route).updateUnsafe(seconds, context)
}

/**
 * The metrics registry of the fiber that builds the routes, alone. Looked up in the context of each request, it would make
 * that context be copied.
 */
export const registryOf: Effect.Effect<Context.Context<never>> = Effect.map(Metric.MetricRegistry, (registry) =>
  Context.make(Metric.MetricRegistry, registry)
)

export const countProblem = (code: string, context: Context.Context<never>): void =>
  MetricFamily.count(problems.of(code), context)

export const countRefusedWebhook = (provider: string, reason: string): Effect.Effect<void> =>
  Effect.withFiber((fiber) =>
    Effect.sync(() => MetricFamily.count(refusedWebhooks.of(provider, reason), fiber.context))
  )

export const countRefusedKey = (reason: string): Effect.Effect<void> =>
  Effect.withFiber((fiber) => Effect.sync(() => MetricFamily.count(refusedKeys.of(reason), fiber.context)))

export const countNotLogged = (
  reason: "queue_full" | "not_written",
  requests: number,
  context: Context.Context<never>
): void => notLogged.of(reason).updateUnsafe(requests, context)

/** Which of `routes` an address is of, as the router has it: `/v1/payments/:id`. The first that matches. */
export const routesOf = (routes: ReadonlyArray<KnownRoute>): ((url: string) => string) => {
  const each = [...new Map(routes.map((route) => [route.path, route])).values()]
  const exact = new Set(each.map(({ path }) => path).filter((path) => !/[:*]/.test(path)))
  const patterns = each
    .filter(({ path }) => !exact.has(path))
    .map((route) => ({ path: route.path, matches: matcherOf(route) }))
  return (url) => {
    if (exact.has(url)) return url
    const path = pathOf(url)
    return exact.has(path) ? path : (patterns.find(({ matches }) => matches(path))?.path ?? OTHER)
  }
}

const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? ""

/** The trace that this fiber's work is of; `null`: tracing is off. */
export const traceIdOf = (fiber: Fiber.Fiber<unknown, unknown>): string | null => {
  const { span } = fiber.cache
  return span !== undefined && isTraced(fiber) ? span.traceId.padStart(32, "0") : null
}

/** One span for the request. An answer of 5xx is an error of the span, as the conventions have it; a 4xx is none. */
export const asRequestSpan = <E, R>(
  request: HttpServerRequest.HttpServerRequest,
  route: string,
  requestId: string,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  // Boundary: no route asks for a parent span, so nothing is taken out of R.
  Effect.catch(
    Effect.withSpan(
      Effect.flatMap(answer, (response) => noted(response)),
      `${methods.has(request.method) ? request.method : "HTTP"} ${route}`,
      {
        kind: "server",
        ...parentOf(request),
        attributes: {
          "http.request.method": methods.has(request.method) ? request.method : "_OTHER",
          "http.route": route,
          "url.path": redactText(pathOf(request.url)),
          "paymux.request.id": requestId
        },
        captureStackTrace: false
      }
    ),
    (error) => (error instanceof AnsweredWithFault ? Effect.succeed(error.response) : Effect.fail(error))
  ) as Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const noted = (
  response: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse, AnsweredWithFault> =>
  Effect.andThen(
    annotated(() => ({ "http.response.status_code": response.status })),
    response.status >= 500 ? Effect.fail(new AnsweredWithFault({ response })) : Effect.succeed(response)
  )

/** Ends the span as failed; it never leaves it. */
class AnsweredWithFault extends Data.TaggedError("AnsweredWithFault")<{
  readonly response: HttpServerResponse.HttpServerResponse
}> {
  override get message(): string {
    return `HTTP ${this.response.status}`
  }
}

const parentOf = ({ headers }: HttpServerRequest.HttpServerRequest): { readonly parent?: Tracer.AnySpan } => {
  const parent = HttpTraceContext.w3c(headers)
  return Option.isSome(parent) ? { parent: parent.value } : {}
}
