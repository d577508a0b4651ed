/** The form of a page of this server that posts to itself. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { answered } from "../auth/RouteError.ts"
import { readBytes } from "../request/RequestBody.ts"

/**
 * Reads the text of the form; fails with the response to a rejected request. A form of another site is rejected if the
 * browser sends `Sec-Fetch-Site`. `Origin` cannot be used: our pages send no referrer, so `Origin` is `null` for their
 * forms, too.
 */
export const pageForm: Effect.Effect<string, HttpServerResponse, HttpServerRequest> = Effect.gen(function* () {
  const request = yield* HttpServerRequest
  const form = yield* answered(
    ownSites.has(request.headers["sec-fetch-site"] ?? "none") ? readBytes(request) : Effect.fail(otherSite)
  )
  return form instanceof Uint8Array ? new TextDecoder().decode(form) : yield* Effect.fail(form)
})

/** The value `none` means that the user started the request, such as by reloading a page. */
const ownSites: ReadonlySet<string> = new Set(["same-origin", "none"])

const otherSite = new ApiProblem({ code: "origin_not_allowed" })
