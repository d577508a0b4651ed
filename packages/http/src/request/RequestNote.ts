/** What the request log is to say of one request, gathered while it is answered. */
import type { Tenant } from "@paymux/core"
import { Context } from "effect"
import type { ProblemCode, ProblemOptions } from "../problems/Problem.ts"

/** Whom a request speaks for. */
export interface Principal extends Tenant {
  readonly keyId: string
}

/** The fields are set where they become known: nothing is computed on the path of a request. */
export interface RequestNote {
  readonly id: string
  /** `null`: no valid key, so the request is of no account and is not logged. */
  principal: Principal | null
  /** The JSON of the body as it came: decoded it may need ten times the memory. `undefined`: none was read, or a large one. */
  body: Uint8Array | undefined
  problem: NotedProblem | null
  /** Of a refund that was asked for. The payments of other requests are read from their addresses. */
  paymentId: string | null
}

/** As a route failed with it: not redacted. */
export type NotedProblem = { readonly code: ProblemCode } & Pick<ProblemOptions, "detail" | "errors">

/** `null`: requests are not logged. */
export const CurrentRequestNote = Context.Reference<RequestNote | null>("@paymux/http/RequestNote", {
  defaultValue: () => null
})

/** Bytes of a body that is noted at most. */
export const longestNotedBody = 8 * 1024
