/**
 * A payment in review, as the library and the control API return it: for each review what is in question, what providers have
 * reported about it, and which resolutions fit; and the operations and the evidence of the payment. Pure.
 */
import type { EvidenceSource, FittingResolution, OperationId, OperationKind, Resolution, Reviewed } from "@paymux/core"
import type {
  Entry,
  EntryBasis,
  EntryKind,
  EvidenceRow,
  Operation,
  OperationPurpose,
  OperationStatus,
  Review,
  ReviewReason
} from "@paymux/core/store"
import { paymentJson } from "@paymux/core/wire"
import type { HostedUrl, PaymentJson } from "@paymux/core/wire"

/** Times are ms UTC, amounts are in the smallest unit of their currency. */
export interface ReviewedPayment {
  /** As `/v1` returns it. */
  readonly payment: PaymentJson
  /** For `version` of a resolution: it is refused if the payment has changed since. */
  readonly version: number
  readonly reviews: ReadonlyArray<ReviewDetails>
  /** The resolutions of former reviews. */
  readonly resolved: ReadonlyArray<{
    readonly review: string
    readonly resolution: Resolution
    readonly resolvedAt: number
  }>
  readonly operations: ReadonlyArray<ReviewedOperation>
  /**
   * What has changed the payment, in order, except for the replies to our own requests: the last 500. The timeline has all.
   */
  readonly evidence: ReadonlyArray<ReviewEvidence>
}

export interface ReviewDetails {
  readonly id: string
  readonly reason: ReviewReason
  readonly provider: string
  readonly reference: string | null
  readonly operationId: OperationId | null
  /** How much is in question. */
  readonly amount: number
  readonly currency: string
  readonly since: number
  /** Those that fit. Each requires evidence. */
  readonly resolutions: ReadonlyArray<FittingResolution>
  /** The reports of money about the attempt in question, in the order in which they arrived. */
  readonly reported: ReadonlyArray<ReportedMoney>
}

export interface ReportedMoney {
  readonly kind: EntryKind
  /** `movement`: one movement of money. `total`: all that its charge has captured so far. */
  readonly basis: EntryBasis
  readonly amount: number
  readonly currency: string
  readonly reference: string | null
  readonly source: EvidenceSource
  readonly recordedAt: number
}

export interface ReviewedOperation {
  readonly id: OperationId
  readonly kind: OperationKind
  readonly purpose: OperationPurpose
  readonly status: OperationStatus
  readonly provider: string
  readonly amount: number
  readonly reference: string | null
}

export type ReviewEvidence = Omit<EvidenceRow, "paymentId">

export const reviewedPayment = ({ evidence, fitting, record }: Reviewed, hostedUrl: HostedUrl): ReviewedPayment => {
  const { entries, operations, payment } = record
  return {
    payment: paymentJson(record, hostedUrl),
    version: payment.version,
    reviews: payment.reviews.map((review) => detailsOf(review, entries, fitting.get(review.id) ?? [])),
    resolved: payment.resolutions.map(({ resolution, resolvedAt, review }) => ({ review, resolution, resolvedAt })),
    operations: operations.map(operationOf),
    evidence: evidence.map(({ paymentId: _payment, ...row }) => row)
  }
}

const detailsOf = (
  { attemptSeq, currency, id, minorUnits, operationId, provider, reason, reference, since }: Review,
  entries: ReadonlyArray<Entry>,
  resolutions: ReadonlyArray<FittingResolution>
): ReviewDetails => ({
  id,
  reason,
  provider,
  reference,
  operationId,
  amount: minorUnits,
  currency,
  since,
  resolutions,
  reported: entries.filter((entry) => entry.attemptSeq === attemptSeq).map(reportedMoney)
})

const reportedMoney = ({ basis, currency, kind, minorUnits, recordedAt, reference, source }: Entry): ReportedMoney => ({
  kind,
  basis,
  amount: minorUnits,
  currency,
  reference,
  source,
  recordedAt
})

const operationOf = ({ id, kind, minorUnits, provider, purpose, reference, status }: Operation): ReviewedOperation => ({
  id,
  kind,
  purpose,
  status,
  provider,
  amount: minorUnits,
  reference
})
