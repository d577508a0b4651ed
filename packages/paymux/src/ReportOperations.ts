/** The type of `paymux.reports`. */
import type { ReportPage, ReportQuery, UnmatchedReport } from "@paymux/sql"

/**
 * A report belongs to a provider in test or live mode, and to no account: these calls show all reports of the mode. Refusals
 * are `ReportRefused`; its `reason` says why, and `present` is the report if another operator has decided about it.
 */
export interface ReportOperations {
  /** Newest first; 20 unless `limit` says otherwise (at most 1000). */
  readonly list: (query?: Partial<ReportQuery>) => Promise<ReportPage>
  readonly get: (id: string) => Promise<UnmatchedReport>
  /**
   * The report is about this payment of the account. The engine applies it like every report of the provider, within
   * seconds: then `get` has `isApplied`.
   */
  readonly match: (id: string, to: MatchedTo) => Promise<UnmatchedReport>
  /** It is kept, with your note, and can still be matched. */
  readonly dismiss: (id: string, options: { readonly note: string }) => Promise<UnmatchedReport>
}

export interface MatchedTo {
  /** `pay_…` */
  readonly paymentId: string
  /** `op_…`, such as a refund. Default: the create operation at the provider of the report. */
  readonly operationId?: string
}
