/** What the books of an excess have to agree with, written from what really moved alone. */
import { overpayment } from "../../packages/core/src/domain/books/balance.ts"
import type { Review } from "../../packages/core/src/domain/Review.ts"
import type { ExcessHistory } from "./ExcessHistory.ts"

const sum = (amounts: ReadonlyArray<{ readonly minorUnits: number }>): number =>
  amounts.reduce((total, { minorUnits }) => total + minorUnits, 0)

/** Every unit that went back was requested by the merchant, returned an excess, or is in a review. */
export const unaccounted = (history: ExcessHistory): ReadonlyArray<string> => {
  const { captured, record, reviews, rows, seed, wanted } = history
  const requested = sum(
    record.operations.filter(
      ({ kind, purpose, status }) => kind === "refund" && purpose === "requested" && status === "succeeded"
    )
  )
  const refunds = reviews.filter(({ reason }) => reason === "excess_refund")
  const names = refunds.map(({ operationId, reference }) => `${operationId} ${reference}`)
  const twice = sum(rows) - Math.min(requested, wanted) - (captured - wanted - overpayment(record))
  return [
    ...(twice > sum(refunds) ? [`${twice} returned twice, ${sum(refunds)} in reviews`] : []),
    ...(twice < sum(refunds) && !isOfTwoRefunds(history)
      ? [`${sum(refunds)} in reviews, ${twice} returned twice`]
      : []),
    ...(new Set(names).size < names.length ? [`one return in two reviews: ${names.join(", ")}`] : []),
    ...(refunds.some(({ reference }) => reference === null) ? ["a review without a reference"] : []),
    ...refunds.flatMap((review) => (isShown(history, review) ? [] : [`${review.reference} is hidden`]))
  ].map((text) => `seed ${seed}: ${text}`)
}

/** A movement was taken for a refund of ours before another one of its amount was known to be its own: both are in review. */
const isOfTwoRefunds = ({ record: { entries } }: ExcessHistory): boolean =>
  entries.some(({ operationId, reference }) =>
    entries.some(
      (other) =>
        operationId !== null &&
        other.operationId !== null &&
        operationId !== other.operationId &&
        reference !== null &&
        reference === other.reference
    )
  )

/** It stands, or an operator has answered it, and no other one, for as much. */
const isShown = ({ dismissed, record }: ExcessHistory, needed: Review): boolean =>
  record.payment.reviews.some(({ id }) => id === needed.id) ||
  dismissed.some(
    (answered) =>
      answered.id === needed.id &&
      (answered.operationId ?? answered.reference) === (needed.operationId ?? needed.reference) &&
      answered.minorUnits >= needed.minorUnits
  )
