/**
 * One place for all routes: under `/payments` the API is at `/payments/v1/…`, and every address in a response begins
 * with it. The routes themselves know nothing of it: what comes in loses the base path, what goes out gets it back.
 *
 * Outside of `mounted` an address of ours is written without the base path: `Location` gets it here, problems and pages
 * take it from `CurrentBasePath`.
 */
import { Context, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** Empty, or `/payments`: how every address of ours begins. */
export const CurrentBasePath = Context.Reference("@paymux/http/BasePath", { defaultValue: () => "" })

/** Answers under `basePath`, and nowhere else. */
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
            Effect.provideService(CurrentBasePath, basePath),
            Effect.map((response) => {
              const { location } = withLocation(basePath, response.headers)
              return location === undefined ? response : HttpServerResponse.setHeader(response, "location", location)
            })
          )
        })

/** No route is there, so it is answered as any address that is none. */
const NOWHERE = "/"

/**
 * The address as the routes have it; `null`: it is not under the base path.
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

/** What leads away, to a shop, is a whole address and stays as it is. */
export const withLocation = (
  basePath: string,
  headers: { readonly [name: string]: string }
): { readonly [name: string]: string } => {
  const { location } = headers
  return basePath !== "" && location?.startsWith("/") === true
    ? { ...headers, location: `${basePath}${location}` }
    : headers
}
