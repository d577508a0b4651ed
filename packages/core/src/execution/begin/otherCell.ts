/** Adds the cell of an id to a not-found error, if the id belongs to another cell. */
import { Effect } from "effect"
import { otherCellOf } from "../../domain/Cell.ts"
import { paymentError, PaymentNotFound, RefundNotFound } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"

/** Adds the name of the other cell to a not-found error. `here` is the name of this cell, see `Cell`. */
export const namingOtherCell =
  (here: string | null) =>
  <A, R>(id: string, effect: Effect.Effect<A, PaymentError, R>): Effect.Effect<A, PaymentError, R> => {
    const cell = otherCellOf(id, here)
    return cell === null ? effect : Effect.mapError(effect, (error) => withOtherCell(error, { cell, here }))
  }

const withOtherCell = (
  error: PaymentError,
  otherCell: { readonly cell: string; readonly here: string | null }
): PaymentError => {
  switch (error.reason._tag) {
    case "PaymentNotFound":
      return paymentError(new PaymentNotFound({ otherCell }))
    case "RefundNotFound":
      return paymentError(new RefundNotFound({ otherCell }))
    default:
      return error
  }
}
