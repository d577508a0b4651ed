/** The routes that the edge knows, with their paths, methods and body limits. */
import { Context } from "effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { HttpApiEndpoint } from "effect/http-api"
import type { ProblemCode } from "../problems/Problem.ts"
import type { BodyLimit } from "../request/BodyLimit.ts"

/** A route: a path pattern, one method, and the maximum size of the request body. */
export interface KnownRoute {
  readonly method: string
  /** The path pattern in the router's syntax, such as `/v1/payments/:id`, or `/dashboard/*` with a wildcard. */
  readonly path: string
  readonly body: BodyLimit
  /**
   * Creates the response to a request whose body the edge rejects, for example an HTML page. Default: the problem as
   * JSON.
   */
  readonly refused?: (problem: { readonly code: ProblemCode }) => HttpServerResponse
  /** A path that the wildcard does not match, including all paths below it. Other routes handle these paths. */
  readonly except?: string
}

/**
 * The annotation that sets the body limit of an endpoint explicitly. Without it, the limit depends on whether the
 * endpoint has a payload.
 */
const EndpointBody = Context.Reference<BodyLimit | null>("@paymux/http/EndpointBody", { defaultValue: () => null })

export const bodyOfAtMost = (limit: BodyLimit): Context.Context<never> => Context.make(EndpointBody, limit)

/**
 * Returns the route of an endpoint that is declared with `effect/http-api`. The body limit is `default` for an endpoint
 * with a payload, and `none` without one, unless an annotation sets it.
 */
export const endpointRoute = ({ annotations, method, path, payload }: HttpApiEndpoint.Top): KnownRoute => ({
  method,
  path,
  body: Context.get(annotations, EndpointBody) ?? (payload.size > 0 ? "default" : "none")
})

/**
 * Creates the function that matches a path with the route. A parameter matches exactly one segment; `/*` also matches a
 * path that ends before it.
 */
const matcherOf = ({ except, path }: KnownRoute) => {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/:[A-Za-z_]+/g, "[^/]+")
    .replace(/\/\*$/, "(?:/.*)?")
  const pattern = new RegExp(`^${source}$`)
  return (address: string) => pattern.test(address) && (except === undefined || !isWithin(except, address))
}

/** Whether a requested path is `path` or below it. The requested path is decoded first, as the router does. */
export const isWithin = (path: string, address: string): boolean => {
  const read = decoded(address)
  return read === path || read.startsWith(`${path}/`)
}

const decoded = (path: string): string => {
  if (!path.includes("%")) return path
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/**
 * Creates the function that finds the routes of a path, with any method. Patterns with fewer parameters come first, as
 * in the router.
 */
export const routesAt = (routes: ReadonlyArray<KnownRoute>) => {
  const known = routes
    .map((route) => ({ route, parameters: route.path.split(/[:*]/).length - 1, matches: matcherOf(route) }))
    .toSorted((a, b) => a.parameters - b.parameters)
  const matching = (path: string) => known.filter(({ matches }) => matches(path)).map(({ route }) => route)
  const exact = new Map(
    known.filter(({ parameters }) => parameters === 0).map(({ route: { path } }) => [path, matching(path)])
  )
  return (path: string): ReadonlyArray<KnownRoute> => exact.get(path) ?? matching(path)
}

/** Returns the path of a URL, without query and fragment. */
export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? ""
