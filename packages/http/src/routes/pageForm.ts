/** The form that one of our pages posts to itself. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { answered } from "../auth/RouteError.ts"
import { readBytes } from "../request/RequestBody.ts"

/**
 * The text of the form; fails with the response of a request that is refused. A form of another site is refused where the
 * browser names the site (`Sec-Fetch-Site`). `Origin` says nothing: our pages send no referrer, so it is `null` for their own
 * forms, too.
 */
export const pageForm: Effect.Effect<
  string,
  HttpServerResponse.HttpServerResponse,
  HttpServerRequest.HttpServerRequest
> = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const form = yield* answered(
    ownSites.has(request.headers["sec-fetch-site"] ?? "none") ? readBytes(request) : Effect.fail(otherSite)
  )
  return form instanceof Uint8Array ? new TextDecoder().decode(form) : yield* Effect.fail(form)
})

/** `none`: the person began the request, such as by reloading a page. */
const ownSites: ReadonlySet<string> = new Set(["same-origin", "none"])

const otherSite = new ApiProblem({ code: "origin_not_allowed" })
