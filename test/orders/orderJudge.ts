/** Judges orders by the vendors' ledgers: of each order, the payer's money is kept once, or an operator has it in a review. */
import { keptOf } from "./Ledger.ts"
import type { Charge } from "./Ledger.ts"
import type { OrderRun } from "./OrderRun.ts"

type Records = OrderRun["records"]

export const faultsOf = (run: OrderRun): ReadonlyArray<string> => {
  const chargesOf = Map.groupBy(run.charges, ({ order }) => order)
  const recordsOf = Map.groupBy(run.records, ({ payment }) => payment.order)
  return [
    ...run.orders.flatMap((order) =>
      faultsOfOrder(run, recordsOf.get(order) ?? [], chargesOf.get(order) ?? []).map((fault) => `${order}: ${fault}`)
    ),
    ...faultsOfAnswers(run)
  ]
}

const faultsOfAnswers = ({ answers, records }: OrderRun): ReadonlyArray<string> => {
  const stored = new Set<string>(records.map(({ payment }) => payment.id))
  return answers.flatMap(({ begun, mayBeLost, place, takenBy }) => {
    const own = [...begun, ...mayBeLost].filter((id) => stored.has(id))
    return [
      ...(new Set(own).size > 1 ? [`${place}: one request began ${own.join(" and ")}`] : []),
      ...[...begun].filter((id) => !stored.has(id)).map((id) => `${place}: ${id} is lost`),
      ...[...takenBy]
        .filter((id) => begun.has(id) || mayBeLost.has(id))
        .map((id) => `${place}: refused because of its own payment ${id}`)
    ]
  })
}

const faultsOfOrder = (
  { differences, hasLost, unmatched }: OrderRun,
  records: Records,
  charges: ReadonlyArray<Charge>
): ReadonlyArray<string> => {
  const held = records.filter(({ payment: { state } }) => state.status !== "failed" && state.status !== "canceled")
  const paid = held.find(({ payment }) => payment.state.status === "succeeded")
  const reviewed = records.flatMap(({ payment }) => payment.reviews)
  const isReviewed = (charge: Charge) =>
    reviewed.some(({ minorUnits, reference }) => reference === charge.reference && minorUnits === keptOf(charge))
  const recordOf = ({ reference }: Charge) =>
    records.find(({ operations }) => operations.some((operation) => operation.reference === reference))
  const isUnknown = ({ operation }: Charge) =>
    records.every(({ operations }) => operations.every(({ id }) => id !== operation))
  // The database lost the payment, and its client did not come back.
  const isListed = (charge: Charge) => hasLost && isUnknown(charge) && unmatched.has(charge.operation)
  const isOwn = (charge: Charge) => paid !== undefined && recordOf(charge) === paid
  // Its payment went back to a time before it was closed, and is paid now: the statement shows that it was refunded.
  const isLostRefund = ({ refunds }: Charge) =>
    hasLost && refunds.size > 0 && [...refunds.keys()].every((key) => differences.has(`re_${key}`))
  const kept = charges.filter((charge) => keptOf(charge) > 0)
  const refunded = charges.filter(({ refunds }) => refunds.size > 0)
  return [
    ...(kept.filter(isOwn).length > 1 ? [`${paid?.payment.id} is paid twice`] : []),
    ...(held.length > 1 ? [`${held.length} open or paid payments`] : []),
    ...kept.flatMap((charge) =>
      isOwn(charge) || isReviewed(charge) || isListed(charge) ? [] : [`${charge.reference} is kept`]
    ),
    ...refunded.flatMap(({ reference, refunds }) => (refunds.size > 1 ? [`${reference} is refunded twice`] : [])),
    ...refunded.flatMap((charge) => {
      const record = recordOf(charge)
      // The database has lost the payment after its refund.
      const hasReason = record === undefined ? hasLost : isNotPaid(record, records)
      return hasReason || isLostRefund(charge) ? [] : [`${charge.reference} is refunded without a reason`]
    }),
    ...(paid !== undefined && !charges.some((charge) => isOwn(charge) && (keptOf(charge) > 0 || isLostRefund(charge)))
      ? [`${paid.payment.id} is paid by nothing`]
      : [])
  ]
}

/** It was canceled, or another payment had taken its order. */
const isNotPaid = (record: Records[number], records: Records): boolean => {
  const { status } = record.payment.state
  return status === "canceled" || (status === "failed" && records.length > 1)
}
