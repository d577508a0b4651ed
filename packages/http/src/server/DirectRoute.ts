/**
 * The request that most clients send, answered from plain data: the router, the declared API and a request of Effect would
 * cost more than the rest of its way through HTTP.
 *
 * It rejects nothing before it has the body. Any other request, and any that may have to be rejected or to wait, goes to
 * the router.
 */
import { Context } from "effect"
import type { Effect } from "effect"
import type { ApiProblem } from "../problems/ApiProblem.ts"
import type { Answer } from "../problems/Answer.ts"

/** The head of a request. */
export interface Head {
  readonly method: string
  /** The path and the query, with the base path. */
  readonly url: string
  /** `name` is in lower case. Repeated headers are joined, or the first is used, as in `node:http`. */
  readonly header: (name: string) => string | undefined
}

/** A request whose head was accepted. */
export interface Accepted {
  readonly requestId: string
  /** How many bytes its body may have. */
  readonly bodyLimit: number
  /** Includes `content-length`. If it is interrupted, there is no response. */
  readonly answer: (body: Effect.Effect<Uint8Array, ApiProblem>) => Effect.Effect<Answer>
}

export class DirectRoute extends Context.Service<
  DirectRoute,
  {
    /** `null`: the request is for the router. */
    readonly accept: (head: Head) => Accepted | null
  }
>()("@paymux/http/DirectRoute") {}
