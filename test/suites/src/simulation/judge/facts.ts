/**
 * What the judge looks at: the vendors' own ledgers, the public JSON, and what merchants asked for. Plain data. Nothing
 * here comes from the engine's tables, and nothing in this folder imports the engine.
 *
 * Amounts are minor units, times are ms since the start of the run.
 */

/** Everything that is known of a run once it is over. */
export interface Facts {
  readonly orders: ReadonlyArray<Order>
  readonly charges: ReadonlyArray<LedgerCharge>
  /** Every payment that the API lists at the end, as it shows it. */
  readonly payments: ReadonlyArray<PaymentView>
  readonly refunds: ReadonlyArray<RefundView>
  readonly events: ReadonlyArray<EventView>
  readonly requests: ReadonlyArray<RequestView>
  /** Provider reports without a payment, as the operators' list shows them. */
  readonly unmatched: ReadonlyArray<UnmatchedReport>
  /** Periods whose commits the database lost, acknowledged ones included, and the orders that lost some. */
  readonly lostCommits: ReadonlyArray<{
    readonly from: number
    readonly to: number
    readonly orders: ReadonlySet<string>
  }>
}

/** What a merchant wants to be paid. Its id travels as metadata: to the API, and from there to the vendors. */
export interface Order {
  readonly id: string
  readonly minorUnits: number
  readonly currency: string
  readonly captureMethod: "automatic" | "manual"
  readonly key: string | null
}

/** One charge in a vendor's books. */
export interface LedgerCharge {
  readonly provider: string
  /** The vendor's own id of it. */
  readonly reference: string
  /** The vendor's id of the order that the charge was made for, where a request of its own made one; else absent. */
  readonly orderReference?: string
  readonly order: string
  readonly currency: string
  /** The vendor itself still waits for the payer. */
  readonly isWaiting: boolean
  readonly movements: ReadonlyArray<LedgerMovement>
}

/** Money that moved, or was reserved: the only source of every sum that the judge forms about a vendor. */
export interface LedgerMovement {
  readonly kind: "held" | "released" | "captured" | "refunded"
  readonly minorUnits: number
  readonly at: number
  /** `dashboard`: by hand, past the API. */
  readonly by: "request" | "payer" | "dashboard"
  /** The vendor's own id of this movement, such as that of a refund; absent where it has none. */
  readonly reference?: string
  /** Our id of the operation that asked for it, as the vendor was given it; absent where no request asked for it. */
  readonly operation?: string
}

/** The fields of the public payment that are judged. */
export interface PaymentView {
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly amount_captured: number
  readonly amount_refunded: number
  readonly amount_received?: number
  readonly payment_method: string
  readonly currency: string
  /** Of the attempt that took the money, else of the latest. */
  readonly provider: string
  readonly metadata: { readonly [key: string]: string }
  /** The open reviews, one by one. */
  readonly reviews: ReadonlyArray<ReviewView>
  readonly attempts: ReadonlyArray<{ readonly provider: string; readonly status: string; readonly reversal?: string }>
  readonly operations: ReadonlyArray<{
    readonly id: string
    readonly kind: string
    readonly status: string
    readonly amount: number
  }>
}

export interface ReviewView {
  readonly id: string
  readonly reason: string
  readonly provider: string | null
  /** The vendor's id of the charge or movement in question; `null` where it is not known. */
  readonly reference: string | null
  readonly amount: number | null
  readonly currency?: string | null
}

export interface RefundView {
  readonly id: string
  readonly payment: string
  readonly status: string
  readonly amount: number
}

/** An event as a webhook endpoint receives it. */
export interface EventView {
  readonly payment: string
  readonly type: string
  readonly sequence: number
  /** The public JSON that it carries. */
  readonly body: string
}

/** One request of a merchant, and how it was answered. */
export interface RequestView {
  readonly order: string
  readonly call: string
  readonly key: string | null
  /** Requests of one name ask for the same capture or refund: a repeat after an error or a failure. */
  readonly wants: { readonly kind: "capture" | "refund"; readonly name: string; readonly minorUnits: number } | null
  readonly at: number
  readonly answer:
    | {
        readonly kind: "accepted"
        readonly id: string
        readonly body: string
        readonly replayed: boolean
        /** The database had stored these very bytes before they were sent. */
        readonly kept: boolean
      }
    | { readonly kind: "refused"; readonly reason: string }
    | { readonly kind: "unanswered" }
}

export interface UnmatchedReport {
  readonly provider: string
  readonly reference: string | null
  readonly amount: number | null
}
