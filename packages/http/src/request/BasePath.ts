/**
 * The base path of all routes: under `/payments` the API is at `/payments/v1/…`, and every address in a response begins
 * with it.
 *
 * Routes are declared without the base path. `mounted` removes it from the address of a request; the end of a request
 * adds it to `Location`, and problems and pages take it from `CurrentBasePath`.
 */
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"

/** The start of every address of this server: empty, or `/payments`. */
export const CurrentBasePath = Context.Reference("@paymux/http/BasePath", { defaultValue: () => "" })

/** Answers requests under `basePath`, and no others: `/paymentsv1` is not under `/payments`. */
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

/** A path that no route has, so that the response is that of an unknown address. */
const NOWHERE = "/"
