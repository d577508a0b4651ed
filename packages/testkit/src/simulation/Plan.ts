/**
 * A run of the simulation as data: the providers, the payments with all that will befall them, and the troubles of the
 * world. A seed draws one (`drawPlan`), and a plan that fails is made smaller by leaving things out (`shrink`).
 *
 * Times are ms since the start of the run, or after what they follow.
 */
import type { CaptureMethod, DeclineCode, IdempotencyCapability, Rail, RetryClass } from "@paymux/core"

export interface Plan {
  readonly seed: number
  /** `one`: a store that one engine has to itself. `many`: the next engine starts beside the one that goes or stalls. */
  readonly engines: "one" | "many"
  /** What a success does to a payment that has failed. */
  readonly lateSuccess: "succeed" | "reverse"
  readonly providers: ReadonlyArray<ProviderPlan>
  readonly payments: ReadonlyArray<PaymentPlan>
  readonly troubles: ReadonlyArray<Trouble>
  /** From here on nothing new goes wrong. */
  readonly calmAt: number
}

/** What a provider declares, and keeps, unless an act says that it breaks its word. */
export interface ProviderPlan {
  readonly id: string
  readonly rails: ReadonlyArray<Rail>
  readonly idempotency: IdempotencyCapability["by"]
  readonly keyLifetime: number
  readonly canInquire: boolean
  readonly costlyInquiry: boolean
  readonly notFoundIsFinalAfter: number | null
  readonly declineIsFinal: boolean
  readonly abandonedAfter: number | null
  readonly rateLimitIsNotExecuted: boolean
  readonly manualCapture: boolean
  /** A create is two requests: an order first, whose id is checkpointed, then the charge. */
  readonly ordersFirst: boolean
  readonly canCancel: boolean
  readonly canRefund: boolean
}

export interface PaymentPlan {
  /** Names the payment over every run and every smaller plan. */
  readonly n: number
  readonly at: number
  readonly rail: Rail
  readonly minorUnits: number
  readonly captureMethod: CaptureMethod
  readonly key: string | null
  /** The same request again, so long after the first. */
  readonly repeats: ReadonlyArray<number>
  /** The client hangs up so long after it asked. */
  readonly abortAfter: number | null
  /** What befalls the first request to create a charge, the second, and so on, whichever provider gets it. */
  readonly acts: ReadonlyArray<Act>
  /** What befalls each inquiry; then all are answered truly. */
  readonly inquiries: ReadonlyArray<InquiryAct>
  /** What the merchant asks for once the payment is authorized or has succeeded. */
  readonly wishes: ReadonlyArray<Wish>
}

export interface Act {
  /** ms until the request is at the provider; `null`: it never is. */
  readonly arrivesAfter: number | null
  readonly answer: Answer
  /** ms from the arrival to the answer. */
  readonly answersAfter: number
  readonly fate: Fate
  /** ms after each change at the provider at which it tells of it: one number for each copy. */
  readonly tells: ReadonlyArray<number>
  /** It names its own reference and not ours. */
  readonly tellsByReference: boolean
}

/** `truth`: what became of the charge. All others hide it; those that claim that nothing was done never lie. */
export type Answer =
  | "truth"
  | "none"
  | "reset"
  | "reset_reused"
  | "server_error"
  | "unmapped"
  | "garbage"
  | "defect"
  | "rate_limited"
  | "unauthorized"
  | "invalid"
  | "proof"
  | "not_sent"
  | "adapter_fault"

export type InquiryAct = "truth" | "none" | "unknown" | "not_sent" | "rate_limited" | "unauthorized" | "defect"

/** What payer, issuer or chain make of a charge. */
export type Fate =
  /** Captured, or held where that was asked. `by` is added to the amount: another one moves than was asked. */
  | { readonly kind: "taken"; readonly by: number; readonly otherCurrency: boolean }
  | {
      readonly kind: "declined"
      readonly code: DeclineCode
      readonly retry: RetryClass
      /** ms until it is captured all the same; `null`: never. */
      readonly takenAfter: number | null
    }
  | {
      readonly kind: "waits"
      readonly action: boolean
      readonly after: number
      readonly ends: "taken" | "declined" | "expired" | "nothing"
    }

export type Wish =
  | { readonly kind: "capture"; readonly after: number; readonly key: string | null }
  | { readonly kind: "cancel"; readonly after: number; readonly key: string | null }
  | { readonly kind: "refund"; readonly after: number; readonly part: number; readonly key: string | null }

/** Where a process may be killed, by the payment it works on at that moment. */
export const points = [
  "begin:before",
  "begin:after",
  "send:before",
  "send:arrived",
  "reply:before",
  "advance:before",
  "advance:after",
  "keepAnswer:before",
  "keepAnswer:after",
  "reschedule:before",
  "reschedule:after",
  "inquiry:before",
  "inquiry:answered",
  "order:made",
  "checkpoint:after",
  "keep:before",
  "keep:after"
] as const
export type Point = (typeof points)[number]

export type Trouble =
  | { readonly kind: "crash"; readonly n: number; readonly point: Point; readonly downFor: number }
  | { readonly kind: "kill"; readonly at: number; readonly downFor: number }
  /** Sends in flight are let end. */
  | { readonly kind: "restart"; readonly at: number }
  /** The process stands still; of many, another takes over meanwhile. */
  | { readonly kind: "stall"; readonly at: number; readonly lasts: number }
  | { readonly kind: "clock"; readonly at: number; readonly by: number }
  | { readonly kind: "store_away"; readonly at: number; readonly lasts: number }
  | { readonly kind: "store_slow"; readonly at: number; readonly lasts: number; readonly by: number }
  /** The commit is made and its reply is lost. */
  | { readonly kind: "reply_lost"; readonly n: number; readonly call: "begin" | "advance" | "keepAnswer" }
  | {
      readonly kind: "outage"
      readonly provider: string
      readonly at: number
      readonly lasts: number
      readonly answer: "not_sent" | "none" | "server_error" | "unauthorized"
    }
  /** 30 % of the calls take 20 s. */
  | { readonly kind: "brown_out"; readonly provider: string; readonly at: number; readonly lasts: number }
