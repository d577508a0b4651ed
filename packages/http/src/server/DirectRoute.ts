/**
 * The direct route: a fast path for the most frequent request. It handles plain data, because the router, the declared
 * API and the request object of Effect cost more than the rest of the HTTP layer. The handlers in this file run before
 * the router.
 *
 * The direct route rejects no request before its body is read. Any other request, and any request that may be rejected
 * or delayed, is passed to the router.
 */
import { isTraced } from "@paymux/core/telemetry"
import { Cause, Context, Effect, Exit, Fiber } from "effect"
import { IncomingMessage } from "node:http"
import type { RequestListener, ServerResponse } from "node:http"
import type { Answer } from "../problems/Answer.ts"
import type { ApiProblem } from "../problems/ApiProblem.ts"
import { nodeBody, webBody } from "../request/RequestBody.ts"
import { CurrentRequestId } from "../request/RequestId.ts"
import { logBroken } from "./Edge.ts"

/** The method, URL and headers of a request, by which the direct route accepts or declines it. */
export interface Head {
  readonly method: string
  /** The path and the query, with the base path. */
  readonly url: string
  /**
   * The value of a header. `name` is in lower case. Repeated headers are joined, or the first is used, as in
   * `node:http`.
   */
  readonly header: (name: string) => string | undefined
}

/** A request that the direct route has accepted because of its headers. */
export interface Accepted {
  readonly requestId: string
  /** The maximum size of the body, in bytes. */
  readonly bodyLimit: number
  /**
   * Responds to an accepted request. The headers include `content-length`. If the handler is interrupted, no response
   * is sent.
   */
  readonly answer: (body: Effect.Effect<Uint8Array, ApiProblem>) => Effect.Effect<Answer>
}

export class DirectRoute extends Context.Service<
  DirectRoute,
  {
    /**
     * Accepts or declines a request by its headers. The result is `null` if the request must be passed to the router.
     */
    readonly accept: (head: Head) => Accepted | null
  }
>()("@paymux/http/DirectRoute") {}

/**
 * Creates a listener for `node:http` with the direct route in front of `otherwise`. If tracing is on, all requests are
 * passed to the router, because only the router creates spans.
 */
export const directListener = (direct: DirectRoute["Service"], otherwise: RequestListener) =>
  Effect.withFiber((parent) => {
    if (isTraced(parent)) return Effect.succeed(otherwise)
    return Effect.map(Effect.scope, (scope): RequestListener => {
      const run = runner(parent.context)
      return (request, response) => {
        const { headers, method = "", url = "" } = request
        const header = (name: string) => {
          const value = headers[name]
          return typeof value === "string" ? value : value?.join(", ")
        }
        const accepted = isUnread(request) ? direct.accept({ method, url, header }) : null
        if (accepted === null) return otherwise(request, response)
        const { answer, bodyLimit, requestId } = accepted
        const fiber = run(requestId, answer(nodeBody(request, bodyLimit)), (exit) => write(response, exit))
        if (fiber.pollUnsafe() !== undefined) return
        Fiber.runIn(fiber, scope)
        response.on("close", () => {
          if (!response.writableEnded) fiber.interruptUnsafe()
        })
      }
    })
  })

/** A handler of web `Request`s, with the direct route in front of `otherwise`. */
export const directFetch = (direct: DirectRoute["Service"], otherwise: (request: Request) => Promise<Response>) =>
  Effect.withFiber((parent) => {
    if (isTraced(parent)) return Effect.succeed(otherwise)
    const run = runner(parent.context)
    return Effect.succeed((request: Request) => {
      const { headers, method, url } = request
      const path = url.slice(url.indexOf("/", url.indexOf("//") + 2))
      const header = (name: string) => headers.get(name) ?? undefined
      const accepted = request.bodyUsed ? null : direct.accept({ method, url: path, header })
      if (accepted === null) return otherwise(request)
      const { promise, resolve } = Promise.withResolvers<Response>()
      const { answer, bodyLimit, requestId } = accepted
      const fiber = run(requestId, answer(webBody(request, bodyLimit)), (exit) => resolve(responseOf(exit)))
      const { signal } = request
      const onAbort = () => fiber.interruptUnsafe()
      if (signal.aborted) onAbort()
      signal.addEventListener("abort", onAbort, { once: true })
      fiber.addObserver(() => signal.removeEventListener("abort", onAbort))
      return promise
    })
  })

/** Runs each request in a fiber of its own, whose log lines have the id of the request. */
const runner =
  (context: Context.Context<never>) =>
  (requestId: string, answer: Effect.Effect<Answer>, onExit: (exit: Exit.Exit<Answer>) => void) =>
    Effect.runForkWith(Context.add(context, CurrentRequestId, requestId))(
      Effect.onExitPrimitive(answer, (exit) => {
        onExit(exit)
        return Exit.isFailure(exit) && statusOf(exit.cause) === 500 ? logBroken(exit.cause, requestId) : undefined
      })
    )

/**
 * Whether the direct route can still read the body. If not, the request is passed to the router; so are messages of
 * servers that only imitate `node:http`.
 */
const isUnread = (request: IncomingMessage): boolean =>
  request instanceof IncomingMessage && !request.readableEnded && !request.destroyed

const write = (response: ServerResponse, exit: Exit.Exit<Answer>): void => {
  if (response.writableEnded || response.destroyed) return
  // The host application has already started a response of its own, so the connection is closed.
  if (response.headersSent) return void response.destroy()
  if (Exit.isFailure(exit)) return void response.writeHead(statusOf(exit.cause)).end()
  const { body, headers, status } = exit.value
  response.writeHead(status, headers).end(body)
}

const responseOf = (exit: Exit.Exit<Answer>) => {
  if (Exit.isFailure(exit)) return new Response(null, { status: statusOf(exit.cause) })
  const { body, headers, status } = exit.value
  return new Response(body, { status, headers })
}

/**
 * The status for a failed request: 503 if the server is stopping, so that a connected client may repeat the request;
 * otherwise 500.
 */
const statusOf = (cause: Cause.Cause<never>): number => (Cause.hasInterruptsOnly(cause) ? 503 : 500)
