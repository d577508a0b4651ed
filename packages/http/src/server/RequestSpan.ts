/**
 * The span of a request. Its attributes are OpenTelemetry's semantic conventions for HTTP servers, and it continues the
 * `traceparent` of the request.
 */
import { annotated, redactText } from "@paymux/core/telemetry"
import { Data, Effect, Option } from "effect"
import { HttpTraceContext } from "effect/http"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { httpMethods } from "../request/RequestTelemetry.ts"
import { pathOf } from "./KnownRoute.ts"

/**
 * Traces a request as one span. A response of 5xx is an error of the span, as the conventions require; a 4xx is not.
 */
export const asRequestSpan = <E, R>(
  request: HttpServerRequest,
  route: string,
  requestId: string,
  answer: Effect.Effect<HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse, E, R> => {
  const parent = HttpTraceContext.w3c(request.headers)
  // Cast at a boundary: no route requires a parent span, so the type of the requirements stays unchanged.
  return Effect.catch(
    Effect.withSpan(
      Effect.flatMap(answer, (response) => annotate(response)),
      `${httpMethods.has(request.method) ? request.method : "HTTP"} ${route}`,
      {
        kind: "server",
        ...(Option.isSome(parent) && { parent: parent.value }),
        attributes: {
          "http.request.method": httpMethods.has(request.method) ? request.method : "_OTHER",
          "http.route": route,
          "url.path": redactText(pathOf(request.url)),
          "paymux.request.id": requestId
        },
        captureStackTrace: false
      }
    ),
    (error) => (error instanceof AnsweredWithFault ? Effect.succeed(error.response) : Effect.fail(error))
  ) as Effect.Effect<HttpServerResponse, E, R>
}

const annotate = (response: HttpServerResponse) =>
  Effect.andThen(
    annotated(() => ({ "http.response.status_code": response.status })),
    response.status >= 500 ? Effect.fail(new AnsweredWithFault({ response })) : Effect.succeed(response)
  )

/** The error that marks the span as failed. It is caught outside of the span, and its response is sent. */
class AnsweredWithFault extends Data.TaggedError("AnsweredWithFault")<{
  readonly response: HttpServerResponse
}> {
  override get message(): string {
    return `HTTP ${this.response.status}`
  }
}
