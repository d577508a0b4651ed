/**
 * What every handler of the control API does alike: it reads a strict body by its schema, answers refusals as problems, and
 * names the version of an object that several people change.
 */
import { describeIssues, paymentError, Unavailable } from "@paymux/core/wire"
import type { StoreUnavailable } from "@paymux/core/store"
import { answered, ApiProblem, readJsonObject } from "@paymux/http"
import type { RouteError } from "@paymux/http"
import { Effect, Schema } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"

/** What a handler may fail with. A refusal of a service is mapped to an `ApiProblem` first. */
export type ControlError = RouteError | StoreUnavailable

/** Runs a handler: its errors become problems. */
export const control = <A, R>(handler: Effect.Effect<A, ControlError, R>) =>
  answered(
    Effect.mapError(handler, (error) =>
      error._tag === "StoreUnavailable" ? paymentError(new Unavailable({ cause: error.cause })) : error
    )
  )

/** The body, decoded strictly. Its endpoint declares a payload, and `bodyOfAtMost` if it may be larger than others. */
export const bodyOf = <S extends Schema.Top>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const body = yield* readJsonObject(request)
    return yield* Effect.mapError(decode(body), ({ issue }) => invalid(...describeIssues(issue)))
  })
}

/** A fault of the request, at its place. */
export const invalid = (...errors: ReadonlyArray<{ readonly pointer: string; readonly message: string }>): ApiProblem =>
  new ApiProblem({ code: "invalid_request", errors })

/** The id is of no object of this account and mode. */
export const missing = (object: string): ApiProblem =>
  new ApiProblem({ code: "not_found", detail: `There is no such ${object}.` })

/** Sends the version with the response: `ETag: "7"`. */
export const withVersion = (version: number) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "etag", `"${version}"`))
  )

/** The version that the request is based on, from its `If-Match`. A proxy that compresses makes the ETag a weak one. */
export const expectedVersion = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const header = headers["if-match"]
  if (header === undefined) return yield* new ApiProblem({ code: "precondition_required" })
  const version = Number(/^(?:W\/)?"(\d{1,15})"$/.exec(header)?.[1])
  return Number.isNaN(version)
    ? yield* new ApiProblem({ code: "invalid_request", detail: 'If-Match must be one ETag, such as "7".' })
    : version
})

/** The cursor is of another list, or not one at all. */
export const invalidCursor = ({ message }: { readonly message: string }) =>
  Effect.fail(new ApiProblem({ code: "invalid_request", errors: [{ pointer: "after", message }] }))
