/** Forms on HTML pages of this server. Each form is posted to the URL of its own page. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { answered } from "../auth/RouteError.ts"
import { readBytes } from "../request/RequestBody.ts"

/**
 * Reads the body of a posted form as text; fails with the response for a rejected request. A form of another site is
 * rejected if the browser sends `Sec-Fetch-Site`. `Origin` cannot be checked instead: pages of this server send no
 * referrer, so the browser sends `Origin: null` with their forms, too.
 */
export const pageForm: Effect.Effect<string, HttpServerResponse, HttpServerRequest> = Effect.gen(function* () {
  const request = yield* HttpServerRequest
  const form = yield* answered(
    ownSites.has(request.headers["sec-fetch-site"] ?? "none") ? readBytes(request) : Effect.fail(otherSite)
  )
  return form instanceof Uint8Array ? new TextDecoder().decode(form) : yield* Effect.fail(form)
})

/**
 * The accepted values of `Sec-Fetch-Site`. The value `none` means that the user started the request, such as by
 * reloading a page.
 */
const ownSites: ReadonlySet<string> = new Set(["same-origin", "none"])

const otherSite = new ApiProblem({ code: "origin_not_allowed" })
