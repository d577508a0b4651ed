/**
 * An operation: one request to a provider. Its row is committed before the first byte of the request is sent, so that
 * the engine can inquire about the operation after a crash.
 */
import type { OutcomeStatus } from "./Attempt.ts"
import type { FailureCode } from "./Decline.ts"
import type { IdempotencyKey, OperationId, PaymentId } from "./Ids.ts"

export const operationKinds = ["create", "capture", "cancel", "refund"] as const
export type OperationKind = (typeof operationKinds)[number]

/**
 * The origin of the operation: the merchant's request; or the engine, which refunds money that does not belong to the
 * payment (`reversal`), or closes a payment at the provider that the payer abandoned (`expiry`).
 */
export const operationPurposes = ["requested", "reversal", "expiry"] as const
export type OperationPurpose = (typeof operationPurposes)[number]

/**
 * The status of an operation. A `planned` operation is committed, and proven not sent: an engine that claims it sets it
 * to `sending` before the send.
 */
export type OperationStatus = "planned" | OutcomeStatus

export interface Operation {
  readonly id: OperationId
  readonly paymentId: PaymentId
  /** The number of the attempt that the operation belongs to, and thereby its provider. */
  readonly attemptSeq: number
  readonly provider: string
  readonly kind: OperationKind
  readonly purpose: OperationPurpose
  /** The amount in minor units of the payment's currency. */
  readonly minorUnits: number
  /**
   * The reference of the refunded charge, if it is not the attempt's own charge: the payer paid again on the same page,
   * or the provider charged twice. `null` if it is the attempt's own charge.
   */
  readonly charge: string | null
  /** The merchant's reason for a refund. */
  readonly reason: string | null
  readonly status: OperationStatus
  /**
   * The failure code of the operation (Paymux's own), and the vendor's raw code. A create operation and its attempt
   * have the same codes.
   */
  readonly code: FailureCode | null
  readonly vendorCode: string | null
  /** The idempotency key at the provider: the same for all sends of this operation, and used for no other operation. */
  readonly key: IdempotencyKey
  /**
   * The provider's identifier of the operation (order id, PaymentIntent id), which the adapter has saved as its
   * checkpoint.
   */
  readonly reference: string | null
  /** The id of the engine process that sends the operation. */
  readonly owner: string
  /**
   * Whether a send ended without a definite answer ("unsettled"). Only a definite answer about the operation sets this
   * to `false`.
   */
  readonly unsettled: boolean
  /** Whether the operation was executed after the payment had ended, so that its money is an overpayment. */
  readonly isOverpayment: boolean
  /** The number of inquiries; for a planned operation, the number of failed sends. */
  readonly checks: number
  /** The deadline, ms UTC: no send starts or runs after this time. */
  readonly deadlineAt: number
  /** The time of the next check, ms UTC; `null` if none is needed. */
  readonly nextCheckAt: number | null
  /** The creation time of the operation, ms UTC. */
  readonly createdAt: number
  readonly endedAt: number | null
}

/**
 * Whether this process made the stored operation with this id. The id alone does not prove this: another process that
 * serves the same request may have derived the same id.
 */
export const holds = (
  record: { readonly operations: ReadonlyArray<Operation> } | null,
  { createdAt, id, owner }: Pick<Operation, "createdAt" | "id" | "owner">
): boolean =>
  record?.operations.some((each) => each.id === id && each.owner === owner && each.createdAt === createdAt) === true

/** Whether the operation is not sent yet, or its outcome is not final. */
export const isOpen = ({ status }: Operation): boolean =>
  status === "planned" || status === "sending" || status === "pending" || status === "unknown"
