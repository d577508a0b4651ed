/**
 * An exchange: one request and its response as plain data, shared by the router and the direct route. It has the id of
 * the request, and updates its metrics, its entry in the request log, and the headers that every response gets.
 */
import { MetricFamily } from "@paymux/core/telemetry"
import { Effect } from "effect"
import type { Clock } from "effect"
import type { ApiProblem } from "../problems/ApiProblem.ts"
import { asProblem } from "../problems/ApiProblem.ts"
import { toAnswer } from "../problems/Problem.ts"
import type { RequestNote } from "../request/RequestNote.ts"
import type { AnsweredRequest } from "../requestLog/requestRow.ts"
import { CurrentRequestRecorder } from "../requestLog/RequestRecorder.ts"
import type { Answer } from "../problems/Answer.ts"
import { newRequestId } from "../request/RequestId.ts"
import { countProblem, durations, httpMethods, otherLabel, registryOf, requests } from "../request/RequestTelemetry.ts"

/** The metrics registry and the recorder of the request log, read once when the routes are built. */
export const sinks = Effect.all({ registry: registryOf, recorder: CurrentRequestRecorder })

type Sinks = Effect.Success<typeof sinks>

/** The properties of a request that the metrics and the request log need. */
export interface Received extends Pick<AnsweredRequest, "method" | "url" | "route"> {
  readonly basePath: string
  readonly clock: Clock.Clock
}

export interface Exchange {
  readonly sinks: Sinks
  readonly received: Received
  readonly requestId: string
  /** The note of the request; `null`: requests are not logged. */
  readonly note: RequestNote | null
  readonly startedAt: bigint
}

export const begin = (sinks: Sinks, received: Received): Exchange => {
  const startedAt = received.clock.currentTimeNanosUnsafe()
  const id = newRequestId(received.clock.currentTimeMillisUnsafe())
  const note = sinks.recorder === null ? null : { id, principal: null, body: undefined, problem: null, paymentId: null }
  return { sinks, received, startedAt, requestId: id, note }
}

/** Counts and notes a problem, and returns its response. `traceId`: `null` if tracing is off. */
export const refuse = (exchange: Exchange, problem: ApiProblem, traceId: string | null): Answer => {
  const { note, received, requestId, sinks } = exchange
  countProblem(problem.code, sinks.registry)
  if (note !== null) note.problem = problem
  return toAnswer(asProblem(problem, { requestId, basePath: received.basePath, traceId }))
}

/** Counts and logs a response. Returns the headers that must be added to the response. */
export const end = (exchange: Exchange, { headers, status }: Pick<Answer, "status" | "headers">): Answer["headers"] => {
  const { note, received, requestId, sinks, startedAt } = exchange
  const { basePath, clock, method, route, url } = received
  const { location } = headers
  const seconds = Number(clock.currentTimeNanosUnsafe() - startedAt) / 1e9
  MetricFamily.count(requests.of(httpMethods.has(method) ? method : otherLabel, route, String(status)), sinks.registry)
  durations.of(route).updateUnsafe(seconds, sinks.registry)
  if (note !== null) {
    const replayed = headers[replayHeader] !== undefined
    const microseconds = Math.round(seconds * 1e6)
    sinks.recorder?.record(note, { method, route, url, status, microseconds, location, replayed })
  }
  const added: { [name: string]: string } = { "request-id": requestId, "x-content-type-options": "nosniff" }
  if (headers["cache-control"] === undefined) added["cache-control"] = "no-store"
  // The base path is added only to paths of this server. A redirect to another site, such as a shop, is an absolute
  // URL.
  if (basePath !== "" && location?.startsWith("/")) added["location"] = `${basePath}${location}`
  return added
}

const replayHeader = "idempotent-replayed"

/** The header that marks a replayed response. */
export const replayHeaders = (replayed: boolean): { readonly [name: string]: string } =>
  replayed ? { [replayHeader]: "true" } : {}
