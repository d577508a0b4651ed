/** Judges orders by the vendors' ledgers: of each order, the payer's money is kept once, or an operator has it in a review. */
import { keptOf } from "./Ledger.ts"
import type { Charge } from "./Ledger.ts"
import type { OrderRun } from "./OrderRun.ts"

export const faultsOf = ({ charges, orders, records }: OrderRun): ReadonlyArray<string> => {
  const chargesOf = Map.groupBy(charges, ({ order }) => order)
  const recordsOf = Map.groupBy(records, ({ payment }) => payment.order)
  return orders.flatMap((order) => {
    const own = recordsOf.get(order) ?? []
    const held = own.filter(({ payment: { state } }) => state.status !== "failed" && state.status !== "canceled")
    const paid = held.find(({ payment }) => payment.state.status === "succeeded")
    const reviewed = own.flatMap(({ payment }) => payment.reviews)
    const isReviewed = (charge: Charge) =>
      reviewed.some(({ minorUnits, reference }) => reference === charge.reference && minorUnits === keptOf(charge))
    const isOwn = (charge: Charge) => paid?.operations.some(({ reference }) => reference === charge.reference) === true
    const kept = (chargesOf.get(order) ?? []).filter((charge) => keptOf(charge) > 0)
    const twice = (chargesOf.get(order) ?? []).filter(({ refunds }) => refunds.size > 1)
    const fault = (what: string) => `${order}: ${what}`
    return [
      ...(held.length > 1 ? [fault(`${held.length} open or paid payments`)] : []),
      ...kept.flatMap((charge) => (isOwn(charge) || isReviewed(charge) ? [] : [fault(`${charge.reference} is kept`)])),
      ...twice.map((charge) => fault(`${charge.reference} is refunded twice`)),
      ...(paid !== undefined && !kept.some(isOwn) ? [fault(`${paid.payment.id} is paid by nothing`)] : [])
    ]
  })
}
