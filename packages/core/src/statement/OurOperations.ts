/** What the database has under the names of a page of movements: all operations of each payment that is named. */
import { notACell } from "../domain/Cell.ts"
import type { OwnIds } from "../domain/Cell.ts"
import type { CaptureMethod } from "../domain/Payment.ts"
import type { OperationId, PaymentId } from "../domain/Ids.ts"
import type { OperationKind, OperationStatus } from "../domain/Operation.ts"
import type { MovementType } from "../provider/Statement.ts"

/** An operation of ours, with what earlier movements have booked of it. */
export interface OurOperation {
  readonly id: OperationId
  readonly paymentId: PaymentId
  readonly attemptSeq: number
  readonly kind: OperationKind
  readonly status: OperationStatus
  readonly minorUnits: number
  readonly currency: string
  readonly reference: string | null
  /** Of a refund: the charge that it returns, if that is not its attempt's own. */
  readonly charge: string | null
  readonly captureMethod: CaptureMethod
  /** What the books have of disputes of its attempt, where the page has a booking of a dispute. */
  readonly disputes: ReadonlyArray<EnteredDispute>
  /** Other amounts that the books have for it already, such as more than was requested on a chain. */
  readonly entered: ReadonlyArray<EnteredAmount>
}

interface EnteredDispute {
  readonly reference: string | null
  readonly isWon: boolean
}

/** Amounts under one reference are one charge, as it was reported over time. */
export interface EnteredAmount {
  readonly reference: string | null
  readonly minorUnits: number
}

/** A movement that is assigned to an operation. */
export interface Booking {
  readonly movement: string
  readonly type: MovementType
  readonly minorUnits: number
  readonly currency: string
}

export interface OurOperations {
  readonly byId: ReadonlyMap<string, OurOperation>
  /** Also the references that operations had before: they still name the payment. */
  readonly byReference: ReadonlyMap<string, ReadonlyArray<OurOperation>>
  readonly byPayment: ReadonlyMap<PaymentId, ReadonlyArray<OurOperation>>
  readonly bookings: ReadonlyMap<OperationId, ReadonlyArray<Booking>>
  readonly rules: MatchRules
}

/** How movements are matched. */
export interface MatchRules {
  readonly ownIds: OwnIds
  /** See `StatementCapability`. */
  readonly paymentsInParts: boolean
}

/** What names the operations: the former references of a payment beside those of its operations. */
export interface NamedPayment {
  readonly reference: string
  readonly paymentId: PaymentId
}

/** As it was looked up. */
export interface NamedOperations {
  /** All operations of each named payment at the provider. */
  readonly operations: ReadonlyArray<OurOperation>
  readonly former: ReadonlyArray<NamedPayment>
  readonly bookings: ReadonlyMap<OperationId, ReadonlyArray<Booking>>
}

/**
 * Of an installation that is no cell, at a provider that books a payment once.
 *
 * @internal Exported for tests that match without a cell.
 */
export const plainRules: MatchRules = { ownIds: notACell, paymentsInParts: false }

export const indexed = (
  { bookings, former, operations }: NamedOperations,
  rules: MatchRules = plainRules
): OurOperations => {
  const byPayment = Map.groupBy(operations, ({ paymentId }) => paymentId)
  const byReference = new Map<string, Array<OurOperation>>()
  for (const operation of operations) {
    if (operation.reference !== null) push(byReference, operation.reference, operation)
  }
  for (const { paymentId, reference } of former) {
    const create = byPayment.get(paymentId)?.find(({ kind }) => kind === "create")
    if (create !== undefined && !byReference.has(reference)) push(byReference, reference, create)
  }
  return { byId: new Map(operations.map((each) => [each.id, each])), byReference, byPayment, bookings, rules }
}

const push = (map: Map<string, Array<OurOperation>>, key: string, operation: OurOperation) => {
  const known = map.get(key)
  if (known === undefined) map.set(key, [operation])
  else known.push(operation)
}

export const bookingsOf = ({ bookings }: OurOperations, { id }: OurOperation): ReadonlyArray<Booking> =>
  bookings.get(id) ?? []
