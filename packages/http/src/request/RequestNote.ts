/** The notes of one request for the request log, collected while it is answered. */
import type { Tenant } from "@paymux/core"
import { Context, Effect } from "effect"
import type { ProblemCode, ProblemOptions } from "../problems/Problem.ts"

/** The account, mode and API key of an authenticated request. */
export interface Principal extends Tenant {
  readonly keyId: string
}

/** The note. Each field is set as soon as it is known, without computation on the path of a request. */
export interface RequestNote {
  readonly id: string
  /** The account, mode and key; `null`: no valid API key, so the request belongs to no account and is not logged. */
  principal: Principal | null
  /** The JSON of the body, not decoded, which saves memory. `undefined`: no body was read, or the body was large. */
  body: Uint8Array | undefined
  problem: NotedProblem | null
  /** The payment of a requested refund. The payments of other requests are read from their addresses. */
  paymentId: string | null
}

/** The error of a failed route, not redacted. */
export type NotedProblem = { readonly code: ProblemCode } & Pick<ProblemOptions, "detail" | "errors">

/** The note of the current request; `null`: requests are not logged. */
export const CurrentRequestNote = Context.Reference<RequestNote | null>("@paymux/http/RequestNote", {
  defaultValue: () => null
})

/** The maximum size of a noted body, in bytes. */
export const maxNotedBody = 8 * 1024

/** Notes the payment of a request whose address does not contain it. */
export const notePayment = (id: string) =>
  Effect.map(CurrentRequestNote, (note) => {
    if (note !== null) note.paymentId = id
  })
