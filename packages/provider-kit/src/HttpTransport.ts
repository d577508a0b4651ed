/**
 * One HTTP exchange over `node:http` or `node:https`, which knows whether a byte of the request can have left.
 *
 * A connection is handed to Node's HTTP client only when it is ready: connected, and for https with its certificate
 * verified. Until then nothing has been written. From then on everything counts as sent, also where the connection
 * breaks before the first byte in truth left: the careful reading of the two.
 */
import * as Result from "effect/Result"
import * as Headers from "effect/http/Headers"
import * as Http from "node:http"
import * as Https from "node:https"
import type * as Net from "node:net"
import type { Duplex } from "node:stream"
import { Answer } from "./HttpAnswer.ts"
import { NotSent, SentOutcomeUnknown } from "./HttpFailure.ts"

/** A request as it goes out. `path` includes the query. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

type Ending = Result.Result<Answer, NotSent | SentOutcomeUnknown>

interface Exchange {
  /** The deadline passed: close the connection and end as timed out, sent or not. */
  readonly expire: () => void
  /** The caller is gone: close the connection without a result. */
  readonly abandon: () => void
  readonly connecting: () => boolean
}

export interface Transport {
  readonly start: (request: WireRequest, settle: (ending: Ending) => void) => Exchange
  readonly close: () => void
}

export const make = (options: {
  readonly origin: URL
  readonly connectTimeoutMillis: number
  readonly idleTimeoutMillis: number
  readonly maxBodyBytes: number
}): Transport => {
  const { origin } = options
  const secure = origin.protocol === "https:"
  const kept = {
    keepAlive: true,
    scheduling: "lifo" as const,
    timeout: options.idleTimeoutMillis,
    // With Node's default of 250 ms a far address can fail only because a second, dead one exists.
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(options.connectTimeoutMillis / 2))
  }
  // `rejectUnauthorized` is said aloud because NODE_TLS_REJECT_UNAUTHORIZED=0 only changes the default.
  const agent = secure ? new SecureAgent({ ...kept, rejectUnauthorized: true }) : new PlainAgent(kept)
  const target = {
    agent,
    protocol: origin.protocol,
    hostname: origin.hostname.replace(/^\[|\]$/g, ""),
    port: origin.port === "" ? (secure ? 443 : 80) : Number(origin.port)
  }
  return {
    close: () => agent.destroy(),
    start: (request, settle) =>
      converse({
        host: origin.host,
        maxBodyBytes: options.maxBodyBytes,
        body: request.body,
        settle,
        open: (ticket) => {
          const { method, path, headers } = request
          const wire: TicketedOptions = { ...target, method, path, headers, ticket }
          return secure ? Https.request(wire) : Http.request(wire)
        }
      })
  }
}

const converse = (exchange: {
  readonly host: string
  readonly maxBodyBytes: number
  readonly body: Uint8Array | undefined
  readonly open: (ticket: Ticket) => Http.ClientRequest
  readonly settle: (ending: Ending) => void
}): Exchange => {
  const { host } = exchange
  const ticket: Ticket = { stage: "connecting", abort: () => {} }
  let request: Http.ClientRequest | undefined
  let ended = false
  let sent = false
  let reusedConnection = false
  let status: number | undefined

  const end = (ending: Ending) => {
    if (ended) return
    ended = true
    exchange.settle(ending)
  }
  const close = () => {
    request?.destroy()
    ticket.abort()
  }
  const endUnknown = (reason: SentOutcomeUnknown["reason"], code?: string) =>
    end(
      Result.fail(
        new SentOutcomeUnknown({
          reason,
          host,
          reusedConnection,
          ...(status === undefined ? {} : { status }),
          ...(code === undefined ? {} : { code })
        })
      )
    )
  const endNotSent = (reason: NotSent["reason"], code?: string) =>
    end(Result.fail(new NotSent({ reason, host, ...(code === undefined ? {} : { code }) })))
  const broken = (error: Error) => {
    const code = codeOf(error)
    if (!sent) return endNotSent(reasonBeforeSending(ticket.stage, code), code)
    return endUnknown(reasonAfterSending(status !== undefined, code), code)
  }

  const read = (response: Http.IncomingMessage) => {
    status = response.statusCode ?? 0
    const chunks: Array<Uint8Array> = []
    let size = 0
    response.on("data", (chunk: Uint8Array) => {
      size += chunk.byteLength
      chunks.push(chunk)
      if (size <= exchange.maxBodyBytes) return
      endUnknown("too_large")
      close()
    })
    let whole: Answer | undefined
    response.on("end", () => {
      if (!response.complete) return
      whole = new Answer({
        status: response.statusCode ?? 0,
        headers: Headers.fromInput(response.headers),
        body: Buffer.concat(chunks),
        host,
        reusedConnection
      })
    })
    response.on("error", (error) => {
      if (whole === undefined) broken(error)
    })
    // Reported at "close" and not at "end": by then the connection is back with the agent, and a request that follows at once
    // reuses it.
    response.on("close", () => {
      if (whole === undefined) return endUnknown("truncated")
      end(Result.succeed(whole))
      // Answered early: the server may never read the rest of the request.
      if (request?.writableFinished !== true) close()
    })
  }

  try {
    request = exchange.open(ticket)
    request.on("socket", () => {
      sent = true
      reusedConnection = request?.reusedSocket ?? false
    })
    request.on("error", broken)
    request.on("response", read)
    request.on("close", () => {
      if (!sent) return endNotSent("unreachable")
      // An answer without a length is ended by the close: its own events say whether it is whole.
      if (status === undefined) endUnknown("reset")
    })
    request.end(exchange.body)
  } catch (error) {
    // Node refuses a header or a path before it opens a connection.
    endNotSent("invalid_request", codeOf(error))
    close()
  }

  return {
    connecting: () => !sent && !ended,
    expire: () => {
      if (sent) endUnknown("timeout")
      else endNotSent("connect_timeout")
      close()
    },
    abandon: () => {
      ended = true
      close()
    }
  }
}

const reasonBeforeSending = (stage: Ticket["stage"], code: string | undefined): NotSent["reason"] => {
  if (stage === "securing") return "tls"
  if (code === undefined) return "unreachable"
  if (code === "ENOTFOUND" || code === "ENODATA" || code.startsWith("EAI_")) return "dns"
  if (code === "ECONNREFUSED") return "refused"
  return code === "ETIMEDOUT" ? "connect_timeout" : "unreachable"
}

const reasonAfterSending = (answering: boolean, code: string | undefined): SentOutcomeUnknown["reason"] => {
  if (code?.startsWith("HPE_")) return "unreadable"
  if (code === "ETIMEDOUT") return "timeout"
  return answering ? "truncated" : "reset"
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined

/** Follows one request to the connection that is opened for it, so that the caller can see its stage and stop it. */
interface Ticket {
  stage: "connecting" | "securing" | "ready"
  abort: () => void
}

interface TicketedOptions extends Https.RequestOptions {
  readonly ticket: Ticket
}

type HandOver = (error: Error | null, socket: Duplex) => void

class PlainAgent extends Http.Agent {
  override createConnection(options: Http.ClientRequestArgs, handOver?: HandOver) {
    return handOverWhenReady(super.createConnection(options), "connect", options, handOver)
  }
  override keepSocketAlive(socket: Duplex) {
    guardWhileIdle(socket)
    return super.keepSocketAlive(socket)
  }
  override reuseSocket(socket: Duplex, request: Http.ClientRequest) {
    socket.off("data", closeOnUnaskedBytes)
    super.reuseSocket(socket, request)
  }
}

class SecureAgent extends Https.Agent {
  override createConnection(options: Https.RequestOptions, handOver?: HandOver) {
    return handOverWhenReady(super.createConnection(options), "secureConnect", options, handOver)
  }
  override keepSocketAlive(socket: Duplex) {
    guardWhileIdle(socket)
    return super.keepSocketAlive(socket)
  }
  override reuseSocket(socket: Duplex, request: Http.ClientRequest) {
    socket.off("data", closeOnUnaskedBytes)
    super.reuseSocket(socket, request)
  }
}

/** Node's agent asks for a connection: answers later, by callback, when request bytes may be written to it. */
const handOverWhenReady = (
  opened: Duplex | null | undefined,
  ready: "connect" | "secureConnect",
  // Node hands the options of the request through to here, with what else they carry.
  options: Http.ClientRequestArgs & { readonly ticket?: Ticket },
  handOver: HandOver | undefined
): undefined => {
  const socket = opened as Net.Socket // both agents make net.Socket or its subclass tls.TLSSocket
  const ticket = options.ticket ?? { stage: "connecting", abort: () => {} }
  const connected = () => {
    if (ready === "secureConnect") ticket.stage = "securing"
  }
  const isReady = () => {
    stopWaiting()
    ticket.stage = "ready"
    ticket.abort = () => {}
    handOver?.(null, socket)
  }
  const failed = (error: Error) => {
    stopWaiting()
    socket.on("error", () => {}) // a second error of a connection that is no longer used
    socket.destroy()
    handOver?.(error, socket)
  }
  const closed = () => failed(Object.assign(new Error("closed before it was ready"), { code: "ECONNRESET" }))
  const stopWaiting = () => {
    socket.off("connect", connected)
    socket.off(ready, isReady)
    socket.off("error", failed)
    socket.off("close", closed)
  }
  socket.on("connect", connected)
  socket.on(ready, isReady)
  socket.on("error", failed)
  socket.on("close", closed)
  ticket.abort = () => void socket.destroy()
}

/**
 * A server that writes on an idle connection (a doubled or late answer) would have those bytes read as the answer to
 * the next request: one payment would get another one's outcome. (Node 26 guards against it too, Node 22 does not.)
 */
const guardWhileIdle = (socket: Duplex) => {
  socket.on("data", closeOnUnaskedBytes)
  socket.resume()
}

function closeOnUnaskedBytes(this: Duplex) {
  this.destroy()
}
