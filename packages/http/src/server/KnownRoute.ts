/** Routes as the edge knows them: addresses, methods and limits of bodies. */
import { Context } from "effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { HttpApiEndpoint } from "effect/http-api"
import type { ProblemCode } from "../problems/Problem.ts"
import type { BodyLimit } from "../request/BodyLimit.ts"

/** An address, one of its methods, and the limit of the body. */
export interface KnownRoute {
  readonly method: string
  /** The pattern of the router: `/v1/payments/:id`, or with a wildcard: `/dashboard/*`. */
  readonly path: string
  readonly body: BodyLimit
  /** The response to a request whose body the edge rejects, such as a page. Default: the problem as JSON. */
  readonly refused?: (problem: { readonly code: ProblemCode }) => HttpServerResponse
  /** A path that the wildcard excludes, with all paths below it: other routes answer them. */
  readonly except?: string
}

/** An annotation for an endpoint whose limit does not follow from its payload. */
const EndpointBody = Context.Reference<BodyLimit | null>("@paymux/http/EndpointBody", { defaultValue: () => null })

export const bodyOfAtMost = (limit: BodyLimit): Context.Context<never> => Context.make(EndpointBody, limit)

/** The route of a declared endpoint. Its limit is the default, or `none` without a payload. */
export const endpointRoute = ({ annotations, method, path, payload }: HttpApiEndpoint.Top): KnownRoute => ({
  method,
  path,
  body: Context.get(annotations, EndpointBody) ?? (payload.size > 0 ? "default" : "none")
})

/** Matches paths of the route. A parameter matches one segment; `/*` also matches the empty path. */
const matcherOf = ({ except, path }: KnownRoute) => {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/:[A-Za-z_]+/g, "[^/]+")
    .replace(/\/\*$/, "(?:/.*)?")
  const pattern = new RegExp(`^${source}$`)
  return (address: string) => pattern.test(address) && (except === undefined || !isWithin(except, address))
}

/** Whether the address is this path or below it, in any encoding that the router decodes. */
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

/** The routes of a path, by all methods. As in the router, a pattern with fewer parameters comes first. */
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

/** The path of an address, without query and fragment. */
export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? ""
