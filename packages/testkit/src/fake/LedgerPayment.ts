/** A payment as its vendor keeps it. */

/** Minor units and ISO 4217 code, as the vendor read them from the wire. */
export interface LedgerMoney {
  readonly minorUnits: number
  readonly currency: string
}

/** `draft`: an order whose payer was shown nothing yet. */
export type LedgerStatus = "draft" | "pending" | "authorized" | "captured" | "declined" | "canceled" | "expired"

export interface LedgerRefund {
  readonly id: string
  readonly minorUnits: number
  /** What the merchant calls it, where the vendor keeps such a name. */
  readonly reference: string | null
  /** Absent: `succeeded`. One that failed gave nothing back. */
  readonly status?: "pending" | "succeeded" | "failed"
}

/** One capture, of all or a part of what is held. */
export interface LedgerCapture {
  readonly id: string
  readonly minorUnits: number
  /** What the merchant calls it, where the vendor keeps such a name. */
  readonly reference: string | null
}

/** One thing that can be paid, once. */
export interface LedgerPayment {
  readonly id: string
  /** What the merchant calls it, where the vendor keeps such a name. */
  readonly reference: string | null
  readonly amount: LedgerMoney
  readonly capture: "automatic" | "manual"
  readonly status: LedgerStatus
  /** The vendor's code of the decline. */
  readonly code: string | null
  /** Minor units taken so far; refunds do not lower it. */
  readonly captured: number
  readonly refunds: ReadonlyArray<LedgerRefund>
  /** It was declined, and then closed: nothing can be paid on it any more. */
  readonly isClosed?: boolean
  /** Said instead of `status`: one that the vendor has added since, and no adapter can know. */
  readonly newStatus?: string
}
