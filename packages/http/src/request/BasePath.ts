/**
 * The base path of all routes. With the base path `/payments`, the API is at `/payments/v1/…`, and every URL of this
 * server in a response begins with `/payments`.
 *
 * Routes are declared without the base path. `mounted` removes it from the URL of a request. `Exchange.end` adds it to
 * the header `Location`, and problems and pages read it from `CurrentBasePath`.
 */
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"

/** The base path at which every path of this server begins, such as `/payments`. Empty by default. */
export const CurrentBasePath = Context.Reference("@paymux/http/BasePath", { defaultValue: () => "" })

/**
 * Handles requests under `basePath`. Any other path gets the response for an unknown path: `/paymentsv1` is not under
 * `/payments`.
 */
export const mounted =
  (basePath: string) =>
  <E, R>(
    handled: Effect.Effect<HttpServerResponse, E, R>
  ): Effect.Effect<HttpServerResponse, E, R | HttpServerRequest> =>
    basePath === ""
      ? handled
      : Effect.flatMap(HttpServerRequest, (request) => {
          const isUnder = request.url.startsWith(`${basePath}/`)
          const inside = request.modify({ url: isUnder ? request.url.slice(basePath.length) : NOWHERE })
          return handled.pipe(
            Effect.provideService(HttpServerRequest, inside),
            Effect.provideService(CurrentBasePath, basePath)
          )
        })

/**
 * A path without a route. A request outside of the base path gets this path, so that the response is that for an
 * unknown path.
 */
const NOWHERE = "/"
