/**
 * Our operations to which a page of a provider's statement refers: all operations of each payment whose id or reference
 * is in the page. A movement is one booking in the statement.
 */
import { notACell } from "../domain/Cell.ts"
import type { OwnIds } from "../domain/Cell.ts"
import type { CaptureMethod } from "../domain/Payment.ts"
import type { OperationId, PaymentId } from "../domain/Ids.ts"
import type { OperationKind, OperationStatus } from "../domain/Operation.ts"
import type { MovementType } from "../provider/Statement.ts"

/** An operation of ours, with the facts that are compared with a movement. */
export interface OurOperation {
  readonly id: OperationId
  readonly paymentId: PaymentId
  readonly attemptSeq: number
  readonly kind: OperationKind
  readonly status: OperationStatus
  readonly minorUnits: number
  readonly currency: string
  readonly reference: string | null
  /**
   * The reference of the charge that a refund returns, if it is an additional charge of the payment attempt; otherwise
   * `null`.
   */
  readonly charge: string | null
  readonly captureMethod: CaptureMethod
  /** The recorded disputes of its payment attempt. Only read if the page has a booking of a dispute. */
  readonly disputes: ReadonlyArray<EnteredDispute>
  /** The amounts that were recorded for the operation besides `minorUnits`, such as an overpayment on a blockchain. */
  readonly entered: ReadonlyArray<EnteredAmount>
}

/** A dispute that was recorded for an operation. */
export interface EnteredDispute {
  readonly reference: string | null
  readonly isWon: boolean
}

/** An amount that was recorded for an operation. Amounts with the same reference are reports of one charge. */
export interface EnteredAmount {
  readonly reference: string | null
  readonly minorUnits: number
}

/** A movement that was matched with an operation. */
export interface Booking {
  readonly movement: string
  readonly type: MovementType
  readonly minorUnits: number
  readonly currency: string
}

export interface OurOperations {
  readonly byId: ReadonlyMap<string, OurOperation>
  /** The operations by reference, also by former references of their payments. The key `null` does not occur. */
  readonly byReference: ReadonlyMap<string | null, ReadonlyArray<OurOperation>>
  readonly byPayment: ReadonlyMap<PaymentId, ReadonlyArray<OurOperation>>
  readonly bookings: ReadonlyMap<OperationId, ReadonlyArray<Booking>>
  readonly rules: MatchRules
}

/** The rules for matching movements with operations. */
export interface MatchRules {
  readonly ownIds: OwnIds
  /** Whether payments may be booked in parts, see `StatementCapability`. */
  readonly paymentsInParts: boolean
}

/** A former reference of a payment. The payment is found by it in addition to the references of its operations. */
export interface NamedPayment {
  readonly reference: string
  readonly paymentId: PaymentId
}

/** The operations to which the references and ids in a page refer. */
export interface NamedOperations {
  /** All operations, at the provider, of each payment in the page. */
  readonly operations: ReadonlyArray<OurOperation>
  readonly former: ReadonlyArray<NamedPayment>
  readonly bookings: ReadonlyMap<OperationId, ReadonlyArray<Booking>>
}

/**
 * The rules of an installation without a cell, at a provider that books each payment once.
 *
 * @internal Exported for tests that match without a cell.
 */
export const plainRules: MatchRules = { ownIds: notACell, paymentsInParts: false }

export const indexed = (
  { bookings, former, operations }: NamedOperations,
  rules: MatchRules = plainRules
): OurOperations => {
  const byPayment = Map.groupBy(operations, ({ paymentId }) => paymentId)
  const byReference = Map.groupBy(operations, ({ reference }) => reference)
  byReference.delete(null)
  for (const { paymentId, reference } of former) {
    const create = byPayment.get(paymentId)?.find(({ kind }) => kind === "create")
    if (create !== undefined && !byReference.has(reference)) byReference.set(reference, [create])
  }
  return { byId: new Map(operations.map((each) => [each.id, each])), byReference, byPayment, bookings, rules }
}

export const bookingsOf = ({ bookings }: OurOperations, { id }: OurOperation): ReadonlyArray<Booking> =>
  bookings.get(id) ?? []

/** Finds all operations of the same attempt of the payment. */
export const attemptOf = (
  { attemptSeq, paymentId }: OurOperation,
  { byPayment }: OurOperations
): ReadonlyArray<OurOperation> => (byPayment.get(paymentId) ?? []).filter((each) => each.attemptSeq === attemptSeq)

export const isCreate = ({ kind }: OurOperation): boolean => kind === "create"
