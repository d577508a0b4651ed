/** The note of a request: data for the request log, which is collected while the request is handled. */
import type { Tenant } from "@paymux/core"
import { Context, Effect } from "effect"
import type { ProblemCode, ProblemOptions } from "../problems/Problem.ts"

/** The account, mode and API key that a request was authenticated with. */
export interface Principal extends Tenant {
  readonly keyId: string
}

/**
 * The note of a request for the request log. Each field is set as soon as its value is known, and nothing is computed
 * while the request is handled.
 */
export interface RequestNote {
  readonly id: string
  /**
   * The account, mode and API key. `null` if the request has no valid API key: it belongs to no account, so it is not
   * logged.
   */
  principal: Principal | null
  /**
   * The bytes of the JSON body; they are not decoded, to save memory. `undefined` if no body was read, or the body was
   * too large.
   */
  body: Uint8Array | undefined
  problem: NotedProblem | null
  /**
   * The id of the payment for which a refund was requested. The payment ids of other requests are read from their URLs.
   */
  paymentId: string | null
}

/** The error with which the route failed. Its texts are not redacted yet. */
export type NotedProblem = { readonly code: ProblemCode } & Pick<ProblemOptions, "detail" | "errors">

/** The note of the current request; `null`: requests are not logged. */
export const CurrentRequestNote = Context.Reference<RequestNote | null>("@paymux/http/RequestNote", {
  defaultValue: () => null
})

/** The maximum size of a noted body, in bytes. */
export const maxNotedBody = 8 * 1024

/** Adds a payment id to the note of a request whose URL does not contain the id. */
export const notePayment = (id: string) =>
  Effect.map(CurrentRequestNote, (note) => {
    if (note !== null) note.paymentId = id
  })
