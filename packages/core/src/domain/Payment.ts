/** A payment: the merchant's request, and the known state of the payment. Plain data; every change goes through `transition`. */
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

/** The account and the mode to which a stored object belongs. No request reads data of another account or mode. */
export interface Tenant {
  readonly account: string
  readonly livemode: boolean
}

/** The payer. At least one of `email` and `phone` is known; for UPI payments both are known. */
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

/** The payer's device, as reported by the merchant: some providers require these facts. An unknown fact is `null`. */
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

/** A validated request to create a payment. */
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
  /** Closes an open payment of the order before this payment begins. This option applies to the request only: it is not stored. */
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

/** The state of a payment, with the fields that only this state has, so that every failed payment has its failure. */
export type PaymentState =
  | {
      readonly status: "pending"
      readonly reason: PendingReason
      readonly nextAction: NextAction | null
      /** The minor units that the chain shows so far, final or not; absent: the chain shows no money. */
      readonly detected?: number
    }
  | { readonly status: "authorized" }
  | { readonly status: "succeeded"; readonly late: boolean }
  | { readonly status: "failed"; readonly failure: Failure }
  | { readonly status: "canceled" }

export const paymentStatuses = ["pending", "authorized", "succeeded", "failed", "canceled"] as const
export type PaymentStatus = PaymentState["status"]

/** The decision of the router. It is stored with the payment, with the whole explanation and not only the chosen provider. */
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

/** The assignment of the payment in an experiment, regardless of the provider to which the payment was sent. */
export interface ExperimentAssignment {
  readonly name: string
  /** The provider to which the payment was assigned. */
  readonly arm: string
  /** The shares of all arms in percent, at the time of the assignment. */
  readonly split: { readonly [provider: string]: number }
  /** The fact that determines the assignment, such as `customer.email`; absent: each payment is assigned separately. */
  readonly stickyBy?: string
}

export interface Payment extends Tenant, Omit<NewPayment, "replacesOrder"> {
  readonly id: PaymentId
  readonly state: PaymentState
  /** Minor units of the payment's currency. Derived from the entries, like the refunded amount: see `balance.ts`. */
  readonly amountCaptured: number
  readonly amountRefunded: number
  /** The received amount in minor units, if it differs from the requested amount: see `balance.ts`. */
  readonly amountReceived: number | null
  /** The open reviews. Derived from the books: see `reviews.ts`. */
  readonly reviews: ReadonlyArray<Review>
  /** The operators' answers to reviews. */
  readonly resolutions: ReadonlyArray<ReviewResolution>
  /** ms UTC; the time of the first recorded dispute. The disputes are derived from the entries: see `disputes.ts`. */
  readonly disputedAt: number | null
  /** The provider of the attempt that took the money, otherwise of the latest attempt. */
  readonly provider: string
  readonly routing: RoutingDecision
  /** Whether the event `payment.pending` was written; it is sent at most once. */
  readonly pendingAnnounced: boolean
  /** The sequence number of the payment's last event; the numbers have no gap. */
  readonly eventSequence: number
  /** ms UTC; no attempt starts after this time. */
  readonly deadlineAt: number
  readonly version: number
  /** ms UTC */
  readonly createdAt: number
  readonly updatedAt: number
}

/** A payment with all its attempts, operations and entries. They are read, judged and written together. */
export interface PaymentRecord {
  readonly payment: Payment
  /** In the order of `seq`, the first attempt first. */
  readonly attempts: ReadonlyArray<Attempt>
  readonly operations: ReadonlyArray<Operation>
  /** In the order in which they were recorded; rows are only added. */
  readonly entries: ReadonlyArray<Entry>
}

/** The fields that decide about an order: in each account and mode, an order has at most one open, authorized or paid payment. */
type Ordered = Pick<Payment, "order" | "state">

/** The order that the payment occupies; `null`: the payment has no order, or ended without money. */
export const heldOrder = (payment: Ordered): string | null => (hasEnded(payment) ? null : payment.order)

/** The order that the payment releases, because the payment ended without money; `null`: it releases none. */
export const freedOrder = (payment: Ordered): string | null => (hasEnded(payment) ? payment.order : null)

const hasEnded = ({ state }: Ordered): boolean => state.status === "failed" || state.status === "canceled"

/** The open operations of one kind in an attempt. */
export const openOperations = (
  { operations }: PaymentRecord,
  attemptSeq: number,
  kind: OperationKind
): ReadonlyArray<Operation> =>
  operations.filter((operation) => operation.attemptSeq === attemptSeq && operation.kind === kind && isOpen(operation))

export const createOf = ({ operations }: PaymentRecord, attemptSeq: number): Operation | undefined =>
  operations.find((each) => each.kind === "create" && each.attemptSeq === attemptSeq)
