/** Every movement of money in the vendors' ledgers is shown by the API, or named by a review. */
import { captured, held, kept } from "../balance.ts"
import { openDiscrepancies } from "../discrepancies.ts"
import type { Discrepancy, DiscrepancyKind } from "../Discrepancy.ts"
import type { PaymentView } from "../facts.ts"
import { hasReview, isComplete, isListed, isMovementNamed } from "../reviews.ts"
import { notJudged, sum, verdict } from "../Expectation.ts"
import type { Case, Expectation } from "../Expectation.ts"

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

/** Ledger and API disagree, and nothing names it. */
const unseen =
  (kind: DiscrepancyKind, isAbout: (one: Case) => boolean): Expectation =>
  (one) =>
    isAbout(one)
      ? verdict(
          1,
          openDiscrepancies(one)
            .filter((each) => each.kind === kind)
            .map((each) => describe(one, each))
        )
      : notJudged

const anyMovement = (kind: "held" | "captured") => (one: Case) =>
  one.charges.some(({ movements }) => movements.some((each) => each.kind === kind))

/** Nothing is kept at a vendor that the API does not show. */
export const capturesAreShown: Expectation = unseen("hidden", anyMovement("captured"))

/** Nothing is kept beyond what was asked for, also where the API shows it. */
export const capturesAreAsAsked: Expectation = unseen("unasked", anyMovement("captured"))

/** The API shows no more than vendors keep: money given back twice, or never taken, is not called captured. */
export const shownAmountsAreReal: Expectation = unseen("missing", ({ payments }) =>
  payments.some(({ amount_captured }) => amount_captured > 0)
)

/** No hold outlives the payment that wanted it. */
export const holdsAreReleased: Expectation = unseen("held", anyMovement("held"))

/** No money of another currency is taken unseen. */
export const currenciesAreAsAsked: Expectation = unseen("foreign", anyMovement("captured"))

/** What the API calls failed, no vendor has done; or a review names the charge or the movement, and how much. */
export const failuresAreReal: Expectation = (one) => {
  const failed = [...one.payments.flatMap(({ operations }) => operations), ...one.refunds].filter(
    ({ status }) => status === "failed"
  )
  return verdict(
    failed.length,
    failed.map(({ id }) =>
      isDoneUnseen(one, id) ? `${id} failed, and was done, and no review names it: ${describeCharges(one)}` : null
    )
  )
}

const isDoneUnseen = (one: Case, id: string): boolean =>
  one.charges.some((charge) =>
    charge.movements.some(
      (movement) => suffix(movement.operation ?? "") === suffix(id) && !isMovementNamed(one, charge, movement)
    )
  )

/** A refund and its operation differ in the prefix of their ids alone. */
const suffix = (id: string): string => id.slice(id.indexOf("_") + 1)

/** An open review names where and how much; what it does not name, it does not excuse. */
export const reviewsNameTheCharge: Expectation = (one) => {
  const reviewed = one.payments.filter(hasReview)
  return verdict(reviewed.length, [
    ...reviewed.map((payment) => (isComplete(payment) ? null : "a review names no provider or no amount")),
    ...(reviewed.length === 0 ? [] : openDiscrepancies(one)).map((each) => `no review names ${describe(one, each)}`)
  ])
}

/** A status says what the ledger says: succeeded is paid in full, authorized is held, failed and canceled took nothing. */
export const statusesAreBacked: Expectation = (one) =>
  verdict(
    one.payments.length,
    one.payments.flatMap((payment) =>
      hasReview(payment) ? [] : [unbacked(one, payment), ...otherThanOrdered(one, payment)]
    )
  )

const unbacked = (one: Case, { amount_captured, provider, status }: PaymentView): string | null => {
  const { charges, order } = one
  switch (status) {
    case "succeeded": {
      const isWhole = order.captureMethod === "manual" ? amount_captured > 0 : amount_captured === order.minorUnits
      return isWhole ? null : `it succeeded with ${amount_captured} captured of ${order.minorUnits}`
    }
    case "authorized":
      return charges.some((charge) => charge.provider === provider && (held(charge) > 0 || isListed(one, charge)))
        ? null
        : `it is authorized, and ${provider} holds nothing`
    case "failed":
    case "canceled":
      return amount_captured === 0 ? null : `it is ${status} with ${amount_captured} captured`
    default:
      return null
  }
}

const otherThanOrdered = ({ order }: Case, { amount, currency }: PaymentView): ReadonlyArray<string> =>
  amount === order.minorUnits && currency === order.currency
    ? []
    : [`it is for ${amount} ${currency}, not for ${order.minorUnits} ${order.currency}`]

/** The API agrees with itself: refunds add up, and are never more than was captured. */
export const totalsAgree: Expectation = (one) => {
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
