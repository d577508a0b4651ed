/** The addresses that a server answers, as its edge has to know them. */
import { Context } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import type { ProblemCode } from "../problems/Problem.ts"
import { otherLabel } from "../request/RequestTelemetry.ts"
import type { BodyLimit } from "../request/BodyLimit.ts"

/** An address of the API, a method that it answers, and how large the body of such a request may be. */
export interface KnownRoute {
  readonly method: string
  /** As the router has it: `/v1/payments/:id`, or with any rest: `/dashboard/*`. */
  readonly path: string
  readonly body: BodyLimit
  /** The response to a request whose body the edge refuses, such as a page. Default: the problem as JSON. */
  readonly refused?: (problem: { readonly code: ProblemCode }) => HttpServerResponse.HttpServerResponse
  /** Where the route of any rest answers nothing: at this path and below it other routes do. */
  readonly except?: string
}

/** An annotation of an endpoint whose limit does not follow from its payload. */
const EndpointBody = Context.Reference<BodyLimit | null>("@paymux/http/EndpointBody", {
  defaultValue: () => null
})

export const bodyOfAtMost = (limit: BodyLimit): Context.Context<never> => Context.make(EndpointBody, limit)

/** A declared endpoint. One with a payload reads at most the default, one without reads none. */
export const endpointRoute = ({
  annotations,
  method,
  path,
  payload
}: Pick<HttpApiEndpoint.Top, "annotations" | "method" | "path" | "payload">): KnownRoute => ({
  method,
  path,
  body: Context.get(annotations, EndpointBody) ?? (payload.size > 0 ? "default" : "none")
})

/** Whether a path is an address of the route. What begins with a colon is any one part; `/*` also matches nothing. */
export const matcherOf = ({ except, path }: Pick<KnownRoute, "path" | "except">): ((path: string) => boolean) => {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/:[A-Za-z_]+/g, "[^/]+")
    .replace(/\/\*$/, "(?:/.*)?")
  const pattern = new RegExp(`^${source}$`)
  return except === undefined
    ? (asked) => pattern.test(asked)
    : (asked) => pattern.test(asked) && !isWithin(except, asked)
}

/** Whether the address is this path or below it, in any spelling that the router reads as such. */
export const isWithin = (path: string, asked: string): boolean => {
  const read = decoded(asked)
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

/** Which of `routes` an address is of, as the router has it: `/v1/payments/:id`. The first that matches. */
export const routesOf = (routes: ReadonlyArray<KnownRoute>): ((url: string) => string) => {
  const each = [...new Map(routes.map((route) => [route.path, route])).values()]
  const exact = new Set(each.map(({ path }) => path).filter((path) => !/[:*]/.test(path)))
  const patterns = each
    .filter(({ path }) => !exact.has(path))
    .map((route) => ({ path: route.path, matches: matcherOf(route) }))
  return (url) => {
    if (exact.has(url)) return url
    const path = pathOf(url)
    return exact.has(path) ? path : (patterns.find(({ matches }) => matches(path))?.path ?? otherLabel)
  }
}

/** The path of an address, without query and fragment. */
export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? ""
