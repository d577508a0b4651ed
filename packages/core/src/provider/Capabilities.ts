/**
 * What a provider can do, as data. The router filters by it, the failover rules read it, the capability table in an
 * adapter's README is printed from it.
 *
 * **What is not declared is assumed to be the worst case**, and what is declared is relied upon with money: declare what
 * the vendor documents, and nothing that was only observed. Durations are a number of ms or text, such as `"24 hours"`.
 */
import type { Duration } from "effect"
import type { Flow, Rail } from "../domain/PaymentMethod.ts"
import type { CaptureMethod } from "../domain/Payment.ts"

/** Facts of a request that a flow cannot do without; a payment without them drops the candidate. */
export type RequiredFact = "client.ip" | "client.user_agent" | "client.referer" | "customer.name" | "return_url"

/** What can be done on one rail. A payment that does not fit is never sent to this instance. */
export interface MethodCapability {
  /** ISO 4217 codes in capitals, or any. */
  readonly currencies: ReadonlyArray<string> | "any"
  /** By flow; `{}` for one without conditions. A flow that is absent cannot be done. */
  readonly flows: { readonly [flow in Flow]?: { readonly requires?: ReadonlyArray<RequiredFact> } }
  /** The smallest and the largest amount, in minor units of the payment's currency, both inclusive. */
  readonly amount?: { readonly min?: number; readonly max?: number }
  /** Country codes of the customer's phone number that it accepts, such as `+91`; absent: any. */
  readonly phoneCodes?: ReadonlyArray<string>
  /** Ways to take the money. Default: automatic only. */
  readonly captureMethods?: ReadonlyArray<CaptureMethod>
  /** Card networks taken, such as `visa`; absent: any. */
  readonly networks?: ReadonlyArray<string>
  /** Stablecoins taken, `asset` and `network` together; absent: none. */
  readonly assets?: ReadonlyArray<{ readonly asset: string; readonly network: string }>
}

/** How the provider treats the same request twice. It decides whether one without an answer may be sent again. */
export interface IdempotencyCapability {
  /**
   * - `header`, `body`: the same key answers the first result, within `lifetime`.
   * - `reference`: a repeat is refused as a duplicate.
   * - `lookup`: it has to be asked before anything is sent again.
   * - `none`: a repeat is a second effect.
   */
  readonly by: "header" | "body" | "reference" | "lookup" | "none"
  /** How long the provider remembers a key. Absent: not at all. */
  readonly lifetime?: Duration.Input
}

/** How a provider can be asked what became of an operation. */
export interface InquiryCapability {
  /**
   * What an inquiry needs.
   *
   * - `reference`: our own id or key.
   * - `providerReference`: the provider's id, which has to be checkpointed or answered before.
   * - `replay`: the same request again, under the same key.
   * - `none`: it cannot be asked.
   */
  readonly by: "reference" | "providerReference" | "replay" | "none"
  /** Each inquiry causes a check in the payment network: it is asked rarely. */
  readonly costly?: boolean
  /** From this age of the operation on, `NotFound` proves that nothing was executed. Absent: it never does. */
  readonly notFoundIsFinalAfter?: Duration.Input
  /**
   * After "not found" was final it is inquired again, this long after: a vendor may have been wrong. Default: 1, 24 and 72
   * hours.
   */
  readonly lookBackAfter?: ReadonlyArray<Duration.Input>
}

/** How one kind of operation behaves. `{}`: it can be done, and a request without an answer can only be waited for. */
export interface OperationCapability {
  /** Absent: a repeat is a second effect. */
  readonly idempotency?: IdempotencyCapability
  /** Absent: nobody can be asked. */
  readonly inquiry?: InquiryCapability
  /** Vendor codes that prove that nothing was executed: the adapter answers `NotExecuted` by `proof_code` to them. */
  readonly proof?: ReadonlyArray<string>
  /** A 429 of this provider means that nothing was executed. */
  readonly rateLimitIsNotExecuted?: boolean
  /**
   * What an amount in a report about this kind of operation means.
   *
   * - `movement`: of this capture or refund alone, under a reference of its own.
   * - `total`: of everything that its charge has captured or refunded so far, under the reference of the charge.
   *
   * Absent: `movement` where the report has a reference other than the charge's.
   */
  readonly reports?: "movement" | "total"
  /** It may be for a part of the amount: a partial capture, a partial refund. Absent: the whole or nothing. */
  readonly partial?: boolean
}

/** What is said of creates beyond that. */
export interface CreateCapability extends OperationCapability {
  /** A decline ends the attempt for good. Absent: the provider may still take the money after it. */
  readonly declineIsFinal?: boolean
  /**
   * Once a cancel of it is confirmed, no money moves by it. A success that is told afterwards is an older word that was
   * overtaken, or a fault: an operator looks. Absent: it counts as money that came late. Of a page that is captured by itself
   * only the provider's own word is such a cancel; what we close there is the page.
   */
  readonly cancelIsFinal?: boolean
  /** A `next_action` that was shown and not used is given up after this time, when an inquiry shows nothing paid. */
  readonly abandonedAfter?: Duration.Input
}

/** All that an instance declares. It may depend on its options, and does not change while the engine runs. */
export interface Capabilities {
  /** By rail. A rail that is absent is never sent here. */
  readonly methods: { readonly [rail in Rail]?: MethodCapability }
  /** By kind of operation. One that is absent is never called, though it is implemented. */
  readonly operations: {
    readonly create: CreateCapability
    readonly capture?: OperationCapability
    readonly cancel?: OperationCapability
    readonly refund?: OperationCapability
  }
}
