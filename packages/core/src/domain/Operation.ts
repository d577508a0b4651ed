/**
 * One operation at a provider. Its row is committed before the first byte of its request is sent, so that it can be inquired
 * about after a crash.
 */
import type { OutcomeStatus } from "./Attempt.ts"
import type { FailureCode } from "./Decline.ts"
import type { IdempotencyKey, OperationId, PaymentId } from "./Ids.ts"

export const operationKinds = ["create", "capture", "cancel", "refund"] as const
export type OperationKind = (typeof operationKinds)[number]

/**
 * The origin of the operation: the merchant's request; or the engine, which refunds money that does not belong to the payment
 * (`reversal`), or closes an abandoned payment at the provider (`expiry`).
 */
export const operationPurposes = ["requested", "reversal", "expiry"] as const
export type OperationPurpose = (typeof operationPurposes)[number]

/** `planned`: committed, and proven not sent. The engine that claims it sets it to `sending` first. */
export type OperationStatus = "planned" | OutcomeStatus

export interface Operation {
  readonly id: OperationId
  readonly paymentId: PaymentId
  /** The attempt, and so the provider, that it belongs to. */
  readonly attemptSeq: number
  readonly provider: string
  readonly kind: OperationKind
  readonly purpose: OperationPurpose
  /** Minor units of the payment's currency. */
  readonly minorUnits: number
  /**
   * The reference of the charge that is refunded, if it is not the attempt's own: the payer paid again on the same page, or the
   * provider charged twice. `null`: the attempt's own charge.
   */
  readonly charge: string | null
  /** The merchant's reason for a refund. */
  readonly reason: string | null
  readonly status: OperationStatus
  /** Our code for the failure, and the vendor's raw code. For a create, the attempt has them. */
  readonly code: FailureCode | null
  readonly vendorCode: string | null
  /** The idempotency key at the provider: the same over all sends of this operation, and used for no other. */
  readonly key: IdempotencyKey
  /** The provider's reference of the operation (order id, PaymentIntent id): the adapter's checkpoint. */
  readonly reference: string | null
  /** The engine that sends it. */
  readonly owner: string
  /** A send ended without a definite answer; only a definite answer about the operation clears it. */
  readonly unsettled: boolean
  /** It was executed after the payment had ended: its money is an overpayment. */
  readonly isOverpayment: boolean
  /** The number of inquiries; for a planned operation, the number of failed sends. */
  readonly checks: number
  /** ms UTC; no send starts or runs past it. */
  readonly deadlineAt: number
  /** ms UTC; the time of the next check, or `null` if nothing is left to do. */
  readonly nextCheckAt: number | null
  /** ms UTC */
  readonly createdAt: number
  readonly endedAt: number | null
}

/**
 * Whether the record has the operation that this process made. The id alone does not prove it: if it is derived, another
 * process that serves the same request has made the same id.
 */
export const holds = (
  record: { readonly operations: ReadonlyArray<Operation> } | null,
  { createdAt, id, owner }: Pick<Operation, "createdAt" | "id" | "owner">
): boolean =>
  record?.operations.some((each) => each.id === id && each.owner === owner && each.createdAt === createdAt) === true

/** Whether the operation is not sent yet, or its outcome is not final. */
export const isOpen = ({ status }: Operation): boolean =>
  status === "planned" || status === "sending" || status === "pending" || status === "unknown"
