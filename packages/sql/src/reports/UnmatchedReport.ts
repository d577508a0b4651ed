/** A provider report that matches no payment, as operators see it, and the pages of a list of them. */
import type { OperationId, PaymentId } from "@paymux/core"

/**
 * - `waiting`: the payment of the report is not known yet; the engine looks for the payment for three days.
 * - `parked`: the report names an operation of this installation, whose payment is not in the database.
 * - `foreign`: the report names no operation, and no payment became known: a charge of another system at the same provider
 *   account.
 * - `matched`: an operator has matched the report to a payment.
 * - `dismissed`: an operator has dismissed the report.
 */
export const reportStatuses = ["waiting", "parked", "foreign", "matched", "dismissed"] as const
export type ReportStatus = (typeof reportStatuses)[number]

/** A provider report that matches no payment, or did not before an operator matched it. */
export interface UnmatchedReport {
  /** `rpt_…` */
  readonly id: string
  /** The provider instance that reported it. */
  readonly provider: string
  readonly status: ReportStatus
  /** The reported outcome: `succeeded`, `refund_succeeded`, … */
  readonly kind: string
  /** The operation that the report names, if it names one. */
  readonly operationId: OperationId | null
  /** The provider's reference that the report is about. */
  readonly reference: string | null
  /** In the smallest unit of `currency`; `null`: the report has no amount, or its content was deleted. */
  readonly amount: number | null
  readonly currency: string | null
  readonly vendorCode: string | null
  /** The provider's id of the event, or a digest. */
  readonly event: string
  /** `sha256:` and the digest of the webhook's bytes, as in the logs of the provider. */
  readonly document: string | null
  /** ms UTC */
  readonly receivedAt: number
  /** ms UTC, by the provider's clock. */
  readonly occurredAt: number | null
  /** `false`: the retention has deleted the report, so that it cannot be matched any more. */
  readonly isComplete: boolean
  /** The payment that the report was matched to. */
  readonly paymentId: PaymentId | null
  /** `true`: the engine has applied the report to that payment. */
  readonly isApplied: boolean
  /** Why the report was dismissed. */
  readonly note: string | null
  /** ms UTC, when the report was matched or dismissed. */
  readonly decidedAt: number | null
}

/** Conditions that are left out exclude nothing. */
export interface ReportQuery {
  /** At least one. */
  readonly statuses?: ReadonlyArray<ReportStatus>
  readonly provider?: string
  /** A word of `UnmatchedReport.kind`. */
  readonly kind?: string
  /** Received at this time or later, ms UTC. */
  readonly from?: number
  /** Received before this time, ms UTC. */
  readonly until?: number
  /** The `next` cursor of the previous page. */
  readonly after?: string
  /** 1 to 1000. */
  readonly limit: number
}

export interface ReportPage {
  readonly reports: ReadonlyArray<UnmatchedReport>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}
