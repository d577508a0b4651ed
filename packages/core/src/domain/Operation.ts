/**
 * One operation at a provider. Its row is committed before the first byte of its request is sent, so that it is known after
 * a crash what may have happened.
 */
import type { OutcomeStatus } from "./Attempt.ts"
import type { FailureCode } from "./Decline.ts"
import type { IdempotencyKey, OperationId, PaymentId } from "./Ids.ts"

export const operationKinds = ["create", "capture", "cancel", "refund"] as const
export type OperationKind = (typeof operationKinds)[number]

/**
 * Who wants it: the merchant; or the engine, which gives back money that is not the payment's (`reversal`), or closes
 * at the provider what its payer has left (`expiry`).
 */
export const operationPurposes = ["requested", "reversal", "expiry"] as const
export type OperationPurpose = (typeof operationPurposes)[number]

/** `planned`: committed, and proven not sent. The engine that claims it sets it to `sending` first. */
export type OperationStatus = "planned" | OutcomeStatus

export interface Operation {
  readonly id: OperationId
  readonly paymentId: PaymentId
  /** The attempt, and so the provider, it belongs to. */
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
  /** The merchant's own words for a refund. */
  readonly reason: string | null
  readonly status: OperationStatus
  /** Our word for how it failed, and the vendor's raw code. Of a create, the attempt has them. */
  readonly code: FailureCode | null
  readonly vendorCode: string | null
  /** What the provider sees as idempotency key: the same over every send of this operation, and of no other. */
  readonly key: IdempotencyKey
  /** The provider's reference of the operation (order id, PaymentIntent id): the adapter's checkpoint. */
  readonly reference: string | null
  /** The engine that sends it. */
  readonly owner: string
  /** Some send ended without a definite answer; only a definite answer about the operation clears it. */
  readonly unsettled: boolean
  /** It was executed after the payment had ended: what it moved is an overpayment. */
  readonly isOverpayment: boolean
  /** How often its outcome was inquired; of a planned one, how often it was sent in vain. */
  readonly checks: number
  /** ms UTC; no send starts or runs past it. */
  readonly deadlineAt: number
  /** ms UTC; when it is next looked after, or `null` when nothing is left to do. */
  readonly nextCheckAt: number | null
  /** ms UTC */
  readonly createdAt: number
  readonly endedAt: number | null
}

/**
 * Whether the record has the operation that was made here. The id alone does not show it: where it is derived, another process
 * that serves the same request has made the same.
 */
export const holds = (
  record: { readonly operations: ReadonlyArray<Operation> } | null,
  { createdAt, id, owner }: Pick<Operation, "createdAt" | "id" | "owner">
): boolean =>
  record?.operations.some((each) => each.id === id && each.owner === owner && each.createdAt === createdAt) === true

/** Statuses in which something is still to be done or found out. */
export const isOpen = ({ status }: Operation): boolean =>
  status === "planned" || status === "sending" || status === "pending" || status === "unknown"
