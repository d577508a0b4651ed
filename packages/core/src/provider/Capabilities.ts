/**
 * What a provider can do, as data. The router filters by it, the failover table reads it, the capability table in an
 * adapter's README is printed from it. **What is not declared is assumed to be the worst case.**
 */
import type { Duration } from "effect"
import type { Flow, Rail } from "../domain/PaymentMethod.ts"
import type { CaptureMethod } from "../domain/Payment.ts"

/** Facts of a request that a flow cannot do without; a payment without them drops the candidate. */
export type RequiredFact = "client.ip" | "client.user_agent" | "client.referer" | "customer.name" | "return_url"

export interface MethodCapability {
  /** ISO 4217 codes, or any. */
  readonly currencies: ReadonlyArray<string> | "any"
  /** A flow that is absent cannot be done. */
  readonly flows: { readonly [flow in Flow]?: { readonly requires?: ReadonlyArray<RequiredFact> } }
  /** Minor units, both inclusive. */
  readonly amount?: { readonly min?: number; readonly max?: number }
  /** Default: automatic only. */
  readonly captureMethods?: ReadonlyArray<CaptureMethod>
  /** Card networks taken; absent: any. */
  readonly networks?: ReadonlyArray<string>
  /** Stablecoins taken, `asset` and `network` together; absent: none. */
  readonly assets?: ReadonlyArray<{ readonly asset: string; readonly network: string }>
}

/**
 * How the provider treats the same request twice.
 *
 * - `header`, `body`: the same key answers the first result, within `lifetime`.
 * - `reference`: a repeat is refused as a duplicate.
 * - `lookup`: we must look before we send again.
 * - `none`: a repeat is a second effect.
 */
export interface IdempotencyCapability {
  readonly by: "header" | "body" | "reference" | "lookup" | "none"
  readonly lifetime?: Duration.Input
}

export interface InquiryCapability {
  /** What an inquiry needs: our own reference or key, the provider's id, or a replay of the request. */
  readonly by: "reference" | "providerReference" | "replay" | "none"
  /** Each inquiry causes a check in the payment network: it is asked rarely. */
  readonly costly?: boolean
  /** From this age on, "not found" proves that nothing was executed (row 15). Absent: it never does. */
  readonly notFoundIsFinalAfter?: Duration.Input
}

export interface OperationCapability {
  readonly idempotency?: IdempotencyCapability
  readonly inquiry?: InquiryCapability
  /** Vendor codes that prove that nothing was executed (row 6). */
  readonly proof?: ReadonlyArray<string>
  /** A 429 of this provider means that nothing was executed (row 7). */
  readonly rateLimitIsNotExecuted?: boolean
  /** Only a part of the amount may be given. */
  readonly partial?: boolean
}

export interface CreateCapability extends OperationCapability {
  /** A decline ends the attempt for good; a provider that may still take the money says `false` (the default). */
  readonly declineIsFinal?: boolean
  /** A `next_action` that was shown and not used is given up after this time, when an inquiry shows nothing paid. */
  readonly abandonedAfter?: Duration.Input
}

export interface Capabilities {
  readonly methods: { readonly [rail in Rail]?: MethodCapability }
  readonly operations: {
    readonly create: CreateCapability
    readonly capture?: OperationCapability
    readonly cancel?: OperationCapability
    readonly refund?: OperationCapability
  }
}
