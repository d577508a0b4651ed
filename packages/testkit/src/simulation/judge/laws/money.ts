/** Every movement of money in the vendors' ledgers is shown by the API, or named by a review. */
import { captured, held, kept } from "../balance.ts"
import { discrepanciesOf } from "../discrepancies.ts"
import type { Discrepancy, DiscrepancyKind } from "../discrepancies.ts"
import { hasReview, isComplete, isInReview, isNamed } from "../reviews.ts"
import { notJudged, sum, verdict } from "../Law.ts"
import type { Case, Law } from "../Law.ts"

const describeCharges = ({ charges }: Case): string =>
  charges
    .filter((charge) => captured(charge) > 0 || held(charge) > 0)
    .map((charge) => `${charge.reference} keeps ${kept(charge)} and holds ${held(charge)} ${charge.currency}`)
    .join(", ")

const describePayments = ({ payments }: Case): string =>
  payments.length === 0
    ? "the API shows no payment"
    : payments
        .map(
          ({ amount_captured, amount_received, amount_refunded, status }) =>
            `the API shows ${status}, ${amount_captured} captured, ${amount_refunded} refunded${
              amount_received === undefined ? "" : `, ${amount_received} received`
            }`
        )
        .join("; ")

const describe = (one: Case, { amount, charge, kind }: Discrepancy): string =>
  `${amount} ${kind} (${charge?.reference ?? "no charge"}): ${describeCharges(one)}; ${describePayments(one)}`

/** Ledger and API disagree, no operator is asked to look at it, and nothing lists it. */
const unseen =
  (kind: DiscrepancyKind, isAbout: (one: Case) => boolean): Law =>
  (one) =>
    isAbout(one)
      ? verdict(
          1,
          isInReview(one)
            ? []
            : discrepanciesOf(one)
                .filter((each) => each.kind === kind && !isNamed(one, each))
                .map((each) => describe(one, each))
        )
      : notJudged

const anyMovement = (kind: "held" | "captured") => (one: Case) =>
  one.charges.some(({ movements }) => movements.some((each) => each.kind === kind))

/** Nothing is kept at a vendor that the API does not show. */
export const capturesAreShown: Law = unseen("hidden", anyMovement("captured"))

/** Nothing is kept beyond what was asked for, also where the API shows it. */
export const capturesAreAsAsked: Law = unseen("unasked", anyMovement("captured"))

/** The API shows no more than vendors keep: money given back twice, or never taken, is not called captured. */
export const shownAmountsAreReal: Law = unseen("missing", ({ payments }) =>
  payments.some(({ amount_captured }) => amount_captured > 0)
)

/** No hold outlives the payment that wanted it. */
export const holdsAreReleased: Law = unseen("held", anyMovement("held"))

/** No money of another currency is taken unseen. */
export const currenciesAreAsAsked: Law = unseen("foreign", anyMovement("captured"))

/** An open review names where and how much; what it does not name, it does not excuse. */
export const reviewsNameTheCharge: Law = (one) => {
  const reviewed = one.payments.filter(hasReview)
  return verdict(reviewed.length, [
    ...reviewed.map((payment) => (isComplete(payment) ? null : "a review names no provider or no amount")),
    ...(reviewed.length === 0 ? [] : discrepanciesOf(one))
      .filter((each) => !isNamed(one, each))
      .map((each) => `no review names ${describe(one, each)}`)
  ])
}

/** The API agrees with itself: refunds add up, and are never more than was captured. */
export const totalsAgree: Law = (one) => {
  const findings = one.payments.map((payment) => {
    const done = sum(
      one.refunds.filter((refund) => refund.payment === payment.id && refund.status === "succeeded"),
      ({ amount }) => amount
    )
    if (payment.amount_refunded !== done) {
      return `amount_refunded is ${payment.amount_refunded}, its refunds add up to ${done}`
    }
    return payment.amount_refunded > payment.amount_captured
      ? `${payment.amount_refunded} refunded of ${payment.amount_captured} captured`
      : null
  })
  return verdict(one.refunds.length, findings)
}
