/**
 * The direct route: it answers the most frequent request from plain data, because the router, the declared API and a request of
 * Effect cost more than the rest of the HTTP layer. The handlers here are in front of the router.
 *
 * The direct route rejects nothing before the body is read. Any other request, and any request that may be rejected or delayed,
 * goes to the router.
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

/** The method, address and headers of a request. */
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

/** A request that the direct route accepted by its headers. */
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
    /** Accepts a request by its headers; `null`: the router must answer it. */
    readonly accept: (head: Head) => Accepted | null
  }
>()("@paymux/http/DirectRoute") {}

/** A listener for `node:http`. The router creates spans: if tracing is on, the router receives all requests. */
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
 * Whether the direct route can read the body. Otherwise, and for messages of servers that imitate `node:http`, the
 * router answers.
 */
const isUnread = (request: IncomingMessage): boolean =>
  request instanceof IncomingMessage && !request.readableEnded && !request.destroyed

const write = (response: ServerResponse, exit: Exit.Exit<Answer>): void => {
  if (response.writableEnded || response.destroyed) return
  // The host has already started another response.
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
