/** The edge's check of a body before its route runs: the announced length against the limit of the route. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { nodeBody, webBody, tooLarge } from "../request/RequestBody.ts"
import { matcherOf, pathOf } from "./KnownRoute.ts"
import type { KnownRoute } from "./KnownRoute.ts"

/** The body that the head of a request announces. `Unknown`: of unknown length. */
export type AnnouncedBody =
  | { readonly _tag: "Absent" | "Unknown" | "Invalid" }
  | { readonly _tag: "Known"; readonly bytes: number }

export const announcedBody = ({ headers, method, source }: HttpServerRequest.HttpServerRequest): AnnouncedBody => {
  if (source instanceof Request && source.body === null) return absent
  const { "content-length": length, "transfer-encoding": encoding } =
    source instanceof IncomingMessage ? source.headers : headers
  // A request with both headers (RFC 9112 § 6.3): another server may have read the body differently.
  if (encoding !== undefined) return length === undefined ? unknown : invalid
  if (length === undefined) return mayHaveBody(method, source) ? unknown : absent
  // A list such as `5, 5` comes from two headers.
  return /^\d+$/.test(length) ? { _tag: "Known", bytes: Number(length) } : invalid
}

/** Whether a request without a length may have a body: not in HTTP/1, but in HTTP/2 (RFC 9113 § 8.1.1). */
const mayHaveBody = (method: string, source: object): boolean =>
  source instanceof Request || (!(source instanceof IncomingMessage) && method !== "GET" && method !== "HEAD")

const absent = { _tag: "Absent" } as const
const unknown = { _tag: "Unknown" } as const
const invalid = { _tag: "Invalid" } as const

/** The rule of a method of an address. */
export interface BodyRule {
  /** In bytes. */
  readonly limit: number
  readonly isRead: boolean
  readonly refused: KnownRoute["refused"]
}

/** The rule of a method and an address. `null`: unknown route, so the body is not read. */
export const bodyRules = (
  routes: ReadonlyArray<KnownRoute>,
  defaultLimit: number
): ((method: string, url: string) => BodyRule | null) => {
  const exact = new Map<string, BodyRule>()
  const patterns: Array<{
    readonly method: string
    readonly matches: (path: string) => boolean
    readonly rule: BodyRule
  }> = []
  for (const route of routes.toSorted((a, b) => parameters(a) - parameters(b))) {
    const { body, method, path, refused } = route
    const rule = { limit: typeof body === "number" ? body : defaultLimit, isRead: body !== "none", refused }
    if (parameters(route) === 0) exact.set(`${method} ${path}`, rule)
    else patterns.push({ method, matches: matcherOf(route), rule })
  }
  return (requested, url) => {
    const method = requested === "HEAD" ? "GET" : requested
    const path = pathOf(url)
    const found = exact.get(`${method} ${path}`)
    if (found !== undefined) return found
    // The router accepts an empty segment for a parameter.
    const filled = path.replaceAll(/\/(?=\/|$)/g, "/-")
    return patterns.find((each) => each.method === method && each.matches(filled))?.rule ?? null
  }
}

/** The router prefers the pattern with fewer parameters. */
const parameters = ({ path }: KnownRoute): number => path.split(/[:*]/).length - 1

/** The problem of a request that is rejected before its body is read; `null`: admitted. */
export const bodyRefusal = (body: AnnouncedBody, { limit }: BodyRule): ApiProblem | null => {
  if (body._tag === "Invalid") return invalidLength
  return body._tag === "Known" && body.bytes > limit ? tooLarge : null
}

const invalidLength = new ApiProblem({
  code: "invalid_request",
  detail: "The length of the body is not announced by one whole number in Content-Length, or by Transfer-Encoding."
})

/**
 * Whether a body that its route does not read has to be read before the route runs: its length is unknown, or is announced by a web
 * `Request`, which may be wrong.
 */
export const isOfUncertainLength = (
  { source }: HttpServerRequest.HttpServerRequest,
  { _tag }: AnnouncedBody
): boolean => _tag === "Unknown" || (_tag === "Known" && source instanceof Request)

/** Reads and discards an unused body, and rejects a body that is too large. */
export const discardBody = (
  { source }: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<void, ApiProblem> => {
  if (source instanceof IncomingMessage && !source.readableEnded) return Effect.asVoid(nodeBody(source, limit))
  if (source instanceof Request && !source.bodyUsed) return Effect.asVoid(webBody(source, limit))
  return Effect.void
}

/** Whether more than the limit of the body may be unread: the connection must then end, because the rest is not read. */
export const isUnreadBeyond = (
  { source }: HttpServerRequest.HttpServerRequest,
  body: AnnouncedBody,
  limit: number
): boolean =>
  source instanceof IncomingMessage && !source.readableEnded && (body._tag !== "Known" || body.bytes > limit)
