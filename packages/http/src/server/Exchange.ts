/**
 * One request and its response as plain data, for the router and the direct route: the id of the request, its metrics and its
 * entry in the request log, and the headers of every response.
 */
import { MetricFamily } from "@paymux/core/telemetry"
import type { Clock, Context } from "effect"
import type { ApiProblem } from "../problems/ApiProblem.ts"
import { asProblem } from "../problems/ApiProblem.ts"
import { toAnswer } from "../problems/Problem.ts"
import type { RequestNote } from "../request/RequestNote.ts"
import type { RequestRecorder } from "../requestLog/RequestRecorder.ts"
import type { Answer } from "../problems/Answer.ts"
import { newRequestId } from "../request/RequestId.ts"
import { countProblem, durations, httpMethods, otherLabel, requests } from "../request/RequestTelemetry.ts"

/** The destinations of metrics and of the request log. */
export interface Sinks {
  readonly registry: Context.Context<never>
  readonly recorder: RequestRecorder | null
}

export interface Exchange extends Sinks {
  readonly method: string
  /** Without the base path. */
  readonly url: string
  /** The pattern of the router: `/v1/payments/:id`. */
  readonly route: string
  readonly basePath: string
  readonly requestId: string
  /** `null`: requests are not logged. */
  readonly note: RequestNote | null
  readonly clock: Clock.Clock
  readonly startedAt: bigint
}

export const begin = (
  { recorder, registry }: Sinks,
  request: Pick<Exchange, "method" | "url" | "route" | "basePath" | "clock">
): Exchange => {
  const { basePath, clock, method, route, url } = request
  const startedAt = clock.currentTimeNanosUnsafe()
  const requestId = newRequestId(clock.currentTimeMillisUnsafe())
  const note =
    recorder === null ? null : { id: requestId, principal: null, body: undefined, problem: null, paymentId: null }
  return { registry, recorder, method, url, route, basePath, clock, startedAt, requestId, note }
}

/** Counts and notes a problem, and returns its response. `traceId`: `null` if tracing is off. */
export const refuse = (exchange: Exchange, problem: ApiProblem, traceId: string | null): Answer => {
  countProblem(problem.code, exchange.registry)
  if (exchange.note !== null) exchange.note.problem = problem
  return toAnswer(asProblem(problem, { requestId: exchange.requestId, basePath: exchange.basePath, traceId }))
}

/** Counts and logs the response; returns the headers to add to it. */
export const end = (exchange: Exchange, { headers, status }: Pick<Answer, "status" | "headers">): Answer["headers"] => {
  const { basePath, clock, method, note, recorder, registry, requestId, route, startedAt, url } = exchange
  const { location } = headers
  const seconds = Number(clock.currentTimeNanosUnsafe() - startedAt) / 1e9
  MetricFamily.count(requests.of(httpMethods.has(method) ? method : otherLabel, route, String(status)), registry)
  durations.of(route).updateUnsafe(seconds, registry)
  if (note !== null) {
    recorder?.record(note, {
      method,
      route,
      url,
      status,
      microseconds: Math.round(seconds * 1e6),
      location,
      replayed: headers[replayHeader] !== undefined
    })
  }
  const added =
    headers["cache-control"] === undefined
      ? { "request-id": requestId, "x-content-type-options": "nosniff", "cache-control": "no-store" }
      : { "request-id": requestId, "x-content-type-options": "nosniff" }
  // The address of another site, such as a shop's, is absolute.
  return basePath === "" || location?.startsWith("/") !== true
    ? added
    : { ...added, location: `${basePath}${location}` }
}

const replayHeader = "idempotent-replayed"

/** The header of a replayed response. */
export const replayHeaders = (replayed: boolean): { readonly [name: string]: string } =>
  replayed ? { [replayHeader]: "true" } : {}
