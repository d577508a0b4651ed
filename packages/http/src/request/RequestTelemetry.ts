/**
 * The metrics of requests. They are labeled with the pattern of the route, such as `/v1/payments/:id`, never with the
 * URL of the request.
 */
import { isTraced, MetricFamily } from "@paymux/core/telemetry"
import type { MetricDescription } from "@paymux/core/telemetry"
import { Context, Effect, Metric } from "effect"
import type { Fiber } from "effect"

export const requests = MetricFamily.counter(
  "paymux_http_requests_total",
  "HTTP requests, by status of the response.",
  ["method", "route", "status"]
)
export const durations = MetricFamily.histogram(
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

/** The label value for an unknown path, and for an unknown method. */
export const otherLabel = "other"

/** The request methods that HTTP defines. */
export const httpMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/**
 * A context that contains only the metrics registry, taken from the fiber that builds the routes. Metrics are updated
 * with this context, because adding the registry to the context of each request would copy that context.
 */
export const registryOf = Effect.map(Metric.MetricRegistry, (registry) => Context.make(Metric.MetricRegistry, registry))

export const countProblem = (code: string, context: Context.Context<never>): void =>
  MetricFamily.count(problems.of(code), context)

export const countRefusedWebhook = (provider: string, reason: string) =>
  Effect.map(registryOf, (registry) => MetricFamily.count(refusedWebhooks.of(provider, reason), registry))

export const countRefusedKey = (reason: string) =>
  Effect.map(registryOf, (registry) => MetricFamily.count(refusedKeys.of(reason), registry))

export const countNotLogged = (
  reason: "queue_full" | "not_written",
  requests: number,
  context: Context.Context<never>
): void => notLogged.of(reason).updateUnsafe(requests, context)

/** The id of the fiber's trace; `null`: tracing is off. */
export const traceIdOf = (fiber: Fiber.Fiber<unknown, unknown>): string | null => {
  const { span } = fiber.cache
  return span !== undefined && isTraced(fiber) ? span.traceId.padStart(32, "0") : null
}
