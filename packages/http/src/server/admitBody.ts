/** The edge's check of a body before its route runs: the announced length against the limit of the route. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { IncomingMessage } from "node:http"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { nodeBody, webBody, tooLarge } from "../request/RequestBody.ts"

/** The announced length of a body, in bytes. `unknown`: the request has a body of unknown length. */
export type AnnouncedBody = number | "absent" | "unknown" | "invalid"

export const announcedBody = ({ headers, method, source }: HttpServerRequest): AnnouncedBody => {
  if (source instanceof Request && source.body === null) return "absent"
  const { "content-length": length, "transfer-encoding": encoding } =
    source instanceof IncomingMessage ? source.headers : headers
  // A request with both headers (RFC 9112 § 6.3): another server may have read the body differently.
  if (encoding !== undefined) return length === undefined ? "unknown" : "invalid"
  if (length === undefined) return mayHaveBody(method, source) ? "unknown" : "absent"
  // A list such as `5, 5` comes from two headers.
  return /^\d+$/.test(length) ? Number(length) : "invalid"
}

/** Whether a request without a length may have a body: not in HTTP/1, but in HTTP/2 (RFC 9113 § 8.1.1). */
const mayHaveBody = (method: string, source: object): boolean =>
  source instanceof Request || (!(source instanceof IncomingMessage) && method !== "GET" && method !== "HEAD")

/** The problem of a request that is rejected before its body is read; `null`: admitted. `limit` in bytes. */
export const bodyRefusal = (body: AnnouncedBody, limit: number): ApiProblem | null => {
  if (body === "invalid") return invalidLength
  return typeof body === "number" && body > limit ? tooLarge : null
}

const invalidLength = new ApiProblem({
  code: "invalid_request",
  detail: "The length of the body is not announced by one whole number in Content-Length, or by Transfer-Encoding."
})

/**
 * Whether a body that its route does not read has to be read before the route runs: its length is unknown, or is announced by a web
 * `Request`, which may be wrong.
 */
export const isOfUncertainLength = ({ source }: HttpServerRequest, body: AnnouncedBody): boolean =>
  body === "unknown" || (typeof body === "number" && source instanceof Request)

/** Reads and discards an unused body, and rejects a body that is too large. */
export const discardBody = ({ source }: HttpServerRequest, limit: number) => {
  if (source instanceof IncomingMessage && !source.readableEnded) return nodeBody(source, limit)
  return source instanceof Request && !source.bodyUsed ? webBody(source, limit) : Effect.void
}

/**
 * Whether more than the limit of the body may be unread. If so, the connection must end, because the rest is not read.
 */
export const isUnreadBeyond = ({ source }: HttpServerRequest, body: AnnouncedBody, limit: number): boolean =>
  source instanceof IncomingMessage &&
  !source.readableEnded &&
  (typeof body === "number" ? body > limit : body !== "absent")
