/** The errors of routes, and the problem response of each. */
import type { PaymentError } from "@paymux/core"
import { Context, Effect } from "effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { toResponse } from "../problems/Answer.ts"
import { ApiProblem, asProblem, misdirected, paymentProblem } from "../problems/ApiProblem.ts"
import { toAnswer } from "../problems/Problem.ts"
import { CurrentBasePath } from "../request/BasePath.ts"
import { CurrentRequestId } from "../request/RequestId.ts"
import { CurrentRequestNote } from "../request/RequestNote.ts"
import { countProblem, traceIdOf } from "../request/RequestTelemetry.ts"
import type { JsonRefusal } from "../request/StrictJson.ts"
import type { ApiKeyOfOtherCell, ApiKeysUnavailable, Unauthorized } from "./ApiKeyErrors.ts"

/** All errors with which a route can fail. */
export type RouteError = ApiProblem | PaymentError | JsonRefusal | Unauthorized | ApiKeyOfOtherCell | ApiKeysUnavailable

/**
 * Converts the error of a failed route to a problem response. An internal error is logged, and the response does not
 * contain its cause.
 */
export const answered = Effect.catch((error: RouteError) =>
  Effect.withFiber<HttpServerResponse>((fiber) => {
    const requestId = Context.get(fiber.context, CurrentRequestId)
    const basePath = Context.get(fiber.context, CurrentBasePath)
    const problem = apiProblem(error)
    countProblem(problem.code, fiber.context)
    const note = Context.get(fiber.context, CurrentRequestNote)
    if (note !== null) note.problem = problem
    const answer = toAnswer(asProblem(problem, { requestId, basePath, traceId: traceIdOf(fiber) }))
    return Effect.as(logInternalError(error, requestId), toResponse(answer))
  })
)

export const apiProblem = (error: RouteError): ApiProblem => {
  switch (error._tag) {
    case "ApiProblem":
      return error
    case "PaymentError":
      return paymentProblem(error)
    case "JsonRefusal":
      return new ApiProblem({
        code: "invalid_json",
        detail: error.message,
        errors: [{ pointer: error.pointer, message: error.message }]
      })
    case "Unauthorized":
      return new ApiProblem({ code: "unauthorized" })
    case "ApiKeyOfOtherCell":
      return misdirected("API key", error.cell, error.here)
    case "ApiKeysUnavailable":
      return new ApiProblem({ code: "service_unavailable" })
  }
}

/** Logs an internal error with the id of its request. */
export const logInternalError = (error: RouteError, requestId: string) => {
  const reason = error._tag === "PaymentError" ? error.reason : error
  return reason._tag === "Unavailable" || reason._tag === "ApiKeysUnavailable"
    ? Effect.annotateLogs(Effect.logError("The database did not answer", reason.cause), "request_id", requestId)
    : Effect.void
}
