/**
 * A `node:http` server that responds to malformed and slow requests with problems, within a time limit.
 *
 * Node's own responses to parse errors have no body, and by default a request may take five minutes. Here the parser is
 * strict (a request with both Content-Length and Transfer-Encoding, or two lengths, is rejected), the head is limited
 * to 16 KiB, and a request that is not complete within 30 s gets 408.
 *
 * Gotchas: the size of the body is limited by the handler, not by the server. `paymux serve` uses this server; a host
 * application with a server of its own has to configure these limits there.
 *
 * @example
 * ```ts
 * hardenedServer((request, response) => response.end("hello")).listen(4310, "127.0.0.1")
 * ```
 */
import { createServer } from "node:http"
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { problem, toRawHttp } from "../problems/Problem.ts"
import type { ProblemCode, ProblemOptions } from "../problems/Problem.ts"
import { newRequestId } from "../request/RequestId.ts"

export interface HardenedServerOptions {
  /** The time limit for the head of a request, ms. Default 10,000. */
  readonly headersTimeoutMs?: number
  /**
   * The time limit for receiving a complete request, ms. Default 30,000. The response to a late request is sent
   * slightly before this limit.
   */
  readonly requestTimeoutMs?: number
  /** The maximum size of a request's head (request line and headers), in bytes. Default 16,384. */
  readonly maxHeaderBytes?: number
  /** Generates the ids of problems of this server. Default: `newRequestId`. */
  readonly requestId?: () => string
  /** The base path of the pages of problems. Default: empty. */
  readonly basePath?: string
}

/**
 * Time in ms for which a rejected connection stays open, so that the client can read the response: a reset would
 * discard it.
 */
const LINGER_MS = 1000

/** Creates the server. `handler` receives only well-formed requests with one host. The caller listens and closes. */
export const hardenedServer = (handler: RequestListener, options: HardenedServerOptions = {}): Server => {
  const requestTimeout = options.requestTimeoutMs ?? 30_000
  // Node checks for late requests only at intervals. So the interval is a fraction of the limit, and is subtracted from
  // it.
  const interval = Math.min(1000, Math.ceil(requestTimeout / 10))
  const requestId = options.requestId ?? (() => newRequestId())
  const bytes = (code: ProblemCode, more?: Omit<ProblemOptions, "requestId">) =>
    toRawHttp(problem(code, { ...more, basePath: options.basePath ?? "", requestId: requestId() }))

  const server = createServer({
    requestTimeout: requestTimeout - interval,
    headersTimeout: Math.min(options.headersTimeoutMs ?? 10_000, requestTimeout - interval),
    connectionsCheckingInterval: interval,
    maxHeaderSize: options.maxHeaderBytes ?? 16_384,
    insecureHTTPParser: false,
    // Node's own check of the `Host` header is disabled, because its response has no body. `headFault` checks the
    // header instead.
    requireHostHeader: false
  })

  const serve: RequestListener = (request, response) => {
    // After a rejection, further requests of the connection are ignored and the connection is closed. From the
    // rejection and the end of the connection, a client infers that its later requests were not executed.
    if (connectionOf(request.socket).refused) return void request.resume()
    const fault = headFault(request)
    if (fault !== null) {
      request.resume()
      return refuse(request.socket, bytes("invalid_request", { detail: fault }))
    }
    follow(request, response)
    handler(request, response)
  }
  server.on("request", serve)
  server.on("checkContinue", (request, response) => {
    continueWhenRead(request, response)
    serve(request, response)
  })
  server.on("checkExpectation", (request: IncomingMessage) => {
    request.resume()
    refuse(request.socket, bytes("invalid_request", { detail: "This Expect header is not supported." }))
  })
  server.on("connect", (_request, socket) => refuse(socket, bytes("method_not_allowed")))
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const code = codeOf(error)
    if (code === null) socket.destroy()
    else refuse(socket, bytes(code, { ...(code === "invalid_request" && { detail: NOT_HTTP }) }))
  })
  return server
}

/**
 * Sends the response 100 (Continue) only when the handler starts to read the body, so that a client does not send the
 * body of a rejected request (RFC 9110 § 10.1.1). A rejection closes the connection, because the following bytes could
 * be the body or the next request.
 */
const continueWhenRead = (request: IncomingMessage, response: ServerResponse): void => {
  const { shouldKeepAlive } = response
  response.shouldKeepAlive = false
  const onListener = (event: string) => {
    if (event !== "data" && event !== "readable") return
    request.off("newListener", onListener)
    response.shouldKeepAlive = shouldKeepAlive
    response.writeContinue()
  }
  request.on("newListener", onListener)
}

const NOT_HTTP = "The request is not valid HTTP/1.1."

/** The problem of an error of the parser or of a timeout; `null`: the client disconnected. */
const codeOf = ({ code = "" }: NodeJS.ErrnoException): ProblemCode | null =>
  problemsOfErrors.get(code) ?? (code.startsWith("HPE_") ? "invalid_request" : null)

const problemsOfErrors: ReadonlyMap<string, ProblemCode> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", "request_timeout"],
  ["HPE_HEADER_OVERFLOW", "headers_too_large"],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "payload_too_large"]
])

/**
 * Returns the fault in a request's head; `null` if the head is valid. RFC 9112 § 3.2: a request target has no fragment,
 * and an HTTP/1.1 request has exactly one Host. Duplicate headers are rejected, because Node uses the first one, while
 * a proxy in front of this server may have used the last.
 */
const headFault = ({ httpVersionMajor, httpVersionMinor, rawHeaders, url = "" }: IncomingMessage): string | null => {
  let [hosts, types, credentials] = [0, 0, 0]
  let host = ""
  let isChunked = false
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ""
    if (name.length === 4 && name.toLowerCase() === "host") {
      hosts++
      host = rawHeaders[i + 1] ?? ""
    } else if (name.length === 17 && name.toLowerCase() === "transfer-encoding") isChunked = true
    else if (name.length === 12 && name.toLowerCase() === "content-type") types++
    else if (name.length === 13 && name.toLowerCase() === "authorization") credentials++
  }
  if (hosts > 1) return "The request has more than one Host header."
  if (types > 1) return "The request has more than one Content-Type header."
  if (credentials > 1) return "The request has more than one Authorization header."
  if (url.includes("#")) return "The address of the request has a fragment."
  if (hosts === 1 && !isHost.test(host)) return "The Host header is not the name or address of a host."
  const needsHost = httpVersionMajor > 1 || httpVersionMinor > 0
  // An HTTP/1.0 request with `Transfer-Encoding` is rejected, because a proxy may have read the body differently (RFC
  // 9112 § 6.1).
  if (isChunked && !needsHost) return "An HTTP/1.0 request cannot have a Transfer-Encoding."
  return hosts === 0 && needsHost ? "The request has no Host header." : null
}

/**
 * The pattern of a host: a name, an IPv4 or a bracketed IP address, and a port (RFC 3986 § 3.2.2 and 3.2.3). The host
 * may be empty.
 */
const isHost = /^(?:(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/

/** The state of a connection to a client. */
interface Connection {
  /** The requests without a complete response, in order. */
  readonly pending: Array<{ readonly request: IncomingMessage; readonly response: ServerResponse }>
  /** The last request with a complete response. */
  answered: IncomingMessage | null
  refused: boolean
}

const connections = new WeakMap<Duplex, Connection>()

const connectionOf = (socket: Duplex): Connection => {
  const known = connections.get(socket)
  if (known !== undefined) return known
  const connection: Connection = { pending: [], answered: null, refused: false }
  connections.set(socket, connection)
  return connection
}

const follow = (request: IncomingMessage, response: ServerResponse) => {
  const connection = connectionOf(request.socket)
  const { pending } = connection
  const exchange = { request, response }
  pending.push(exchange)
  response.once("close", () => {
    pending.splice(pending.indexOf(exchange), 1)
    connection.answered = request
  })
}

/**
 * Responds on the raw connection and ends it. The response to an earlier complete request is sent first: otherwise a
 * client would take the rejection for the response to a payment that was created.
 */
const refuse = (socket: Duplex, answer: Uint8Array): void => {
  const connection = connectionOf(socket)
  if (connection.refused) return
  connection.refused = true
  const last = connection.pending.findLast(({ request }) => request.complete)
  if (last === undefined) return end(connection, socket, answer)
  last.response.once("close", () => end(connection, socket, answer))
}

const end = ({ answered, pending }: Connection, socket: Duplex, answer: Uint8Array): void => {
  // If a response was already started, the connection is closed without a rejection: the client could not distinguish
  // the rejection from the rest of that response. A request has only one response.
  const hasStarted = answered?.complete === false || pending.some(({ response }) => response.headersSent)
  if (hasStarted || !socket.writable) {
    socket.destroy()
    return
  }
  const timeout = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once("close", () => clearTimeout(timeout))
  // Reads and discards further data from the client. With unread data, closing the connection would reset it, and the
  // client could lose the response.
  socket.resume()
  socket.end(answer)
}
