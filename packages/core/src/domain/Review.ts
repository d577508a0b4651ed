/** A review: an item that requires an operator's decision, and the operators' answers. Plain data. */
import type { OperationId } from "./Ids.ts"
import type { EvidenceSource } from "./Evidence.ts"

/**
 * The reason for a review (a case that an operator must decide).
 *
 * - `amount_mismatch`: a different amount or currency moved than requested; the operation stays open until the review
 *   is resolved.
 * - `excess_capture`: the provider captured more than requested.
 * - `excess_refund`: the provider refunded more than requested.
 * - `disputed_refund`: the sum of the refunds and disputes of a charge exceeds its captured amount.
 * - `duplicate_capture`: a second charge for a payment that was paid already.
 * - `possible_duplicate`: another payment without `order` was made for the same order number, amount and customer
 *   within a day.
 * - `late_success`: a charge for a payment that was canceled or had failed.
 * - `late_authorization`: funds are reserved that no payment needs.
 * - `reference_conflict`: a report names the charge of another payment.
 * - `unreadable_report`: money moved, and the report does not say how much in a way that can be read.
 * - `inquiries_exhausted`: the outcome is still unknown after all inquiries.
 * - `instance_not_configured`: the provider instance of an open operation or hold is not configured, so no inquiry is
 *   possible.
 * - `close_failed`: an abandoned payment could not be closed at the provider.
 * - `capture_failed`: the provider took back a capture that it had confirmed.
 * - `paid_after_close`: the provider confirmed a cancel, and captured nevertheless.
 * - `contradiction`: two reports of the provider contradict each other.
 */
export const reviewReasons = [
  "amount_mismatch",
  "excess_capture",
  "excess_refund",
  "disputed_refund",
  "duplicate_capture",
  "possible_duplicate",
  "late_success",
  "late_authorization",
  "reference_conflict",
  "unreadable_report",
  "inquiries_exhausted",
  "instance_not_configured",
  "close_failed",
  "capture_failed",
  "paid_after_close",
  "contradiction"
] as const
export type ReviewReason = (typeof reviewReasons)[number]

export interface Review {
  /** The id of the review, `rev_…`. It does not change while the review is open. */
  readonly id: string
  readonly reason: ReviewReason
  readonly attemptSeq: number
  /** The id of the operation in question; `null` if the review is about no operation. */
  readonly operationId: OperationId | null
  readonly provider: string
  /** The provider's reference of the charge or movement in question; `null` if unknown. */
  readonly reference: string | null
  /** The amount in question, in the smallest unit of `currency`. */
  readonly minorUnits: number
  readonly currency: string
  /** The time at which the review was opened, ms UTC. */
  readonly since: number
  /**
   * The source of the report that the review is about. Absent if the review is about no report, or was stored by an
   * earlier version of the software.
   */
  readonly source?: EvidenceSource
}

/**
 * The reasons of the reviews called questions. The ledger entries cannot settle a question: only an operator or a later
 * report can.
 */
const questions: ReadonlySet<ReviewReason> = new Set([
  "amount_mismatch",
  "possible_duplicate",
  "reference_conflict",
  "unreadable_report",
  "inquiries_exhausted",
  "instance_not_configured",
  "close_failed",
  "capture_failed",
  "paid_after_close",
  "contradiction"
])

export const isQuestion = ({ reason }: Review): boolean => questions.has(reason)

/**
 * An operator's resolution of a review, based on the records of the provider or the bank.
 *
 * - `succeeded`: the operation was executed (the payment was paid, the refund arrived). A payment that received another
 *   amount is accepted with that amount.
 * - `not_done`: the operation was not executed, and will not be.
 * - `given_back`: an overpayment, or money of another amount, was refunded manually.
 * - `dismissed`: the operator checked the review; only the review changes.
 */
export const resolutions = ["succeeded", "not_done", "given_back", "dismissed"] as const
export type Resolution = (typeof resolutions)[number]

/** An operator's answer to a review. */
export interface ReviewResolution {
  readonly review: string
  readonly resolution: Resolution
  /**
   * The amount in question when the operator answered. The review is opened again only if a larger amount is in
   * question.
   */
  readonly minorUnits: number
  /** The time of the answer, ms UTC. */
  readonly resolvedAt: number
}
