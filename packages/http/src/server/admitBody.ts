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
  // A request with both `Transfer-Encoding` and `Content-Length` is rejected, because a proxy may have read the body
  // differently (RFC 9112 § 6.3).
  if (encoding !== undefined) return length === undefined ? "unknown" : "invalid"
  if (length === undefined) return mayHaveBody(method, source) ? "unknown" : "absent"
  // A value such as `5, 5` is rejected, because it results from two `Content-Length` headers.
  return /^\d+$/.test(length) ? Number(length) : "invalid"
}

/**
 * Whether a request without a length header may have a body. In HTTP/1 it has none; in HTTP/2 it may have one (RFC 9113
 * § 8.1.1).
 */
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
 * Whether a body has to be read and discarded before a route runs that does not use it. This is the case if its length
 * is unknown, or if a web `Request` announces the length, which may be wrong.
 */
export const isOfUncertainLength = ({ source }: HttpServerRequest, body: AnnouncedBody): boolean =>
  body === "unknown" || (typeof body === "number" && source instanceof Request)

/** Reads and discards an unused body, and rejects a body that is too large. */
export const discardBody = ({ source }: HttpServerRequest, limit: number) => {
  if (source instanceof IncomingMessage && !source.readableEnded) return nodeBody(source, limit)
  return source instanceof Request && !source.bodyUsed ? webBody(source, limit) : Effect.void
}

/**
 * Whether the unread part of the body may exceed the limit. If so, the connection must be closed, because the rest of
 * the body is not read.
 */
export const isUnreadBeyond = ({ source }: HttpServerRequest, body: AnnouncedBody, limit: number): boolean =>
  source instanceof IncomingMessage &&
  !source.readableEnded &&
  (typeof body === "number" ? body > limit : body !== "absent")
