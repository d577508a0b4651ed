/**
 * The base path of all routes: under `/payments` the API is at `/payments/v1/…`, and every address in a response begins with it.
 *
 * Routes are declared without the base path. `mounted` removes it from the address of a request; the end of an exchange adds it
 * to `Location`, and problems and pages take it from `CurrentBasePath`.
 */
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"

/** The start of every address of this server: empty, or `/payments`. */
export const CurrentBasePath = Context.Reference("@paymux/http/BasePath", { defaultValue: () => "" })

/** Answers requests under `basePath`, and no others. */
export const mounted =
  (basePath: string) =>
  <E, R>(
    handled: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest> =>
    basePath === ""
      ? handled
      : Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
          const inside = request.modify({ url: withoutBase(basePath, request.url) ?? NOWHERE })
          return handled.pipe(
            Effect.provideService(HttpServerRequest.HttpServerRequest, inside),
            Effect.provideService(CurrentBasePath, basePath)
          )
        })

/** No route has this path: the response is that of an unknown address. */
const NOWHERE = "/"

/**
 * The address without the base path; `null`: the address is not under the base path.
 *
 * @example
 * ```ts
 * withoutBase("/payments", "/payments/v1/payments?limit=1") // => "/v1/payments?limit=1"
 * withoutBase("/payments", "/paymentsv1") // => null
 * ```
 */
const withoutBase = (basePath: string, url: string): string | null => {
  if (!url.startsWith(basePath)) return null
  const rest = url.slice(basePath.length)
  return rest.startsWith("/") ? rest : null
}
