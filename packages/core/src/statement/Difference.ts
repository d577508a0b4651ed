/** A difference between the books and a provider's statement. Plain data. */
import type { OperationId, PaymentId } from "../domain/Ids.ts"
import type { StatementMovement } from "../provider/Statement.ts"

/**
 * The kinds of differences.
 *
 * - `missing_here`: the provider booked an operation of ours whose row is missing here.
 * - `missing_there`: a payment or capture succeeded here, and the provider has not booked it.
 * - `refund_not_booked`: a refund succeeded here, and the provider has not booked it.
 * - `duplicate_here`: two operations succeeded here under one reference, and the provider booked one.
 * - `other_status`: the provider booked an operation that has another outcome here.
 * - `other_amount`, `other_currency`: the provider booked another amount or currency.
 * - `duplicate_there`: the provider booked one operation twice.
 * - `unknown_refund`: the provider booked a refund of our payment that was not requested here.
 * - `other_reference`: the provider booked an operation of ours under the reference of another payment of ours.
 * - `wrong_fee`: amount, fee and net amount of a movement do not add up.
 * - `changed_movement`: a later statement has another content for the same movement. The first content is kept.
 */
export const differenceKinds = [
  "missing_here",
  "missing_there",
  "refund_not_booked",
  "duplicate_here",
  "other_status",
  "other_amount",
  "other_currency",
  "duplicate_there",
  "unknown_refund",
  "other_reference",
  "wrong_fee",
  "changed_movement"
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export interface Difference {
  readonly kind: DifferenceKind
  /** The movement of the statement; `null`: it has none. */
  readonly movement: StatementMovement | null
  readonly operationId: OperationId | null
  readonly paymentId: PaymentId | null
  /** The amount in our books, in minor units of the payment's currency; `null`: unknown. */
  readonly expected: { readonly minorUnits: number; readonly currency: string } | null
  /** The amount in the statement, in minor units; for `wrong_fee`, the fee. `null`: not booked. */
  readonly found: { readonly minorUnits: number; readonly currency: string } | null
}
