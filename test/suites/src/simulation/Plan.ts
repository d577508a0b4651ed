/**
 * A run of the simulation as data: the vendors, the payments with everything that will happen to them, and the incidents
 * around them. A seed draws a plan (`drawPlan`), and a plan that fails is made smaller by leaving things out (`shrink`).
 *
 * Times are ms since the start of the run, or after what they follow. Nothing here imports the engine: what vendors do
 * must not depend on what the engine calls it.
 */

export interface Plan {
  readonly seed: number
  /** `one`: a store that one engine has to itself. `many`: the next engine starts beside the one that goes or stalls. */
  readonly engines: "one" | "many"
  /** What a success does to a payment that has failed. */
  readonly lateSuccess: "succeed" | "reverse"
  readonly vendors: ReadonlyArray<VendorPlan>
  readonly payments: ReadonlyArray<PaymentPlan>
  readonly incidents: ReadonlyArray<Incident>
  /** The wall clock of each process, in the order in which they start; the last one goes for all later ones. */
  readonly clocks: ReadonlyArray<ClockPlan>
  /** How an operator works through the reviews; `null`: there is no operator. */
  readonly operator: OperatorPlan | null
  /** From here on nothing new goes wrong. */
  readonly calmAt: number
  /** ms after `calmAt` for which the run goes on at least, so that the engine can inquire again about closed attempts. */
  readonly quietFor: number
}

/** `aheadBy` ms at the start, and so many ms more for each second that passes. */
export interface ClockPlan {
  readonly aheadBy: number
  readonly driftPerSecond: number
}

export interface OperatorPlan {
  /** How often the list of reviews is read. */
  readonly every: number
  /** How many of a hundred payments in review the operator deals with; the others stay open. */
  readonly diligence: number
}

export type Rail = "upi" | "card" | "stablecoin"

/** What a payment of each rail is in. */
export const currencies = { card: "EUR", upi: "INR", stablecoin: "USD" } as const

/** What a vendor declares. It keeps to it, unless `breaks` or a script says otherwise. */
export interface VendorPlan {
  readonly id: string
  readonly rails: ReadonlyArray<Rail>
  readonly idempotency: "header" | "body" | "reference" | "lookup" | "none"
  readonly keyLifetime: number
  readonly canInquire: boolean
  readonly costlyInquiry: boolean
  readonly notFoundIsFinalAfter: number | null
  readonly declineIsFinal: boolean
  readonly abandonedAfter: number | null
  readonly rateLimitIsNotExecuted: boolean
  readonly manualCapture: boolean
  /** A hold can be captured in several parts; otherwise the first capture releases the rest. */
  readonly severalCaptures: boolean
  /** Its webhooks hand back our id of the operation; otherwise they name the vendor's own reference alone. */
  readonly handsBackOurReference: boolean
  /** A capture has an id of its own; otherwise the vendor knows it by the charge and reports the total. */
  readonly namesCaptures: boolean
  /** A create is two requests: an order first, whose id is checkpointed, then the charge. */
  readonly ordersFirst: boolean
  readonly canCancel: boolean
  readonly canRefund: boolean
  readonly breaks: {
    /** Keys are forgotten so soon, whatever `keyLifetime` declares. */
    readonly keyLifetime: number | null
  }
}

export interface PaymentPlan {
  /** Names the payment over every run and every smaller plan. */
  readonly n: number
  readonly at: number
  /** The vendor that is tried first. */
  readonly first: string
  readonly rail: Rail
  readonly minorUnits: number
  readonly captureMethod: "automatic" | "manual"
  readonly key: string | null
  /** The same request again, so long after the first. */
  readonly repeats: ReadonlyArray<number>
  /** The client hangs up so long after it asked. */
  readonly abortAfter: number | null
  /** What happens to the first request to create a charge, the second, and so on, whichever vendor gets it. */
  readonly creates: ReadonlyArray<CreateScript>
  /** What happens to the first capture, cancel or refund, the second, and so on; later ones go through. */
  readonly followUps: ReadonlyArray<FollowUpScript>
  /** What happens to each inquiry; then all are answered truly. */
  readonly inquiries: ReadonlyArray<InquiryScript>
  /** What the merchant asks for once the payment is authorized or has succeeded. */
  readonly actions: ReadonlyArray<MerchantAction>
}

/** What the network does to a request and its answer. */
interface Transport {
  /** ms until the request is at the vendor; `null`: it never is. */
  readonly arrivesAfter: number | null
  readonly answer: Answer
  /** ms from the arrival to the answer. */
  readonly answersAfter: number
}

/** How a vendor reports what it did, besides answering. */
interface Reports {
  /** ms after each change at which the vendor sends a webhook: one number for each copy. */
  readonly webhooksAfter: ReadonlyArray<number>
  /** Webhooks carry the vendor's own reference and not ours. */
  readonly byReference: boolean
  /** Each copy has an event id of its own. */
  readonly ownEventIds: boolean
  /** Added to the amount that webhooks report: another one than was moved. */
  readonly misreportsBy: number
  /** ms after which a change is reported that nothing else would show. */
  readonly reportedAfter: number
  /** ms for which inquiries find nothing, although the request has arrived. */
  readonly forgottenFor: number
}

export interface CreateScript extends Transport, Reports {
  readonly outcome: ScriptedOutcome
  readonly breaks: CreateBreach | null
}

/**
 * - `ignores_key`: a repeat under the same key is executed again.
 * - `other_body`: the answer is about another customer's charge.
 * - `denies`: the next inquiry says declined, whatever the charge is.
 * - `contradicts`: a webhook says declined of a charge that was taken; the truth follows.
 */
export type CreateBreach = "ignores_key" | "other_body" | "denies" | "contradicts"

export interface FollowUpScript extends Transport, Reports {
  /** The vendor says no, as to a refund that its balance does not cover. */
  readonly refuses: boolean
  readonly breaks: FollowUpBreach | null
}

/**
 * - `ignores_key`: a repeat under the same key is a new request.
 * - `takes_all`: a capture takes the whole hold, whatever part was asked for.
 */
export type FollowUpBreach = "ignores_key" | "takes_all"

/** `truth`: what became of the request. All others hide it; those that claim that nothing was done never lie. */
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
  | "account_not_enabled"
  | "proof"
  | "not_sent"
  | "adapter_fault"

export type InquiryScript = "truth" | "none" | "unknown" | "not_sent" | "rate_limited" | "unauthorized" | "defect"

/** What payer, issuer or chain make of a charge. */
export type ScriptedOutcome =
  /** Captured, or held where that was asked. `by` is added to the amount: another one moves than was asked. */
  | { readonly kind: "taken"; readonly by: number; readonly otherCurrency: boolean }
  | {
      readonly kind: "declined"
      readonly code: DeclineCode
      readonly retry: "never" | "other_provider" | "same_later"
      /** ms until it is captured all the same; `null`: never. */
      readonly takenAfter: number | null
    }
  | {
      readonly kind: "waits"
      readonly action: boolean
      readonly after: number
      readonly ends: "taken" | "declined" | "expired" | "nothing"
    }

export type DeclineCode =
  | "insufficient_funds"
  | "do_not_honor"
  | "issuer_unavailable"
  | "processing_error"
  | "lost_or_stolen"
  | "authentication_required"
  | "authentication_failed"

/** `part` of the payment's amount. */
export type MerchantAction =
  | {
      readonly kind: "capture"
      /** What is captured again after a failure keeps its name. */
      readonly name: string
      readonly after: number
      readonly part: number
      readonly key: string | null
      /** ms after a capture that the API calls failed, at which the merchant captures again. */
      readonly againAfter: number | null
    }
  | { readonly kind: "cancel"; readonly after: number; readonly key: string | null }
  | {
      readonly kind: "refund"
      readonly name: string
      readonly after: number
      readonly part: number
      readonly key: string | null
    }

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

export type Incident =
  | { readonly kind: "crash"; readonly n: number; readonly point: Point; readonly downFor: number }
  | { readonly kind: "kill"; readonly at: number; readonly downFor: number }
  /** Sends in flight may end. */
  | { readonly kind: "restart"; readonly at: number }
  /** The process is stalled; of many, another takes over meanwhile. */
  | { readonly kind: "stall"; readonly at: number; readonly lasts: number }
  /** The wall clock of the process that serves is set; where there is one engine, that of the machine. */
  | { readonly kind: "clock"; readonly at: number; readonly by: number }
  | { readonly kind: "store_away"; readonly at: number; readonly lasts: number }
  | { readonly kind: "store_slow"; readonly at: number; readonly lasts: number; readonly by: number }
  /** A standby takes over that has not got the commits of the last `loses` ms. */
  | { readonly kind: "rollback"; readonly at: number; readonly loses: number }
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
