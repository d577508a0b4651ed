/**
 * The request that most clients send, answered from plain data: the router, the declared API and a request of Effect would
 * cost more than the rest of its way through HTTP.
 *
 * It refuses nothing before it has the body: any other request, and any that may have to be refused or has to wait, goes to the
 * router, which judges it.
 */
import { Context } from "effect"
import type { Effect } from "effect"
import type { ApiProblem } from "../problems/ApiProblem.ts"
import type { Answer } from "./Answer.ts"

/** The head of a request. */
export interface Head {
  readonly method: string
  /** The path and the query, with the base path. */
  readonly url: string
  /** By its name in lower case. Several of one name are joined, or the first of them, as HTTP servers do. */
  readonly header: (name: string) => string | undefined
}

/** A request whose head was accepted. */
export interface Accepted {
  readonly requestId: string
  /** Bytes of its body, as announced. */
  readonly length: number
  /** With its length. Interrupted, it has no response. */
  readonly answer: (body: Effect.Effect<Uint8Array, ApiProblem>) => Effect.Effect<Answer>
}

export class DirectRoute extends Context.Service<
  DirectRoute,
  {
    /** `null`: the request is for the router. */
    readonly accept: (head: Head) => Accepted | null
  }
>()("@paymux/http/DirectRoute") {}
