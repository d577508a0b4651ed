/**
 * A payment: the merchant's request, and the known state of the payment. Plain data; every change goes through
 * `transition`.
 */
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

/**
 * A tenant: the account and the mode that a stored object belongs to. No request reads data of another account or mode.
 */
export interface Tenant {
  readonly account: string
  readonly livemode: boolean
}

/** The payer. At least one of `email` and `phone` is known; for UPI payments both are known. */
export interface Customer {
  readonly email: string | null
  /** The phone number in E.164 format, such as `+919999999999`. */
  readonly phone: string | null
  readonly name: string | null
  readonly address: Address | null
}

/** The payer's billing address. A field that the merchant did not send is `null`. */
interface Address {
  readonly line1: string
  readonly line2: string | null
  readonly city: string | null
  /** The state, province or region of the address. */
  readonly state: string | null
  readonly postalCode: string | null
  /** The country: ISO 3166-1, two capitals, such as `IN`. */
  readonly country: string
}

/** The payer's device, as reported by the merchant: some providers require these facts. An unknown fact is `null`. */
export interface Client {
  readonly ip: string | null
  readonly userAgent: string | null
  readonly referer: string | null
  /** The `Accept` header of the payer's browser. */
  readonly acceptHeader: string | null
  /** The browser's language (`navigator.language`) as a BCP 47 tag, such as `en-IN`. */
  readonly language: string | null
  /** The IANA time zone, such as `Asia/Kolkata`. */
  readonly timeZone: string | null
  readonly screen: Screen | null
}

/** The payer's screen, as the browser's `screen` reports it. */
interface Screen {
  /** The width in CSS pixels. */
  readonly width: number
  /** The height in CSS pixels. */
  readonly height: number
  /** The color depth in bits per pixel. */
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
  /** The merchant's order id; `null` if none was given. See `order.ts`. */
  readonly order: string | null
  /**
   * Whether an open payment of the same order is closed before this payment begins. This option of the request is not
   * stored.
   */
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

/** The state of a payment. Each state has its own fields, so every failed payment has its failure. */
export type PaymentState =
  | {
      readonly status: "pending"
      readonly reason: PendingReason
      readonly nextAction: NextAction | null
      /**
       * The amount in minor units of the transfers detected on the chain so far, final or not; absent if there are
       * none.
       */
      readonly detected?: number
    }
  | { readonly status: "authorized" }
  | { readonly status: "succeeded"; readonly late: boolean }
  | { readonly status: "failed"; readonly failure: Failure }
  | { readonly status: "canceled" }

export const paymentStatuses = ["pending", "authorized", "succeeded", "failed", "canceled"] as const
export type PaymentStatus = PaymentState["status"]

/**
 * The decision of the router, stored with the payment. It contains the whole explanation, not only the chosen provider.
 */
export interface RoutingDecision {
  readonly rule: string
  /** The identifier of the routing rules that made the decision: `sha256:` and the hex digest of the rules. */
  readonly ruleset: string
  /** The kind of choice: `priority`, `split`, `success_rate`, `cost`, `value` or `explore`. */
  readonly reason: string
  readonly candidates: ReadonlyArray<{ readonly provider: string; readonly reason: string }>
  readonly dropped: ReadonlyArray<{ readonly provider: string; readonly reason: string }>
  /** The assignment to an experiment; absent if the rule is not an experiment or excludes the payment. */
  readonly experiment?: ExperimentAssignment
}

/** The assignment of the payment in an experiment, regardless of the provider to which the payment was sent. */
export interface ExperimentAssignment {
  readonly name: string
  /** The experiment arm: the provider that the payment was assigned to. */
  readonly arm: string
  /** The shares of all arms in percent, at the time of the assignment. */
  readonly split: { readonly [provider: string]: number }
  /**
   * The fact that determines the assignment, such as `customer.email`; if absent, each payment is assigned separately.
   */
  readonly stickyBy?: string
}

export interface Payment extends Tenant, Omit<NewPayment, "replacesOrder"> {
  readonly id: PaymentId
  readonly state: PaymentState
  /**
   * The captured amount in minor units of the payment's currency. It is derived from the entries of the books, like the
   * refunded amount: see `balance.ts`.
   */
  readonly amountCaptured: number
  readonly amountRefunded: number
  /** The received amount in minor units if it differs from the requested amount, see `balance.ts`; otherwise `null`. */
  readonly amountReceived: number | null
  /** The open reviews, derived from the entries of the books: see `reviews.ts`. */
  readonly reviews: ReadonlyArray<Review>
  /** The operators' answers to reviews. */
  readonly resolutions: ReadonlyArray<ReviewResolution>
  /**
   * The time of the first recorded dispute, ms UTC. The disputes themselves are derived from the entries: see
   * `disputes.ts`.
   */
  readonly disputedAt: number | null
  /** The provider of the attempt that took the money, otherwise of the latest attempt. */
  readonly provider: string
  readonly routing: RoutingDecision
  /** Whether the event `payment.pending` was written; it is sent at most once. */
  readonly pendingAnnounced: boolean
  /** The sequence number of the payment's last event; the numbers have no gap. */
  readonly eventSequence: number
  /** The deadline, ms UTC: no attempt starts after this time. */
  readonly deadlineAt: number
  readonly version: number
  /** The creation time of the payment, ms UTC. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** A payment with all its attempts, operations and ledger entries. They are read, evaluated and written together. */
export interface PaymentRecord {
  readonly payment: Payment
  /** The attempts in the order of `seq`, the first attempt first. */
  readonly attempts: ReadonlyArray<Attempt>
  readonly operations: ReadonlyArray<Operation>
  /** The ledger entries in the order in which they were recorded; they are only appended. */
  readonly entries: ReadonlyArray<Entry>
}

/**
 * The fields that determine whether a payment occupies its order: in each account and mode, an order has at most one
 * open, authorized or paid payment.
 */
type Ordered = Pick<Payment, "order" | "state">

/** The order that the payment occupies; `null` if it has no order, or ended without money. */
export const heldOrder = (payment: Ordered): string | null => (hasEnded(payment) ? null : payment.order)

/** The order that the payment frees because it ended without money; `null` if it frees none. */
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
