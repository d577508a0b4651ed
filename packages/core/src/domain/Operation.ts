/**
 * One operation at a provider. The operation's row is committed before the first byte of its request is sent, so that the engine
 * can inquire about the operation after a crash.
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

/** `planned`: committed, and proven not sent. An engine that claims a planned operation sets it to `sending` before the send. */
export type OperationStatus = "planned" | OutcomeStatus

export interface Operation {
  readonly id: OperationId
  readonly paymentId: PaymentId
  /** The attempt, and so the provider, to which the operation belongs. */
  readonly attemptSeq: number
  readonly provider: string
  readonly kind: OperationKind
  readonly purpose: OperationPurpose
  /** The amount in minor units of the payment's currency. */
  readonly minorUnits: number
  /**
   * The reference of the charge that is refunded, if it is not the attempt's own charge: the payer paid again on the same page,
   * or the provider charged twice. `null`: the attempt's own charge.
   */
  readonly charge: string | null
  /** The merchant's reason for a refund. */
  readonly reason: string | null
  readonly status: OperationStatus
  /** Our code for the failure, and the vendor's raw code. For a create, the attempt has these codes. */
  readonly code: FailureCode | null
  readonly vendorCode: string | null
  /** The idempotency key at the provider: the same for all sends of this operation, and used for no other operation. */
  readonly key: IdempotencyKey
  /** The provider's reference for the operation (order id, PaymentIntent id): the adapter's checkpoint. */
  readonly reference: string | null
  /** The id of the engine that sends the operation. */
  readonly owner: string
  /** Whether a send ended without a definite answer. Only a definite answer about the operation sets this to `false`. */
  readonly unsettled: boolean
  /** Whether the operation was executed after the payment had ended, so that its money is an overpayment. */
  readonly isOverpayment: boolean
  /** The number of inquiries; for a planned operation, the number of failed sends. */
  readonly checks: number
  /** ms UTC; no send starts or runs after this time. */
  readonly deadlineAt: number
  /** ms UTC; the time of the next check, or `null` if nothing is left to do. */
  readonly nextCheckAt: number | null
  /** ms UTC */
  readonly createdAt: number
  readonly endedAt: number | null
}

/**
 * Whether the record has the operation that this process made. The operation id alone does not prove this: if the id is derived,
 * another process that serves the same request has made the same id.
 */
export const holds = (
  record: { readonly operations: ReadonlyArray<Operation> } | null,
  { createdAt, id, owner }: Pick<Operation, "createdAt" | "id" | "owner">
): boolean =>
  record?.operations.some((each) => each.id === id && each.owner === owner && each.createdAt === createdAt) === true

/** Whether the operation is not sent yet, or its outcome is not final. */
export const isOpen = ({ status }: Operation): boolean =>
  status === "planned" || status === "sending" || status === "pending" || status === "unknown"
