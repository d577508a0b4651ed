/** The Payment: the merchant's request, and its known state. Plain data; every change goes through `transition`. */
import type { Attempt } from "./Attempt.ts"
import type { Failure } from "./Decline.ts"
import type { Entry } from "./Entry.ts"
import type { PaymentId } from "./Ids.ts"
import type { Money } from "./Money.ts"
import type { NextAction } from "./NextAction.ts"
import { isOpen } from "./Operation.ts"
import type { Operation, OperationKind } from "./Operation.ts"
import type { PaymentMethod } from "./PaymentMethod.ts"
import type { Review, ReviewResolution } from "./Review.ts"

/** Every stored object belongs to an account and a mode; nothing is read across either. */
export interface Tenant {
  readonly account: string
  readonly livemode: boolean
}

/** The payer. At least one of `email` and `phone` is known; UPI payments have both. */
export interface Customer {
  readonly email: string | null
  /** E.164, such as `+919999999999`. */
  readonly phone: string | null
  readonly name: string | null
  readonly address: Address | null
}

/** The payer's billing address. A field that the merchant did not send is `null`. */
interface Address {
  readonly line1: string
  readonly line2: string | null
  readonly city: string | null
  /** State, province or region. */
  readonly state: string | null
  readonly postalCode: string | null
  /** ISO 3166-1, two capitals, such as `IN`. */
  readonly country: string
}

/** The payer's device, as reported by the merchant: some providers require it. An unknown fact is `null`. */
export interface Client {
  readonly ip: string | null
  readonly userAgent: string | null
  readonly referer: string | null
  /** The `Accept` header of the payer's browser. */
  readonly acceptHeader: string | null
  /** BCP 47, such as `en-IN`: the browser's `navigator.language`. */
  readonly language: string | null
  /** IANA, such as `Asia/Kolkata`. */
  readonly timeZone: string | null
  readonly screen: Screen | null
}

/** The payer's screen, as the browser's `screen` reports it. */
interface Screen {
  /** CSS pixels. */
  readonly width: number
  /** CSS pixels. */
  readonly height: number
  /** Bits per pixel. */
  readonly colorDepth: number
}

export type CaptureMethod = "automatic" | "manual"

/** A validated request, from which a payment is made. */
export interface NewPayment {
  readonly amount: Money
  readonly method: PaymentMethod
  readonly captureMethod: CaptureMethod
  readonly description: string | null
  readonly customer: Customer
  readonly metadata: { readonly [key: string]: string }
  readonly client: Client | null
  readonly returnUrl: string | null
  /** The merchant's id of the order; `null`: not given. See `order.ts`. */
  readonly order: string | null
  /** Closes an open payment of the order before this one begins. Applies to the request only: it is not stored. */
  readonly replacesOrder?: true
}

export const pendingReasons = [
  "awaiting_customer",
  "processing",
  "outcome_unknown",
  "awaiting_finality",
  "needs_review"
] as const
export type PendingReason = (typeof pendingReasons)[number]

/** The state, with the fields that only this state has, so that every failure has a reason. */
export type PaymentState =
  | {
      readonly status: "pending"
      readonly reason: PendingReason
      readonly nextAction: NextAction | null
      /** Minor units that the chain shows so far, final or not; absent: none. */
      readonly detected?: number
    }
  | { readonly status: "authorized" }
  | { readonly status: "succeeded"; readonly late: boolean }
  | { readonly status: "failed"; readonly failure: Failure }
  | { readonly status: "canceled" }

export const paymentStatuses = ["pending", "authorized", "succeeded", "failed", "canceled"] as const
export type PaymentStatus = PaymentState["status"]

/** The decision of the router, stored with the payment (the whole explanation, not only the chosen provider). */
export interface RoutingDecision {
  readonly rule: string
  /** `sha256:` and the hex digest of the rules in force. */
  readonly ruleset: string
  /** `priority`, `split`, `success_rate`, `cost`, `value` or `explore`. */
  readonly reason: string
  readonly candidates: ReadonlyArray<{ readonly provider: string; readonly reason: string }>
  readonly dropped: ReadonlyArray<{ readonly provider: string; readonly reason: string }>
  /** Set if the rule is an experiment that includes the payment. */
  readonly experiment?: ExperimentAssignment
}

/** The assignment of the payment in an experiment, regardless of the provider that it was sent to. */
export interface ExperimentAssignment {
  readonly name: string
  /** The provider that the payment was assigned to. */
  readonly arm: string
  /** The shares of all arms in percent, at the time of the assignment. */
  readonly split: { readonly [provider: string]: number }
  /** The fact that determines the assignment, such as `customer.email`; absent: each payment is assigned separately. */
  readonly stickyBy?: string
}

export interface Payment extends Tenant, Omit<NewPayment, "replacesOrder"> {
  readonly id: PaymentId
  readonly state: PaymentState
  /** Minor units of the payment's currency. Derived from the entries, as are the refunded ones: see `balance.ts`. */
  readonly amountCaptured: number
  readonly amountRefunded: number
  /** The received amount, if it can differ (stablecoin): minor units. */
  readonly amountReceived: number | null
  /** The open reviews, by `since`. Derived: see `reviews.ts`. */
  readonly reviews: ReadonlyArray<Review>
  /** The answers of operators. */
  readonly resolutions: ReadonlyArray<ReviewResolution>
  /** ms UTC; when the first dispute was recorded. The disputes are derived from the entries: see `disputes.ts`. */
  readonly disputedAt: number | null
  /** Of the attempt that took the money, else of the latest. */
  readonly provider: string
  readonly routing: RoutingDecision
  /** `payment.pending` is sent at most once. */
  readonly pendingAnnounced: boolean
  /** The sequence of the last event; sequences have no gap. */
  readonly eventSequence: number
  /** ms UTC; no attempt starts later. */
  readonly deadlineAt: number
  readonly version: number
  /** ms UTC */
  readonly createdAt: number
  readonly updatedAt: number
}

/** A payment with all its attempts, operations and entries: read, judged and written together. */
export interface PaymentRecord {
  readonly payment: Payment
  /** By `seq`, first to last. */
  readonly attempts: ReadonlyArray<Attempt>
  readonly operations: ReadonlyArray<Operation>
  /** In the order recorded; rows are only added. */
  readonly entries: ReadonlyArray<Entry>
}

/** In each account and mode, an order has at most one payment that is open, authorized or paid. */
type Ordered = Pick<Payment, "order" | "state">

/** The order that the payment occupies; `null`: it has no order, or ended without money. */
export const heldOrder = (payment: Ordered): string | null => (hasEnded(payment) ? null : payment.order)

/** The order that the payment releases, because it ended without money. */
export const freedOrder = (payment: Ordered): string | null => (hasEnded(payment) ? payment.order : null)

const hasEnded = ({ state }: Ordered): boolean => state.status === "failed" || state.status === "canceled"

/** The open operations of an attempt, of one kind. */
export const openOperations = (
  { operations }: PaymentRecord,
  attemptSeq: number,
  kind: OperationKind
): ReadonlyArray<Operation> =>
  operations.filter((operation) => operation.attemptSeq === attemptSeq && operation.kind === kind && isOpen(operation))

export const createOf = ({ operations }: PaymentRecord, attemptSeq: number): Operation | undefined =>
  operations.find((each) => each.kind === "create" && each.attemptSeq === attemptSeq)
