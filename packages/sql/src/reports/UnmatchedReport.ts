/** The type of a provider report that matches no payment, as operators see it, and the pages of a list of them. */
import type { OperationId, PaymentId } from "@paymux/core"

/**
 * The statuses of a report.
 *
 * - `waiting`: the payment of the report is not known yet; the engine looks for the payment for three days.
 * - `parked`: the report contains an operation id of this installation, but the database does not have its payment.
 * - `foreign`: the report contains no operation id, and no payment was found: a charge of another system at the same
 *   provider account.
 * - `matched`: an operator has matched the report to a payment.
 * - `dismissed`: an operator has dismissed the report.
 */
export const reportStatuses = ["waiting", "parked", "foreign", "matched", "dismissed"] as const
export type ReportStatus = (typeof reportStatuses)[number]

/** A provider report that matches no payment, or that matched none until an operator matched it to one. */
export interface UnmatchedReport {
  /** The id of the report, `rpt_…`. */
  readonly id: string
  /** The provider instance that reported it. */
  readonly provider: string
  readonly status: ReportStatus
  /** The reported outcome: `succeeded`, `refund_succeeded`, … */
  readonly kind: string
  /** The id of the operation that the report contains; `null`: the report contains no operation id. */
  readonly operationId: OperationId | null
  /** The provider's reference that the report is about. */
  readonly reference: string | null
  /**
   * The reported amount, in the smallest unit of `currency`; `null`: the report has no amount, or its content was
   * deleted.
   */
  readonly amount: number | null
  readonly currency: string | null
  readonly vendorCode: string | null
  /** The provider's id of the event, or a digest. */
  readonly event: string
  /** The proof of the webhook's content: `sha256:` and the digest of its bytes, as in the logs of the provider. */
  readonly document: string | null
  /** The time at which the report was received, ms UTC. */
  readonly receivedAt: number
  /** The time of the event, ms UTC, by the provider's clock. */
  readonly occurredAt: number | null
  /**
   * Whether the evidence is still stored. `false`: the retention has deleted it, so that the report cannot be matched
   * any more.
   */
  readonly isComplete: boolean
  /** The payment to which the report was matched. */
  readonly paymentId: PaymentId | null
  /** Whether the engine has applied the report to that payment. */
  readonly isApplied: boolean
  /** The operator's reason for dismissing the report. */
  readonly note: string | null
  /** The time at which the report was matched or dismissed, ms UTC. */
  readonly decidedAt: number | null
}

/** The filters of the list. An omitted filter excludes nothing. */
export interface ReportQuery {
  /** Only reports with one of these statuses, at least one. */
  readonly statuses?: ReadonlyArray<ReportStatus>
  readonly provider?: string
  /** Only reports of this outcome, a value of `UnmatchedReport.kind`. */
  readonly kind?: string
  /** Only reports received at this time or later, ms UTC. */
  readonly from?: number
  /** Only reports received before this time, ms UTC. */
  readonly until?: number
  /** The `next` cursor of the previous page; absent: the first page. */
  readonly after?: string
  /** The maximum number of reports on the page, 1 to 1000. */
  readonly limit: number
}

export interface ReportPage {
  readonly data: ReadonlyArray<UnmatchedReport>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}
