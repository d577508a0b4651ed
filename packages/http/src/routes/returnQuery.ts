/** What a provider appended to the return address, or posted to it, as the flat record that adapters are given. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { readBytes } from "../request/RequestBody.ts"

/** Bytes of the query, and of the form. */
export const longestReturn = 8 * 1024

const MAX_PARAMETERS = 50
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** Of a name that stands twice, the first; a posted field takes precedence over the query. Nothing of it is trusted. */
export const returnQuery = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const { method, url } = request
  const query = url.includes("?") ? url.slice(url.indexOf("?") + 1) : ""
  if (query.length > longestReturn) return yield* new ApiProblem({ code: "payload_too_large" })
  const form = method === "POST" ? yield* readForm(request) : ""
  const parameters = [...new URLSearchParams(form), ...new URLSearchParams(query)]
  if (parameters.length > MAX_PARAMETERS) return yield* new ApiProblem({ code: "invalid_request" })
  return Object.fromEntries(parameters.toReversed())
})

const readForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const bytes = yield* readBytes(request)
  if (bytes.length > 0 && !FORM.test(request.headers["content-type"] ?? "")) {
    return yield* new ApiProblem({ code: "unsupported_media_type" })
  }
  return new TextDecoder().decode(bytes)
})
